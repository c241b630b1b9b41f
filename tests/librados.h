/*
 * A cluster in memory, in the place of librados, in which operations fail as a test says.  The test is linked with
 * -Wl,--wrap=prn_rados_library_open; addresses are "rados:POOL/NAME", and objects stay until the test ends.
 */
#ifndef TESTS_LIBRADOS_H
#define TESTS_LIBRADOS_H

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/rados_library.h"

static struct {
	size_t asked;   /* operations so far */
	size_t at;      /* which of them fail, from this one on; 0: none does … */
	size_t count;   /* … so many */
	int answer;     /* theirs: -ETIMEDOUT and such; 0: nothing fails, but another writes to an object before this one does */
	bool after;     /* they are done all the same, as what arrives late is */
} fault;

/* Called before each operation, in whatever thread begins it: another client may come between. */
static void (*cluster_before)(void);
static void (*cluster_before_lock)(void);

static bool cluster_is_short; /* of memory: no completion can be made */

/*
 * The object whose placement group is inactive, or, by what their names begin with if that ends with a dot, several, or "", all: whoever waits for the answer to an operation that began meanwhile
 * does so in vain, and others see it when the object is no longer silent.  NULL: all are answered.
 */
static const char *cluster_silent;
static size_t cluster_waited;            /* how often somebody waited in vain */
static void (*cluster_while_waiting)(void); /* called then */

/* Whether the operation that begins fails. */
static inline bool cluster_fails(void)
{
	size_t number = ++fault.asked;

	return fault.at && number >= fault.at && number - fault.at < fault.count;
}

struct cluster_bytes {
	char *data;
	size_t length;
};

struct cluster_entry {
	struct cluster_bytes name, value;
};

struct cluster_entries {
	struct cluster_entry *items; /* [count], by name */
	size_t count, capacity;
};

struct cluster_object {
	char name[256];
	bool is_there;
	uint64_t version;
	struct cluster_entries entries;
	uint64_t data_bytes; /* which only others write */
	const char *attribute; /* of others; NULL: there is none */
	bool is_locked;
};

static struct {
	struct cluster_object objects[4096];
	size_t count;
	uint64_t version; /* of what was written last */
	pthread_mutex_t lock;
} cluster = { .lock = PTHREAD_MUTEX_INITIALIZER };

static inline struct cluster_bytes cluster_copy(const void *data, size_t length)
{
	struct cluster_bytes bytes = { malloc(length + 1), length };

	if (!bytes.data)
		abort();
	memcpy(bytes.data, data, length);
	bytes.data[length] = 0;
	return bytes;
}

static inline int cluster_compare(const char *a, size_t a_length, const char *b, size_t b_length)
{
	int order = memcmp(a, b, a_length < b_length ? a_length : b_length);

	return order ? order : (a_length > b_length) - (a_length < b_length);
}

/* The first entry of this name or behind it. */
static inline size_t cluster_place(const struct cluster_entries *entries, const char *name, size_t length)
{
	size_t low = 0, high = entries->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct cluster_bytes *at = &entries->items[middle].name;

		if (cluster_compare(at->data, at->length, name, length) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static inline bool cluster_has(const struct cluster_entries *entries, size_t place, const char *name, size_t length)
{
	return place < entries->count && entries->items[place].name.length == length && !memcmp(entries->items[place].name.data, name, length);
}

static inline void cluster_put(struct cluster_entries *entries, const struct cluster_bytes *name, const struct cluster_bytes *value)
{
	size_t place = cluster_place(entries, name->data, name->length);

	if (cluster_has(entries, place, name->data, name->length)) {
		free(entries->items[place].value.data);
	} else {
		if (entries->count == entries->capacity) {
			entries->capacity = entries->capacity ? 2 * entries->capacity : 64;
			entries->items = realloc(entries->items, entries->capacity * sizeof *entries->items);
			if (!entries->items)
				abort();
		}
		memmove(entries->items + place + 1, entries->items + place, (entries->count++ - place) * sizeof *entries->items);
		entries->items[place].name = cluster_copy(name->data, name->length);
	}
	entries->items[place].value = cluster_copy(value->data, value->length);
}

static inline void cluster_drop(struct cluster_entries *entries, size_t place)
{
	free(entries->items[place].name.data);
	free(entries->items[place].value.data);
	memmove(entries->items + place, entries->items + place + 1, (--entries->count - place) * sizeof *entries->items);
}

static inline void cluster_clear(struct cluster_entries *entries)
{
	while (entries->count)
		cluster_drop(entries, entries->count - 1);
}

static inline struct cluster_object *cluster_object(const char *name)
{
	size_t i = 0;

	while (i < cluster.count && strcmp(cluster.objects[i].name, name) != 0)
		i++;
	if (i == sizeof cluster.objects / sizeof *cluster.objects)
		abort();
	if (i == cluster.count)
		snprintf(cluster.objects[cluster.count++].name, sizeof cluster.objects[i].name, "%s", name);
	return &cluster.objects[i];
}

/* All that a test made; nothing may be open. */
static inline void cluster_release(void)
{
	for (size_t i = 0; i < cluster.count; i++) {
		cluster_clear(&cluster.objects[i].entries);
		free(cluster.objects[i].entries.items);
	}
	memset(cluster.objects, 0, sizeof cluster.objects);
	cluster.count = 0;
}

/* A step of an operation; of all kinds of them, what its kind needs. */
struct cluster_step {
	enum { STEP_STAT, STEP_ATTRIBUTES, STEP_LIST, STEP_FIND, STEP_VERSION, STEP_CREATE, STEP_REMOVE, STEP_SET, STEP_DROP } kind;
	struct cluster_bytes after, prefix;
	struct cluster_entries entries; /* to be found, set or dropped */
	uint64_t most, version, *size;
	rados_omap_iter_t *answers; /* or attributes */
	unsigned char *more;
	int *answer;
};

struct cluster_operation {
	struct cluster_step *steps; /* [count] */
	size_t count, capacity;
};

struct cluster_answers {
	struct cluster_entries entries;
	size_t next;
};

struct cluster_completion {
	int answer;
	uint64_t version;
	const char *silent; /* the object that did not answer; NULL: it did */
};

static inline struct cluster_step *cluster_step(void *operation, struct cluster_step step)
{
	struct cluster_operation *own = operation;

	if (own->count == own->capacity) {
		own->capacity = own->capacity ? 2 * own->capacity : 4;
		own->steps = realloc(own->steps, own->capacity * sizeof *own->steps);
		if (!own->steps)
			abort();
	}
	own->steps[own->count] = step;
	return &own->steps[own->count++];
}

static inline void *cluster_begin(void)
{
	struct cluster_operation *operation = calloc(1, sizeof *operation);

	if (!operation)
		abort();
	return operation;
}

static inline void cluster_end(void *operation)
{
	struct cluster_operation *own = operation;

	for (size_t i = 0; i < own->count; i++) {
		cluster_clear(&own->steps[i].entries);
		free(own->steps[i].entries.items);
		free(own->steps[i].after.data);
		free(own->steps[i].prefix.data);
	}
	free(own->steps);
	free(own);
}

static inline void cluster_list(const struct cluster_object *object, const struct cluster_step *step, struct cluster_answers *answers)
{
	const struct cluster_entries *entries = &object->entries;
	size_t place = cluster_place(entries, step->after.data, step->after.length);

	place += cluster_has(entries, place, step->after.data, step->after.length);
	if (cluster_compare(step->after.data, step->after.length, step->prefix.data, step->prefix.length) < 0)
		place = cluster_place(entries, step->prefix.data, step->prefix.length);
	*step->more = 0;
	for (; place < entries->count; place++) {
		const struct cluster_entry *entry = &entries->items[place];

		if (entry->name.length < step->prefix.length || memcmp(entry->name.data, step->prefix.data, step->prefix.length) != 0)
			return;
		if (answers->entries.count == step->most) {
			*step->more = 1;
			return;
		}
		cluster_put(&answers->entries, &entry->name, &entry->value);
	}
}

static inline void cluster_find(const struct cluster_object *object, const struct cluster_step *step, struct cluster_answers *answers)
{
	for (size_t i = 0; i < step->entries.count; i++) {
		const struct cluster_bytes *name = &step->entries.items[i].name;
		size_t place = cluster_place(&object->entries, name->data, name->length);

		if (cluster_has(&object->entries, place, name->data, name->length))
			cluster_put(&answers->entries, name, &object->entries.items[place].value);
	}
}

static inline void cluster_attributes(const struct cluster_object *object, struct cluster_answers *answers)
{
	const char *names[] = { object->attribute, object->is_locked ? "lock.perennial" : NULL };

	for (size_t i = 0; i < 2; i++)
		if (names[i])
			cluster_put(&answers->entries, &(struct cluster_bytes){ (char *)names[i], strlen(names[i]) },
			            &(struct cluster_bytes){ (char *)"1", 1 });
}

/* As an OSD does: what is asserted first, and then all or nothing. */
static inline int cluster_check(const struct cluster_object *object, const struct cluster_operation *operation, bool writes)
{
	bool creates = false, drops = false;

	for (size_t i = 0; i < operation->count; i++) {
		const struct cluster_step *step = &operation->steps[i];

		creates |= step->kind == STEP_CREATE || step->kind == STEP_SET;
		drops |= step->kind == STEP_REMOVE;
		if (step->kind == STEP_CREATE && object->is_there)
			return -EEXIST;
		if (step->kind == STEP_VERSION && !step->version)
			return -EINVAL;
		if (step->kind == STEP_VERSION && step->version != (object->is_there ? object->version : 0))
			return step->version < object->version ? -ERANGE : -EOVERFLOW;
	}
	return !object->is_there && (!writes || (drops && !creates)) ? -ENOENT : 0;
}

static inline void cluster_read(const struct cluster_object *object, const struct cluster_step *step)
{
	struct cluster_answers *answers;

	if (step->answer)
		*step->answer = 0;
	if (step->size)
		*step->size = object->data_bytes;
	if (!step->answers)
		return;
	answers = calloc(1, sizeof *answers);
	if (!answers)
		abort();
	if (step->kind == STEP_LIST)
		cluster_list(object, step, answers);
	else if (step->kind == STEP_ATTRIBUTES)
		cluster_attributes(object, answers);
	else
		cluster_find(object, step, answers);
	*step->answers = answers;
}

static inline void cluster_write(struct cluster_object *object, const struct cluster_step *step)
{
	object->is_there |= step->kind == STEP_CREATE || step->kind == STEP_SET;
	if (step->kind == STEP_REMOVE) {
		object->is_there = object->is_locked = false;
		object->data_bytes = 0;
		object->attribute = NULL;
		cluster_clear(&object->entries);
	}
	for (size_t i = 0; i < step->entries.count; i++) {
		const struct cluster_entry *entry = &step->entries.items[i];
		size_t place = cluster_place(&object->entries, entry->name.data, entry->name.length);

		if (step->kind == STEP_SET)
			cluster_put(&object->entries, &entry->name, &entry->value);
		else if (step->kind == STEP_DROP && cluster_has(&object->entries, place, entry->name.data, entry->name.length))
			cluster_drop(&object->entries, place);
	}
}

static inline bool cluster_is_silent(const char *name)
{
	size_t length = cluster_silent ? strlen(cluster_silent) : 0;

	return cluster_silent && (!length || !strncmp(name, cluster_silent, length + (cluster_silent[length - 1] != '.')));
}

static inline void cluster_operate_locked(struct cluster_operation *operation, struct cluster_completion *completion, const char *name,
                                          bool writes)
{
	struct cluster_object *object = cluster_object(name);
	bool fails = cluster_fails();

	if (cluster_is_silent(name)) {
		*completion = (struct cluster_completion){ .answer = -ETIMEDOUT, .silent = object->name };
		return;
	}
	/* Another changes nothing, but was faster. */
	if (fails && !fault.answer && object->is_there)
		object->version = ++cluster.version;
	if (fails && fault.answer && !fault.after) {
		completion->answer = fault.answer;
		return;
	}
	completion->answer = cluster_check(object, operation, writes);
	if (!completion->answer) {
		if (writes)
			object->version = ++cluster.version;
		for (size_t i = 0; i < operation->count; i++)
			if (writes)
				cluster_write(object, &operation->steps[i]);
			else if (!fails || !fault.answer)
				cluster_read(object, &operation->steps[i]);
		completion->version = object->version;
	}
	if (fails && fault.answer)
		*completion = (struct cluster_completion){ .answer = fault.answer };
}

static inline int cluster_operate(struct cluster_operation *operation, struct cluster_completion *completion, const char *name, bool writes)
{
	if (cluster_before)
		cluster_before();
	pthread_mutex_lock(&cluster.lock);
	cluster_operate_locked(operation, completion, name, writes);
	pthread_mutex_unlock(&cluster.lock);
	return 0;
}

/* The functions of librados, as far as the engine calls them. */

static size_t cluster_connected, cluster_connections; /* ever, and now */

static int stub_create2(rados_t *out, const char *name, const char *user, uint64_t flags)
{
	(void)name, (void)user, (void)flags;
	*out = &cluster;
	return 0;
}

static int stub_conf_read_file(rados_t own, const char *path)
{
	(void)own, (void)path;
	return 0;
}

static int stub_conf_parse_env(rados_t own, const char *variable)
{
	(void)own, (void)variable;
	return 0;
}

static int stub_conf_get(rados_t own, const char *option, char *value, size_t size)
{
	(void)own, (void)option;
	snprintf(value, size, "1");
	return 0;
}

static int stub_conf_set(rados_t own, const char *option, const char *value)
{
	(void)own, (void)option, (void)value;
	return 0;
}

static int stub_connect(rados_t own)
{
	(void)own;
	cluster_connected++;
	cluster_connections++;
	return 0;
}

static void stub_shutdown(rados_t own)
{
	(void)own;
	cluster_connections--;
}

static int stub_ioctx_create(rados_t own, const char *pool, rados_ioctx_t *out)
{
	(void)pool;
	*out = own;
	return 0;
}

static void stub_ioctx_destroy(rados_ioctx_t pool)
{
	(void)pool;
}

static int stub_aio_create_completion2(void *context, rados_callback_t complete, rados_completion_t *out)
{
	(void)context, (void)complete;
	*out = cluster_is_short ? NULL : calloc(1, sizeof(struct cluster_completion));
	return *out ? 0 : -ENOMEM;
}

static int stub_aio_wait_for_complete(rados_completion_t completion)
{
	struct cluster_completion *own = completion;

	if (!own->silent)
		return 0;
	own->silent = NULL;
	cluster_waited++;
	if (cluster_while_waiting)
		cluster_while_waiting();
	return 0;
}

static int stub_aio_is_complete(rados_completion_t completion)
{
	struct cluster_completion *own = completion;

	if (own->silent && cluster_is_silent(own->silent))
		return 0;
	if (own->silent)
		own->answer = 0;
	own->silent = NULL;
	return 1;
}

static int stub_aio_cancel(rados_ioctx_t pool, rados_completion_t completion)
{
	(void)pool;
	*(struct cluster_completion *)completion = (struct cluster_completion){ .answer = -ECANCELED };
	return 0;
}

static int stub_aio_get_return_value(rados_completion_t completion)
{
	return ((struct cluster_completion *)completion)->answer;
}

static uint64_t stub_aio_get_version(rados_completion_t completion)
{
	return ((struct cluster_completion *)completion)->version;
}

static void stub_aio_release(rados_completion_t completion)
{
	free(completion);
}

static rados_read_op_t stub_create_read_op(void)
{
	return cluster_begin();
}

static void stub_release_read_op(rados_read_op_t operation)
{
	cluster_end(operation);
}

static rados_write_op_t stub_create_write_op(void)
{
	return cluster_begin();
}

static void stub_release_write_op(rados_write_op_t operation)
{
	cluster_end(operation);
}

static int stub_aio_read_op_operate(rados_read_op_t operation, rados_ioctx_t pool, rados_completion_t completion, const char *name, int flags)
{
	(void)pool, (void)flags;
	return cluster_operate(operation, completion, name, false);
}

static int stub_aio_write_op_operate(rados_write_op_t operation, rados_ioctx_t pool, rados_completion_t completion, const char *name,
                                     time_t *time, int flags)
{
	(void)pool, (void)time, (void)flags;
	return cluster_operate(operation, completion, name, true);
}

static void stub_read_op_assert_version(rados_read_op_t operation, uint64_t version)
{
	cluster_step(operation, (struct cluster_step){ .kind = STEP_VERSION, .version = version });
}

static void stub_write_op_assert_version(rados_write_op_t operation, uint64_t version)
{
	stub_read_op_assert_version(operation, version);
}

static void stub_read_op_stat(rados_read_op_t operation, uint64_t *size, time_t *time, int *answer)
{
	*time = 0;
	cluster_step(operation, (struct cluster_step){ .kind = STEP_STAT, .size = size, .answer = answer });
}

static void stub_read_op_getxattrs(rados_read_op_t operation, rados_xattrs_iter_t *answers, int *answer)
{
	cluster_step(operation, (struct cluster_step){ .kind = STEP_ATTRIBUTES, .answers = answers, .answer = answer });
}

static void stub_read_op_omap_get_vals2(rados_read_op_t operation, const char *after, const char *prefix, uint64_t most,
                                        rados_omap_iter_t *answers, unsigned char *more, int *answer)
{
	cluster_step(operation, (struct cluster_step){ .kind = STEP_LIST, .after = cluster_copy(after, strlen(after)),
	                                               .prefix = cluster_copy(prefix, strlen(prefix)), .most = most, .answers = answers,
	                                               .more = more, .answer = answer });
}

static void cluster_take(struct cluster_step *step, const char *const *names, const char *const *values, const size_t *name_bytes,
                         const size_t *value_bytes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct cluster_bytes name = { (char *)names[i], name_bytes[i] };
		const struct cluster_bytes value = { values ? (char *)values[i] : (char *)"", values ? value_bytes[i] : 0 };

		cluster_put(&step->entries, &name, &value);
	}
}

static void stub_read_op_omap_get_vals_by_keys2(rados_read_op_t operation, char const *const *names, size_t count,
                                                const size_t *name_bytes, rados_omap_iter_t *answers, int *answer)
{
	struct cluster_step *step = cluster_step(operation, (struct cluster_step){ .kind = STEP_FIND, .answers = answers, .answer = answer });

	cluster_take(step, names, NULL, name_bytes, NULL, count);
}

static int stub_omap_get_next2(rados_omap_iter_t iterator, char **name, char **value, size_t *name_bytes, size_t *value_bytes)
{
	struct cluster_answers *answers = iterator;
	bool ended = answers->next == answers->entries.count;
	const struct cluster_entry *entry = ended ? NULL : &answers->entries.items[answers->next++];

	*name = entry ? entry->name.data : NULL;
	*name_bytes = entry ? entry->name.length : 0;
	*value = entry ? entry->value.data : NULL;
	*value_bytes = entry ? entry->value.length : 0;
	return 0;
}

static void stub_omap_get_end(rados_omap_iter_t iterator)
{
	struct cluster_answers *answers = iterator;

	cluster_clear(&answers->entries);
	free(answers->entries.items);
	free(answers);
}

static int stub_getxattrs_next(rados_xattrs_iter_t iterator, const char **name, const char **value, size_t *value_bytes)
{
	char *found, *its;
	size_t name_bytes;
	int answer = stub_omap_get_next2(iterator, &found, &its, &name_bytes, value_bytes);

	*name = found;
	*value = its;
	return answer;
}

static void stub_getxattrs_end(rados_xattrs_iter_t iterator)
{
	stub_omap_get_end(iterator);
}

static void stub_write_op_create(rados_write_op_t operation, int exclusive, const char *category)
{
	(void)exclusive, (void)category;
	cluster_step(operation, (struct cluster_step){ .kind = STEP_CREATE });
}

static void stub_write_op_remove(rados_write_op_t operation)
{
	cluster_step(operation, (struct cluster_step){ .kind = STEP_REMOVE });
}

static void stub_write_op_omap_set2(rados_write_op_t operation, char const *const *names, char const *const *values,
                                    const size_t *name_bytes, const size_t *value_bytes, size_t count)
{
	cluster_take(cluster_step(operation, (struct cluster_step){ .kind = STEP_SET }), names, values, name_bytes, value_bytes, count);
}

static void stub_write_op_omap_rm_keys2(rados_write_op_t operation, char const *const *names, const size_t *name_bytes, size_t count)
{
	cluster_take(cluster_step(operation, (struct cluster_step){ .kind = STEP_DROP }), names, NULL, name_bytes, NULL, count);
}

/* By itself, and not one of an operation. */
static int cluster_alone(const char *name, struct cluster_step step)
{
	struct cluster_completion completion = { 0 };
	struct cluster_operation *operation = cluster_begin();

	cluster_step(operation, step);
	cluster_operate(operation, &completion, name, true);
	cluster_end(operation);
	return completion.answer;
}

static int stub_remove(rados_ioctx_t pool, const char *name)
{
	(void)pool;
	return cluster_alone(name, (struct cluster_step){ .kind = STEP_REMOVE });
}

/* Tests that hold one object by two clients run in a real cluster.  An object that is not there is made, as there. */
static int stub_lock_exclusive(rados_ioctx_t pool, const char *name, const char *lock, const char *cookie, const char *text,
                               struct timeval *duration, uint8_t flags)
{
	struct cluster_object *object;
	int answer = 0;

	(void)pool, (void)lock, (void)cookie, (void)text, (void)duration;
	if (cluster_before_lock)
		cluster_before_lock();
	pthread_mutex_lock(&cluster.lock);
	object = cluster_object(name);
	if (!object->is_there && (flags & LIBRADOS_LOCK_FLAG_MUST_RENEW)) {
		answer = -ENOENT;
	} else {
		if (!object->is_there)
			object->version = ++cluster.version;
		object->is_there = object->is_locked = true;
	}
	pthread_mutex_unlock(&cluster.lock);
	return answer;
}

static int stub_unlock(rados_ioctx_t pool, const char *name, const char *lock, const char *cookie)
{
	(void)pool, (void)lock, (void)cookie;
	pthread_mutex_lock(&cluster.lock);
	cluster_object(name)->is_locked = false;
	pthread_mutex_unlock(&cluster.lock);
	return 0;
}

int __wrap_prn_rados_library_open(struct prn_rados_library *library, struct prn_error *error);

int __wrap_prn_rados_library_open(struct prn_rados_library *library, struct prn_error *error)
{
	(void)error;
	*library = (struct prn_rados_library){
		.object = NULL,
#define STUB(name) .name = stub_##name,
		PRN_RADOS_FUNCTIONS(STUB)
#undef STUB
	};
	return 0;
}

#endif
