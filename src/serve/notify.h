/*
 * Tells a service manager how the daemon is, by the protocol of sd_notify(3): a datagram to the socket that
 * $NOTIFY_SOCKET names.
 */
#ifndef SERVE_NOTIFY_H
#define SERVE_NOTIFY_H

#include "perennial/error.h"

/*
 * Sends "READY=1", "STOPPING=1", "STATUS=…"; lines are separated by "\n".  socket_path is the value of the
 * variable, "@" first for an abstract name; NULL: there is no manager, nothing is sent.
 *
 * PRN_E_IO	nobody is there
 */
int serve_notify(const char *socket_path, const char *state, struct prn_error *error);

/*
 * How often a service manager wants to hear "WATCHDOG=1" at least, in seconds, by the values of $WATCHDOG_USEC and
 * $WATCHDOG_PID, NULL where they are not set; 0: never, or it is another process that it listens to.
 */
double serve_notify_watchdog(const char *microseconds, const char *pid);

#endif
