/* GET /v1/show: shows a person what changed between a page's last two bodies.  It has no script, and no code in the bodies runs. */
#include "text/difference.h"
#include "serve/form.h"
#include "serve/html.h"
#include "serve/routes.h"
#include "serve/service.h"

#include <stdlib.h>
#include <string.h>

#define POLICY "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

struct showing {
	struct serve_daemon *daemon;
	struct serve_request *request;
	char url[PRN_URL_BYTES + 1];
	struct keep_pair pair;
	struct text_difference difference;
};

static void free_showing(struct showing *showing)
{
	text_difference_release(&showing->difference);
	keep_pair_release(&showing->pair);
	free(showing);
}

static int print(const struct showing *showing, struct prn_buffer *page, struct prn_error *error)
{
	struct prn_buffer back = { 0 };
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	int code = out && !prn_buffer_printf(&back, "/?url=") && !serve_html_query(&back, showing->url) && !prn_buffer_terminate(&back)
	                   ? text_difference_page(out, &showing->difference, (const char *)back.data)
	                   : PRN_E_MEMORY;

	if (out && fclose(out))
		code = PRN_E_MEMORY;
	if (!code)
		*page = (struct prn_buffer){ (unsigned char *)text, length, length };
	else
		free(text);
	prn_buffer_release(&back);
	return code ? prn_error_memory(error) : 0;
}

static int find(struct showing *showing, struct prn_error *error)
{
	struct keep *keep = showing->daemon->options.keep;
	int code = keep ? keep_get(keep, showing->url, &showing->pair, error) : 0;

	if (code || showing->pair.count)
		return code;
	if (showing->pair.unread)
		return prn_error_set(error, PRN_E_NOT_FOUND, "%s: its kept bodies are damaged", showing->url);
	return prn_error_set(error, PRN_E_NOT_FOUND, "%s: no body of it is kept%s", showing->url,
	                     showing->daemon->options.keep_most ? " yet" : ", for serve runs without --keep-bodies");
}

/* Runs apart from the threads that take requests, because a large body takes long to read. */
static void make_page(void *context)
{
	struct showing *showing = context;
	struct prn_buffer page = { 0 };
	struct prn_error error = { 0 };
	int code = find(showing, &error);

	if (!code)
		code = text_difference_compare(&showing->difference, &showing->pair, prn_decider_shingle_words(showing->daemon->decider), &error);
	if (!code)
		code = print(showing, &page, &error);
	if (code) {
		serve_request_fail(showing->request, &error);
	} else {
		serve_request_set_header(showing->request, "Content-Security-Policy", POLICY);
		serve_request_answer(showing->request, 200, "text/html; charset=utf-8", &page);
	}
	free_showing(showing);
}

void serve_show(void *context, struct serve_request *request)
{
	struct serve_daemon *daemon = context;
	struct showing *showing = calloc(1, sizeof *showing);

	if (!showing) {
		serve_request_fail_memory(request);
		return;
	}
	showing->daemon = daemon;
	showing->request = request;
	keep_pair_init(&showing->pair);
	text_difference_init(&showing->difference);
	if (!serve_form_url(request, "url", showing->url, sizeof showing->url) ||
	    !serve_batches_run(daemon->batches, request, make_page, showing))
		free_showing(showing);
}
