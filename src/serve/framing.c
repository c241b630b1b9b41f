#include "serve/framing.h"
#include "base/ascii.h"
#include "serve/library.h"

#include <string.h>

struct framing {
	unsigned hosts, lengths, codings;
	const char *fault;
};

static enum MHD_Result look_at_field(void *context, enum MHD_ValueKind kind, const char *name, size_t name_length,
                                     const char *value, size_t value_length)
{
	struct framing *framing = context;

	(void)kind, (void)value_length;
	if (strcspn(name, " \t") != name_length)
		framing->fault = "a header's name ends in its colon, without a space";
	else if (!prn_ascii_compare(name, "Host") && framing->hosts++)
		framing->fault = "Host is given twice";
	else if (!prn_ascii_compare(name, "Content-Length") && framing->lengths++)
		framing->fault = "Content-Length is given twice";
	else if (!prn_ascii_compare(name, "Transfer-Encoding") &&
	         (framing->codings++ || !value || prn_ascii_compare(value, "chunked")))
		framing->fault = "the only Transfer-Encoding that is read is chunked, given once";
	else if (framing->codings && framing->lengths)
		framing->fault = "Content-Length and Transfer-Encoding exclude each other";
	return framing->fault ? MHD_NO : MHD_YES;
}

const char *serve_framing_fault(struct MHD_Connection *connection)
{
	struct framing framing = { 0 };

	serve_library.get_connection_values_n(connection, MHD_HEADER_KIND, look_at_field, &framing);
	return framing.fault;
}
