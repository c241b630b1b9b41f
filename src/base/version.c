#include "perennial/version.h"

const char *prn_version(void)
{
	return PRN_VERSION_TEXT;
}
