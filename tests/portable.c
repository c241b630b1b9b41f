/*
 * What systems have under different names does here what its header says; as tests/portable_fallbacks, built with
 * PRN_FALLBACKS, so does what stands in for it elsewhere.
 */
#include "base/portable.h"
#include "base/random.h"
#include "tap.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef PRN_FALLBACKS
#define TELLS false
#else
#define TELLS true
#endif

static void test_last_byte(void)
{
	const char text[] = "a@b@c";
	bool right = true;

	for (size_t length = 0; length <= 5; length++) {
		const char *want = length > 3 ? text + 3 : length > 1 ? text + 1 : NULL;

		right &= prn_last_byte(text, '@', length) == want;
	}
	ok(right, "the last of several bytes is found within the length, and none behind it");
	ok(prn_last_byte(text, 'a', 5) == text, "a byte that is the first is found");
	ok(!prn_last_byte(text, 'x', 5) && !prn_last_byte(NULL, 'x', 0), "what is not there is not found, nor anything in nothing");
	ok(prn_last_byte("\xff\x80", (char)0x80, 2), "a byte of 0x80 and more is found");
}

/* Items of three sizes: the key, and what tells whether an item was moved as a whole. */
struct item {
	uint32_t key, sum;
};

struct order {
	size_t comparisons;
	int sign;
};

static int compare_items(const void *a, const void *b, void *context)
{
	const struct item *x = a, *y = b;
	struct order *order = context;

	order->comparisons++;
	return order->sign * ((x->key > y->key) - (x->key < y->key));
}

static int compare_bytes(const void *a, const void *b, void *context)
{
	const unsigned char *x = a, *y = b;

	(void)context;
	return (*x > *y) - (*x < *y);
}

static bool sorts(struct prn_random *random, size_t count, uint32_t keys, int sign)
{
	struct item *items = malloc((count + 1) * sizeof *items);
	struct order order = { 0, sign };
	uint64_t before = 0, after = 0;
	bool right = items != NULL;

	for (size_t i = 0; right && i < count; i++) {
		items[i].key = (uint32_t)(prn_random_bits(random) % keys);
		items[i].sum = items[i].key * 2654435761u;
		before += items[i].sum;
	}
	if (right)
		prn_sort_by(items, count, sizeof *items, compare_items, &order);
	for (size_t i = 0; right && i < count; i++) {
		after += items[i].sum;
		right = items[i].sum == items[i].key * 2654435761u && (!i || compare_items(items + i - 1, items + i, &order) <= 0);
	}
	free(items);
	return right && before == after && (count < 2 || order.comparisons);
}

static void test_sort(void)
{
	struct prn_random random;
	unsigned char bytes[256];
	bool right = true;

	prn_random_seed(&random, 11, 0);
	for (size_t count = 0; count < 70; count++)
		right &= sorts(&random, count, 1000000, 1) && sorts(&random, count, 3, 1);
	ok(right, "up to 69 items are sorted, all different and of three kinds");
	ok(sorts(&random, 50000, UINT32_MAX, 1) && sorts(&random, 50000, 7, 1),
	   "50000 items are sorted, all different and of seven kinds");
	ok(sorts(&random, 1000, 1000, -1), "the context of a comparison reaches it, and turns the order round");
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)(i * 37);
	prn_sort_by(bytes, sizeof bytes, 1, compare_bytes, NULL);
	for (size_t i = 0; i < sizeof bytes; i++)
		right &= bytes[i] == i;
	ok(right, "items of one byte are sorted");
}

static void make_file(int folder, const char *name)
{
	int file = openat(folder, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (file < 0 || write(file, name, 1) != 1 || close(file))
		printf("# %s: %s\n", name, strerror(errno));
}

static void test_sync(void)
{
	static const char *const names[] = { "one", "two", "three" };
	char path[] = "portable-XXXXXX";
	int folder = mkdtemp(path) ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	for (int i = 0; i < 3; i++)
		make_file(folder, names[i]);
	ok(!prn_sync_files(folder, names, 3), "files of a folder are made durable");
	ok(!prn_sync_files(-1, NULL, 0), "of no files none need be");
	ok(prn_sync_files(-1, names, 3) == EBADF, "files of a folder that is not open are not, and that is told");
#ifdef PRN_FALLBACKS
	ok(synced == 3, "without the system's help each file is made durable by itself");
	fails_to_sync = true;
	ok(prn_sync_files(folder, names, 3) == EIO && synced == 4, "a disk that takes nothing is told at the first file");
	fails_to_sync = false;
	symlinkat("one", folder, "link");
	ok(prn_sync_files(folder, (const char *const[]){ "link" }, 1) == ELOOP, "a link is followed to no other file");
	unlinkat(folder, "link", 0);
#endif
	for (int i = 0; i < 3; i++)
		unlinkat(folder, names[i], 0);
	close(folder);
	rmdir(path);
}

static bool is_readable(int descriptor)
{
	struct pollfd poll_it = { .fd = descriptor, .events = POLLIN };

	return poll(&poll_it, 1, 0) == 1 && poll_it.revents & POLLIN;
}

static void *wake_up(void *wake)
{
	prn_wake_up(wake);
	return NULL;
}

static void test_wake(void)
{
	struct prn_wake wake;
	pthread_t thread;
	int kept, input;

	if (!ok(!prn_wake_open(&wake), "descriptors to be woken by are opened"))
		return;
	ok(!is_readable(wake.readable), "nothing is there to be read before somebody wakes");
	ok(fcntl(wake.readable, F_GETFD) & FD_CLOEXEC && fcntl(wake.writable, F_GETFD) & FD_CLOEXEC,
	   "programs that are run do not have the ends of a wake");
	pthread_create(&thread, NULL, wake_up, &wake);
	pthread_join(thread, NULL);
	ok(is_readable(wake.readable) && is_readable(wake.readable), "a thread that wakes another wakes it for good");
	for (int i = 0; i < 200000; i++)
		prn_wake_up(&wake);
	ok(is_readable(wake.readable), "who wakes 200000 times is never kept waiting");
	prn_wake_close(&wake);
	ok(wake.readable == -1 && wake.writable == -1, "what was closed is no descriptor");
	prn_wake_close(&wake);

	kept = fcntl(0, F_DUPFD_CLOEXEC, 3);
	close(0);
	input = prn_wake_open(&wake);
	ok(!input, "a wake is opened where the standard input is closed");
	ok(wake.readable > 0 && wake.writable > 0,
	   "where the standard input is closed, no end of a wake takes its place");
	prn_wake_up(&wake);
	ok(is_readable(wake.readable), "a wake that was opened without a standard input wakes");
	prn_wake_close(&wake);
	ok(fcntl(0, F_GETFD) < 0, "a wake that is closed leaves nothing in the place of the standard input");
	if (kept >= 0) {
		dup2(kept, 0);
		close(kept);
	}
}

static bool is_inherited(int opened)
{
	return !(fcntl(opened, F_GETFD) & FD_CLOEXEC);
}

static void test_ends(void)
{
	int pair[2], ends[2], waiting = prn_socket(AF_UNIX, SOCK_STREAM, true), other = prn_socket(AF_UNIX, SOCK_STREAM, false);

	if (waiting < 0 || other < 0 || prn_socket_pair(pair) || prn_pipe(ends)) {
		skip("no sockets or no pipes here");
		return;
	}
	ok(!is_inherited(waiting) && !is_inherited(other) && !is_inherited(pair[0]) && !is_inherited(pair[1]) && !is_inherited(ends[0]) &&
	   !is_inherited(ends[1]), "no program inherits sockets, pairs or pipes");
	ok(!(fcntl(waiting, F_GETFL) & O_NONBLOCK) && fcntl(other, F_GETFL) & O_NONBLOCK, "a socket waits, or does not");
	ok(prn_send(pair[0], "x", 1, 0) == 1, "what is sent arrives at a reader");
	close(pair[1]);
	ok(prn_send(pair[0], "x", 1, 0) == -1 && errno == EPIPE, "and is an error without one, not the end of the process");
	prn_reads_through(ends[0]);
	for (int i = 0; i < 2; i++)
		close(ends[i]);
	close(pair[0]);
	close(waiting);
	close(other);
}

static void test_peer(void)
{
	uid_t user = 12345;
	int ends[2], none[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) || pipe(none)) {
		skip("no sockets or no pipes here");
		return;
	}
	ok(prn_peer_user(ends[0], &user) && user == geteuid(), "the user at the other end of a Unix socket is told");
	user = 12345;
	ok(!prn_peer_user(none[0], &user) && user == 12345,
	   "the user at the other end of a pipe is not told, and nothing is written");
	for (int i = 0; i < 2; i++) {
		close(ends[i]);
		close(none[i]);
	}
}

/* A connection to this machine itself, by whatever port is free. */
static bool connect_ends(int ends[2])
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof address;
	int listening = socket(AF_INET, SOCK_STREAM, 0);
	bool made = listening >= 0 && !bind(listening, (struct sockaddr *)&address, sizeof address) && !listen(listening, 1) &&
	            !getsockname(listening, (struct sockaddr *)&address, &length);

	ends[0] = socket(AF_INET, SOCK_STREAM, 0);
	made = made && !connect(ends[0], (struct sockaddr *)&address, sizeof address);
	ends[1] = made ? accept(listening, NULL, NULL) : -1;
	if (listening >= 0)
		close(listening);
	return made && ends[1] >= 0;
}

static void test_bytes_taken(void)
{
	char bytes[1000] = { 0 };
	uint64_t before = 77, after = 0;
	int ends[2];

	ok(!prn_bytes_taken(-1, &before) && before == 77,
	   "what was taken of no socket is not told, and nothing is written");
	if (!connect_ends(ends)) {
		skip("no connections to this machine itself");
	} else if (!TELLS) {
		ok(!prn_bytes_taken(ends[0], &before) && before == 77, "without the system's help it is not told what was taken");
	} else if (!prn_bytes_taken(ends[0], &before)) {
		skip("this kernel, or who stands in for it, does not tell what was taken");
	} else {
		bool sent = send(ends[0], bytes, sizeof bytes, 0) == sizeof bytes;

		/* It is acknowledged when it is, at the latest when it is read. */
		sent = sent && recv(ends[1], bytes, sizeof bytes, MSG_WAITALL) == sizeof bytes;
		for (int i = 0; sent && i < 3000 && prn_bytes_taken(ends[0], &after) && after < before + sizeof bytes; i++)
			poll(NULL, 0, 10);
		ok(sent && after == before + sizeof bytes, "the bytes that the other end has acknowledged are told");
	}
	close(ends[0]);
	close(ends[1]);
}

static void test_object(void)
{
	const char *object = dlsym(RTLD_DEFAULT, "in6addr_any");
	const void *function = dlsym(RTLD_DEFAULT, "getpid");

	ok(!prn_object_bytes(NULL), "nothing has no bytes");
	if (!object || !function)
		skip("the C library cannot be looked into");
	else if (TELLS && prn_object_bytes(object) != SIZE_MAX) {
		ok(prn_object_bytes(object) == sizeof in6addr_any, "an object's bytes are told");
		ok(!prn_object_bytes(object + 1), "of what lies within an object no bytes are told");
		ok(!prn_object_bytes(function), "of a function no bytes are told");
	}
	else
		ok(prn_object_bytes(object) == SIZE_MAX, "without the system's help it is told that nothing is known");
}

struct waiting {
	pthread_mutex_t lock;
	pthread_cond_t condition;
	bool happened;
};

static void *let_happen(void *context)
{
	struct waiting *waiting = context;

	pthread_mutex_lock(&waiting->lock);
	waiting->happened = true;
	pthread_cond_broadcast(&waiting->condition);
	pthread_mutex_unlock(&waiting->lock);
	return NULL;
}

static int wait_for(struct waiting *waiting, const struct timespec *until)
{
	int late = 0;

	while (!waiting->happened && !late)
		late = prn_condition_wait_until(&waiting->condition, &waiting->lock, until);
	return late;
}

static void test_condition(void)
{
	struct waiting waiting = { .lock = PTHREAD_MUTEX_INITIALIZER };
	struct timespec until, now;
	pthread_t thread;
	int late;

	prn_condition_init(&waiting.condition);
	pthread_mutex_lock(&waiting.lock);
	clock_gettime(CLOCK_MONOTONIC, &until);
	ok(wait_for(&waiting, &until) == ETIMEDOUT, "a wait up to a time that is over ends at once");
	until.tv_nsec += 30000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	late = wait_for(&waiting, &until);
	clock_gettime(CLOCK_MONOTONIC, &now);
	ok(late == ETIMEDOUT, "a wait for what does not happen ends by the time");
	ok(now.tv_sec > until.tv_sec || (now.tv_sec == until.tv_sec && now.tv_nsec >= until.tv_nsec),
	   "a wait for what does not happen ends no sooner than it should");
#ifdef PRN_FALLBACKS
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += 3600;
	stepped = 86400;
	ok(!prn_condition_wait_until(&waiting.condition, &waiting.lock, &until), "a wait that a step of the system's time ends is not over");
	stepped = 0;
#endif
	until.tv_sec += 1000000000;
	pthread_create(&thread, NULL, let_happen, &waiting);
	ok(!wait_for(&waiting, &until) && waiting.happened, "a wait of thirty years ends when it happens");
	pthread_mutex_unlock(&waiting.lock);
	pthread_join(thread, NULL);
	pthread_cond_destroy(&waiting.condition);
}

int main(void)
{
	test_last_byte();
	test_sort();
	ok(prn_usable_processors() >= 1, "there is a processor");
	test_sync();
	test_wake();
	test_ends();
	test_peer();
	test_bytes_taken();
	test_object();
	test_condition();
	return done();
}
