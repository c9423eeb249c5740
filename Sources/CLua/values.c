/* Values, from bytes to Lua and back. */
#include "state.h"

#include <stdlib.h>
#include <string.h>

/* How deeply tables may be nested; a table that contains itself is found by it. */
#define MAXIMUM_DEPTH 128

/* MARK: From bytes */

struct reader {
    const unsigned char *at, *end;
};

static const unsigned char *take(lua_State *L, struct reader *reader, size_t count) {
    if ((size_t)(reader->end - reader->at) < count)
        luaL_error(L, "the value is truncated");
    const unsigned char *start = reader->at;
    reader->at += count;
    return start;
}

static uint32_t take_count(lua_State *L, struct reader *reader) {
    uint32_t count;
    memcpy(&count, take(L, reader, sizeof count), sizeof count);
    return count;
}

static void push_string(lua_State *L, struct reader *reader) {
    uint32_t count = take_count(L, reader);
    lua_pushlstring(L, (const char *)take(L, reader, count), count);
}

static void push(lua_State *L, struct reader *reader) {
    luaL_checkstack(L, 4, "nested too deeply");
    switch (*take(L, reader, 1)) {
    case WEBL_TAG_NULL: lua_pushlightuserdata(L, NULL); return;
    case WEBL_TAG_FALSE: lua_pushboolean(L, 0); return;
    case WEBL_TAG_TRUE: lua_pushboolean(L, 1); return;
    case WEBL_TAG_INTEGER: {
        int64_t integer;
        memcpy(&integer, take(L, reader, sizeof integer), sizeof integer);
        lua_pushinteger(L, (lua_Integer)integer);
        return;
    }
    case WEBL_TAG_NUMBER: {
        double number;
        memcpy(&number, take(L, reader, sizeof number), sizeof number);
        lua_pushnumber(L, number);
        return;
    }
    case WEBL_TAG_STRING: push_string(L, reader); return;
    case WEBL_TAG_ARRAY: {
        uint32_t count = take_count(L, reader);
        lua_createtable(L, count < 1 << 20 ? (int)count : 0, 0);
        for (uint32_t index = 1; index <= count; index++) {
            push(L, reader);
            lua_rawseti(L, -2, index);
        }
        return;
    }
    case WEBL_TAG_OBJECT: {
        uint32_t count = take_count(L, reader);
        lua_createtable(L, 0, count < 1 << 20 ? (int)count : 0);
        for (uint32_t index = 0; index < count; index++) {
            push_string(L, reader);
            push(L, reader);
            lua_rawset(L, -3);
        }
        return;
    }
    case WEBL_TAG_NODE: {
        uint64_t node;
        memcpy(&node, take(L, reader, sizeof node), sizeof node);
        webl_lua_push_node(L, node, 0);
        return;
    }
    case WEBL_TAG_ATTRIBUTE: {
        uint64_t node;
        memcpy(&node, take(L, reader, sizeof node), sizeof node);
        webl_lua_push_node(L, node, 1);
        push_string(L, reader);
        lua_setiuservalue(L, -2, 1);
        push_string(L, reader);
        lua_setiuservalue(L, -2, 2);
        return;
    }
    default: luaL_error(L, "the value has an unknown kind");
    }
}

void webl_lua_push_value(lua_State *L, const unsigned char *bytes, size_t count) {
    struct reader reader = {bytes, bytes + count};
    push(L, &reader);
}

/* MARK: To bytes */

/* What is written is memory too, and a value that is in a table a thousand times is written a thousand times. */
static void append(lua_State *L, struct bytes *bytes, const void *more, size_t count) {
    size_t allowed = lua_of(L)->memory;
    if (bytes->count > allowed || count > allowed - bytes->count || !webl_bytes_append(bytes, more, count))
        webl_lua_raise_breach(L, WEBL_LUA_OUT_OF_MEMORY);
}

static void append_tag(lua_State *L, struct bytes *bytes, unsigned char tag) { append(L, bytes, &tag, 1); }

static void append_count(lua_State *L, struct bytes *bytes, size_t count) {
    if (count > UINT32_MAX)
        luaL_error(L, "a value has more than 4,294,967,295 parts");
    uint32_t number = (uint32_t)count;
    append(L, bytes, &number, sizeof number);
}

struct key {
    const char *text;
    size_t count;
    lua_Integer slot; /* its place in the table of keys */
};

static int compare(const void *left, const void *right) {
    const struct key *a = left, *b = right;
    size_t shorter = a->count < b->count ? a->count : b->count;
    int order = shorter ? memcmp(a->text, b->text, shorter) : 0;
    return order ? order : (a->count > b->count) - (a->count < b->count);
}

static void append_any(lua_State *L, int index, struct bytes *bytes, int depth);

/* Names are sorted: Lua has them in an order that changes from run to run. */
static void append_object(lua_State *L, int index, size_t count, struct bytes *bytes, int depth) {
    append_tag(L, bytes, WEBL_TAG_OBJECT);
    append_count(L, bytes, count);
    struct key *keys = lua_newuserdatauv(L, count * sizeof *keys, 0);
    lua_createtable(L, count < 1 << 20 ? (int)count : 0, 0); /* of the keys themselves */
    int slots = lua_gettop(L);
    size_t filled = 0;
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) != LUA_TSTRING && !lua_isinteger(L, -1))
            luaL_error(L, "a table with a key of type %s cannot be written as JSON", luaL_typename(L, -1));
        if (filled == count)
            luaL_error(L, "a table has changed while it was written");
        keys[filled].slot = (lua_Integer)filled * 2 + 1;
        lua_pushvalue(L, -1);
        lua_rawseti(L, slots, keys[filled].slot);
        lua_pushvalue(L, -1); /* a copy: a number becomes its text */
        keys[filled].text = lua_tolstring(L, -1, &keys[filled].count);
        lua_rawseti(L, slots, keys[filled].slot + 1); /* keeps the text */
        filled++;
    }
    if (filled != count)
        luaL_error(L, "a table has changed while it was written");
    lua_settop(L, slots);
    qsort(keys, filled, sizeof *keys, compare);
    for (size_t place = 0; place < filled; place++) {
        if (place > 0 && compare(&keys[place - 1], &keys[place]) == 0)
            luaL_error(L, "a table has a number and a string as keys that have the same text");
        append_count(L, bytes, keys[place].count);
        append(L, bytes, keys[place].text, keys[place].count);
        lua_rawgeti(L, slots, keys[place].slot);
        lua_rawget(L, index);
        append_any(L, lua_gettop(L), bytes, depth);
        lua_settop(L, slots);
    }
    lua_settop(L, slots - 2);
}

/* Replaces a weak table by a copy: what is in it may go whenever memory is allocated, between counting and writing too. */
static int held(lua_State *L, int index) {
    if (luaL_getmetafield(L, index, "__mode") == LUA_TNIL)
        return index;
    lua_pop(L, 1);
    lua_newtable(L);
    int copy = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, copy);
    }
    return copy;
}

/* Metatables do not count here, so that no script runs, and changes what is being written. */
static void append_table(lua_State *L, int index, struct bytes *bytes, int depth) {
    if (depth == 0)
        luaL_error(L, "a table is nested more than %d levels deep, or contains itself", MAXIMUM_DEPTH);
    luaL_checkstack(L, 12, "nested too deeply");
    int top = lua_gettop(L);
    index = held(L, index);
    size_t count = 0;
    lua_Integer largest = 0;
    int has_places = 1; /* all keys are whole numbers from 1 on */
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        lua_Integer place = lua_isinteger(L, -1) ? lua_tointeger(L, -1) : 0;
        if (place < 1)
            has_places = 0;
        else if (place > largest)
            largest = place;
        count++;
    }
    if (!has_places || (size_t)largest != count) {
        append_object(L, index, count, bytes, depth - 1);
    } else {
        /* As many as the largest, so that none is missing: a list. An empty table is one too. */
        append_tag(L, bytes, WEBL_TAG_ARRAY);
        append_count(L, bytes, count);
        for (size_t place = 1; place <= count; place++) {
            lua_rawgeti(L, index, (lua_Integer)place);
            append_any(L, lua_gettop(L), bytes, depth - 1);
            lua_pop(L, 1);
        }
    }
    lua_settop(L, top);
}

static void append_any(lua_State *L, int index, struct bytes *bytes, int depth) {
    switch (lua_type(L, index)) {
    case LUA_TNIL: append_tag(L, bytes, WEBL_TAG_NULL); return;
    case LUA_TBOOLEAN: append_tag(L, bytes, lua_toboolean(L, index) ? WEBL_TAG_TRUE : WEBL_TAG_FALSE); return;
    case LUA_TNUMBER:
        if (lua_isinteger(L, index)) {
            int64_t integer = lua_tointeger(L, index);
            append_tag(L, bytes, WEBL_TAG_INTEGER);
            append(L, bytes, &integer, sizeof integer);
        } else {
            double number = lua_tonumber(L, index);
            append_tag(L, bytes, WEBL_TAG_NUMBER);
            append(L, bytes, &number, sizeof number);
        }
        return;
    case LUA_TSTRING: {
        size_t count;
        const char *text = lua_tolstring(L, index, &count);
        append_tag(L, bytes, WEBL_TAG_STRING);
        append_count(L, bytes, count);
        append(L, bytes, text, count);
        return;
    }
    case LUA_TTABLE: append_table(L, index, bytes, depth); return;
    case LUA_TLIGHTUSERDATA:
        if (!lua_touserdata(L, index)) { /* json.null */
            append_tag(L, bytes, WEBL_TAG_NULL);
            return;
        }
        /* fallthrough */
    case LUA_TUSERDATA: luaL_error(L, "a node cannot be returned or encoded: take its text or an attribute"); return;
    default: luaL_error(L, "a value of type %s cannot be returned or encoded", luaL_typename(L, index));
    }
}

void webl_lua_append_value(lua_State *L, int index, struct bytes *bytes) {
    append_any(L, lua_absindex(L, index), bytes, MAXIMUM_DEPTH);
}
