#include "perennial/capture.h"

const char *prn_kind_name(enum prn_kind kind)
{
	switch (kind) {
	case PRN_KIND_CONTENT:
		return "content";
	case PRN_KIND_SAME:
		return "same";
	case PRN_KIND_REDIRECT:
		return "redirect";
	case PRN_KIND_GONE:
		return "gone";
	case PRN_KIND_REFUSED:
		return "refused";
	case PRN_KIND_ERROR:
		return "error";
	case PRN_KIND_MISSING:
		return "missing";
	}
	return "?";
}

enum prn_kind prn_kind_of_status(int status)
{
	switch (status) {
	case 200:
	case 203:
	case 204:
		return PRN_KIND_CONTENT;
	case 304:
		return PRN_KIND_SAME;
	case 404:
	case 410:
		return PRN_KIND_GONE;
	case 401:
	case 403:
	case 429:
	case 451:
		return PRN_KIND_REFUSED;
	default:
		return status >= 300 && status < 400 ? PRN_KIND_REDIRECT : PRN_KIND_ERROR;
	}
}
