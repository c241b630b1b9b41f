/*
 * Budgets as people write them: visits or bytes in a time.
 */
#ifndef PERENNIAL_BUDGET_H
#define PERENNIAL_BUDGET_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What looks at pages are counted in. */
enum prn_unit {
	PRN_UNIT_VISITS = 0,
	PRN_UNIT_BYTES = 1, /* that come over the network */
};

#define PRN_UNITS 2

/* "visits", "bytes"; "?" for any other value.  Static. */
const char *prn_unit_name(enum prn_unit unit);

struct prn_budget {
	double per_day; /* 0: none */
	enum prn_unit unit;
};

/* The least budget, a day: a visit, or a byte, in about ten thousand years, which is later than any time that there is here. */
#define PRN_BUDGET_LEAST 2.7e-7

#define PRN_BUDGET_TAKES "visits or bytes in a time, one in 10000 years or more, such as 5000/day, 200/hour, 1e6/week or 2GB/day"

/*
 * Reads a budget, PRN_BUDGET_LEAST or more: a number; a unit of bytes, or none for visits; and "/hour", "/day" or "/week".  Units are B, kB, MB,
 * GB and TB, powers of 1000, and KiB, MiB, GiB and TiB, powers of 1024; case does not matter.  False: it is none, and *budget is
 * untouched.
 */
bool prn_budget_parse(const char *text, struct prn_budget *budget);

#define PRN_COST_304_BYTES 1535 /* of what is said about the cost of "not modified" (prn_decider_settings), at most */

#define PRN_AMOUNT_TEXT 48

/* Writes an amount: "20", "0.5"; of bytes "2 GB", "1.53 MB", "400 B".  Returns text. */
const char *prn_amount_format(double amount, enum prn_unit unit, char text[PRN_AMOUNT_TEXT]);

#ifdef __cplusplus
}
#endif

#endif
