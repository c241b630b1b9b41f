#include "fragment/markup_memory.h"

#include "perennial/error.h"
#include "perennial/extractor.h"

#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlmemory.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct run;

/* The header of each block that libxml2 holds. */
struct block {
	alignas(max_align_t) struct run *run; /* NULL: allocated outside of any parse, or left by a parse that returned */
	struct block *before, *after;
	size_t size;
};

struct run {
	struct run *outer; /* the parse in whose callback this one runs */
	struct block *blocks;
	size_t used, most;
	jmp_buf left;
};

/* libxml2 passes its allocation functions no context, so the parse is found by its thread. */
static _Thread_local struct run *running;

static void link_block(struct block *block, struct run *run, size_t size)
{
	block->run = run;
	block->size = size;
	block->before = NULL;
	block->after = run ? run->blocks : NULL;
	if (block->after)
		block->after->before = block;
	if (run) {
		run->blocks = block;
		run->used += size;
	}
}

static void unlink_block(struct block *block)
{
	struct run *run = block->run;

	if (!run)
		return;
	if (block->before)
		block->before->after = block->after;
	else
		run->blocks = block->after;
	if (block->after)
		block->after->before = block->before;
	run->used -= block->size;
	block->run = NULL;
}

static void *leave(enum prn_markup_end why)
{
	if (running)
		longjmp(running->left, (int)why);
	return NULL;
}

static void take_back(void *memory)
{
	if (!memory)
		return;
	unlink_block((struct block *)memory - 1);
	free((struct block *)memory - 1);
}

/* A block stays with its run: one that grows inside the nested parse of a callback still belongs to the outer run. */
static void *resize(void *memory, size_t size)
{
	struct block *old = memory ? (struct block *)memory - 1 : NULL, *block;
	struct run *run = old ? old->run : running;
	size_t before = old ? old->size : 0;

	if (size > SIZE_MAX - sizeof *block)
		return leave(PRN_MARKUP_STARVED);
	if (run && size > before && size - before > run->most - run->used)
		return leave(PRN_MARKUP_BOUND);
	/* The block is unlinked while it may move.  If there is no memory for it, it returns to its run. */
	if (old)
		unlink_block(old);
	block = realloc(old, sizeof *block + size);
	if (!block && old)
		link_block(old, run, before);
	if (!block)
		return leave(PRN_MARKUP_STARVED);
	link_block(block, run, size);
	return block + 1;
}

static void *give(size_t size)
{
	return resize(NULL, size);
}

static char *copy(const char *text)
{
	size_t length = strlen(text) + 1;
	char *made = give(length);

	return made ? memcpy(made, text, length) : NULL;
}

int prn_extractor_guard_memory(void)
{
	if (xmlMemSetup(take_back, give, resize, copy))
		return PRN_E_MEMORY;
	xmlInitParser();
	return 0;
}

/* The last error of the thread is libxml2's own, and must not point to memory of the parser. */
static void drop(struct run *run)
{
	struct block *block, *after;

	xmlResetLastError();
	for (block = run->blocks; block; block = after) {
		after = block->after;
		free(block);
	}
}

/* Local variables that are changed after setjmp would be lost, so the function that calls it changes none. */
static enum prn_markup_end enter(struct run *run, void (*parse)(void *context), void *context)
{
	switch (setjmp(run->left)) {
	case 0:
		parse(context);
		return PRN_MARKUP_DONE;
	case PRN_MARKUP_BOUND:
		return PRN_MARKUP_BOUND;
	default:
		return PRN_MARKUP_STARVED;
	}
}

enum prn_markup_end prn_markup_memory_run(void (*parse)(void *context), void *context, size_t most)
{
	struct run run = { .outer = running, .most = most };
	enum prn_markup_end end;

	running = &run;
	end = enter(&run, parse, context);
	running = run.outer;
	if (end == PRN_MARKUP_DONE) {
		while (run.blocks)
			unlink_block(run.blocks);
	} else {
		drop(&run);
	}
	return end;
}
