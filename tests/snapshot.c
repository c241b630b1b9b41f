/* Folders of dated snapshots and manifests as sources. */
#include "fixture.h"
#include "perennial/error.h"
#include "perennial/time.h"

#include <limits.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct reading reading;

static void put(const char *name, const char *text)
{
	put_file(name, text, strlen(text));
}

/* One capture as a line: "2026-02-20T13:00:00Z content https://a.example/ text/html body". */
static const char *line(size_t i)
{
	static char text[512];
	char time[PRN_TIME_TEXT];
	const struct seen *seen = &reading.seen[i];

	if (i >= reading.count)
		return "(none)";
	snprintf(text, sizeof text, "%s %s %.200s %s %.40s", prn_time_format(seen->capture.time, time),
	         prn_kind_name(seen->capture.kind), seen->normal,
	         seen->capture.content_type ? seen->capture.content_type : "-", seen->body);
	return text;
}

static void dated_folders(void)
{
	put("dated/20260220T130000Z/A.example/index.html", "front 1");
	put("dated/20260220T130000Z/A.example/news/feed.rss", "<rss/>");
	put("dated/2026-02-21/A.example/index.html", "front 2");
	put("dated/2026-02-21/A.example/late/index.html", "late");
	put("dated/2026-02-21/A.example/odd #1?x=y z", "odd");
	put("dated/2026-02-21/beside.txt", "not of a host");
	put("dated/README", "not a date");
	put("dated/99999999/A.example/x", "nor this");
	read_source(&reading, in_scratch("dated"), NULL);
	ok(!reading.opened && !reading.ended, "a snapshot of two dates is read to its end");
	ok(reading.count == 8, "a snapshot of two dates has four pages of each");
	same(line(0), "2026-02-20T13:00:00Z content https://a.example/ text/html front 1",
	     "an index.html of a snapshot is /, its scheme https");
	same(line(1), "2026-02-20T13:00:00Z missing https://a.example/late/ - ", "a page that another date has is missing");
	same(line(2), "2026-02-20T13:00:00Z content https://a.example/news/feed.rss application/rss+xml <rss/>",
	     "the media type of a file in a snapshot goes by its extension");
	same(line(3), "2026-02-20T13:00:00Z missing https://a.example/odd%20%231?x=y%20z - ",
	     "what a URL cannot hold is percent-encoded in a snapshot");
	same(line(4), "2026-02-21T00:00:00Z content https://a.example/ text/html front 2",
	     "dates of a snapshot come in order");
	same(line(5), "2026-02-21T00:00:00Z content https://a.example/late/ text/html late",
	     "dates are read whatever the form of their folders' names");
	same(line(6), "2026-02-21T00:00:00Z missing https://a.example/news/feed.rss - ", "a page that is gone is missing");
	same(line(7), "2026-02-21T00:00:00Z content https://a.example/odd%20%231?x=y%20z - odd",
	     "a file without an extension has no media type");
	ok(reading.counts.records == 5 && reading.counts.input_bytes == 7 + 6 + 7 + 4 + 3,
	   "files of a snapshot are counted, and their bytes");
	ok(reading.counts.ignored == 3 && !reading.counts.damaged,
	   "what is no date and what is of no host is ignored");
}

/* Names with what ends a path or a host in a URL. */
static void names(void)
{
	put("names/20260220T130000Z/a.example/x\\y", "of one name");
	put("names/20260220T130000Z/a.example/x/y", "in a folder");
	put("names/20260220T130000Z/a.example/caf\xc3\xa9", "not of ASCII");
	put("names/20260220T130000Z/a.example\\z/x", "of no host");
	put("names/20260220T130000Z/a.example?z/x", "nor this");
	put("names/20260220T130000Z/b\xc3\xbc.example/x", "of a host that is not of ASCII");
	read_source(&reading, in_scratch("names"), NULL);
	ok(reading.count == 4 && reading.counts.damaged == 2, "a folder of which no URL can have the name of a host is told");
	same(line(0), "2026-02-20T13:00:00Z content https://a.example/caf%C3%A9 - not of ASCII", "what is not ASCII in a name is percent-encoded");
	same(line(1), "2026-02-20T13:00:00Z content https://a.example/x/y - in a folder", "a folder of a snapshot is one in the URL");
	same(line(2), "2026-02-20T13:00:00Z content https://a.example/x%5Cy - of one name", "a backslash in a name of a snapshot divides no folders");
	same(line(3), "2026-02-20T13:00:00Z content https://xn--b-eha.example/x - of a host that is not of ASCII", "the name of a host may have what is not ASCII");
}

/* Mirrors keep the query in a file's name: the extension is the path's. */
static void names_with_queries(void)
{
	static const char *const media[] = { "text/html" };
	const struct prn_source_options html = { .filter = { .media = media, .media_count = 1 } };

	put("queries/20260220T130000Z/a.example/app.JS?v=2", "let a");
	put("queries/20260220T130000Z/a.example/i.png?w=100&x=.html", "png");
	put("queries/20260220T130000Z/a.example/list.php?a=b.css", "of no type");
	put("queries/20260220T130000Z/a.example/list.php?page=2.html", "<b>list</b>");
	put("queries/20260220T130000Z/a.example/style.css?ver=6.1", "a{}");
	put("queries/20260220T130000Z/a.example/v1.html/x?y", "of no type");
	read_source(&reading, in_scratch("queries"), NULL);
	same(line(0), "2026-02-20T13:00:00Z content https://a.example/app.JS?v=2 text/javascript let a",
	     "the extension of a file of a snapshot ends where its query begins");
	same(line(1), "2026-02-20T13:00:00Z content https://a.example/i.png?w=100&x=.html image/png png",
	     "the extension of a path goes before one at the end of its query");
	same(line(2), "2026-02-20T13:00:00Z content https://a.example/list.php?a=b.css - of no type", "a query has no extension");
	same(line(3), "2026-02-20T13:00:00Z content https://a.example/list.php?page=2.html text/html <b>list</b>",
	     "what wget -E puts behind a query is the extension");
	same(line(4), "2026-02-20T13:00:00Z content https://a.example/style.css?ver=6.1 text/css a{}", "a version in a query is no extension");
	same(line(5), "2026-02-20T13:00:00Z content https://a.example/v1.html/x?y - of no type", "a folder's extension is not that of its files");
	read_source(&reading, in_scratch("queries"), &html);
	ok(reading.count == 3 && reading.counts.other_media == 3, "media types filter files of a snapshot that have queries");
}

/* waybackpack writes TIMESTAMP/host/path; some mirrors have the scheme between the two. */
static void schemes(void)
{
	put("schemes/20260220130000/http/a.example/index.html", "plain");
	put("schemes/20260220130000/http/http/x", "of the host http");
	put("schemes/20260220130000/https/a.example/index.html", "secure");
	put("schemes/20260220130000/https/a.example/http/x", "further down");
	put("schemes/20260220130000/https/beside", "of no host");
	put("schemes/20260220130000/b.example/x", "no scheme");
	put("schemes/20260221130000/http/a.example/index.html", "plain 2");
	read_source(&reading, in_scratch("schemes"), NULL);
	same(line(0), "2026-02-20T13:00:00Z content https://b.example/x - no scheme", "below a date a host without a scheme is of https");
	same(line(1), "2026-02-20T13:00:00Z content http://a.example/ text/html plain", "below a date http is a scheme");
	same(line(2), "2026-02-20T13:00:00Z content http://http/x - of the host http", "below a scheme http is a host");
	same(line(3), "2026-02-20T13:00:00Z content https://a.example/http/x - further down", "below a host http is a folder");
	same(line(4), "2026-02-20T13:00:00Z content https://a.example/ text/html secure", "below a date https is a scheme");
	same(line(5), "2026-02-21T13:00:00Z missing https://b.example/x - ", "a page of any scheme may be missing at another date");
	same(line(6), "2026-02-21T13:00:00Z content http://a.example/ text/html plain 2", "dates with schemes come in order");
	ok(reading.count == 10, "below schemes each date has each page");
	ok(reading.counts.ignored == 1 && !reading.counts.damaged,
	   "what is below a scheme and of no host is ignored");
}

/* Year, month and day as folders within each other. */
static void nested_dates(void)
{
	put("nested/2026/02/20/a.example/x", "day 20");
	put("nested/2026/02/21/http/b.example/x", "day 21");
	put("nested/2026/03/a.example/x", "March");
	put("nested/2026/02/notes", "no day");
	put("nested/2027/a.example/x", "2027");
	read_source(&reading, in_scratch("nested"), NULL);
	same(line(0), "2026-02-20T00:00:00Z content https://a.example/x - day 20", "a day may be a folder in a month's in a year's");
	same(line(3), "2026-02-21T00:00:00Z content http://b.example/x - day 21", "below such a day there may be a scheme");
	same(line(4), "2026-03-01T00:00:00Z content https://a.example/x - March", "a month may have no days");
	same(line(6), "2027-01-01T00:00:00Z content https://a.example/x - 2027", "a year may have no months");
	ok(reading.counts.ignored == 1, "what is beside days is ignored");
}

/* wayback-machine-downloader --all-timestamps writes websites/host/TIMESTAMP/path: of a page the captures that it has. */
static void hosts_with_dates(void)
{
	put("hosts/b.example/20260221130000/x.txt", "b 2");
	put("hosts/a.example/20260222130000/index.html", "a 3");
	put("hosts/a.example/20260220130000/index.html", "a 1");
	put("hosts/a.example/20260221130000/news/index.html", "news 2");
	put("hosts/a.example/20260221130000/news?page=2", "page 2");
	put("hosts/a.example/2026/x", "a year is no date here");
	put("hosts/a.example/robots.txt", "beside");
	put("hosts/README", "beside");
	put("hosts/notes/x", "no dates");
	read_source(&reading, in_scratch("hosts"), NULL);
	ok(!reading.opened && !reading.ended, "a folder of hosts that have dates is read to its end");
	ok(reading.count == 5, "hosts that have dates have the captures that are there, and none is missing");
	same(line(0), "2026-02-20T13:00:00Z content https://a.example/ text/html a 1", "below a host and a date an index.html is /");
	same(line(1), "2026-02-21T13:00:00Z content https://a.example/news/ text/html news 2", "captures of all hosts are in order of time");
	same(line(2), "2026-02-21T13:00:00Z content https://a.example/news?page=2 - page 2", "a question mark begins a query");
	same(line(3), "2026-02-21T13:00:00Z content https://b.example/x.txt text/plain b 2", "of one moment the hosts are in order");
	same(line(4), "2026-02-22T13:00:00Z content https://a.example/ text/html a 3",
	     "the last capture of hosts that have dates is that of the last date");
	ok(reading.counts.ignored == 4 && !reading.counts.damaged, "what is beside hosts and dates is ignored");
	put("jobs/first/20260220130000/notes.txt", "no archive");
	put("jobs/first/20260220130000/x.warc", "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.example/\r\n"
	                                        "WARC-Date: 2026-02-20T13:00:00Z\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n");
	read_source(&reading, in_scratch("jobs"), NULL);
	ok(reading.count == 1, "where there are archives below names and dates they are read");
	same(line(0), "2026-02-20T13:00:00Z content http://a.example/ text/plain hello",
	     "folders between a date and its hosts are not hosts");
}

/* The folder of one host of those: what is named is the host, and what is below its dates are paths. */
static void host_by_itself(void)
{
	char here[PATH_MAX];

	read_source(&reading, in_scratch("hosts/a.example"), NULL);
	ok(!reading.opened && reading.count == 4, "a host's folder by itself has the captures of that host");
	ok(reading.counts.ignored == 2, "what is beside the dates of a host's folder by itself is ignored");
	same(line(0), "2026-02-20T13:00:00Z content https://a.example/ text/html a 1", "a host's folder is named as the host is");
	same(line(1), "2026-02-21T13:00:00Z content https://a.example/news/ text/html news 2",
	     "below the dates of a host's folder by itself are paths, not hosts");
	read_source(&reading, in_scratch("hosts/a.example//"), NULL);
	same(line(0), "2026-02-20T13:00:00Z content https://a.example/ text/html a 1", "slashes after a host's folder are nothing");
	ok(getcwd(here, sizeof here) && !chdir(in_scratch("hosts/a.example")), "the host's folder is the present one");
	read_source(&reading, ".", NULL);
	same(line(3), "2026-02-22T13:00:00Z content https://a.example/ text/html a 3", "the present folder has a name, too");
	ok(!chdir(here), "the present folder is left after the host's");
	put("paths/c.example/20260220130000/about/us.html", "us");
	read_source(&reading, in_scratch("paths/c.example"), NULL);
	same(line(0), "2026-02-20T13:00:00Z content https://c.example/about/us.html text/html us", "a host's dates may have nothing but folders");
	put("paths/d.example:8080/20260220130000/index.html", "front");
	put("paths/d.example:8080/20260220130000/node.js/x.html", "x");
	read_source(&reading, in_scratch("paths/d.example:8080"), NULL);
	same(line(0), "2026-02-20T13:00:00Z content https://d.example:8080/ text/html front", "a host may have a port");
	same(line(1), "2026-02-20T13:00:00Z content https://d.example:8080/node.js/x.html text/html x",
	     "beside an index.html a folder that could be a host is none");
	put("paths/e.example/20260220130000/f.example/x.html", "of f");
	put("paths/e.example/20260220130000/wget.log", "beside");
	read_source(&reading, in_scratch("paths/e.example"), NULL);
	same(line(0), "2026-02-20T13:00:00Z content https://f.example/x.html text/html of f", "below the dates of a folder named as a host there may be hosts");
	put("paths/g.example/20260220130000/http/h.example/x.html", "of h");
	read_source(&reading, in_scratch("paths/g.example"), NULL);
	same(line(0), "2026-02-20T13:00:00Z content http://h.example/x.html text/html of h",
	     "below the dates of a folder named as a host there may be schemes");
	put("paths/release-1.2/20260220130000/intranet/x.html", "of the host intranet");
	read_source(&reading, in_scratch("paths/release-1.2"), NULL);
	same(line(0), "2026-02-20T13:00:00Z content https://intranet/x.html text/html of the host intranet", "what ends in a number is no host's folder");
	put("paths/i.example/20260220130000/x.warc", "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.example/\r\n"
	                                              "WARC-Date: 2026-02-20T13:00:00Z\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n");
	read_source(&reading, in_scratch("paths/i.example"), NULL);
	same(line(0), "2026-02-20T13:00:00Z content http://a.example/ text/plain hello", "archives in a folder named as a host are archives");
}

/* Heritrix's mirror writer: a job has a folder for each launch, and that has mirror/host/path beside logs and reports. */
static void mirrors(void)
{
	put("mirrors/20260220130000/mirror/a.example/index.html", "front 1");
	put("mirrors/20260220130000/mirror/b.example/x.txt", "b 1");
	put("mirrors/20260220130000/logs/crawl.log", "a line");
	put("mirrors/20260220130000/reports/hosts.html", "a report");
	put("mirrors/20260221130000/mirror/a.example/index.html", "front 2");
	put("mirrors/20260222130000/mirror/x.html", "of the host mirror");
	put("mirrors/20260222130000/c.example/x.html", "c 3");
	put("mirrors/crawler-beans.cxml", "beside");
	read_source(&reading, in_scratch("mirrors"), NULL);
	same(line(0), "2026-02-20T13:00:00Z content https://a.example/ text/html front 1", "below a date mirror is the folder of the hosts");
	ok(reading.count == 12 && reading.counts.records == 5,
	   "of the mirrors of three dates each date has each page");
	ok(reading.counts.ignored == 3, "logs and reports beside a mirror are no hosts");
	same(line(5), "2026-02-21T13:00:00Z missing https://b.example/x.txt - ", "a page that the mirror of another date has is missing");
	same(line(11), "2026-02-22T13:00:00Z content https://mirror/x.html text/html of the host mirror", "a mirror without hosts is a host");
}

/* One moment in two spellings: whatever order the folder lists them in, the smaller name comes first. */
static void equal_dates(void)
{
	put("equal/20260220T130000Z/a.example/x", "of 20260220T130000Z");
	put("equal/2026-02-20T13:00:00Z/a.example/x", "of 2026-02-20T13:00:00Z");
	put("equal/2026-02-20T14:00:00+01:00/a.example/x", "of 2026-02-20T14:00:00+01:00");
	read_source(&reading, in_scratch("equal"), NULL);
	same(line(0), "2026-02-20T13:00:00Z content https://a.example/x - of 2026-02-20T13:00:00Z",
	     "of two folders of one moment the one of the smaller name comes first");
	same(line(reading.count - 1), "2026-02-20T13:00:00Z content https://a.example/x - of 20260220T130000Z",
	     "of two folders of one moment the one of the larger name comes last");
}

static void filtered_folders(void)
{
	static const char *const media[] = { "application/*" };
	struct prn_source_options options = { .body_bytes_max = 3, .filter = { .media = media, .media_count = 1 } };

	read_source(&reading, in_scratch("dated"), &options);
	ok(reading.count == 4 && reading.counts.filtered == 4, "media types filter files; those without one pass");
	same(line(0), "2026-02-20T13:00:00Z content https://a.example/news/feed.rss application/rss+xml <rs",
	     "a file above the limit is cut");
	ok(reading.seen[0].capture.truncated && !reading.seen[3].capture.truncated,
	   "a file above the limit is marked as cut; one of exactly that size is not");
	ok(reading.counts.cut == 1, "a file that was cut is counted");
}

static void odd_folders(void)
{
	mkdir(in_scratch("empty"), 0777);
	read_source(&reading, in_scratch("empty"), NULL);
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "empty: a folder without dated folders", "manifest.tsv"),
	   "a folder without dates is refused, with what is wanted");
	put("once/20260220/a.example/x", "x");
	read_source(&reading, in_scratch("once/20260220/"), NULL);
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "once/20260220/: the folder of one date, with hosts in it: name the folder above it"),
	   "of the folder of one date it is said that the one above is to be named");
	put("undated/a.example/x", "x");
	read_source(&reading, in_scratch("undated"), NULL);
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "undated: a folder of hosts without dates: put it into one that has its date"),
	   "of a folder of hosts without dates it is said where it belongs");
	put("tree/index.html", "x");
	put("tree/.git/HEAD", "ref: refs/heads/main");
	read_source(&reading, in_scratch("tree"), NULL);
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "tree: a git repository: what was committed to it is read as git:"),
	   "of a git repository it is said how it is named");
	put("closed/20260220/a.example:bad/x", "x");
	put("closed/20260220/a.example/x", "x");
	must(!symlink("..", in_scratch("closed/20260220/a.example/round")), "make a link");
	read_source(&reading, in_scratch("closed"), NULL);
	ok(reading.count == 1 && reading.counts.damaged == 2,
	   "a path that makes no URL is counted, and costs no other page");
	ok(HOLDS(skipped_text(&reading), "closed/20260220/a.example:bad/x: its path makes no URL"),
	   "a path that makes no URL is told");
	ok(HOLDS(skipped_text(&reading), "closed/20260220/a.example/round: what stands there is no file"), "a link to a folder is not followed, and told");
}

/* Where something stands that cannot be read, nothing is known of a page: it was not missing. */
static void unreadable(void)
{
	static const char *const names[] = { "link", "pipe", "socket", "device", "folder/x" };
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int made = socket(AF_UNIX, SOCK_STREAM, 0), damaged;
	size_t absent = 0;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char name[64];

		snprintf(name, sizeof name, "unread/20260220/a.example/%s", names[i]);
		put(name, "x");
	}
	put("unread/20260221/a.example/page", "x");
	put("unread/20260222", "no folder");
	must(!symlink("nowhere", in_scratch("unread/20260221/a.example/link")), "make a link");
	must(!symlink("nowhere", in_scratch("unread/20260221/a.example/folder")), "make a link");
	must(!symlink("nowhere", in_scratch("unread/20260223")), "make a link");
	must(!mkfifo(in_scratch("unread/20260221/a.example/pipe"), 0600), "make a pipe");
	snprintf(address.sun_path, sizeof address.sun_path, "%s", in_scratch("unread/20260221/a.example/socket"));
	must(made >= 0 && !bind(made, (struct sockaddr *)&address, sizeof address), "make a socket");
	close(made);
	/* Only the superuser makes devices: a link leads to one elsewhere, which is damage already. */
	must(!symlink("/dev/null", in_scratch("unread/20260221/a.example/device")), "make a link");
	read_source(&reading, in_scratch("unread"), NULL);
	damaged = (int)reading.counts.damaged;
	for (size_t i = 0; i < reading.count; i++)
		absent += reading.seen[i].capture.kind == PRN_KIND_MISSING;
	/* Of the first date: the page of the second. */
	ok(reading.count == 7 && absent == 1, "where a link to nothing, a pipe, a socket or a device stands no page is missing: %zu of %zu", absent, reading.count);
	ok(damaged == 7, "what cannot be read in a dated folder is damage: %d", damaged);
	ok(HOLDS(skipped_text(&reading), "unread/20260222: it is no folder", "unread/20260223: it is no folder", "20260221/a.example/link: what stands there",
	         "20260221/a.example/pipe: what", "20260221/a.example/socket: what", "20260221/a.example/folder: what", "20260221/a.example/device: a symbolic link leads out"),
	   "what cannot be read in a dated folder is told");
	put("linked folder/20260220/a.example/folder/x", "x");
	put("linked folder/20260221/a.example/other/y", "y");
	must(!symlink("other", in_scratch("linked folder/20260221/a.example/folder")), "make a link");
	read_source(&reading, in_scratch("linked folder"), NULL);
	same(line(0), "2026-02-20T00:00:00Z content https://a.example/folder/x - x", "a page in a folder is there");
	same(line(2), "2026-02-21T00:00:00Z missing https://a.example/folder/x - ", "a page that the folder behind a link lacks is missing");
	ok(reading.count == 4 && HOLDS(skipped_text(&reading), "20260221/a.example/folder: what stands there"),
	   "a link to a folder is told, and is no page at any date: %zu captures", reading.count);
	put("linked page/20260220/a.example/page", "x");
	put("linked page/20260221/a.example/other/y", "y");
	must(!symlink("other", in_scratch("linked page/20260221/a.example/page")), "make a link");
	read_source(&reading, in_scratch("linked page"), NULL);
	ok(reading.count == 3 && reading.counts.damaged == 1, "a page is not missing where a link to a folder stands: %zu captures", reading.count);
}

/* Links that lead out of the source, in the places of a host, of a scheme and of a folder below: nothing behind them is read, nor missing. */
static void links_in_the_places_of_folders(void)
{
	static const char *const names[] = { "a.example", "http", "b.example/sub" };
	size_t missing = 0;

	put("out/20260220/a.example/p", "x");
	put("out/20260220/http/c.example/p", "x");
	put("out/20260220/b.example/sub/p", "x");
	put("out/20260221/b.example/q", "x");
	put("out/20260222/z.example", "a file beside the hosts");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char name[64];

		snprintf(name, sizeof name, "out/20260221/%s", names[i]);
		must(!symlink("/etc", in_scratch(name)), "make a link");
	}
	read_source(&reading, in_scratch("out"), NULL);
	for (size_t i = 0; i < reading.count; i++)
		missing += reading.seen[i].capture.kind == PRN_KIND_MISSING && reading.seen[i].capture.time == 1771632000;
	ok(missing == 0 && reading.counts.damaged == 3, "behind links that lead out no page is missing, and each is told: %zu missing, %d told", missing,
	   (int)reading.counts.damaged);
	ok(HOLDS(skipped_text(&reading), "20260221/a.example: a symbolic link leads out", "20260221/http: a symbolic link leads out",
	         "20260221/b.example/sub: a symbolic link leads out") && reading.counts.ignored == 1,
	   "links that lead out are named, and a file beside the hosts is passed over");
}

static void manifest(void)
{
	static const char text[] = "# time\turl\tmedia type\tfile\n"
				   "2026-02-20T13:00:00Z\thttps://A.example/\ttext/html\tpages/1.html\n"
				   "\r\n"
				   "20260221\thttp://a.example/x#y\t\tpages/2\r\n"
				   "20260222\thttp://a.example/x\t\t-\n"
				   "2026-02-20\thttps://a.example/\ttext/html\n"
				   "sometime\thttps://a.example/\ttext/html\tpages/1.html\n"
				   "2026-02-20\tftp://a.example/\ttext/html\tpages/1.html\n"
				   "2026-02-20\thttps://a.example/\ttext/html\tpages/none\n"
				   "2026-02-20\thttps://a.example/\ttext/html\tpages\n"
				   "2026-02-20\thttps://a.example/\ttext/html\t\n"
				   "2026-02-23\thttps://a.example/last\ttext/html\tpages/1.html";

	put("list/manifest.tsv", text);
	put("list/pages/1.html", "one");
	put("list/pages/2", "two");
	for (int pass = 0; pass < 2; pass++) {
		read_source(&reading, in_scratch(pass ? "list/manifest.tsv" : "list"), NULL);
		ok(!reading.opened && !reading.ended,
		   "a manifest is read to its end, %s", pass ? "by its file" : "by its folder");
		ok(reading.count == 4,
		   "a manifest has a capture of each of its lines, %s", pass ? "by its file" : "by its folder");
		same(line(0), "2026-02-20T13:00:00Z content https://a.example/ text/html one",
		     "a line of a manifest is a capture");
		same(line(1), "2026-02-21T00:00:00Z content http://a.example/x - two",
		     "a line of a manifest may be without a media type");
		same(line(2), "2026-02-22T00:00:00Z missing http://a.example/x - ",
		     "a line of a manifest without a file is a missing page");
		same(line(3), "2026-02-23T00:00:00Z content https://a.example/last text/html one",
		     "the last line of a manifest needs no line end");
	}
	same(reading.seen[1].capture.url, "http://a.example/x#y",
	     "a URL of a manifest is told as it is written");
	ok(reading.counts.damaged == 6 &&
	           HOLDS(skipped_text(&reading),
	                 "list/manifest.tsv: line 6: it is not \"time TAB url TAB media type TAB file\"",
	                 "line 7: it is not", "line 8: its URL is not", "line 9: pages/none: there is no such file",
	                 "line 10: pages: it is not a regular file", "line 11: it is not"),
	   "bad lines are told by number");
}

/* Answers with their heads, as curl -i writes them. */
static void answers(void)
{
	static const char text[] = "2026-02-20\thttp://a.example/1\tapplication/http\tanswers/whole\n"
				   "2026-02-21\thttp://a.example/1\tApplication/HTTP\tanswers/same\n"
				   "2026-02-21\thttp://a.example/2\tapplication/http\tanswers/nothing\n"
				   "2026-02-21\thttp://a.example/3\tapplication/http\tanswers/moved\n"
				   "2026-02-21\thttp://a.example/4\tapplication/http\tanswers/short\n"
				   "2026-02-21\thttp://a.example/5\tapplication/http\tanswers/no-head\n"
				   "2026-02-21\thttp://a.example/6\tapplication/http\tanswers/coded\n"
				   "2026-02-21\thttp://a.example/7\tapplication/http\t-\n";
	static const char *const html[] = { "text/html" };
	struct prn_source_options options = { .filter = { .media = html, .media_count = 1 } };
	const struct prn_capture *capture = &reading.seen[0].capture;

	put("answers/whole", "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nETag: \"one\"\r\n"
	                     "Last-Modified: Thu, 19 Feb 2026 00:00:00 GMT\r\nTransfer-Encoding: chunked\r\n\r\nBoats at nine.");
	put("answers/same", "HTTP/2 304 \r\netag: \"one\"\r\n\r\n");
	put("answers/nothing", "");
	put("answers/moved", "HTTP/1.1 301 Moved\r\nLocation: /there\r\n\r\nmoved");
	put("answers/short", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nBoats");
	put("answers/no-head", "Boats at nine.");
	put("answers/coded", "HTTP/1.1 200 OK\r\nContent-Encoding: secret\r\n\r\n\x01\x02\x03");
	put("answers.tsv", text);
	read_source(&reading, in_scratch("answers.tsv"), NULL);
	same(line(0), "2026-02-20T00:00:00Z content http://a.example/1 text/plain Boats at nine.",
	     "a whole answer is the content of its body, whose transfer its fetcher has decoded");
	capture = &reading.seen[0].capture;
	same(capture->etag, "\"one\"", "a whole answer has its ETag");
	ok(capture->modified == 1771459200, "a whole answer has its Last-Modified");
	same(line(1), "2026-02-21T00:00:00Z same http://a.example/1 - ", "a whole answer has its status");
	same(line(2), "2026-02-21T00:00:00Z error http://a.example/2 - ", "an empty file is an attempt without an answer");
	same(line(3), "2026-02-21T00:00:00Z redirect http://a.example/3 application/octet-stream /there",
	     "a whole answer that redirects has its Location");
	ok(reading.seen[3].capture.ignored_bytes == 5 && reading.seen[4].capture.ignored_bytes == 5,
	   "of an answer that is no content it is known how long its body is");
	ok(!reading.seen[0].capture.ignored_bytes, "of an answer that is content no body is passed over");
	same(line(4), "2026-02-21T00:00:00Z error http://a.example/4 - ", "an answer that was cut short is an error");
	same(line(5), "2026-02-21T00:00:00Z missing http://a.example/7 - ", "an answer may be missing");
	ok(reading.counts.damaged == 2 && HOLDS(skipped_text(&reading), "line 6: answers/no-head: it holds no HTTP response",
	                                        "line 7: answers/coded: "),
	   "what is no answer, or cannot be decoded, is told by its line");
	read_source(&reading, in_scratch("answers.tsv"), &options);
	ok(reading.count == 5 && reading.counts.filtered == 1, "an answer is filtered by its own media type");
	options.body_bytes_max = 3;
	read_source(&reading, in_scratch("answers.tsv"), &options);
	ok(reading.counts.filtered == 1 && !reading.counts.cut, "an answer that is filtered is not counted as cut");
	read_source(&reading, in_scratch("answers.tsv"), &(struct prn_source_options){ .body_bytes_max = 3 });
	ok(reading.counts.cut == 1, "an answer that is cut is counted");
}

static void absolute_path(void)
{
	char *path = realpath(in_scratch("list/pages/1.html"), NULL), text[512];

	must(path != NULL, "find a file");
	snprintf(text, sizeof text, "2026-02-20\thttps://a.example/\ttext/html\t%.400s\n", path);
	free(path);
	put("elsewhere/manifest.tsv", text);
	read_source(&reading, in_scratch("elsewhere/manifest.tsv"), NULL);
	same(line(0), "2026-02-20T00:00:00Z content https://a.example/ text/html one",
	     "a manifest that is named itself may name a file by its absolute path");
	read_source(&reading, in_scratch("elsewhere"), NULL);
	same(tally(&reading), "0 captures, 1 damaged", "the manifest of a folder names no file by its absolute path");
	ok(HOLDS(skipped_text(&reading), "elsewhere/manifest.tsv: line 1: its file is not in the folder of the manifest"),
	   "a file of a folder's manifest that is elsewhere is told");
	put("listed/manifest.tsv", "");
	path = realpath(in_scratch("listed/manifest.tsv"), NULL);
	must(path != NULL, "find a file");
	snprintf(text, sizeof text, "2026-02-20\thttps://a.example/\ttext/html\t%.400s\n", path);
	free(path);
	put("listed/manifest.tsv", text);
	read_source(&reading, in_scratch("listed"), NULL);
	same(tally(&reading), "0 captures, 1 damaged", "the manifest of a folder names no file by its absolute path, be it in the folder");
}

/* A folder that somebody else made: by its manifest and its links, files that are not in it. */
static void files_outside(void)
{
	put("secret", "a secret");
	put("given/x.html", "mine");
	put("given/manifest.tsv", "20260220\thttp://a.example/1\t\t../secret\n20260220\thttp://a.example/2\t\tlink\n"
	                          "20260220\thttp://a.example/3\t\t../given/x.html\n");
	must(!symlink("../secret", in_scratch("given/link")), "make a link");
	read_source(&reading, in_scratch("given"), NULL);
	same(tally(&reading), "1 capture, 2 damaged", "the manifest of a folder leads to no file outside, by its path or by a link");
	same(line(0), "2026-02-20T00:00:00Z content http://a.example/3 - mine", "the manifest of a folder may go out of it and back");

	put("linked/20260220/a.example/1", "one");
	put("linked/20260221/a.example/1", "other");
	put("out/a.example/1", "a secret");
	must(!symlink("../../../secret", in_scratch("linked/20260220/a.example/2")), "make a link");
	must(!symlink("../../20260221/a.example/1", in_scratch("linked/20260220/a.example/3")), "make a link");
	must(!symlink("../out", in_scratch("linked/20260222")), "make a link");
	read_source(&reading, in_scratch("linked"), NULL);
	same(line(0), "2026-02-20T00:00:00Z content https://a.example/1 - one", "beside links a dated folder's files are read");
	same(line(1), "2026-02-20T00:00:00Z content https://a.example/3 - other", "a link within the folder of dates is followed");
	ok(reading.count == 5 && reading.counts.damaged == 2, "links that lead out of the folder of dates are damage, also that of a date");
	ok(HOLDS(skipped_text(&reading), "linked/20260220/a.example/2: a symbolic link leads out of the folder", "linked/20260222: a symbolic link"),
	   "a link that leads out of the folder of dates is told");
}

static void hidden_files(void)
{
	put("hidden/20260220/a.example/.well-known/security.txt", "Contact:");
	put("hidden/20260220/a.example/.git/config", "x");
	put("hidden/20260220/a.example/.htaccess", "x");
	put("hidden/20260220/.cache", "x");
	put("hidden/20260220/a.example/x", "x");
	read_source(&reading, in_scratch("hidden"), NULL);
	same(tally(&reading), "2 captures, 3 ignored", "hidden names in dated folders are counted");
	same(line(0), "2026-02-20T00:00:00Z content https://a.example/.well-known/security.txt text/plain Contact:",
	     "what stands below .well-known is pages");
	ok(HOLDS(passed_over(&reading), " hidden files"), "hidden names in dated folders are told");
}

static void long_line(void)
{
	static const char last[] = "\n20260221\thttp://a.example/\t\tpages/2\n";
	static char text[100000];

	memset(text, 'x', sizeof text);
	memcpy(text + sizeof text - sizeof last + 1, last, sizeof last - 1);
	put_file("list/manifest.tsv", text, sizeof text);
	read_source(&reading, in_scratch("list"), NULL);
	ok(reading.count == 1 && reading.counts.damaged == 1, "a line of a manifest without end is passed over");
	ok(HOLDS(skipped_text(&reading), "line 1: it is longer than 32767 bytes"),
	   "a line of a manifest without end is told");
	same(line(0), "2026-02-21T00:00:00Z content http://a.example/ - two",
	     "the line of a manifest after one without end is read");
}

static void zero_byte(void)
{
	static const char line_1[] = "20260220\thttp://a.example/\t\tpages/2\0evil\n20260221\thttp://a.example/\t\tpages/2\n";
	static char text[70000];
	size_t from = sizeof text - sizeof line_1 + 1;

	put_file("list/manifest.tsv", line_1, sizeof line_1 - 1);
	read_source(&reading, in_scratch("list"), NULL);
	ok(reading.count == 1 && reading.counts.damaged == 1,
	   "a line of a manifest with a zero byte is not taken for what stands before that");
	ok(HOLDS(skipped_text(&reading), "list/manifest.tsv: line 1: a zero byte in it"),
	   "a line of a manifest with a zero byte is told: %s", skipped_text(&reading));
	same(line(0), "2026-02-21T00:00:00Z content http://a.example/ - two", "the line of a manifest after one with a zero byte is read");
	memset(text, 'x', sizeof text);
	text[20000] = 0;
	memcpy(text + from, line_1, sizeof line_1 - 1);
	text[from - 1] = '\n';
	put_file("list/manifest.tsv", text, sizeof text);
	read_source(&reading, in_scratch("list"), NULL);
	ok(reading.count == 1 && reading.counts.damaged == 2,
	   "a long line of a manifest with a zero byte is one line");
	ok(HOLDS(skipped_text(&reading), "line 1: it is longer than 32767 bytes"),
	   "a long line of a manifest with a zero byte is told as long: %s", skipped_text(&reading));
}

int main(void)
{
	make_scratch();
	dated_folders();
	names();
	names_with_queries();
	schemes();
	nested_dates();
	hosts_with_dates();
	host_by_itself();
	mirrors();
	equal_dates();
	filtered_folders();
	odd_folders();
	unreadable();
	links_in_the_places_of_folders();
	manifest();
	answers();
	absolute_path();
	files_outside();
	hidden_files();
	long_line();
	zero_byte();
	reading_release(&reading);
	return done();
}
