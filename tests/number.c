/* Numbers as people write them: what is read as one, and what is not. */
#include "base/number.h"
#include "tap.h"

int main(void)
{
	static const struct {
		const char *text;
		double number;
	} good[] = { { "0", 0 }, { "-1.5", -1.5 }, { "1e3", 1000 }, { "0x10", 16 }, { ".25", 0.25 } };
	static const char *const bad[] = { "", "x", "1x", "1 ", "1,5", "inf", "-infinity", "nan", "1e999", "1e-400", "--1" };
	double number;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		ok(prn_number_read(good[i].text, &number) && fabs(number - good[i].number) <= 0, "'%s' is %g", good[i].text,
		   good[i].number);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		number = 7;
		ok(!prn_number_read(bad[i], &number) && fabs(number - 7) <= 0,
		   "'%s' is no number, and the one before stays", bad[i]);
	}
	return done();
}
