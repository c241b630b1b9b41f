/* Pieces of text and tables that the parts of the page for a person share. */
#include "serve/person_internal.h"

#include "perennial/time.h"

#include <math.h>

void serve_person_duration(struct prn_buffer *out, double seconds)
{
	if (!isfinite(seconds))
		prn_buffer_printf(out, "never");
	else if (seconds < 10)
		prn_buffer_printf(out, "%.2g s", seconds);
	else if (seconds < 120)
		prn_buffer_printf(out, "%.0f s", seconds);
	else if (seconds < 7200)
		prn_buffer_printf(out, "%.0f min", seconds / 60);
	else if (seconds < 2 * PRN_DAY_S)
		prn_buffer_printf(out, "%.1f h", seconds / 3600);
	else
		prn_buffer_printf(out, "%.1f days", seconds / PRN_DAY_S);
}

void serve_person_moment(struct prn_buffer *out, int64_t time, int64_t now)
{
	char text[PRN_TIME_TEXT];

	if (time == PRN_TIME_UNKNOWN) {
		prn_buffer_printf(out, "–");
		return;
	}
	prn_buffer_printf(out, "<time datetime=\"%s\" title=\"%s\">%s", prn_time_format(time, text),
	                  prn_time_format(time, text), time > now ? "in " : "");
	serve_person_duration(out, fabs((double)(time - now)));
	prn_buffer_printf(out, "%s</time>", time > now ? "" : " ago");
}

void serve_person_percent(struct prn_buffer *out, const char *name, double share)
{
	prn_buffer_printf(out, "<td role=\"cell\" data-name=\"%s\">", name);
	prn_buffer_printf(out, isfinite(share) ? "%.0f %%</td>" : "–</td>", 100 * share);
}

void serve_person_table_start(struct prn_buffer *out, const char *id, const char *const *heads, size_t count)
{
	prn_buffer_printf(out, "<div class=\"scroll\" role=\"region\" aria-labelledby=\"%s\" tabindex=\"0\"><table class=\"pages\" role=\"table\" "
	                       "aria-labelledby=\"%s\">\n<thead role=\"rowgroup\"><tr role=\"row\">", id, id);
	for (size_t i = 0; i < count; i++)
		prn_buffer_printf(out, "<th scope=\"col\" role=\"columnheader\">%s</th>", heads[i]);
	prn_buffer_printf(out, "</tr></thead>\n<tbody role=\"rowgroup\">\n");
}

void serve_person_table_end(struct prn_buffer *out)
{
	prn_buffer_printf(out, "</tbody></table></div>\n");
}

void serve_person_tile(struct prn_buffer *out, const char *name, double value)
{
	prn_buffer_printf(out, value < 10 && value != floor(value) ? "<div><dt>%s</dt><dd>%.3g</dd></div>" : "<div><dt>%s</dt><dd>%.0f</dd></div>",
	                  name, value);
}
