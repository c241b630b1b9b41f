#include "decide/redirects.h"

#include "archive/url_private.h"
#include "decide/loads.h"
#include "decide/shard_message.h"
#include "decide/shards.h"

#include "perennial/url.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How long after a redirect its target may be fetched because of it. */
#define FOLLOWED_S 3600.0

/*
 * How many pages redirects of a site may add to it before one of them has brought content: one chain, but at least this many.
 * With ten, twenty pages that each lead to a fresh address took 5 per cent of the fetches of 500 others' first week.
 */
#define FRUITLESS_MOST 5

/* The part of a normal URL that stays when a page only moves: all but the scheme, a leading "www." and a slash at the end. */
static const char *lasting_part(const char *url, size_t *length)
{
	url += strcspn(url, ":") + strlen("://");
	if (!strncmp(url, "www.", strlen("www.")))
		url += strlen("www.");
	*length = strlen(url);
	*length -= *length && url[*length - 1] == '/';
	return url;
}

static bool has_only_moved(const char *from, const char *to)
{
	size_t from_length, to_length;
	const char *a = lasting_part(from, &from_length), *b = lasting_part(to, &to_length);

	return from_length == to_length && !memcmp(a, b, from_length);
}

bool prn_redirect_leads_elsewhere(const struct prn_observation *observation)
{
	return observation->kind == PRN_KIND_REDIRECT && observation->target && observation->target[0];
}

/* The place for a key among the refused targets; NULL: nothing was refused so far. */
static struct prn_refused *place_of_refused(struct prn_decider *decider, const struct prn_digest *key)
{
	return decider->refused ? &decider->refused[key->low & (PRN_REFUSED - 1)] : NULL;
}

/* If memory is short, the target is forgotten, as if another had overwritten it. */
void prn_redirect_refuse(struct prn_decider *decider, const char *target, int64_t time)
{
	struct prn_digest key = prn_url_key(target);

	if (!decider->refused)
		decider->refused = calloc(PRN_REFUSED, sizeof *decider->refused);
	if (decider->refused)
		*place_of_refused(decider, &key) = (struct prn_refused){ key, time, ++decider->refused_count };
}

bool prn_redirect_was_refused(struct prn_decider *decider, const struct prn_observation *observation)
{
	const struct prn_refused *refused = place_of_refused(decider, &observation->key);

	return refused && refused->number && !prn_digest_compare(&refused->key, &observation->key) &&
	       fabs((double)observation->time - (double)refused->time) <= FOLLOWED_S;
}

/* The last count labels of a name, or all of it. */
static struct prn_host_name last_labels(struct prn_host_name name, unsigned count)
{
	size_t at = name.length;

	while (at && (name.text[at - 1] != '.' || --count))
		at--;
	return (struct prn_host_name){ name.text + at, name.length - at };
}

/*
 * The part of a host's name that the hosts of a site share: the last two labels, and one more in front of a country's short
 * one, as of "co.uk".  A numeric address is a site of its own.
 */
static struct prn_host_name site_of(const char *normal_url)
{
	struct prn_host_name name = prn_host_name(normal_url), two = last_labels(name, 2);
	char last = name.length ? name.text[name.length - 1] : 0;
	bool is_short = last_labels(name, 1).length == 2 && two.length <= strlen("com.xx");

	return (last >= '0' && last <= '9') || last == ']' ? name : is_short ? last_labels(name, 3) : two;
}

static bool is_same(struct prn_host_name a, struct prn_host_name b)
{
	return a.length == b.length && !memcmp(a.text, b.text, a.length);
}

static bool is_same_site(const char *a, const char *b)
{
	return is_same(site_of(a), site_of(b));
}

/* Finds the record of a page's site, which is kept under the site's name as if it were a host. */
static int find_site(const struct prn_redirect *redirect, const char *normal_url, struct prn_known_host *known)
{
	struct prn_store_reader reader = prn_decider_reader(redirect->decider);

	return prn_host_find(known, &reader, &redirect->decider->options, site_of(normal_url), redirect->error);
}

/*
 * Each part of a giant gets its part of the number, but at least one: a single page that moves within the giant is to be
 * followed.
 */
static uint32_t fruitless_most(const struct prn_redirect *redirect)
{
	unsigned chain = redirect->decider->options.redirect_chain, most;

	most = chain > FRUITLESS_MOST ? chain : FRUITLESS_MOST;
	most = prn_giant_share_of(redirect->decider, prn_host_name(prn_entry_normal(redirect->entry)), most);
	return most ? most : 1;
}

/* Whether the host has already added all that it may. */
static bool is_full(const struct prn_redirect *redirect, const struct prn_known_host *known)
{
	return known->host.redirects >= prn_giant_share_of(redirect->decider, known->name, redirect->decider->options.redirects_per_host);
}

/*
 * Counts one more page of the redirecting page's site.  Names within a site cost nothing, so what one of its hosts adds under the name
 * of another counts as if the site were a host: each new name would bring its own number otherwise.
 */
static int count_in_site(const struct prn_redirect *redirect, bool *full)
{
	const char *url = prn_entry_normal(redirect->entry);
	struct prn_host_name host = prn_host_name(url);
	struct prn_known_host known;
	bool under_another = !is_same(host, prn_host_name(redirect->observation->target)) && !is_same(host, site_of(url));
	int code = find_site(redirect, url, &known);

	if (code)
		return code;
	*full = known.host.fruitless >= fruitless_most(redirect) || (under_another && is_full(redirect, &known));
	if (*full)
		return 0;
	known.host.fruitless++;
	known.host.redirects += under_another;
	return prn_decider_put_host(redirect->decider, &known, redirect->now, redirect->error);
}

/*
 * Counts one more page against the redirecting page's host and, if it is of the same site, against that.  *full becomes true if
 * one of them has already added all that it may.  They may be one record, so they are read and put one after the other.
 */
static int count_redirect(const struct prn_redirect *redirect, bool own, bool *full)
{
	struct prn_decider *decider = redirect->decider;
	struct prn_known_host known;
	int code = prn_decider_host(decider, redirect->entry, &known, redirect->error);

	if (code)
		return code;
	*full = is_full(redirect, &known);
	if (!*full && own)
		code = count_in_site(redirect, full);
	if (code || *full)
		return code;
	code = prn_decider_host(decider, redirect->entry, &known, redirect->error);
	known.host.redirects++;
	return code ? code : prn_decider_put_host(decider, &known, redirect->now, redirect->error);
}

int prn_redirect_has_content(const struct prn_redirect *redirect)
{
	struct prn_known_host known;
	uint32_t led = redirect->entry->state.redirects; /* none of these was fruitless */
	int code;

	/* A page that another site led to was not counted here. */
	if (redirect->entry->state.from_elsewhere)
		return 0;
	code = find_site(redirect, prn_entry_normal(redirect->entry), &known);
	if (code || !known.host.fruitless)
		return code;
	known.host.fruitless -= led < known.host.fruitless ? led : known.host.fruitless;
	return prn_decider_put_host(redirect->decider, &known, redirect->now, redirect->error);
}

/*
 * Finds whether the target may be added.  Targets count against the page that redirects, not against where it leads, because
 * host names cost nothing.  For the same reason a page that a redirect brought may add only one more: it passes the chain on,
 * or hundreds of hosts would each add their hundreds.
 *
 * elsewhere: the target is of another shard.  It is not known here what it will add, so it counts as one of another site.
 */
static int admit_target(const struct prn_redirect *redirect, bool elsewhere, bool *admitted)
{
	const struct prn_decider_options *options = &redirect->decider->options;
	const char *url = prn_entry_normal(redirect->entry), *target = redirect->observation->target;
	struct prn_page_state *from = &redirect->entry->state, *to = &redirect->decider->other.state;
	bool moved = has_only_moved(url, target), own = !elsewhere && is_same_site(url, target), full = false;
	/*
	 * A site of the internet must not be able to have private addresses visited, such as services of the fetcher's machine,
	 * network or cloud; a private site may.  No site may hand in passwords.
	 */
	bool may_lead = !prn_url_has_user(target) && (!prn_url_is_private(target) || prn_url_is_private(url));
	int code = 0;

	*admitted = options->redirects_per_host && options->redirect_chain && may_lead &&
	            (moved || from->redirects < options->redirect_chain);
	if (*admitted && !moved)
		code = count_redirect(redirect, own, &full);
	*admitted &= !full;
	if (code || !*admitted)
		return code;
	to->redirects = moved ? from->redirects : from->redirects + 1;
	to->from_elsewhere = moved ? from->from_elsewhere : !own;
	if (from->redirects)
		from->redirects = PRN_PAGE_PASSED_ON;
	return 0;
}

int prn_redirect_follow(const struct prn_redirect *redirect, struct prn_redirected *to)
{
	struct prn_store_reader reader = prn_decider_reader(redirect->decider);
	struct prn_decider *decider = redirect->decider;
	const char *target = redirect->observation->target;
	const struct prn_page_state *state = &redirect->entry->state;
	bool admitted = false, step = state->redirects && state->visits <= 1, elsewhere, known, lost = false;
	struct prn_digest key;
	int code;

	*to = (struct prn_redirected){ 0 };
	if (!prn_redirect_leads_elsewhere(redirect->observation) || decider->options.known_only)
		return 0;
	key = prn_url_key(target);
	elsewhere = prn_shards_is_elsewhere(decider, target);
	code = prn_entry_find(&decider->other, &reader, &key, target, target, redirect->error);
	known = decider->other.known;
	if (!code && elsewhere)
		code = prn_shards_knows(decider, target, &known, &lost, redirect->error);
	if (code || known)
		return code;
	code = admit_target(redirect, elsewhere, &admitted);
	if (code)
		return code;
	*to = (struct prn_redirected){ .added = admitted, .refused = !admitted,
		                       .step = step && !has_only_moved(prn_entry_normal(redirect->entry), target) };
	decider->other.weight = redirect->entry->weight;
	decider->other.due = redirect->observation->time;
	if (elsewhere)
		return prn_shards_send_target(decider, target, redirect->observation->time, admitted ? &decider->other : NULL,
		                       lost || state->redirects == PRN_PAGE_PASSED_ON, redirect->error);
	if (!admitted) {
		prn_redirect_refuse(decider, target, redirect->observation->time);
		return 0;
	}
	return prn_decider_put(decider, &decider->other, redirect->error);
}
