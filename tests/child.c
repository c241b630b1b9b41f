/* Programs beside this one: what they are given, what they write and say, and how they end. */
#include "base/child.h"
#include "tap.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static struct prn_child process;

static int start(const char *script, bool has_input)
{
	const char *const arguments[] = { "sh", "-c", script, NULL };
	const char *const environment[] = { "MINE=1", NULL };
	const struct prn_program program = { .arguments = arguments, .unset = "THEIRS_", .environment = environment, .has_input = has_input };

	return prn_child_start(&process, &program, NULL);
}

/* All that it writes, as text. */
static const char *output(void)
{
	static char text[4096];
	size_t length = 0, got = 0;

	while (length < sizeof text - 1 && !prn_child_read(&process, text + length, sizeof text - 1 - length, &got, NULL, NULL) && got)
		length += got;
	text[length] = 0;
	return text;
}

static const char *run(const char *script)
{
	return start(script, false) ? "(not run)" : output();
}

static void outputs(void)
{
	setenv("THEIRS_1", "secret", 1);
	setenv("OTHER", "kept", 1);
	same(run("echo $MINE $OTHER $THEIRS_1."), "1 kept .\n", "a program has its own variables, and ours but those that are unset");
	ok(prn_child_end(&process, NULL) && !process.pid, "a program that ends with 0 ended as it should");
	same(run("cat; echo end"), "end\n", "the standard input of a program that is not told anything is empty");
	prn_child_end(&process, NULL);
	same(run("echo first; echo said >&2; exit 3"), "first\n", "what a program says is not what it writes");
	ok(!prn_child_end(&process, NULL), "a program that ends with another number did not end as it should");
	same(process.text, "said\n", "what a program said is known at its end");
	run("i=0; while [ $i -lt 20000 ]; do echo 0123456789 >&2; i=$((i + 1)); done");
	ok(!prn_child_end(&process, NULL) || process.said == PRN_CHILD_SAID, "a program that says more than is kept ends all the same");
	same(run("trap '' PIPE; kill -s PIPE $$ && echo ignored"), "ignored\n", "a program may set its own signals");
	prn_child_end(&process, NULL);
}

/* Where the system bounds nothing, nothing is claimed. */
static void bounded(void)
{
	const char *const arguments[] = { "sh", "-c", "read go; x=$(head -c 100000000 /dev/zero | tr '\\0' a) && echo ${#x}", NULL };
	struct prn_program program = { .arguments = arguments, .has_input = true };
	char whole[32], bound[32];

	ok(!prn_child_start(&process, &program, NULL) && !prn_child_send(&process, "go\n", 3, NULL), "a program is told to go");
	snprintf(whole, sizeof whole, "%s", output());
	prn_child_end(&process, NULL);
	same(whole, "100000000\n", "a program has the memory that it wants");
	program.memory = (uint64_t)50 << 20;
	ok(!prn_child_start(&process, &program, NULL) && !prn_child_send(&process, "go\n", 3, NULL), "and so is one with a bound");
	snprintf(bound, sizeof bound, "%s", output());
#ifdef HAVE_PRLIMIT
	ok(!prn_child_end(&process, NULL) && !*bound, "or is refused what is beyond its bound");
#else
	prn_child_end(&process, NULL);
#endif
}

static void told(void)
{
	char bytes[64] = "";
	size_t got = 0;

	ok(!start("while read -r line; do echo \"<$line>\"; done", true), "a program that is told something is started");
	ok(!prn_child_send(&process, "a b\n", 4, NULL) && !prn_child_read(&process, bytes, sizeof bytes - 1, &got, NULL, NULL),
	   "a program is told something, and answers");
	same(bytes, "<a b>\n", "the answer of a program is that to what it was told");
	prn_child_stop(&process);
	ok(!process.pid && waitpid(-1, NULL, WNOHANG) < 0, "a program that is stopped is waited for");
	prn_child_stop(&process);
	start("exit 0", true);
	same(output(), "", "a program that is over writes nothing");
	ok(prn_child_send(&process, "x", 1, NULL) == PRN_E_IO, "who tells something to a program that is over is not ended by that");
	prn_child_end(&process, NULL);
}

static void refused(void)
{
	const char *const arguments[] = { "perennial-no-such-program", NULL };
	const struct prn_program program = { .arguments = arguments };
	struct prn_error error = { 0 };

	ok(prn_child_start(&process, &program, &error) == PRN_E_NOT_FOUND && strstr(error.text, "perennial-no-such-program"),
	   "a program that is not there is told by its name");
	prn_child_stop(&process);
}

/* Nobody waits for a program longer than the one who asked for it wants. */
static void woken(void)
{
	struct prn_interrupt interrupt = { .wake = 0 };
	int ends[2];
	char byte;
	size_t got;

	/* Where standard input is closed a pipe is 0, which is none that wakes. */
	if (pipe(ends) || (ends[0] = fcntl(ends[0], F_DUPFD_CLOEXEC, 3)) < 0 || write(ends[1], "x", 1) != 1) {
		ok(false, "a pipe can be made");
		return;
	}
	start("exec sleep 1000", false);
	interrupt.wake = ends[0];
	ok(prn_child_read(&process, &byte, 1, &got, &interrupt, NULL) == PRN_E_CANCELLED, "a wait for a program is ended by a descriptor");
	ok(!prn_child_end(&process, &interrupt) && !process.pid, "a wait for a program's end is ended by a descriptor, and the program then");
	close(ends[0]);
	close(ends[1]);
}

/* … nor longer than its patience, which begins anew with all that it says. */
static void silent(void)
{
	const char *const arguments[] = { "sh", "-c", "for i in 1 2 3 4; do sleep .4; echo $i >&2; done; echo out; exec sleep 1000", NULL };
	const struct prn_program program = { .arguments = arguments, .patience = 1 };
	struct prn_error error = { 0 };
	char bytes[8];
	size_t got = 0;

	ok(!prn_child_start(&process, &program, NULL), "a program that says something now and then is started");
	ok(!prn_child_read(&process, bytes, sizeof bytes, &got, NULL, NULL) && got == 4,
	   "what a program puts out at last is read: it was waited for, as it said something now and then");
	ok(!process.is_silent, "a program that says something now and then is not taken for silent");
	ok(prn_child_read(&process, bytes, 1, &got, NULL, &error) == PRN_E_IO && strstr(error.text, "silent for 1 seconds"),
	   "a program that is silent for longer than its patience is told");
	ok(process.is_silent, "a program that is silent for longer than its patience is known to be");
	ok(!prn_child_end(&process, NULL) && !process.pid, "a silent program is ended, and not waited for");
	ok(waitpid(-1, NULL, WNOHANG) < 0, "a silent program that was ended leaves no process");
}

/* In a process without standard descriptors, as a daemon may be, those of a program are given out as 0 to 2. */
static void without_descriptors(void)
{
	for (int closed = 1; closed < 8; closed++) {
		pid_t child = fork();
		int status = -1;

		if (!child) {
			const char *said;

			for (int i = 0; i < 3; i++)
				if (closed >> i & 1)
					close(i);
			said = run("echo out; echo err >&2");
			if (strcmp(said, "out\n") || !prn_child_end(&process, NULL) || strcmp(process.text, "err\n"))
				_exit(1);
			if (start("cat", true) || prn_child_send(&process, "x\n", 2, NULL))
				_exit(2);
			{
				char bytes[8] = "";
				size_t got;

				if (prn_child_read(&process, bytes, 7, &got, NULL, NULL) || strcmp(bytes, "x\n"))
					_exit(3);
			}
			prn_child_stop(&process);
			_exit(0);
		}
		while (child > 0 && waitpid(child, &status, 0) < 0)
			;
		ok(WIFEXITED(status) && !WEXITSTATUS(status), "programs are run without the standard descriptors of %d (%d)", closed, status);
	}
}

/* Who ignores SIGCHLD has no statuses; one that blocks signals does not hand that on. */
static void signals(void)
{
	sigset_t all, before;

	signal(SIGCHLD, SIG_IGN);
	same(run("echo x"), "x\n", "a program is read where nobody waits for children");
	ok(prn_child_end(&process, NULL), "one without a status is held to have ended as it should");
	signal(SIGCHLD, SIG_DFL);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	run("kill -s TERM $$; echo not blocked");
	sigprocmask(SIG_SETMASK, &before, NULL);
	ok(!prn_child_end(&process, NULL), "signals that are blocked here are not in a program");
}

int main(void)
{
	outputs();
	bounded();
	told();
	refused();
	woken();
	silent();
	without_descriptors();
	signals();
	return done();
}
