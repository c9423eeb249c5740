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
    uint64_t document; /* the one that the host's replies are about */
    int breach; /* why no script may go on: an outcome, or WEBL_LUA_DONE */
    struct bytes reply, scratch, output;
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

/* Pushes a node of the document in hand; with room for a name and a value, if it stands for an attribute of it. */
void webl_lua_push_node(lua_State *L, uint64_t identity, int is_attribute);

/* Opens what scripts see. */
void webl_lua_open(lua_State *L);

/* Pushes the globals of a run. */
void webl_lua_push_environment(lua_State *L, uint64_t node);

/* Forgets what a run has made of the libraries. It neither throws nor allocates. */
void webl_lua_forget_environment(lua_State *L);

#endif
