/* Memory that runs out while a name in another script is read is no fault of the URL: nothing is refused, passed over or lost for it. */
#include "archive/capture_json.h"
#include "archive/url_read.h"
#include "desk.h"
#include "history/weights.h"

#include "perennial/hinting.h"

#include <idn2.h>

#define OTHER "http://b\xc3\xbc" "cher.example/"

int __real_idn2_to_ascii_8z(const char *input, char **output, int flags);
int __wrap_idn2_to_ascii_8z(const char *input, char **output, int flags);

static bool out_of_memory;

int __wrap_idn2_to_ascii_8z(const char *input, char **output, int flags)
{
	return out_of_memory ? IDN2_MALLOC : __real_idn2_to_ascii_8z(input, output, flags);
}

static struct prn_error error;

/* What a call that is made without memory says of it. */
#define SAYS(call, who)                                                                                                                  \
	do {                                                                                                                             \
		int said;                                                                                                                \
                                                                                                                                         \
		error = (struct prn_error){ 0 };                                                                                         \
		out_of_memory = true;                                                                                                    \
		said = (call);                                                                                                           \
		out_of_memory = false;                                                                                                   \
		ok(said == PRN_E_MEMORY && strstr(error.text, "out of memory"), "without memory %s says that: %d %s", who, said, error.text); \
	} while (0)

static void deciders(void)
{
	char normal[PRN_URL_BYTES + 1];
	struct prn_capture capture = text_of(OTHER, T0, "text");
	struct prn_hint hint = { .url = OTHER, .normal_url = OTHER, .time = T0, .modified = PRN_TIME_UNKNOWN, .source = "x" };
	struct prn_record record = { .url = OTHER, .weight = 1, .due = T0, .lease = PRN_TIME_UNKNOWN };
	struct prn_observation observation;
	struct prn_store *store = NULL;
	struct prn_batch *batch = NULL;
	enum prn_hinted hinted;
	enum prn_added added;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	prn_observation_init(&observation);
	SAYS(prn_url_read(OTHER, normal, &error), "who reads a URL");
	SAYS(prn_decider_add(desk.decider, OTHER, 1, T0, &added, &error), "who adds a page");
	capture.normal_url = OTHER;
	SAYS(prn_observation_make(&observation, &capture, 8, desk.extractor, 0, &error), "who makes an observation");
	capture.normal_url = PAGE;
	capture.asked_url = OTHER;
	SAYS(prn_observation_make(&observation, &capture, 8, desk.extractor, 0, &error), "who makes an observation of an answer");
	capture = (struct prn_capture){ .url = PAGE, .normal_url = PAGE, .time = T0, .status = 301, .kind = PRN_KIND_REDIRECT,
		                        .body = (const unsigned char *)OTHER, .body_bytes = strlen(OTHER), .modified = PRN_TIME_UNKNOWN,
		                        .retry_after_s = PRN_TIME_UNKNOWN };
	SAYS(prn_observation_make(&observation, &capture, 8, desk.extractor, 0, &error), "who makes an observation of a redirect");
	SAYS(prn_decider_hint(desk.decider, &hint, T0, &hinted, &error), "who tells of a page");
	must(!prn_store_create("memory:url", NULL, 0, NULL) && !prn_store_open(&store, "memory:url", PRN_STORE_WRITE, 0, NULL) && !prn_batch_open(&batch, store, NULL),
	     "open a store");
	SAYS(prn_batch_put(batch, &record, &error), "who puts a page");
	prn_batch_free(batch);
	prn_store_free(store);
	prn_observation_release(&observation);
	desk_release(&desk);
}

static int read_json(const char *text, struct prn_capture *capture)
{
	const struct prn_capture_json_options options = { .body_bytes_max = 1000, .has_time = true, .time = T0 };
	static struct prn_capture_json reader;
	int code = prn_capture_json_read(&reader, text, strlen(text), &options, capture, &error);

	prn_capture_json_release(&reader);
	return code;
}

static int read_weights(const char *path)
{
	struct prn_page_table pages = { 0 };
	uint64_t repeated = 0;
	int code = prn_weights_read(path, &(struct prn_part){ 0 }, &pages, &repeated, &error);

	prn_page_table_release(&pages);
	return code;
}

static void sources(void)
{
	struct prn_capture capture;
	char path[600];
	FILE *file;

	SAYS(read_json("{\"url\":\"http://a.example/\",\"answers\":\"http://a.example/x\",\"status\":301,\"location\":\"" OTHER "\"}", &capture),
	     "who reads a redirect of JSON");
	snprintf(path, sizeof path, "%s/weights", scratch);
	file = fopen(path, "w");
	must(file && fprintf(file, OTHER " 2\n") > 0 && !fclose(file), "write weights");
	SAYS(read_weights(path), "who reads weights");
}

int main(void)
{
	make_scratch();
	deciders();
	sources();
	return done();
}
