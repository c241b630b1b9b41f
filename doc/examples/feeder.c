/*
 * A program that links the library: feeder STORE FILE… has a store decide about all captures of WARC files, and prints
 * each page with its next visit, as perennial observe does.
 *
 *	cc feeder.c $(pkg-config --cflags --libs perennial) -o feeder
 */
#include <perennial/perennial.h>
#include <stdio.h>

static int print(void *context, const struct prn_fed *fed, size_t count, struct prn_error *error)
{
	char next[PRN_TIME_TEXT];

	(void)context, (void)error;
	for (size_t i = 0; i < count; i++)
		if (fed[i].fault)
			fprintf(stderr, "%s\n", fed[i].fault->text);
		else
			printf("%s %s\n", fed[i].observation->url, prn_time_format(fed[i].outcome.next, next));
	return 0;
}

int main(int argc, char **argv)
{
	struct prn_feed_options options;
	struct prn_source_options source_options = { 0 };
	struct prn_decider *decider = NULL;
	struct prn_feed *feed = NULL;
	struct prn_error error = { 0 };
	int code = argc > 1 ? prn_decider_open(&decider, argv[1], PRN_STORE_WRITE, NULL, &error) : PRN_E_ARGUMENT;

	prn_feed_options_init(&options);
	options.deliver = print;
	if (!code)
		code = prn_feed_open(&feed, decider, &options, &error);
	for (int i = 2; i < argc && !code; i++) {
		struct prn_source *source = NULL;

		prn_feed_watch(feed, &source_options);
		code = prn_source_open(&source, argv[i], &source_options, &error);
		if (!code)
			code = prn_feed_source(feed, source, &error);
		prn_source_free(source);
	}
	if (feed && (!code || code == PRN_E_CANCELLED))
		code = prn_feed_finish(feed, &error);
	if (code)
		fprintf(stderr, "%s\n", *error.text ? error.text : prn_error_text(code));
	prn_feed_free(feed);
	prn_decider_free(decider);
	return code != 0;
}
