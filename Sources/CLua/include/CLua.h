/* Lua as the rules have it: a state that cannot leave its sandbox, with a document in it.
 *
 * Lua's errors jump over the frames between, which Swift's must not be: so everything that may throw is called in here,
 * and the host answers calls with a code. Values go both ways as bytes, in the format of Rules/Worker/RecordWriter. */
#ifndef WEBLOADER_CLUA_H
#define WEBLOADER_CLUA_H

#include <stddef.h>
#include <stdint.h>

typedef struct webl_lua webl_lua;

/* What a script asks of the host. */
enum webl_lua_operation {
    WEBL_LUA_SELECT,
    WEBL_LUA_XPATH,
    WEBL_LUA_TEXT,
    WEBL_LUA_ATTRIBUTE,
    WEBL_LUA_HTML,
    WEBL_LUA_CHILDREN,
    WEBL_LUA_PARENT,
    WEBL_LUA_LINE,
    WEBL_LUA_NAME,
    WEBL_LUA_RESOLVE,
    WEBL_LUA_JSON_DECODE,
    WEBL_LUA_JSON_ENCODE,
    WEBL_LUA_LOG,
};

/* What the host answers. */
enum webl_lua_answer {
    WEBL_LUA_VALUE,  /* the reply is a value */
    WEBL_LUA_ERROR,  /* the reply is a message */
    WEBL_LUA_BREACH, /* the run is over */
};

/* How a script ended. */
enum webl_lua_outcome {
    WEBL_LUA_DONE,          /* the output is a value */
    WEBL_LUA_INVALID,       /* it does not compile; the output is a message */
    WEBL_LUA_FAILED,        /* it threw; the output is a message */
    WEBL_LUA_OUT_OF_TIME,
    WEBL_LUA_OUT_OF_MEMORY,
    WEBL_LUA_STOPPED,       /* the host has ended the run */
};

/* A kind of value in the format, its first byte. */
enum webl_lua_tag {
    WEBL_TAG_NULL,
    WEBL_TAG_FALSE,
    WEBL_TAG_TRUE,
    WEBL_TAG_INTEGER, /* eight bytes, little-endian, as all numbers here */
    WEBL_TAG_NUMBER,  /* eight bytes, an IEEE double */
    WEBL_TAG_STRING,  /* a length in four bytes, and as many bytes */
    WEBL_TAG_ARRAY,   /* a count in four bytes, and as many values */
    WEBL_TAG_OBJECT,  /* a count in four bytes, and as many strings (without a tag) and values */
    WEBL_TAG_NODE,    /* a node of the document in hand, eight bytes; not in what scripts return */
    WEBL_TAG_ATTRIBUTE, /* a node, and two strings (without tags): its name and value */
};

/* As in "Lua 5.4.4". */
const char *webl_lua_version(void);

/* A node as scripts hold it: which document it is of, and which of its nodes. A script may keep one for longer than there
 * is the document, so the host looks at the first before it uses the second. */
struct webl_lua_node {
    uint64_t document;
    uint64_t identity;
};

/* Answers a call. It must not throw, and returns a webl_lua_answer. */
typedef int (*webl_lua_call)(void *context, int operation, struct webl_lua_node node, const char *text, size_t length);

struct webl_lua_host {
    webl_lua_call call;
    /* Whether scripts are to end, asked every so often while one runs. It must not throw. */
    int (*is_interrupted)(void *context);
    /* How many bytes may still be allocated in the process; NULL where nobody counts. */
    ptrdiff_t (*headroom)(void);
    /* Not 0 while the state is being changed; NULL where nobody asks. */
    int *is_busy;
};

/* A state whose memory never exceeds so many bytes; NULL without memory. */
webl_lua *webl_lua_new(const struct webl_lua_host *host, size_t memory);
void webl_lua_free(webl_lua *lua);

/* What calls are given. */
void webl_lua_set_context(webl_lua *lua, void *context);

/* Compiles a script without running it: DONE, INVALID or OUT_OF_MEMORY. */
int webl_lua_check(webl_lua *lua, const char *source, size_t length);

/* Runs a script. Its `document` is the node.
 *
 * It finds nothing that another run left: its globals, the tables of libraries and what strings can do are its own. */
int webl_lua_run(webl_lua *lua, const char *source, size_t length, struct webl_lua_node node);

/* Frees what no script holds any more. Safe wherever the host may run, within calls too. */
void webl_lua_collect(webl_lua *lua);

/* The host's reply to the call in hand; 0 without memory. */
int webl_lua_reply(webl_lua *lua, const unsigned char *bytes, size_t count);

/* What the last check or run left; valid until the next. */
const unsigned char *webl_lua_output(const webl_lua *lua, size_t *count);

#endif
