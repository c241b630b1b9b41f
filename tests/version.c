/* The version that the headers state, the one that the library tells, and the one that it is built and packed as. */
#include "perennial/version.h"
#include "tap.h"

int main(void)
{
	char numbers[64];

	snprintf(numbers, sizeof numbers, "%d.%d.%d", PRN_VERSION_MAJOR, PRN_VERSION_MINOR, PRN_VERSION_PATCH);
	same(PRN_VERSION_TEXT, numbers, "PRN_VERSION_TEXT is the three numbers of version.h");
	same(prn_version(), PRN_VERSION_TEXT, "prn_version() of the library built here is version.h's");
	same(PACKAGE_VERSION, PRN_VERSION_TEXT, "configure.ac and version.h state the same version");
	same(tap_text("%d.%d.%d", PRN_VERSION / 1000000, PRN_VERSION / 1000 % 1000, PRN_VERSION % 1000), numbers,
	     "PRN_VERSION holds the three numbers in three digits each");
	return done();
}
