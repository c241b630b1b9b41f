"""A crawler of what is due, with nothing but Python: it asks `perennial serve`, fetches as conditional requests, and reports what came.

    python3 refresh.py http://127.0.0.1:7390 S/token            # what is due now, and then it ends

It obeys robots.txt, and follows no redirect of a page: where one leads is a page of its own.  A page that is larger than MOST is reported
as one that did not come, and named: a part of it would be another page.
"""

import datetime
import http.client
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import urllib.robotparser

import perennial

AGENT, MOST, TIMEOUT = "example-refresh/1", 16 << 20, 30
HOPS = 5  # redirects of a robots.txt that are followed


class Unfollowed(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *request):
        return None


opener = urllib.request.build_opener(Unfollowed)
robots = {}  # of each site its rules, and the status of its robots.txt


def in_ascii(url):
    """A URL as urllib takes it: what is due is as it was added, and may be in any script."""
    parts = urllib.parse.urlsplit(url)
    host = parts.netloc if parts.netloc.isascii() else parts.netloc.encode("idna").decode()
    return urllib.parse.urlunsplit((parts.scheme, host, *(urllib.parse.quote(part, safe="%/:?@!$&'()*+,;=[]~") for part in parts[2:4]), ""))


def ask(url, headers):
    """Status, headers and body of one answer.  A body of more than MOST bytes is one longer, which tells it."""
    request = urllib.request.Request(url, headers={"User-Agent": AGENT, **headers})
    try:
        answer = opener.open(request, timeout=TIMEOUT)
    except urllib.error.HTTPError as error:  # also of redirects and 304
        answer = error
    with answer:
        body = answer.read(MOST + 1)
        # Of a part of a body that is read nobody says that the connection ended before the rest.
        if answer.length and len(body) <= MOST:
            raise http.client.IncompleteRead(body, answer.length)
        return answer.status, answer.headers, body


def ask_robots(url):
    """Status and body of a robots.txt, to which redirects may lead (RFC 9309, 2.3.1.2); 0: no answer."""
    try:
        for _ in range(HOPS + 1):
            status, headers, body = ask(url, {})
            target = urllib.parse.urljoin(url, headers["Location"] or "")
            if status not in (301, 302, 303, 307, 308) or not target.startswith(("http://", "https://")):
                break
            url = in_ascii(target)
    except (OSError, http.client.HTTPException, ValueError):
        return 0, b""
    return status, body


def rules_of(url):
    """The rules of a page's site, None where there may be some that nobody can read now; and the status with which they came."""
    site = urllib.parse.urljoin(url, "/robots.txt")
    if site not in robots:
        rules = urllib.robotparser.RobotFileParser()
        status, body = ask_robots(site)
        rules.parse(body.decode(errors="replace").splitlines() if 200 <= status < 300 else [])  # of none all is allowed
        robots[site] = None if status == 0 or status >= 500 else rules, status
    return robots[site]


def visit(client, page):
    """Fetches a page and reports it; returns the decision."""
    try:
        url = in_ascii(page["url"])
        rules, status = rules_of(url)
        if rules is None:
            return client.report(page["url"], None, status=status)  # a site that fails fails for this page, too
        if not rules.can_fetch(AGENT, url):
            return client.report(page["url"], None, status=403)  # as if its site had refused it: it is tried less and less often
        status, headers, body = ask(url, perennial.Due.headers(page))
        if len(body) > MOST:
            raise ValueError(f"it is larger than {MOST} bytes")
    except (OSError, http.client.HTTPException, ValueError) as error:
        print(f"# {page['url']}: {error}", file=sys.stderr)
        return client.report(page["url"], None, status=0)
    names = {"content_type": "Content-Type", "content_encoding": "Content-Encoding", "etag": "ETag", "last_modified": "Last-Modified", "location": "Location", "retry_after": "Retry-After"}
    try:
        return client.report(page["url"], body, status=status, **{name: headers[header] for name, header in names.items() if headers[header]})
    except perennial.Refused as refused:
        if refused.status not in (400, 413, 415):
            raise
        return client.report(page["url"], None, status=0)  # what no report can hold is a matter of its page alone


def is_soon(due):
    """Whether a host only wants a moment between two of its pages."""
    if not due.next_time or due.over_budget:
        return False
    then = datetime.datetime.strptime(due.next_time, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=datetime.timezone.utc)
    return then.timestamp() < time.time() + 10


def main(server, token_file):
    client = perennial.Client(server, token_file=token_file)
    while True:
        due = client.due(limit=100, lease="10m")
        if not due and not is_soon(due):
            break
        if not due:
            time.sleep(1)
        for page in due:
            decision = visit(client, page)
            print(decision["url"], decision["outcome"], decision.get("next_time"), sep="\t", flush=True)
    print(f"# more is due {due.next_time or 'never'}", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
