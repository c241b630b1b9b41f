#include "store/copy_mark.h"

#define HOLD_S 10 /* between one call and the next; each holds for half a minute */

void prn_copy_mark_free(struct prn_copy_mark *mark)
{
	prn_holding_end(mark->holding);
	prn_store_free(mark->store);
	*mark = (struct prn_copy_mark){ 0 };
}

int prn_copy_mark_remove(struct prn_copy_mark *mark, struct prn_error *error)
{
	int failed = prn_holding_check(mark->holding, error);

	prn_holding_end(mark->holding);
	if (failed)
		prn_store_free(mark->store);
	else
		failed = prn_store_remove_take(mark->store, error);
	*mark = (struct prn_copy_mark){ 0 };
	return failed;
}

int prn_copy_mark_open(struct prn_copy_mark *out, const char *address, struct prn_error *error)
{
	struct prn_copy_mark mark = { 0 };
	struct prn_error why = { 0 };
	int failed = prn_store_open_one(&mark.store, address, PRN_STORE_WRITE, 0, &why);

	if (!failed)
		failed = prn_holding_begin(&mark.holding, mark.store, HOLD_S, &why);
	if (failed) {
		prn_copy_mark_free(&mark);
		if (failed != PRN_E_NOT_FOUND && error)
			*error = why;
		return failed;
	}
	*out = mark;
	return 0;
}

int prn_copy_sweep(const char *path, uint64_t *count, struct prn_error *error)
{
	const char *place;
	const struct prn_tables_kind *kind = prn_tables_find(path, &place);

	return kind->leftovers ? kind->leftovers(place, true, NULL, NULL, count, error) : 0;
}

int prn_copy_stands(const char *path, bool *stands, struct prn_error *error)
{
	struct prn_store *store;
	struct prn_error why;
	const char *place;
	const struct prn_tables_kind *kind = prn_tables_find(path, &place);
	int failed = prn_store_open_one(&store, path, PRN_STORE_READ, 0, &why);
	bool is_unusable = prn_store_is_unusable(failed);

	if (!failed)
		prn_store_free(store);
	*stands = !failed || (is_unusable && !(kind->is_begun && kind->is_begun(place)));
	if (!failed || failed == PRN_E_NOT_FOUND || is_unusable)
		return 0;
	if (error)
		*error = why;
	return failed;
}

int prn_copy_check_free(const char *path, bool *stands, struct prn_error *error)
{
	const char *place;
	const struct prn_tables_kind *kind = prn_tables_find(path, &place);
	int failed = prn_copy_stands(path, stands, error);

	return failed || *stands || !kind->check_place ? failed : kind->check_place(place, error);
}
