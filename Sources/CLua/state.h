/* Shared by the files of the sandbox. */
#ifndef WEBLOADER_LUA_STATE_H
#define WEBLOADER_LUA_STATE_H

#include "CLua.h"

#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
#include <lua5.4/lualib.h>

struct bytes {
    unsigned char *start;
    size_t count, capacity;
};

struct webl_lua {
    lua_State *state;
    struct webl_lua_host host;
    void *context;
    size_t memory, used;
    uint64_t deadline;
    int breach; /* why no script may go on: an outcome, or WEBL_LUA_DONE */
    struct bytes reply, output;
};

static inline struct webl_lua *lua_of(lua_State *L) { return *(struct webl_lua **)lua_getextraspace(L); }

/* Appends; 0 without memory. */
int webl_bytes_append(struct bytes *bytes, const void *more, size_t count);
/* Lets go of what is larger than most values. */
void webl_bytes_clear(struct bytes *bytes);

/* Ends the run: throws an error that no script can catch. */
int webl_lua_raise_breach(lua_State *L, int outcome);

/* Pushes the value that the bytes are. */
void webl_lua_push_value(lua_State *L, const unsigned char *bytes, size_t count);

/* Appends the value at an index; throws for what has no place in JSON. */
void webl_lua_append_value(lua_State *L, int index, struct bytes *bytes);

/* Pushes a node. */
void webl_lua_push_node(lua_State *L, uint64_t node);

/* Opens what scripts see. */
void webl_lua_open(lua_State *L);

#endif
