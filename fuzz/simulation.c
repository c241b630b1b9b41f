/*
 * Runs simulations from any specifications: the first line is the process, the next the schedule, the third the estimator; of
 * the byte after these the upper half is the rate and the lower half the interval.
 */
#include "perennial/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Cuts a line off the front of data; false if it is too long. */
static int line(const uint8_t **data, size_t *size, char text[256])
{
	const uint8_t *end = memchr(*data, '\n', *size);
	size_t length = end ? (size_t)(end - *data) : *size;

	if (length >= 256)
		return 0;
	memcpy(text, *data, length);
	text[length] = 0;
	length += end != NULL;
	*data += length;
	*size -= length;
	return 1;
}

static int refused(int code, const struct prn_error *error)
{
	if (code && !error->text[0])
		abort();
	return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct prn_simulation simulation = { .pages = 3, .seed = 1, .threads = 1, .rate = 1 };
	char process[256], schedules[256], estimators[256];
	struct prn_simulated_estimate simulated[2];
	const uint64_t visits[] = { 2, 7 };
	struct prn_estimator estimator;
	struct prn_schedule schedule;
	struct prn_error error = { 0 };
	double interval = 1;

	if (!line(&data, &size, process) || !line(&data, &size, schedules) || !line(&data, &size, estimators) ||
	    refused(prn_process_init(&simulation.process, process, &error), &error) ||
	    refused(prn_schedule_init(&schedule, schedules, &error), &error) ||
	    prn_estimator_init(&estimator, estimators, NULL))
		return 0;
	if (size) {
		simulation.rate = exp2((data[0] >> 4) - 12.0);
		interval = exp2((data[0] & 15) - 8.0);
	}
	/* The visits that adaptive schedules may wait for would take too long. */
	if (prn_process_rate_most(&simulation.process, simulation.rate) * interval *
	    (prn_schedule_adapts(&schedule) ? fmax(1, schedule.most) : 1) > 1e5 ||
	    refused(prn_simulate_estimator(&simulation, &schedule, interval, &estimator, PRN_SIMULATION_OF_RATE, visits, 2,
	                                   simulated, &error), &error))
		return 0;
	for (int k = 0; k < 2; k++)
		if (!isfinite(simulated[k].mean) || !(simulated[k].time > 0) || !(simulated[k].none >= 0 && simulated[k].none <= 1) ||
		    simulated[k].found < 0 || simulated[k].found > 1)
			abort();
	return 0;
}
