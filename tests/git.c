/* Histories of files in git repositories as sources, and repositories that mean harm. */
#include "archive/git.h"
#include "fixture.h"
#include "perennial/error.h"
#include "perennial/time.h"

#include <limits.h>
#include <sys/wait.h>

static struct reading reading;

/* Runs lines of a shell in a folder of the scratch folder; "at T" sets when what follows is committed. */
static void sh(const char *folder, const char *lines)
{
	struct prn_buffer text = { 0 };

	add_text(&text, "exec 0</dev/null >/dev/null 2>&1\nat() { export GIT_AUTHOR_DATE=\"@$1 +0000\" GIT_COMMITTER_DATE=\"@$1 +0000\"; }\n"
	                "commit() { git add -A && git commit -q --allow-empty -m x; }\nset -e\nmkdir -p '%s'\ncd '%s'\n%s\n",
	         folder, folder, lines);
	must(!prn_buffer_terminate(&text), "allocate");
	must(!system((char *)text.data), folder);
	prn_buffer_release(&text);
}

static const char *in_repository(const char *folder, const char *pattern)
{
	static char spec[1024];

	snprintf(spec, sizeof spec, "git:%s%s%s", in_scratch(folder), pattern ? ":" : "", pattern ? pattern : "");
	return spec;
}

static const char *here(const char *folder)
{
	static char path[PATH_MAX + 512];
	char now[PATH_MAX];

	must(getcwd(now, sizeof now) != NULL, "find the folder");
	snprintf(path, sizeof path, "%s/%s", now, in_scratch(folder));
	return path;
}

static const char *line(size_t i)
{
	static char text[1024];
	const struct seen *seen = &reading.seen[i];

	if (i >= reading.count)
		return reading.error.code ? reading.error.text : "(none)";
	snprintf(text, sizeof text, "%lld %s %.200s %s %.100s", (long long)seen->capture.time, prn_kind_name(seen->capture.kind), seen->normal,
	         seen->capture.content_type ? seen->capture.content_type : "-", seen->body);
	return text;
}

static bool read_whole(const char *spec, const struct prn_source_options *options)
{
	read_source(&reading, spec, options);
	return !reading.opened && !reading.ended && !reading.counts.damaged && !reading.counts.unread;
}

static void history(void)
{
	static const char *const media[] = { "text/html" };
	struct prn_source_options options = { .git_base = "https://A.example/docs" };

	sh(here("site"), "git init -q\n"
	                 "at 1700000000; printf 1 >index.html; mkdir news; printf n >news/index.html; printf '# x' >read.txt; commit\n"
	                 "at 1700000100; printf 2 >index.html; chmod +x read.txt; commit\n"
	                 "at 1700000200; git mv read.txt moved.txt; commit\n"
	                 "at 1700000300; git rm -q news/index.html; commit\n");
	ok(read_whole(in_repository("site", "*"), NULL) && reading.count == 7, "a history is a capture for each file that a commit changed");
	same(line(0), "1700000000 content http://site.git.invalid/ text/html 1", "an index.html of a repository is /, at the time of its commit");
	same(line(1), "1700000000 content http://site.git.invalid/news/ text/html n",
	     "an index.html in a folder of a repository is that folder's page");
	same(line(2), "1700000000 content http://site.git.invalid/read.txt text/plain # x", "the media type goes by the ending of a path");
	same(line(3), "1700000100 content http://site.git.invalid/ text/html 2", "a file that was changed is a capture, one whose mode was changed is none");
	same(line(4), "1700000200 content http://site.git.invalid/moved.txt text/plain # x", "a file that is renamed is another page");
	same(line(5), "1700000200 gone http://site.git.invalid/read.txt - ", "a file that was taken away is gone");
	same(line(6), "1700000300 gone http://site.git.invalid/news/ - ", "a page that is gone is so at the time of the commit");
	ok(reading.counts.records == 7 && !reading.counts.ignored, "what a commit did to a file is a record");
	ok(read_whole(in_repository("site", NULL), NULL) && reading.count == 7, "without a pattern all files are meant");
	ok(read_whole(in_repository("site", ""), NULL) && reading.count == 7, "an empty pattern is none");
	ok(read_whole(in_repository("site", "*.html"), NULL) && reading.count == 4, "a pattern goes through folders");
	ok(read_whole(in_repository("site", "news"), NULL) && reading.count == 2, "the name of a folder is a pattern of what is in it");
	ok(read_whole(in_repository("site/.git", "*.txt"), NULL) && reading.count == 3, "a repository may be named by its folder of objects");
	same(line(0), "1700000000 content http://site.git.invalid/read.txt text/plain # x",
	     "a repository that is named by its folder of objects has the name of its files' folder");
	ok(read_whole(in_repository("site", "*.txt"), &options) && reading.count == 3, "files may have a URL that they are below");
	same(line(0), "1700000000 content https://a.example/docs/read.txt text/plain # x", "a URL that files are below needs no slash at its end");
	options = (struct prn_source_options){ .filter = { .media = media, .media_count = 1, .has_from = true, .from = 1700000100 } };
	ok(read_whole(in_repository("site", "*"), &options), "a repository is read with a filter");
	same(tally(&reading), "2 captures, 5 filtered", "captures of files are filtered by time and media type");
	ok(reading.counts.other_media == 2, "captures of files that their media type leaves out are counted apart");
	options = (struct prn_source_options){ .git_base = "ftp://a.example/" };
	read_source(&reading, in_repository("site", "*"), &options);
	ok(reading.opened == PRN_E_ARGUMENT && HOLDS(reading.error.text, "git:", "ftp://a.example/"), "files cannot be below a URL of another scheme");
	options.git_base = "http://a.example/?x";
	read_source(&reading, in_repository("site", "*"), &options);
	ok(reading.opened == PRN_E_ARGUMENT, "files cannot be below a query");
	options.git_base = "http://a.example/#x";
	read_source(&reading, in_repository("site", "*"), &options);
	ok(reading.opened == PRN_E_ARGUMENT, "files cannot be below a fragment");
}

static void first_line(void)
{
	sh(here("merged"), "git init -q\nat 100; printf a >f; commit; b=$(git symbolic-ref --short HEAD)\n"
	                   "git checkout -q -b side; at 200; printf b >f; commit; at 250; printf c >f; commit\n"
	                   "git checkout -q $b; at 220; printf g >g; commit; at 300; git merge -q --no-ff -m x side\n");
	ok(read_whole(in_repository("merged", "f"), NULL) && reading.count == 2, "what is merged counts as of its merge");
	same(line(1), "300 content http://merged.git.invalid/f - c", "a merge has what the merged branch ended with");
	sh(here("merged"), "git config log.diffMerges off\n");
	ok(read_whole(in_repository("merged", "f"), NULL) && reading.count == 2,
	   "merges are read however their repository wants them to be shown");

	sh(here("second"), "git init -q\nat 100; printf 1 >f; printf 1 >g; commit; printf 2 >f; commit; printf 3 >f; rm g; commit; printf 2 >g; commit\n"
	                   "at 101; printf 4 >f; commit; rm f; commit\nat 102; ln -s g f; commit\n");
	ok(read_whole(in_repository("second", "*"), NULL) && reading.count == 3, "of several commits in a second a file's last change counts");
	same(line(0), "100 content http://second.git.invalid/f - 3", "a second has of a file what it ended with");
	same(line(1), "100 content http://second.git.invalid/g - 2", "a file that was taken away and came back is there");
	same(line(2), "101 gone http://second.git.invalid/f - ", "a file that came and was taken away is gone");
}

static void odd_things(void)
{
	struct prn_source_options options = { .body_bytes_max = 5 };

	sh(here("Odd &_ Näme.git"), "git init -q\nat 100; printf 1 >\"$(printf 'a\\nb')\"; printf 2 >\"$(printf '\\377')\"; printf 3 >'q?x=1#y%41'; printf 4 >' -x:y'; printf 5 >'b\\s'\n"
	                            "printf 6 >\"$(printf '\\033[31m')\"; commit\n"
	                            "at 200; rm -f *; ln -s / link; ln -s target.html to.html; git add -A\n"
	                            "git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,module; git commit -q -m x\n"
	                            "at 300; git update-index --force-remove module; git commit -q -m x; rm -f link; printf file >link; commit\n"
	                            "at 400; rm link; ln -s x link; commit\n");
	ok(read_whole(in_repository("Odd &_ Näme.git", "*"), NULL) && reading.count == 14, "files may have any names");
	same(line(0), "100 content http://odd-n-me.git.invalid/%1B%5B31m - 6", "a control character is percent-encoded, and a folder's name is a host's");
	same(line(1), "100 content http://odd-n-me.git.invalid/%20-x:y - 4", "a blank in a file's name is percent-encoded");
	same(line(2), "100 content http://odd-n-me.git.invalid/a%0Ab - 1", "a line end in a file's name is percent-encoded");
	same(line(3), "100 content http://odd-n-me.git.invalid/b%5Cs - 5",
	     "a backslash in a file's name, which would divide folders, is percent-encoded");
	same(line(4), "100 content http://odd-n-me.git.invalid/q%3Fx=1%23y%2541 - 3",
	     "what in a file's name would end a path is percent-encoded");
	same(line(5), "100 content http://odd-n-me.git.invalid/%FF - 2", "a byte of a file's name that is no text is percent-encoded");
	same(line(12), "300 content http://odd-n-me.git.invalid/link - file", "a link that became a file is a page");
	same(line(13), "400 gone http://odd-n-me.git.invalid/link - ", "a file that became a link is gone");
	same(passed_over(&reading), "2 symlink, 2 submodule", "links and submodules are passed over, and counted as what they are");
	ok(reading.counts.ignored == 4, "links and submodules are counted as ignored");

	sh(here("large"), "git init -q\nat 100; printf 12345 >a; printf 123456 >b; truncate -s 70000000 c; printf d >d; printf '' >e; commit\n");
	ok(read_whole(in_repository("large", "*"), &options) && reading.count == 5, "files above the limit are captures beside the others");
	ok(reading.counts.cut == 2, "files above the limit are counted as cut");
	same(line(0), "100 content http://large.git.invalid/a - 12345", "a file of just the limit is whole");
	same(line(1), "100 content http://large.git.invalid/b - 12345", "a file above the limit is cut there");
	ok(reading.seen[2].capture.body_bytes == 5 && reading.seen[2].capture.truncated, "a huge file is cut at the limit");
	ok(reading.counts.input_bytes < 10 << 20, "a huge file is not read to its end: %llu bytes", (unsigned long long)reading.counts.input_bytes);
	same(line(3), "100 content http://large.git.invalid/d - d", "the file behind a huge one is read");
	same(line(4), "100 content http://large.git.invalid/e - ", "a file may be empty");
}

static void refused(void)
{
	const char *spec;

	read_source(&reading, in_repository("site", "!(exclude)*"), NULL);
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "site:!(exclude)*: no file of the repository matches '!(exclude)*'"),
	   "a pattern that no file of a repository matches is refused");
	read_source(&reading, in_repository("nowhere", "*"), NULL);
	ok(reading.opened == PRN_E_IO && HOLDS(reading.error.text, "nowhere:*: cannot be opened"), "a repository that is not there is told");
	sh(here("site/none"), "true");
	read_source(&reading, in_repository("site/none", "*"), NULL);
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "it is no git repository"), "a folder in a repository is none");
	sh(here("site/hollow/.git"), "true");
	read_source(&reading, in_repository("site/hollow", "*"), NULL);
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "git cannot read its history: not a git repository"),
	   "a folder that pretends to be a repository is refused: the repository around it is not read");
	sh(here("empty"), "git init -q");
	read_source(&reading, in_repository("empty", "*"), NULL);
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "empty:*: it has no commits"), "a repository without commits is told");
	sh(here("broken"), "git init -q\nat 100; printf 1 >f; commit; at 200; printf 2 >f; printf 3 >g; commit\n"
	                   "t=$(git rev-parse HEAD^^{tree}); rm -f .git/objects/$(echo $t | cut -c1-2)/$(echo $t | cut -c3-)\n");
	read_source(&reading, in_repository("broken", "*"), NULL);
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "git cannot read its history: unable to read tree"), "a repository that is damaged is told");
	spec = in_repository("theirs", "*");
	sh(here("theirs"), "git init -q\nat 100; printf 1 >f; commit");
	if (geteuid() || system("exec 2>/dev/null; command -v chown >/dev/null") || (sh(here("theirs"), "chown -R 12345 ."), 0)) {
		skip("only root can make a repository of somebody else's");
		return;
	}
	read_source(&reading, spec, NULL);
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "it is another user's", "safe.directory"), "a repository of somebody else's is refused, and what to do is said");
	sh(here("theirs"), "git config --global --add safe.directory '*'");
	ok(read_whole(spec, NULL) && reading.count == 1, "a repository that the user trusts is read, whosever it is");
	sh(here("theirs"), "git config --global --unset-all safe.directory");
}

/* A clone whose maker would like to have something run: each thing that git runs leaves its mark. */
static void hostile(void)
{
	char mark[PATH_MAX + 600], lines[8 * PATH_MAX];

	snprintf(mark, sizeof mark, "%s", here("mark"));
	sh(here("origin"), "git init -q; git config uploadpack.allowFilter true; git config uploadpack.allowAnySHA1InWant true\n"
	                   "at 100; printf '*.html diff=x filter=x\\n' >.gitattributes; printf 1 >a.html; commit; at 200; printf 2 >a.html; commit\n");
	snprintf(lines, sizeof lines,
	         "exec 3>'%s.sh'; printf '#!/bin/sh\\necho \"$0 $*\" >>%s\\nexit 1\\n' >&3; exec 3>&-; chmod +x '%s.sh'; x='%s.sh'\n"
	         "git clone -q --bare --filter=blob:none file://$PWD/../origin . \n"
	         "for k in core.fsmonitor core.pager core.sshCommand core.askPass core.editor core.gitProxy core.alternateRefsCommand credential.helper gpg.program "
	         "diff.external diff.x.textconv diff.x.command filter.x.smudge filter.x.clean filter.x.process uploadpack.packObjectsHook "
	         "remote.origin.uploadpack pager.log pager.cat-file interactive.diffFilter; do git config $k \"$x\"; done\n"
	         "git config filter.x.required true; git config log.showSignature true; git config core.hooksPath $PWD/hooks\n"
	         "git config protocol.allow always; git config protocol.ext.allow always; git config protocol.file.allow always; git config protocol.ssh.allow always\n"
	         "mkdir -p hooks; for h in post-checkout reference-transaction pre-auto-gc post-index-change; do cp $x hooks/$h; done\n"
	         "git config remote.origin.url \"ext::$x %%S\"\n",
	         mark, mark, mark, mark);
	sh(here("hostile"), lines);
	read_source(&reading, in_repository("hostile", "*.html"), NULL);
	same(tally(&reading), "2 captures, 2 unread", "files whose content a clone lacks are captures that are unread");
	ok(reading.seen[0].capture.kind == PRN_KIND_ERROR, "files whose content a clone lacks are errors");
	ok(HOLDS(skipped_text(&reading), "a.html: its content is not in the repository, and none is fetched"),
	   "that a clone lacks the content of a file is told");
	ok(access(mark, F_OK) != 0, "nothing is run for a repository that would have it");
	sh(here("hostile"), "git config remote.origin.url \"ssh://nowhere.invalid/x\"; git config remote.origin.vcs ext");
	read_source(&reading, in_repository("hostile", "*.html"), NULL);
	ok(reading.counts.unread == 2 && access(mark, F_OK) != 0, "nothing is run for a repository whose origin speaks another protocol");
	sh(here("hostile"), "git config --unset remote.origin.vcs; git config remote.origin.url file://$PWD/../origin; git config --unset remote.origin.uploadpack");
	read_source(&reading, in_repository("hostile", "*.html"), NULL);
	ok(reading.counts.unread == 2 && access(mark, F_OK) != 0, "nothing is fetched from where it could be had");
	setenv("GIT_DIR", "/nonexistent", 1);
	setenv("GIT_EXTERNAL_DIFF", "false", 1);
	ok(read_whole(in_repository("site", "*.txt"), NULL) && reading.count == 3, "what this program's environment says of git says nothing of a source");
	unsetenv("GIT_DIR");
	unsetenv("GIT_EXTERNAL_DIFF");
}

/* Git is another process: whatever becomes of the source, none is left. */
static void processes(void)
{
	struct prn_source *source;
	struct prn_capture capture;
	int status;
	pid_t child;

	for (int taken = 0; taken < 3; taken++) {
		must(!prn_source_open(&source, in_repository("site", "*"), NULL, NULL), "open a repository");
		for (int i = 0; i < taken; i++)
			must(prn_source_next(source, &capture, NULL) == 1, "read a repository");
		prn_source_free(source);
		ok(waitpid(-1, NULL, WNOHANG) < 0, "a source that is left after %d captures leaves no process", taken);
	}
	child = fork();
	if (!child) {
		close(0);
		close(1);
		close(2);
		_exit(!read_whole(in_repository("site", "*"), NULL) || reading.count != 7);
	}
	waitpid(child, &status, 0);
	ok(!status, "a repository is read by a process without standard descriptors");
	setenv("PATH", "/nonexistent", 1);
	read_source(&reading, in_repository("site", "*"), NULL);
	ok(reading.opened == PRN_E_UNSUPPORTED && HOLDS(reading.error.text, "git, which is not installed"), "a program without git says that git is not installed");
}

static bool is_cancelled(void *context)
{
	return *(int *)context > 0;
}

/* Commits whose times no program of today would write, between two that it would. */
static void odd_times(void)
{
	sh(here("odd"), "git init -q\nat 100; printf 1 >f; commit\n"
	                "for t in -1 abc 99999999999999999999 253402300800 ''; do printf %s. \"$t\" >f; printf %s. \"$t\" >g; git add f g\n"
	                "c=$(printf 'tree %s\\nparent %s\\nauthor A <a@a> 1 +0000\\ncommitter A <a@a> %s +0000\\n\\nx\\n' $(git write-tree) $(git rev-parse HEAD) \"$t\" |"
	                "git hash-object --literally -t commit -w --stdin)\ngit update-ref HEAD $c; done\n"
	                "at 200; printf 2 >f; commit\n");
	read_source(&reading, in_repository("odd", "*"), NULL);
	same(tally(&reading), "2 captures, 5 damaged", "commits of no time are left out, and those beside them read");
	same(line(0), "100 content http://odd.git.invalid/f - 1", "a commit before one of no time is whole");
	same(line(1), "200 content http://odd.git.invalid/f - 2", "a commit behind one of no time is whole");
	ok(HOLDS(skipped_text(&reading), "the commit has no time between the years 1 and 9999"), "a commit of no time is told");
}

static bool at_third(void *context)
{
	return ++*(int *)context == 3;
}

/* Git would wait for ever for somebody who writes into the pipe. */
static void pipes(void)
{
	int asked = 0;
	struct prn_source_options options = { .git_seconds = 1 }, asks = { .git_seconds = 5, .cancelled = at_third, .cancelled_context = &asked };

	sh(here("pipe"), "git init -q\nat 100; printf 1 >f; commit; mkfifo pipe; git config include.path $PWD/pipe");
	read_source(&reading, in_repository("pipe", "*"), &options);
	ok(reading.opened == PRN_E_IO && HOLDS(reading.error.text, "pipe:*: git gives no answer for 1 seconds", "name a pipe?"),
	   "a repository whose configuration is a pipe is told, and not waited for");
	read_source(&reading, in_repository("pipe", "*"), &asks);
	ok(reading.opened == PRN_E_CANCELLED, "a source that waits for git ends when it is told so");
	ok(waitpid(-1, NULL, WNOHANG) < 0, "no process is left that waits for a pipe");
	sh(here("stored"), "git init -q\nat 100; printf 1 >f; commit; i=$(git rev-parse HEAD^{tree}); i=.git/objects/$(echo $i | cut -c1-2)/$(echo $i | cut -c3-)\n"
	                   "rm -f $i; mkfifo $i");
	read_source(&reading, in_repository("stored", "*"), &options);
	ok(reading.opened == PRN_E_IO, "a repository that has a pipe in place of an object is told, and not waited for");
}

static void cancelled(void)
{
	int yes = 0;
	struct prn_source_options options = { .cancelled = is_cancelled, .cancelled_context = &yes };
	struct prn_source *source;
	struct prn_capture capture;

	must(!prn_source_open(&source, in_repository("site", "*"), &options, NULL), "open a repository");
	yes = 1;
	ok(prn_source_next(source, &capture, NULL) == PRN_E_CANCELLED, "who no longer wants a repository's files is asked");
	prn_source_free(source);
}

int main(void)
{
	make_scratch();
	if (system("git --version >/dev/null 2>&1"))
		return (skip("git is not installed"), done());
	setenv("HOME", here("home"), 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_AUTHOR_NAME", "A", 1);
	setenv("GIT_AUTHOR_EMAIL", "a@a.example", 1);
	setenv("GIT_COMMITTER_NAME", "A", 1);
	setenv("GIT_COMMITTER_EMAIL", "a@a.example", 1);
	for (const char *const *name = (const char *const[]){ "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "XDG_CONFIG_HOME", NULL }; *name; name++)
		unsetenv(*name);
	sh(here("home"), "git config --global protocol.file.allow always");
	history();
	first_line();
	odd_things();
	refused();
	hostile();
	odd_times();
	pipes();
	cancelled();
	processes();
	reading_release(&reading);
	return done();
}
