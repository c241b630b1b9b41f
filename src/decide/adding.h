/* Adding pages whose URLs the caller has read. */
#ifndef DECIDE_ADDING_H
#define DECIDE_ADDING_H

#include "perennial/decider.h"

/* As prn_decider_add_due, of a URL whose normal form (prn_url_read) is known. */
int prn_decider_add_normal(struct prn_decider *decider, const char *url, const char *normal, double weight, int64_t due,
                           int64_t now, enum prn_added *added, struct prn_error *error);

#endif
