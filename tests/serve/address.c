/* Addresses: what is read, what is refused, and sockets that are left behind. */
#include "../tap.h"
#include "serve/address.h"

#include <stdlib.h>
#include <unistd.h>

static void reads(const char *text, const char *printed, bool local)
{
	struct serve_address address;
	char out[SERVE_ADDRESS_TEXT];

	if (!ok(!serve_address_parse(&address, text, NULL), "%s is an address", text))
		return;
	same(serve_address_format(&address, out), printed, "%s is %s", text, printed);
	ok(serve_address_is_local(&address) == local, "%s is %sreached from this machine only", text, local ? "" : "not ");
}

static void refuses(const char *text)
{
	struct serve_address address = { .length = 7 };
	struct prn_error error = { 0 };

	ok(serve_address_parse(&address, text, &error) == PRN_E_INPUT && *error.text,
	   "'%s' is no address: %s", text, error.text);
	ok(address.length == 7, "an address stays as it was when '%s' is none", text);
}

static void check_ports(void)
{
	struct serve_address first, second;
	struct prn_error error = { 0 };
	char out[SERVE_ADDRESS_TEXT];
	int fd = -1, again = -1;

	serve_address_parse(&first, "127.0.0.1:0", NULL);
	ok(!serve_address_listen(&first, &fd, NULL) && fd >= 0,
	   "a server listens at a free port when it asks for port 0");
	serve_address_format(&first, out);
	ok(strcmp(out, "127.0.0.1:0"), "the free port that was found is told: %s", out);
	second = first;
	ok(serve_address_listen(&second, &again, &error) == PRN_E_IO && again == -1,
	   "a port that is listened at is refused");
	ok(strstr(error.text, out) != NULL, "a port that is listened at is told by name: %s", error.text);
	close(fd);
	serve_address_parse(&first, "192.0.2.1:80", NULL);
	ok(serve_address_listen(&first, &fd, &error) == PRN_E_IO, "an address of another machine is refused: %s",
	   error.text);
}

static void check_unix(void)
{
	char folder[] = "/tmp/perennial-address-XXXXXX", text[120], path[100];
	struct serve_address address;
	struct prn_error error = { 0 };
	int fd, again = -1;

	if (!ok(mkdtemp(folder) != NULL, "a folder for sockets is made"))
		return;
	snprintf(path, sizeof path, "%s/s", folder);
	snprintf(text, sizeof text, "unix:%s", path);
	serve_address_parse(&address, text, NULL);
	ok(!serve_address_listen(&address, &fd, NULL) && !access(path, F_OK), "a Unix socket is made");
	ok(serve_address_listen(&address, &again, &error) == PRN_E_IO && again == -1,
	   "a Unix socket that is listened at is left alone: %s", error.text);
	close(fd);
	ok(!serve_address_listen(&address, &fd, NULL), "a Unix socket that was left behind is replaced");
	close(fd);
	serve_address_leave(&address);
	ok(access(path, F_OK), "a Unix socket is removed at the end");
	fclose(fopen(path, "w"));
	ok(serve_address_listen(&address, &fd, &error) == PRN_E_IO && !access(path, F_OK),
	   "a file in place of a Unix socket is not removed");
	unlink(path);
	rmdir(folder);
}

int main(void)
{
	reads("127.0.0.1:7390", "127.0.0.1:7390", true);
	reads("127.8.0.1:1", "127.8.0.1:1", true);
	reads("localhost:7390", "127.0.0.1:7390", true);
	reads("[::1]:7390", "[::1]:7390", true);
	reads("0.0.0.0:80", "0.0.0.0:80", false);
	reads(":80", "0.0.0.0:80", false);
	reads("[::]:80", "[::]:80", false);
	reads("192.0.2.7:80", "192.0.2.7:80", false);
	reads("unix:/run/p.sock", "unix:/run/p.sock", true);
	refuses("");
	refuses("127.0.0.1");
	refuses("127.0.0.1:");
	refuses("127.0.0.1:65536");
	refuses("127.0.0.1:8x");
	refuses("127.0.0.1:-1");
	refuses("a.example:80");
	refuses("[::1:80");
	refuses("[]:80");
	refuses("::1:80");
	refuses("1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17.18.19.20:80");
	refuses("unix:");
	refuses("unix:/a/path/that/is/longer/than/a/socket/address/in/this/system/holds/which/is/108/bytes/here/and/no/more/than/that/on/any/that/is/"
	        "holds");
	check_ports();
	check_unix();
	return done();
}
