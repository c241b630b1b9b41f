#include "term/origin.h"

#include <stdlib.h>
#include <string.h>

#define PART " part="

struct origin {
	char *text;           /* the provenance without the part */
	struct prn_part part; /* the part that the import was given; all zero: none, or not known */
};

static int read_origin(struct origin *origin, const char *provenance)
{
	char *at, *end, number[24] = "";

	*origin = (struct origin){ .text = strdup(provenance) };
	if (!origin->text)
		return PRN_E_MEMORY;
	at = strncmp(provenance, "import ", 7) ? NULL : strstr(origin->text, PART);
	if (!at)
		return 0;
	end = at + 1 + strcspn(at + 1, " ");
	strncat(number, at + strlen(PART), (size_t)(end - at) < sizeof number ? (size_t)(end - at) - strlen(PART) : 0);
	if (!prn_part_parse(number, &origin->part))
		memmove(at, end, strlen(end) + 1);
	return 0;
}

static void release_origins(struct origin *origins, size_t count)
{
	for (size_t i = 0; origins && i < count; i++)
		free(origins[i].text);
	free(origins);
}

/* Returns the origins of the inputs; NULL without memory. */
static struct origin *read_origins(const struct term_inputs *inputs)
{
	struct origin *origins = calloc(inputs->count + 1, sizeof *origins);
	int code = 0;

	for (size_t i = 0; origins && i < inputs->count && !code; i++)
		code = read_origin(&origins[i], prn_trace_about(inputs->traces[i])->provenance);
	if (!code)
		return origins;
	release_origins(origins, inputs->count);
	return NULL;
}

static void print_words(FILE *out, size_t number, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, " ");

		if (length)
			fprintf(out, "trace.%zu=", number);
		for (size_t i = 0; i < length; i++)
			fputc((unsigned char)text[i] < 0x20 ? '_' : text[i], out);
		if (length)
			fputc('\n', out);
		text += length + (text[length] == ' ');
	}
}

int term_origins_print(FILE *out, const struct term_inputs *inputs)
{
	struct origin *origins = read_origins(inputs);

	if (!origins)
		return PRN_E_MEMORY;
	fprintf(out, "traces=%zu\n", inputs->count);
	for (size_t i = 0; i < inputs->count; i++) {
		fprintf(out, "trace.%zu=fragment rule %u\n", i + 1, prn_trace_about(inputs->traces[i])->fragment_rule);
		print_words(out, i + 1, origins[i].text);
	}
	release_origins(origins, inputs->count);
	return 0;
}

/* Whether some trace of this origin has the pages of a slot. */
static bool has_slot(const struct origin *origins, size_t count, const struct origin *of, uint32_t slot)
{
	for (size_t i = 0; i < count; i++)
		if (prn_part_has_slot(&origins[i].part, slot) && !strcmp(origins[i].text, of->text))
			return true;
	return false;
}

static bool has_part(const struct origin *origins, size_t count, const struct origin *of, const struct prn_part *part)
{
	for (uint32_t slot = 0; slot < PRN_SLOTS; slot++)
		if (prn_part_has_slot(part, slot) && !has_slot(origins, count, of, slot))
			return false;
	return true;
}

int term_origins_check(const struct term_inputs *inputs, const struct prn_part *part, struct prn_error *error)
{
	struct origin *origins = read_origins(inputs);
	uint32_t number = part->of ? part->number : 1, of = part->of ? part->of : 1;
	int code = 0;

	if (!origins)
		return prn_error_memory(error);
	for (size_t i = 0; i < inputs->count && !code; i++) {
		const struct prn_part *own = &origins[i].part;

		if (own->of > 1 && !has_part(origins, inputs->count, &origins[i], part))
			code = prn_error_set(error, PRN_E_UNSUPPORTED,
			                     "%s: has the pages of part %u/%u of its sources, and not all those of part %u/%u", inputs->paths[i],
			                     own->number, own->of, number, of);
	}
	release_origins(origins, inputs->count);
	return code;
}
