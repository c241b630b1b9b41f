/*
 * Links: the references of a page, as the standard reads attributes, and what they name; and what import keeps of them.
 */
#include "fragment/html.h"
#include "history/links.h"
#include "perennial/url.h"
#include "tap.h"

#include <stdlib.h>

/* The references of a page, each followed by "|", and its base behind "base:". */
static const char *references_of(const char *html, bool is_xhtml)
{
	static char told[2000];
	struct prn_references references = { 0 };
	struct prn_buffer text = { 0 };
	const char *at;
	char *out = told;

	if (prn_html_text((const unsigned char *)html, strlen(html), is_xhtml, &text, &references))
		abort();
	at = (const char *)references.text.data;
	*out = 0;
	for (size_t i = 0; i < references.count; i++, at += strlen(at) + 1)
		out += snprintf(out, 500, "%.400s|", at);
	if (references.has_base)
		snprintf(out, 500, "base:%.400s", (const char *)references.base.data);
	prn_references_release(&references);
	prn_buffer_release(&text);
	return told;
}

static void refers(const char *html, const char *expected, const char *claim)
{
	same(references_of(html, false), expected, "%s", claim);
}

static void references(void)
{
	refers("<a href=x>a</a><A HREF='y'>b</A><area shape=rect href=\"z\">", "x|y|z|", "the href of a and area is a reference");
	refers("<link href=a><img src=b><p href=c><abbr href=d><form action=e>", "", "what other elements say is none");
	refers("<a name=x>a</a><a hrefx=y><a xhref=z>", "", "an a without href has none");
	refers("<a href>a</a><a href=''>b</a>", "||", "an empty href is a reference to the page");
	refers("<a href=x href=y>", "x|", "of two attributes of one name the first counts");
	refers("<a\nid = 'x>y'\thref\n=\n\"a b\" title>", "a b|", "there may be white space and other attributes around it");
	refers("<a href=x/y/>", "x/y/|", "a slash in a value without quotes is part of it");
	refers("<a/href=x>", "x|", "a slash may stand before an attribute");
	refers("<a title='href=x' alt=\"'\" href=y>", "y|", "what looks like an attribute in a value is none");
	refers("<a =href=x>", "", "a name that begins with an equals sign is another");
	refers("<a ='x href=y'>", "y'|", "and quotes in such a name are part of it");
	refers("<a href=x", "", "a tag that is cut off has no reference");
	refers("<a href='?a=1&amp;b=2&#x26;c=3&#38;d'>", "?a=1&b=2&c=3&d|", "references to characters are read");
	refers("<a href='?a&copy=1&reg2&lt=&lt;'>", "?a&copy=1&reg2&lt=<|", "a name without semicolon that goes on is part of an address");
	refers("<a href='?a&copy&reg.&copy'>", "?a\xc2\xa9\xc2\xae.\xc2\xa9|", "a name that ends there is a character");
	refers("<a href=x></a href=y>", "x|", "an end tag has no reference");
	refers("<!-- <a href=x> --><script><a href=y></script><title><a href=z></title><noscript><a href=n></noscript>", "",
	       "what is no element has none");
	refers("<template><a href=x><base href=b></template><a href=y>", "y|", "a template's elements are not on the page");
	refers("<svg><a href=x>t</a></svg>", "x|", "an a in SVG is a link too");
	refers("<base target=t><base href=b/><base href=c><a href=x>", "x|base:b/", "the first base with an href counts");
	same(references_of("<a href='x'/><![CDATA[<a href='y'>]]><a href='z'/>", true), "x|z|", "XHTML has references too");
}

static void most(void)
{
	struct prn_references references = { 0 };
	struct prn_buffer text = { 0 }, html = { 0 };

	for (int i = 0; i < PRN_REFERENCES_MOST + 10; i++)
		prn_buffer_printf(&html, "<a href=%d>", i);
	if (prn_html_text(html.data, html.length, false, &text, &references))
		abort();
	ok(references.count == PRN_REFERENCES_MOST, "of a page with more references the first %d are read", PRN_REFERENCES_MOST);
	prn_references_release(&references);
	prn_buffer_release(&text);
	prn_buffer_release(&html);
}

/* expected: normal forms, divided by spaces. */
static void leads(const char *url, const char *html, const char *expected, const char *claim)
{
	struct prn_references references = { 0 };
	struct prn_buffer text = { 0 };
	struct prn_links links = { 0 };
	char list[1000], *rest = list, *one;
	uint64_t want[16];
	size_t wanted = 0;

	if (prn_html_text((const unsigned char *)html, strlen(html), false, &text, &references) ||
	    prn_links_resolve(url, &references, &links))
		abort();
	snprintf(list, sizeof list, "%s", expected);
	while ((one = strsep(&rest, " ")))
		if (*one) {
			uint64_t key = prn_url_key(one).low;
			size_t i = wanted++;

			for (; i && want[i - 1] > key; i--)
				want[i] = want[i - 1];
			want[i] = key;
		}
	if (!ok(links.count == wanted && (!wanted || !memcmp(links.keys, want, wanted * sizeof *want)), "%s", claim))
		printf("# %zu links, %zu wanted\n", links.count, wanted);
	prn_links_release(&links);
	prn_references_release(&references);
	prn_buffer_release(&text);
}

#define URL "http://a.example/dir/page?q"

static void resolving(void)
{
	struct prn_links links = { 0 };

	leads(URL, "<a href=x><a href='/y'><a href='//b.example'><a href='?z'><a href='../w#part'>",
	      "http://a.example/dir/x http://a.example/y http://b.example/ http://a.example/dir/page?z http://a.example/w",
	      "references are read from the page's URL");
	leads(URL, "<a href=x><a href=' x\n'><a href='./x'><a href='x#1'><a href='HTTP://A.example:80/dir/%78'>",
	      "http://a.example/dir/x", "of references to one page there is one link");
	leads(URL, "<a href=''><a href='#top'><a href='page?q'>", "", "a page's links to itself are none");
	leads(URL, "<a href='mailto:a@b.example'><a href='javascript:x()'><a href='ftp://a.example/'><a href='http://['><a href='data:,x'>",
	      "", "what names no page is no link");
	leads(URL, "<a href=x><base href='http://b.example/deep/er'>", "http://b.example/deep/x", "a base counts for what stands before it too");
	leads(URL, "<base href='../other/'><a href=x>", "http://a.example/other/x", "a base is read from the page's URL");
	leads(URL, "<base href='data:,x'><a href=x>", "http://a.example/dir/x", "a base that is no page's is the page's own URL");
	leads(URL, "", "", "a page without references has no links");
	ok(!prn_links_redirect(URL, "/to?xyz", 5, &links) && links.count == 1, "a redirect has one link");
	ok(links.count && links.keys[0] == prn_url_key("http://a.example/to?x").low, "a redirect's link is where it leads");
	ok(!prn_links_redirect(URL, "page?q", 6, &links) && !links.count, "a redirect to itself has none");
	prn_links_release(&links);
}

int main(void)
{
	references();
	most();
	resolving();
	return done();
}
