/* The list of policies: those of this room, and those that a program registers. */
#include "policy/policy_internal.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

/*
 * A list for the whole process that only grows.  It is read without the lock, so an entry is complete before it
 * is counted.
 */
static const struct prn_policy_kind *registered[PRN_POLICIES_REGISTERED];
static atomic_size_t registered_count;
static pthread_mutex_t registering = PTHREAD_MUTEX_INITIALIZER;

const struct prn_policy_kind *prn_policy_kind_at(size_t i)
{
	size_t built_in = 0;

	for (; prn_policy_table[built_in]; built_in++)
		if (built_in == i)
			return prn_policy_table[i];
	i -= built_in;
	return i < atomic_load_explicit(&registered_count, memory_order_acquire) ? registered[i] : NULL;
}

/* Must be called under the lock. */
static int add(const struct prn_policy_kind *kind, struct prn_error *error)
{
	size_t count = atomic_load(&registered_count);
	const struct prn_policy_kind *other;

	for (size_t i = 0; (other = prn_policy_kind_at(i)); i++) {
		if (other == kind)
			return 0;
		if (!strcmp(other->info.name, kind->info.name))
			return prn_error_set(error, PRN_E_ARGUMENT, "there is a policy '%s' already", kind->info.name);
	}
	if (count == PRN_POLICIES_REGISTERED)
		return prn_error_set(error, PRN_E_LIMIT, "policy '%s': %d have been registered, and there is no room",
		                     kind->info.name, PRN_POLICIES_REGISTERED);
	registered[count] = kind;
	atomic_store_explicit(&registered_count, count + 1, memory_order_release);
	return 0;
}

int prn_policy_kinds_add(const struct prn_policy_kind *kind, struct prn_error *error)
{
	int code;

	pthread_mutex_lock(&registering);
	code = add(kind, error);
	pthread_mutex_unlock(&registering);
	return code;
}
