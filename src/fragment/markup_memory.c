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

struct parsing;

/* The header of each block that libxml2 holds. */
struct block {
	alignas(max_align_t) struct parsing *parsing; /* NULL: allocated outside of any parse, or left by a parse that returned */
	struct block *before, *after;
	size_t size;
};

/* A parse that is under way. */
struct parsing {
	struct parsing *outer; /* the parse in whose callback this one runs */
	struct block *blocks;
	size_t used, most;
	jmp_buf left;
};

/* libxml2 passes its allocation functions no context, so the parse is found by its thread. */
static _Thread_local struct parsing *running;

static void link_block(struct block *block, struct parsing *parsing, size_t size)
{
	block->parsing = parsing;
	block->size = size;
	block->before = NULL;
	block->after = parsing ? parsing->blocks : NULL;
	if (block->after)
		block->after->before = block;
	if (parsing) {
		parsing->blocks = block;
		parsing->used += size;
	}
}

static void unlink_block(struct block *block)
{
	struct parsing *parsing = block->parsing;

	if (!parsing)
		return;
	if (block->before)
		block->before->after = block->after;
	else
		parsing->blocks = block->after;
	if (block->after)
		block->after->before = block->before;
	parsing->used -= block->size;
	block->parsing = NULL;
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

/* A block stays with its parse: one that grows inside the nested parse of a callback still belongs to the outer parse. */
static void *resize(void *memory, size_t size)
{
	struct block *old = memory ? (struct block *)memory - 1 : NULL, *block;
	struct parsing *parsing = old ? old->parsing : running;
	size_t before = old ? old->size : 0;

	if (size > SIZE_MAX - sizeof *block)
		return leave(PRN_MARKUP_STARVED);
	if (parsing && size > before && size - before > parsing->most - parsing->used)
		return leave(PRN_MARKUP_BOUND);
	/* The block is unlinked while it may move.  If there is no memory for it, it returns to its parse. */
	if (old)
		unlink_block(old);
	block = realloc(old, sizeof *block + size);
	if (!block && old)
		link_block(old, parsing, before);
	if (!block)
		return leave(PRN_MARKUP_STARVED);
	link_block(block, parsing, size);
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
static void drop(struct parsing *parsing)
{
	struct block *block, *after;

	xmlResetLastError();
	for (block = parsing->blocks; block; block = after) {
		after = block->after;
		free(block);
	}
}

/* Local variables that are changed after setjmp would be lost, so the function that calls it changes none. */
static enum prn_markup_end enter(struct parsing *parsing, void (*parse)(void *context), void *context)
{
	switch (setjmp(parsing->left)) {
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
	struct parsing parsing = { .outer = running, .most = most };
	enum prn_markup_end end;

	running = &parsing;
	end = enter(&parsing, parse, context);
	running = parsing.outer;
	if (end == PRN_MARKUP_DONE) {
		while (parsing.blocks)
			unlink_block(parsing.blocks);
	} else {
		drop(&parsing);
	}
	return end;
}
