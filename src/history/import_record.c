#include "history/import_internal.h"

int prn_importer_progress(const struct prn_importer *importer, struct prn_error *error)
{
	const struct prn_import_options *options = &importer->options;

	if (!options->progress || !options->progress(options->progress_context, &importer->counts))
		return 0;
	return prn_error_set(error, PRN_E_CANCELLED, "the import was stopped");
}

int prn_importer_keep(struct prn_importer *importer, const struct prn_capture_record *record, struct prn_error *error)
{
	bool seeker = record->role == PRN_RECORD_SEEKER;
	int code = 0;

	pthread_mutex_lock(&importer->lock);
	if (!seeker)
		code = prn_sorter_add(importer->captures, record, error);
	/* A redirect's payload digest is that of its body, not of its Location. */
	if (!code && (seeker || (record->has_payload && record->kind == PRN_KIND_CONTENT)))
		code = prn_sorter_add(importer->payloads, record, error);
	pthread_mutex_unlock(&importer->lock);
	return code;
}
