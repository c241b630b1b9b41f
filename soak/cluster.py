#!/usr/bin/env python3
"""Three daemons over one store in a Ceph cluster, under load, while daemons, OSDs and the monitor are killed and frozen.

    soak/cluster.py PERENNIAL TOOL [--faults=100] [--seed=1] [--shards=1]

TOOL is tools/rados-cluster.  With several shards, three hosts are giants, spread over all of them.  Reporters send new
pages, some of them pages of giants, and remember which were acknowledged; fetchers ask for what is due, keep it for a while and
report it.  In the end it counts, and exits with 1 if any count is not 0: acknowledged reports that are not in the store, pages that
were given to two fetchers, hosts with more pages out at a time than allowed, hosts that were asked again before their delay was
over, answers that are neither an acknowledgement nor a 503 with Retry-After, and faults that a check of the store finds.
"""
import argparse, collections, http.client, json, os, random, re, signal, subprocess, sys, tempfile, threading, time

DAEMONS = 3
REPORTERS = 4
FETCHERS = 3
HOSTS = 300
PAGES = 30000
# Hosts that allow one page out at a time, three, and one with a delay before the next.
GIANTS = ["one.giant.example", "three.giant.example", "slow.giant.example"]
GIANT_PAGES = 3000
SLOW_S = 3
# Pages that a killed daemon had leased and not handed out are out until then.
LEASE_S = 60
RULES = ["--lease=%ds" % LEASE_S, "--host-delay=0s", "--host-limit=example,giant,three=3", "--host-delay=example,giant,slow=%ds" % SLOW_S,
         "--host-delay=example,slow=%ds" % SLOW_S]


def limit_of(host):
    return 3 if host.startswith("three.") else 1


def delay_of(host):
    return SLOW_S if "slow." in host else 0


def host_of_page(number):
    return "h%d.%sexample" % (number % HOSTS, "slow." if number % HOSTS < 100 else "")


class Counts:
    """What clients saw; under one lock."""

    def __init__(self):
        self.lock = threading.Lock()
        self.acknowledged = []  # numbers of reports
        self.unsure = 0  # reports without an acknowledgement
        self.out = collections.defaultdict(dict)  # host -> pages that were given and not yet reported, and when they were asked for
        self.asked = {}  # host -> when the page was asked for that was given last
        self.given = self.given_of_giants = 0
        self.twice = []  # pages given while they were out
        self.crowded = []  # hosts with more pages out than may be
        self.early = []  # hosts that were given again before their delay was over
        self.statuses = collections.Counter()
        self.odd = []  # answers that a fault of the cluster does not explain


class Daemon:
    def __init__(self, perennial, state, folder, number):
        self.perennial, self.state, self.number = perennial, state, number
        self.log = os.path.join(folder, "log.%d" % number)
        self.port = None
        self.process = None

    def start(self):
        listen = "127.0.0.1:%d" % (self.port or 0)
        with open(self.log, "ab") as log:
            begin = log.tell()
            self.process = subprocess.Popen(
                [self.perennial, "serve", "--state=" + self.state, "--listen=" + listen, "--no-token",
                 "--threads=4", *RULES], stderr=log, stdin=subprocess.DEVNULL)
        for _ in range(600):
            with open(self.log, "rb") as log:
                log.seek(begin)
                found = re.search(rb"listening.*127\.0\.0\.1:(\d+)", log.read())
            if found:
                self.port = int(found.group(1))
                return True
            if self.process.poll() is not None:
                return False
            time.sleep(0.05)
        return False

    def restart(self):
        """No daemon starts while the cluster does not answer: tries until one does."""
        while not self.start():
            if self.process.poll() is None:
                self.process.kill()
            self.process.wait()
            time.sleep(0.5)


class Client:
    """A connection to one daemon after another."""

    def __init__(self, counts, daemons, random_):
        self.counts, self.daemons, self.random = counts, daemons, random_
        self.connection, self.uses = None, 0

    def post(self, path, body, kind):
        if not self.connection or self.uses > 50:
            daemon = self.random.choice(self.daemons)
            self.connection, self.uses = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=60), 0
        self.uses += 1
        try:
            self.connection.request("POST", path, body, {"Content-Type": kind})
            answer = self.connection.getresponse()
            text = answer.read()
            with self.counts.lock:
                self.counts.statuses[answer.status] += 1
                if answer.status != 200 and not (answer.status == 503 and answer.getheader("Retry-After")):
                    self.counts.odd.append("%s: %d %s" % (path, answer.status, text.decode("utf-8", "replace").strip()[:300]))
            return answer.status, text
        except (OSError, http.client.HTTPException):
            self.connection.close()
            self.connection = None
            with self.counts.lock:
                self.counts.statuses[0] += 1
            return 0, b""


def report(counts, daemons, first, stop, seed, giants):
    client = Client(counts, daemons, random.Random(seed))
    number = first
    while not stop.is_set():
        host = giants[number // REPORTERS % len(giants)] if giants and number // REPORTERS % 4 == 0 else "r%d.example" % (number % 97)
        status, _ = client.post("/v1/observe?url=http://%s/r/%d" % (host, number), b"words of page %d that stay as they are" % number,
                                "text/plain")
        with counts.lock:
            if status == 200:
                counts.acknowledged.append(number)
            else:
                counts.unsure += 1
        number += REPORTERS
        time.sleep(0.002 if status == 200 else 0.2)


def host_of(url):
    return url.split("/")[2]


def take(counts, body, asked):
    """Notes which pages were given to a fetcher, and when it asked; returns them."""
    urls = [json.loads(line)["url"] for line in body.splitlines() if b'"url"' in line]
    now = time.monotonic()
    with counts.lock:
        for url in urls:
            host = host_of(url)
            out = counts.out[host] = {page: when for page, when in counts.out[host].items() if now - when < LEASE_S - 1}
            if url in out:
                counts.twice.append(url)
            elif len(out) >= limit_of(host):
                counts.crowded.append((host, sorted(out), url))
            # Times are whole seconds: a second too little of a delay, or of a lease, may be rounding.
            if delay_of(host) and now - counts.asked.get(host, -1e9) < delay_of(host) - 1:
                counts.early.append((host, url, now - counts.asked[host]))
            out[url] = asked
            counts.asked[host] = asked
            counts.given += 1
            counts.given_of_giants += host in GIANTS
    return urls


def bring_back(counts, client, url):
    # Its host is free for others as soon as the report may have come, whether it is acknowledged or not.
    with counts.lock:
        counts.out[host_of(url)].pop(url, None)
    client.post("/v1/observe?url=" + url, b"something of " + url.encode(), "text/plain")


def fetch(counts, daemons, stop, seed):
    client = Client(counts, daemons, random.Random(seed))
    out = []  # when each is back
    while not stop.is_set():
        asked = time.monotonic()
        status, body = client.post("/v1/due?limit=20", b"", "text/plain")
        if status == 200:
            out += [(time.monotonic() + client.random.uniform(0, 1), url) for url in take(counts, body, asked)]
        now = time.monotonic()
        back, out = [url for when, url in out if when <= now], [one for one in out if one[0] > now]
        for url in back:
            bring_back(counts, client, url)
        time.sleep(0.05)


class Faults:
    def __init__(self, tool, folder, daemons, seed):
        self.tool, self.folder, self.daemons = tool, folder, daemons
        self.random = random.Random(seed)
        self.done = collections.Counter()

    def pid(self, name):
        with open(os.path.join(self.folder, name + ".pid")) as file:
            return int(file.read())

    def ceph(self, *words):
        return subprocess.run(["ceph", "-c", os.path.join(self.folder, "ceph.conf"), "--connect-timeout", "20", *words],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60).stdout

    def wait_until_whole(self):
        """Never takes two OSDs out at a time: the pool is made for one."""
        for _ in range(240):
            try:
                text = self.ceph("osd", "stat").decode()
                if re.search(r"\b3 up", text):
                    return
            except subprocess.TimeoutExpired:
                pass
            time.sleep(0.5)
        raise SystemExit("the cluster does not come back: " + text)

    def daemon_killed(self):
        daemon = self.random.choice(self.daemons)
        daemon.process.kill()
        daemon.process.wait()
        time.sleep(self.random.uniform(0, 1))
        daemon.restart()

    def daemon_frozen(self):
        daemon = self.random.choice(self.daemons)
        daemon.process.send_signal(signal.SIGSTOP)
        time.sleep(self.random.uniform(0.5, 12))
        daemon.process.send_signal(signal.SIGCONT)

    @staticmethod
    def lives(pid):
        try:
            with open("/proc/%d/status" % pid) as status:
                return not any(line.startswith("State:\tZ") for line in status)
        except FileNotFoundError:
            return False

    def osd_killed(self):
        name = "osd.%d" % self.random.randrange(3)
        os.kill(self.pid(name), signal.SIGKILL)
        time.sleep(self.random.uniform(0.5, 5))
        subprocess.run([self.tool, "again", self.folder, name], check=True, stdout=subprocess.DEVNULL)
        self.wait_until_whole()

    def osd_frozen(self):
        pid = self.pid("osd.%d" % self.random.randrange(3))
        os.kill(pid, signal.SIGSTOP)
        time.sleep(self.random.uniform(0.5, 8))
        os.kill(pid, signal.SIGCONT)
        self.wait_until_whole()

    def all_frozen(self):
        pids = [self.pid("osd.%d" % i) for i in range(3)]
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(self.random.uniform(1, 7))
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
        self.wait_until_whole()

    def monitor_restarted(self):
        pid = self.pid("mon.a")
        os.kill(pid, signal.SIGKILL)
        while self.lives(pid):
            time.sleep(0.01)
        time.sleep(self.random.uniform(0, 2))
        subprocess.run([self.tool, "again", self.folder, "mon.a"], check=True, stdout=subprocess.DEVNULL)
        self.wait_until_whole()

    def pool_full(self):
        for ratio in "nearfull", "backfillfull", "full":
            self.ceph("osd", "set-%s-ratio" % ratio, "0.00001")
        time.sleep(self.random.uniform(1, 6))
        for ratio in "full", "backfillfull", "nearfull":
            self.ceph("osd", "set-%s-ratio" % ratio, "0.95")

    def one(self, number):
        kinds = [self.daemon_killed, self.osd_killed, self.daemon_frozen, self.osd_frozen, self.all_frozen, self.monitor_restarted,
                 self.pool_full]
        kind = kinds[number % len(kinds)]
        kind()
        self.done[kind.__name__] += 1


def lines(perennial, *words):
    done = subprocess.run([perennial, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stdout.decode().splitlines(), done.stderr.decode()


def judge(perennial, state, counts, faults, seconds, giants):
    code, pages, words = lines(perennial, "export", "--state=" + state)
    if code:
        raise SystemExit("export: " + words)
    visited = set()
    for line in pages:
        page = json.loads(line)
        found = re.match(r"http://[^/]+/r/(\d+)$", page["url"])
        if found and page["visits"] > 0:
            visited.add(int(found.group(1)))
    lost = [number for number in counts.acknowledged if number not in visited]
    check, table, words = lines(perennial, "check", "--state=" + state)
    print("faults: " + ", ".join("%s %d" % (name.replace("_", " "), count) for name, count in sorted(faults.done.items())))
    print("seconds: %d; answers: %s" % (seconds, ", ".join("%s %d" % pair for pair in sorted(counts.statuses.items()))))
    print("reports acknowledged: %d, not: %d; pages given: %d, of giants %d" % (len(counts.acknowledged), counts.unsure, counts.given,
                                                                                counts.given_of_giants))
    print("acknowledged reports that are lost: %d" % len(lost), lost[:5] or "")
    print("pages given to two: %d" % len(counts.twice), counts.twice[:5] or "")
    print("hosts with more pages out than may be: %d" % len(counts.crowded), counts.crowded[:5] or "")
    print("hosts asked again too soon: %d" % len(counts.early), counts.early[:5] or "")
    print("answers that no fault explains: %d" % len(counts.odd), "".join("\n  " + text for text in counts.odd[:20]))
    print("check of the store: exit %d" % check, "" if not check else words + "\n".join(table))
    # If no page of a giant was given, the run says nothing about giants.
    return bool(lost or counts.twice or counts.crowded or counts.early or counts.odd or check or (giants and not counts.given_of_giants))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("perennial")
    parser.add_argument("tool")
    parser.add_argument("--faults", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shards", type=int, default=1)
    given = parser.parse_args()
    scratch = tempfile.mkdtemp(prefix="cluster-soak-")
    folder = os.path.join(scratch, "cluster")
    subprocess.run([given.tool, "start", folder], check=True, stdout=subprocess.DEVNULL)
    daemons, stop = [], threading.Event()
    try:
        with open(os.path.join(folder, "ceph.conf"), "a") as conf:
            conf.write("[client]\nrados osd op timeout = 4\n")
        state = "rados:prn/soak?conf=%s/ceph.conf" % folder
        giants = GIANTS if given.shards > 1 else []
        subprocess.run([given.perennial, "init", "--state=" + state, "--shards=%d" % given.shards] +
                       ["--giant-host=" + giant for giant in giants], check=True)
        # Giants first: due pages are taken in slices by due time, and the others are a backlog.
        urls = "".join("http://%s/%d 5\n" % (giant, i) for giant in giants for i in range(GIANT_PAGES))
        urls += "".join("http://%s/%d\n" % (host_of_page(i), i) for i in range(PAGES))
        subprocess.run([given.perennial, "add", "--state=" + state], input=urls.encode(), check=True, stderr=subprocess.DEVNULL)
        daemons = [Daemon(given.perennial, state, scratch, i) for i in range(DAEMONS)]
        for daemon in daemons:
            daemon.restart()
        counts, faults, begun = Counts(), Faults(given.tool, folder, daemons, given.seed), time.time()
        threads = [threading.Thread(target=report, args=(counts, daemons, i, stop, 100 + i, giants)) for i in range(REPORTERS)]
        threads += [threading.Thread(target=fetch, args=(counts, daemons, stop, 200 + i)) for i in range(FETCHERS)]
        for thread in threads:
            thread.start()
        for number in range(given.faults):
            time.sleep(faults.random.uniform(1, 4))
            faults.one(number)
            if number % 10 == 9:
                with counts.lock:
                    print("%d faults, %d s: %d acknowledged, %d given" % (number + 1, time.time() - begun,
                          len(counts.acknowledged), counts.given), flush=True)
        time.sleep(5)
        stop.set()
        for thread in threads:
            thread.join()
        failed = judge(given.perennial, state, counts, faults, time.time() - begun, giants)
    finally:
        stop.set()
        for daemon in daemons:
            if daemon.process and daemon.process.poll() is None:
                daemon.process.kill()
        subprocess.run([given.tool, "stop", folder], stdout=subprocess.DEVNULL)
    sys.exit(1 if failed else 0)


main()
