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
	int code = prn_holding_check(mark->holding, error);

	prn_holding_end(mark->holding);
	if (code)
		prn_store_free(mark->store);
	else
		code = prn_store_remove_take(mark->store, error);
	*mark = (struct prn_copy_mark){ 0 };
	return code;
}

int prn_copy_mark_open(struct prn_copy_mark *out, const char *address, struct prn_error *error)
{
	struct prn_copy_mark mark = { 0 };
	struct prn_error why = { 0 };
	int code = prn_store_open_one(&mark.store, address, PRN_STORE_WRITE, 0, &why);

	if (!code)
		code = prn_holding_begin(&mark.holding, mark.store, HOLD_S, &why);
	if (code) {
		prn_copy_mark_free(&mark);
		if (code != PRN_E_NOT_FOUND && error)
			*error = why;
		return code;
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
	enum prn_standing standing = PRN_STANDING_TABLES;
	struct prn_store *store;
	struct prn_error why;
	int code = prn_store_open_one(&store, path, PRN_STORE_READ, 0, &why);

	if (!code)
		prn_store_free(store);
	else if (code == PRN_E_NOT_FOUND)
		standing = PRN_STANDING_NOTHING;
	if (code == PRN_E_NOT_FOUND)
		code = 0;
	else if (prn_store_is_unusable(code))
		code = prn_tables_look(path, false, &standing, &why);
	*stands = standing == PRN_STANDING_TABLES;
	if (!code)
		return 0;
	if (error)
		*error = why;
	return code;
}

int prn_copy_check_free(const char *path, bool *stands, struct prn_error *error)
{
	const char *place;
	const struct prn_tables_kind *kind = prn_tables_find(path, &place);
	int code = prn_copy_stands(path, stands, error);

	return code || *stands || !kind->check_place ? code : kind->check_place(place, error);
}
