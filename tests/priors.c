/* Priors learned from page histories: never from the pages that they are judged on, and the command's in a program. */
#include "perennial/comparison.h"
#include "perennial/priors.h"
#include "corpora.h"
#include "histories.h"

/* A collection of pages, each with the history of its seed, which says when it was captured too. */
struct collection {
	const struct listed {
		const char *url;
		uint64_t seed;
		size_t corpus;
		int64_t later_s; /* the same history, but so much later */
		bool other;      /* the same, but with other fragments */
	} *pages;
};

static const char *listed_url(void *context, size_t i)
{
	return ((struct collection *)context)->pages[i].url;
}

static size_t listed_corpus(void *context, size_t i)
{
	return ((struct collection *)context)->pages[i].corpus;
}

static int listed_read(void *context, size_t i, struct prn_page *page, struct prn_error *error)
{
	const struct listed *listed = &((struct collection *)context)->pages[i];
	struct history history;

	(void)error;
	history_draw(&history, listed->seed);
	for (size_t at = 0; at < history.captures; at++)
		history.times[at] += listed->later_s;
	for (size_t at = 0; at < history.captures && listed->other; at++) {
		memmove(&history.has[at][1], history.has[at], sizeof history.has[at] - sizeof history.has[at][0]);
		history.has[at][0] = true;
	}
	history_page(&history, listed->url ? listed->url : "", page);
	return 0;
}

#define COLLECT(name, ...)                                                                                              \
	static const struct listed name##_listed[] = { __VA_ARGS__ };                                                  \
	static struct collection name##_collection = { name##_listed };                                                \
	static const struct prn_pages name = { .count = sizeof name##_listed / sizeof *name##_listed, .corpora = 2, .context = &name##_collection, \
		                               .url = listed_url, .corpus = listed_corpus, .read = listed_read }

#define PAGE(url, seed, corpus) { url, seed, corpus, 0, false }

COLLECT(a, PAGE("http://a.example/1", 1, 0), PAGE("http://a.example/2", 2, 0));
COLLECT(b, PAGE("http://b.example/1", 3, 0), PAGE("http://b.example/2", 4, 0), PAGE("http://b.example/3", 5, 0));
COLLECT(both, PAGE("http://b.example/1", 3, 0), PAGE("http://a.example/1", 1, 0), PAGE("http://b.example/2", 4, 0),
        PAGE("http://a.example/2", 2, 0), PAGE("http://b.example/3", 5, 0));
COLLECT(spelled, PAGE("HTTP://A.example:80/1#x", 1, 0), PAGE("http://b.example/1", 3, 0), PAGE("http://b.example/2", 4, 0),
        PAGE("http://b.example/3", 5, 0));
COLLECT(years_later, { "http://a.example/1", 1, 0, 1000000000, false }, { "http://a.example/2", 2, 0, 1000000000, false });
COLLECT(other_content, { "http://a.example/1", 1, 0, 0, true }, { "http://a.example/2", 2, 0, 0, true });
COLLECT(nameless, PAGE(NULL, 1, 0));
COLLECT(two_corpora, PAGE("http://b.example/1", 3, 0), PAGE("http://a.example/1", 1, 1), PAGE("http://b.example/2", 4, 0),
        PAGE("http://a.example/2", 2, 1), PAGE("http://b.example/3", 5, 0));

/* *code, *error may be NULL. */
static struct prn_learned_prior learn(const struct prn_pages *pages, const struct prn_pages *under_test, size_t corpus,
                                      size_t threads, int *code, struct prn_error *error)
{
	struct prn_learned_prior learned = { { -1, -1 }, 99 };
	struct prn_priors *priors;
	int failed;

	if (prn_priors_open(&priors, pages, PRN_CLOCK_STEPS, threads, NULL))
		abort();
	failed = prn_priors_learn(priors, under_test, corpus, &learned, error);
	prn_priors_free(priors);
	if (code)
		*code = failed;
	else if (failed)
		abort();
	return learned;
}

static bool same_prior(struct prn_learned_prior x, struct prn_learned_prior y)
{
	return !memcmp(&x.prior, &y.prior, sizeof x.prior) && x.pages == y.pages;
}

static void leaving_out(void)
{
	struct prn_learned_prior of_b = learn(&b, NULL, 0, 1, NULL, NULL), of_all = learn(&both, NULL, 0, 1, NULL, NULL), learned;
	struct prn_error error = { 0 };
	int code;

	ok(of_b.pages == 3, "a prior says from how many pages it was learned");
	ok(!same_prior(of_b, of_all), "pages of another collection make another prior");
	ok(same_prior(learn(&both, &a, 0, 1, NULL, NULL), of_b),
	   "pages under test are left out of the learning wherever among others they stand");
	ok(same_prior(learn(&both, &a, 0, 1, NULL, NULL), learn(&both, &a, 0, 4, NULL, NULL)),
	   "1 thread and 4 learn the same prior");
	ok(same_prior(learn(&both, &a, 0, 1, NULL, NULL), learn(&both, &a, 0, 0, NULL, NULL)),
	   "0 threads, which are all processors, learn the same prior as 1");
	ok(same_prior(learn(&b, &a, 0, 1, NULL, NULL), of_b), "what is not under test is learned from as it is");
	ok(same_prior(learn(&spelled, &a, 0, 1, NULL, NULL), of_b), "a page under test is known by another spelling of its URL too");
	ok(same_prior(learn(&years_later, &a, 0, 1, NULL, NULL), learn(&years_later, NULL, 0, 1, NULL, NULL)),
	   "a page that was watched at another time is learned from");
	ok(same_prior(learn(&other_content, &a, 0, 1, NULL, NULL), learn(&other_content, NULL, 0, 1, NULL, NULL)),
	   "a page of the same URL and times with other content is learned from");
	ok(same_prior(learn(&two_corpora, &two_corpora, 1, 1, NULL, NULL), of_b),
	   "a corpus learns from the others of the same collection");
	ok(same_prior(learn(&two_corpora, &two_corpora, 0, 1, NULL, NULL), learn(&a, NULL, 0, 1, NULL, NULL)),
	   "each corpus of a collection has a prior of its own");

	learned = learn(&a, &both, 0, 1, &code, &error);
	ok(code == PRN_E_NOT_FOUND, "a corpus cannot learn from itself alone");
	same(error.text, "all 2 pages to learn a prior from are under test themselves, in corpus 0",
	     "the error says that all pages to learn from are under test");
	ok(learned.pages == 99 && learned.prior.alpha < 0, "a failure leaves the prior as it was");
	learn(&nameless, &a, 0, 1, &code, &error);
	ok(code == PRN_E_UNSUPPORTED, "a page without URL is not learned from when there are pages under test");
	learn(&a, &nameless, 0, 1, &code, &error);
	ok(code == PRN_E_UNSUPPORTED, "a page under test without URL cannot be left out");
	learn(&both, &a, 7, 1, &code, &error);
	ok(code == PRN_E_ARGUMENT, "for a corpus that is not among those under test no prior is learned: %s", error.text);
	learn(&(const struct prn_pages){ .corpora = 1, .url = listed_url, .corpus = listed_corpus, .read = listed_read }, &a, 0, 1, &code, &error);
	ok(code == PRN_E_ARGUMENT, "there is no prior of no pages");
}

static void defaults(void)
{
	const struct prn_prior prior = { 1.0 / 3, 1e-300 };
	char text[PRN_PRIOR_DEFAULTS];
	double alpha = 0, beta = 0;

	prn_prior_defaults(&prior, text);
	sscanf(text, "alpha=%lf:beta=%lf", &alpha, &beta);
	ok(!(alpha < prior.alpha) && !(alpha > prior.alpha), "alpha is written to the last bit");
	ok(!(beta < prior.beta) && !(beta > prior.beta), "beta is written to the last bit");
}

static void one_prior(void)
{
	static const char *const names[] = { "watch", "terms-ai", "news-de" };
	struct prn_learned_prior learned;
	struct corpora corpora;
	char *text;

	corpora_open(&corpora, names, 3);
	learned = learn(&corpora.pages, NULL, 0, 2, NULL, NULL);
	if (asprintf(&text, "alpha\tbeta\tclock\tpages\n%.17g\t%.17g\tsteps\t%zu\n", learned.prior.alpha, learned.prior.beta,
	             learned.pages) < 0)
		abort();
	same_output(text, "prior watch.trace terms-ai.trace news-de.trace", "a program learns the prior that `perennial prior` prints");
	free(text);
	corpora_close(&corpora);
}

/* What `perennial evaluate --learn-prior=…` does, as a program does it. */
static void program(void)
{
	static const char *const tested[] = { "watch", "terms-ai" }, *const learned_from[] = { "terms-ai", "news-de", "watch" };
	static const char *const policies[] = { "drift", "cgm" };
	const double cost = 0.2;
	const struct prn_comparison comparison = { .axis = PRN_AXIS_COST, .window = PRN_WINDOW_ALL, .targets = &cost,
		                                   .target_count = 1, .reference = PRN_NO_REFERENCE, .seed = 1,
		                                   .resamples = 40, .threads = 2 };
	char texts[2][PRN_PRIOR_DEFAULTS], *text = NULL;
	const char *const defaults_of[] = { texts[0], texts[1] };
	struct corpora under_test, to_learn;
	struct prn_compared compared[2];
	struct prn_evaluation *evaluation;
	struct prn_learned_prior learned;
	struct prn_priors *priors;
	struct prn_sweeps *sweeps;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	int failed;

	corpora_open(&under_test, tested, 2);
	corpora_open(&to_learn, learned_from, 3);
	failed = prn_priors_open(&priors, &to_learn.pages, PRN_CLOCK_STEPS, 2, NULL);
	for (size_t i = 0; i < 2 && !failed; i++) {
		failed = prn_priors_learn(priors, &under_test.pages, i, &learned, NULL);
		prn_prior_defaults(&learned.prior, texts[i]);
	}
	if (!out || failed || prn_sweeps_open(&sweeps, policies, 2, defaults_of, 2, NULL) ||
	    prn_sweeps_choose(sweeps, &under_test.pages, PRN_CLOCK_STEPS, 2, NULL) ||
	    prn_evaluation_run(&evaluation, &under_test.pages, prn_sweeps_all(sweeps), 2, PRN_CLOCK_STEPS, 2, NULL) ||
	    prn_evaluation_compare(evaluation, &comparison, compared))
		abort();
	fputs("policy\twindow\tcost\tstaleness\tlow\thigh\n", out);
	for (size_t i = 0; i < 2; i++)
		fprintf(out, "%s\tall\t%g\t%.17g\t%.17g\t%.17g\n", policies[i], cost, compared[i].value.value,
		        compared[i].value.low, compared[i].value.high);
	fclose(out);
	same_output(text, "evaluate watch.trace terms-ai.trace --learn-prior=terms-ai.trace,news-de.trace,watch.trace "
	                  "--policy=drift,cgm --at-cost=0.2 --bootstrap=40",
	            "a program that learns a prior for each corpus has the numbers of `perennial evaluate --learn-prior`");
	free(text);
	prn_priors_free(priors);
	prn_evaluation_free(evaluation);
	prn_sweeps_free(sweeps);
	corpora_close(&under_test);
	corpora_close(&to_learn);
}

int main(void)
{
	leaving_out();
	defaults();
	if (has_command()) {
		one_prior();
		program();
	} else {
		skip("PERENNIAL and SRCDIR do not say where the command and the corpora are");
	}
	return done();
}
