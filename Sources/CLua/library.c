/* What scripts see: a document, url, json, log, and the harmless part of Lua's own library. */
#include "state.h"

#include <stdlib.h>
#include <string.h>

/* MARK: Calls to the host */

static const struct webl_lua_node no_node;

static int call_host(lua_State *L, int operation, struct webl_lua_node node, const char *text, size_t length) {
    struct webl_lua *lua = lua_of(L);
    lua->reply.count = 0;
    switch (lua->host.call(lua->context, operation, node, text, length)) {
    case WEBL_LUA_VALUE:
        webl_lua_push_value(L, lua->reply.start, lua->reply.count);
        webl_bytes_clear(&lua->reply);
        /* There is no null in Lua's own values: what is not there is nil. */
        if (operation != WEBL_LUA_JSON_DECODE && lua_islightuserdata(L, -1))
            lua_pushnil(L);
        return 1;
    case WEBL_LUA_ERROR:
        luaL_where(L, 1);
        lua_pushlstring(L, (const char *)lua->reply.start, lua->reply.count);
        lua_concat(L, 2);
        return lua_error(L);
    default: return webl_lua_raise_breach(L, WEBL_LUA_STOPPED);
    }
}

/* MARK: Nodes */

void webl_lua_push_node(lua_State *L, uint64_t identity, int is_attribute) {
    struct webl_lua_node *node = lua_newuserdatauv(L, sizeof *node, is_attribute ? 2 : 0);
    *node = (struct webl_lua_node){.document = lua_of(L)->document, .identity = identity};
    luaL_setmetatable(L, "node");
}

/* Pushes an attribute's name or value; 0, and nothing, for any other node. */
static int push_part(lua_State *L, int part) {
    if (lua_getiuservalue(L, 1, part) == LUA_TSTRING)
        return 1;
    lua_pop(L, 1);
    return 0;
}

static int attribute_answer(lua_State *L, int operation) {
    switch (operation) {
    case WEBL_LUA_TEXT:
    case WEBL_LUA_HTML: push_part(L, 2); return 1;
    case WEBL_LUA_NAME: push_part(L, 1); return 1;
    case WEBL_LUA_ATTRIBUTE: lua_pushnil(L); return 1;
    case WEBL_LUA_SELECT:
    case WEBL_LUA_CHILDREN: lua_newtable(L); return 1;
    default: return 0;
    }
}

static int node_method(lua_State *L) {
    int operation = (int)lua_tointeger(L, lua_upvalueindex(1));
    const struct webl_lua_node *node = luaL_checkudata(L, 1, "node");
    size_t length = 0;
    const char *text = "";
    if (operation == WEBL_LUA_SELECT || operation == WEBL_LUA_XPATH || operation == WEBL_LUA_ATTRIBUTE)
        text = luaL_checklstring(L, 2, &length);
    if (push_part(L, 1)) {
        lua_pop(L, 1);
        if (operation == WEBL_LUA_PARENT && node->document == lua_of(L)->document) {
            webl_lua_push_node(L, node->identity, 0);
            return 1;
        }
        if (attribute_answer(L, operation))
            return 1;
    }
    return call_host(L, operation, *node, text, length);
}

static int node_equal(lua_State *L) {
    const struct webl_lua_node *left = luaL_testudata(L, 1, "node"), *right = luaL_testudata(L, 2, "node");
    int is_equal = left && right && left->identity == right->identity && left->document == right->document;
    if (is_equal) {
        lua_getiuservalue(L, 1, 1);
        lua_getiuservalue(L, 2, 1);
        is_equal = lua_rawequal(L, -1, -2);
    }
    lua_pushboolean(L, is_equal);
    return 1;
}

/* MARK: Functions */

static int resolve(lua_State *L) {
    size_t length;
    const char *text = luaL_checklstring(L, 1, &length);
    return call_host(L, WEBL_LUA_RESOLVE, no_node, text, length);
}

static int json_decode(lua_State *L) {
    size_t length;
    const char *text = luaL_checklstring(L, 1, &length);
    return call_host(L, WEBL_LUA_JSON_DECODE, no_node, text, length);
}

static int json_encode(lua_State *L) {
    luaL_checkany(L, 1);
    /* Not where the result goes: what was written before an error would be a part of it. */
    struct bytes *bytes = &lua_of(L)->scratch;
    webl_bytes_clear(bytes);
    webl_lua_append_value(L, 1, bytes);
    call_host(L, WEBL_LUA_JSON_ENCODE, no_node, (const char *)bytes->start, bytes->count);
    webl_bytes_clear(bytes);
    return 1;
}

/* MARK: Values as text: the same every time, and no address of this process in it */

static int has_address(lua_State *L, int index) {
    int type = lua_type(L, index);
    if (type == LUA_TNIL || type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING)
        return 0;
    if (luaL_getmetafield(L, index, "__tostring") == LUA_TNIL)
        return 1;
    lua_pop(L, 1);
    return 0;
}

static void push_text(lua_State *L, int index) {
    if (!has_address(L, index)) {
        luaL_tolstring(L, index, NULL);
        return;
    }
    int type = luaL_getmetafield(L, index, "__name");
    if (type == LUA_TSTRING)
        return;
    if (type != LUA_TNIL)
        lua_pop(L, 1);
    lua_pushstring(L, luaL_typename(L, index));
}

static int to_string(lua_State *L) {
    luaL_checkany(L, 1);
    push_text(L, 1);
    return 1;
}

/* Lua's own is its upvalue. */
static int format(lua_State *L) {
    size_t length;
    const char *text = luaL_checklstring(L, 1, &length), *end = text + length;
    int count = lua_gettop(L), index = 1;
    while (text < end) {
        if (*text++ != '%')
            continue;
        while (text < end && memchr("-+ #.0123456789", *text, 15))
            text++;
        if (text == end || *text == '%') {
            text++;
            continue;
        }
        index++;
        if (*text == 'p')
            return luaL_error(L, "invalid conversion '%%p' to 'format'");
        /* Here, not in Lua's own: the `__tostring` of one argument may take that of another away. */
        if (*text++ == 's' && index <= count && lua_type(L, index) != LUA_TSTRING) {
            push_text(L, index);
            lua_replace(L, index);
        }
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, count, 1);
    return 1;
}

/* Lua's own, its upvalue, takes the time and an address where it is given no number. */
static int random_seed(lua_State *L) {
    if (lua_isnone(L, 1))
        lua_pushinteger(L, 0);
    int count = lua_gettop(L);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, count, 0);
    return 0;
}

static int write_log(lua_State *L) {
    int count = lua_gettop(L);
    luaL_Buffer line;
    luaL_buffinit(L, &line);
    for (int index = 1; index <= count; index++) {
        if (index > 1)
            luaL_addchar(&line, '\t');
        push_text(L, index);
        luaL_addvalue(&line);
    }
    luaL_pushresult(&line);
    size_t length;
    const char *text = lua_tolstring(L, -1, &length);
    call_host(L, WEBL_LUA_LOG, no_node, text, length);
    return 0;
}

/* MARK: Lua's own functions, held to the budget */

/* After a protected call: an error that ends the run is thrown again, whatever the script makes of errors. */
static int after_protected(lua_State *L, int status, int first) {
    struct webl_lua *lua = lua_of(L);
    if (status == LUA_ERRMEM && !lua->breach)
        lua->breach = WEBL_LUA_OUT_OF_MEMORY;
    if (lua->breach)
        return webl_lua_raise_breach(L, lua->breach);
    if (status != LUA_OK) {
        lua_pushboolean(L, 0);
        lua_pushvalue(L, -2);
        return 2;
    }
    return lua_gettop(L) - first + 1;
}

static int protected_call(lua_State *L) {
    luaL_checkany(L, 1);
    lua_pushboolean(L, 1);
    lua_insert(L, 1);
    return after_protected(L, lua_pcall(L, lua_gettop(L) - 2, LUA_MULTRET, 0), 1);
}

/* A script's handler of messages, left out once the run is over: it runs where the error was thrown, and inside the hook
   that looks at the clock there is none to look. */
static int handle_message(lua_State *L) {
    if (lua_of(L)->breach)
        return 1;
    lua_settop(L, 1);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 1, 1);
    return 1;
}

static int protected_call_with_handler(lua_State *L) {
    int count = lua_gettop(L);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 2);
    lua_pushcclosure(L, handle_message, 1);
    lua_replace(L, 2);
    lua_pushboolean(L, 1);
    lua_pushvalue(L, 1);
    lua_rotate(L, 3, 2); /* function, handler, true, function, arguments */
    return after_protected(L, lua_pcall(L, count - 2, LUA_MULTRET, 2), 3);
}

/* Finalizers run where no hook can end them. */
static int set_metatable(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    int type = lua_type(L, 2);
    luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
    if (type == LUA_TTABLE) {
        lua_pushliteral(L, "__gc");
        if (lua_rawget(L, 2) != LUA_TNIL)
            return luaL_error(L, "finalizers are not supported");
        lua_pop(L, 1);
    }
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
        return luaL_error(L, "cannot change a protected metatable");
    lua_settop(L, 2);
    lua_setmetatable(L, 1);
    return 1;
}

/* Lua's own copies a text of two bytes a hundred thousand times; this copies what is there already. */
static int repeat(lua_State *L) {
    size_t length, between;
    const char *text = luaL_checklstring(L, 1, &length);
    lua_Integer count = luaL_checkinteger(L, 2);
    const char *separator = luaL_optlstring(L, 3, "", &between);
    size_t unit, total;
    if (count <= 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    if (__builtin_add_overflow(length, between, &unit) || __builtin_mul_overflow(unit, (size_t)count, &total) ||
        total > PTRDIFF_MAX)
        return luaL_error(L, "resulting string too large");
    luaL_Buffer buffer;
    char *start = luaL_buffinitsize(L, &buffer, total);
    if (total > 0) {
        memcpy(start, text, length);
        memcpy(start + length, separator, between);
        for (size_t filled = unit; filled < total;) {
            size_t more = filled < total - filled ? filled : total - filled;
            memcpy(start + filled, start, more);
            filled += more;
        }
    }
    luaL_pushresultsize(&buffer, total - between); /* no separator after the last */
    return 1;
}

/* MARK: An order for pairs */

/* Lua's order of text keys is another in every run, and results must not be. */
struct ordered {
    int rank; /* numbers, texts, all others */
    lua_Number number;
    const char *text;
    size_t count;
    lua_Integer slot;
};

static int compare(const void *left, const void *right) {
    const struct ordered *a = left, *b = right;
    if (a->rank != b->rank)
        return a->rank - b->rank;
    if (a->rank == 0 && a->number != b->number)
        return a->number < b->number ? -1 : 1;
    if (a->rank == 1) {
        size_t shorter = a->count < b->count ? a->count : b->count;
        int order = shorter ? memcmp(a->text, b->text, shorter) : 0;
        if (order || a->count != b->count)
            return order ? order : a->count < b->count ? -1 : 1;
    }
    return (a->slot > b->slot) - (a->slot < b->slot);
}

static int next_ordered(lua_State *L) {
    lua_Integer place = lua_tointeger(L, lua_upvalueindex(3));
    do {
        lua_settop(L, 0);
        lua_rawgeti(L, lua_upvalueindex(2), ++place);
        if (lua_isnil(L, 1))
            break;
        lua_pushvalue(L, 1);
        lua_rawget(L, lua_upvalueindex(1));
    } while (lua_isnil(L, 2)); /* taken out since */
    lua_pushinteger(L, place);
    lua_replace(L, lua_upvalueindex(3));
    return lua_gettop(L) > 1 ? 2 : 1;
}

static int pairs(lua_State *L) {
    luaL_checkany(L, 1);
    if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
        lua_pushvalue(L, 1);
        lua_call(L, 1, 3);
        return 3;
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    size_t count = 0;
    int has_text = 0;
    lua_settop(L, 1);
    lua_pushnil(L);
    while (lua_next(L, 1)) {
        lua_pop(L, 1);
        has_text |= lua_type(L, -1) == LUA_TSTRING;
        count++;
    }
    if (!has_text) {
        lua_getfield(L, LUA_REGISTRYINDEX, "next");
        lua_pushvalue(L, 1);
        lua_pushnil(L);
        return 3;
    }
    struct ordered *keys = lua_newuserdatauv(L, count * sizeof *keys, 0);
    lua_createtable(L, count < 1 << 20 ? (int)count : 0, 0);
    lua_Integer slot = 0;
    lua_pushnil(L);
    while ((size_t)slot < count && lua_next(L, 1)) {
        lua_pop(L, 1);
        struct ordered *key = &keys[slot++];
        *key = (struct ordered){.rank = 2, .slot = slot};
        if (lua_type(L, -1) == LUA_TNUMBER) {
            key->rank = 0;
            key->number = lua_tonumber(L, -1);
        } else if (lua_type(L, -1) == LUA_TSTRING) {
            key->rank = 1;
            key->text = lua_tolstring(L, -1, &key->count);
        }
        lua_pushvalue(L, -1);
        lua_rawseti(L, 3, slot);
    }
    lua_settop(L, 3);
    qsort(keys, (size_t)slot, sizeof *keys, compare);
    lua_pushvalue(L, 1);
    lua_createtable(L, slot < 1 << 20 ? (int)slot : 0, 0);
    for (lua_Integer place = 0; place < slot; place++) {
        lua_rawgeti(L, 3, keys[place].slot);
        lua_rawseti(L, -2, place + 1);
    }
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, next_ordered, 3);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

/* MARK: Opening */

static void remove_names(lua_State *L, const char *const *names) {
    for (; *names; names++) {
        lua_pushnil(L);
        lua_setfield(L, -2, *names);
    }
}

static void open_node(lua_State *L) {
    static const struct {
        const char *name;
        int operation;
    } methods[] = {
        {"select", WEBL_LUA_SELECT}, {"xpath", WEBL_LUA_XPATH},       {"text", WEBL_LUA_TEXT},
        {"attr", WEBL_LUA_ATTRIBUTE}, {"html", WEBL_LUA_HTML},         {"children", WEBL_LUA_CHILDREN},
        {"parent", WEBL_LUA_PARENT}, {"line", WEBL_LUA_LINE},         {"name", WEBL_LUA_NAME},
    };
    luaL_newmetatable(L, "node");
    lua_createtable(L, 0, sizeof methods / sizeof *methods);
    for (size_t index = 0; index < sizeof methods / sizeof *methods; index++) {
        lua_pushinteger(L, methods[index].operation);
        lua_pushcclosure(L, node_method, 1);
        lua_setfield(L, -2, methods[index].name);
    }
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, node_equal);
    lua_setfield(L, -2, "__eq");
    lua_pushliteral(L, "node"); /* what getmetatable gives instead of the table */
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}

static void open_own(lua_State *L) {
    static const luaL_Reg globals[] = {
        {"pcall", protected_call}, {"xpcall", protected_call_with_handler}, {"setmetatable", set_metatable},
        {"pairs", pairs},          {"print", write_log},                    {"log", write_log},
        {"tostring", to_string},   {NULL, NULL},
    };
    static const luaL_Reg url[] = {{"resolve", resolve}, {NULL, NULL}};
    static const luaL_Reg json[] = {{"decode", json_decode}, {"encode", json_encode}, {NULL, NULL}};
    luaL_setfuncs(L, globals, 0);
    luaL_newlib(L, url);
    lua_setfield(L, -2, "url");
    luaL_newlib(L, json);
    lua_pushlightuserdata(L, NULL);
    lua_setfield(L, -2, "null");
    lua_setfield(L, -2, "json");
}

/* MARK: The globals of a run */

/* Keys of the registry: the libraries as they were opened, which no script gets hold of; the globals of the run; and a
   string and the metatable that strings have where no run has given them another. */
static const char pristine, current, a_string, string_metatable;

static void copy_table(lua_State *L, int from) {
    from = lua_absindex(L, from);
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, from)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
}

/* What strings can do is what the library of the run has: a script may have put functions of its own there. */
static void set_string_methods(lua_State *L, int library) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &string_metatable);
    copy_table(L, -1);
    lua_pushvalue(L, library);
    lua_setfield(L, -2, "__index");
    lua_rawgetp(L, LUA_REGISTRYINDEX, &a_string);
    lua_insert(L, -2);
    lua_setmetatable(L, -2);
    lua_pop(L, 2);
}

/* A name that is none of the run's own: a library, which it is given a copy of, or nothing. */
static int open_library(lua_State *L) {
    lua_settop(L, 2);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &pristine);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, 3) != LUA_TTABLE || lua_rawgetp(L, LUA_REGISTRYINDEX, &current) != LUA_TTABLE)
        return 0;
    lua_replace(L, 3); /* the run's globals */
    copy_table(L, 4);  /* at 5 */
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    if (strcmp(name, LUA_STRLIBNAME) == 0) {
        set_string_methods(L, 5);
    } else if (strcmp(name, LUA_MATHLIBNAME) == 0) {
        /* The same numbers in every run, whatever another has made of them. */
        lua_getfield(L, 5, "randomseed");
        lua_call(L, 0, 0);
    }
    lua_pushvalue(L, 2);
    lua_pushvalue(L, 5);
    lua_rawset(L, 3);
    return 1;
}

void webl_lua_push_environment(lua_State *L, uint64_t node) {
    lua_createtable(L, 0, 4);
    webl_lua_push_node(L, node, 0);
    lua_setfield(L, -2, "document");
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "_G");
    luaL_getmetatable(L, "environment");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &current);
}

void webl_lua_forget_environment(lua_State *L) {
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &current);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &a_string);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &string_metatable);
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}

/* Takes the libraries out of the globals, which are left with functions: nothing that is shared can be changed. */
static void set_libraries_apart(lua_State *L, int globals) {
    static const char *const names[] = {
        LUA_STRLIBNAME, LUA_TABLIBNAME, LUA_MATHLIBNAME, LUA_UTF8LIBNAME, "url", "json", NULL,
    };
    lua_newtable(L);
    for (const char *const *name = names; *name; name++) {
        lua_getfield(L, globals, *name);
        lua_setfield(L, -2, *name);
    }
    lua_rawsetp(L, LUA_REGISTRYINDEX, &pristine);
    lua_pushvalue(L, globals);
    remove_names(L, names);
    lua_pushnil(L);
    lua_setfield(L, -2, LUA_GNAME);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, open_library);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}

static void protect_strings(lua_State *L) {
    lua_pushliteral(L, "");
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &a_string);
    lua_getmetatable(L, -1);
    lua_pushliteral(L, "string"); /* what getmetatable gives instead of the table */
    lua_setfield(L, -2, "__metatable");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &string_metatable);
    lua_pop(L, 1);
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &current);
}

void webl_lua_open(lua_State *L) {
    static const luaL_Reg libraries[] = {
        {LUA_GNAME, luaopen_base},      {LUA_STRLIBNAME, luaopen_string}, {LUA_TABLIBNAME, luaopen_table},
        {LUA_MATHLIBNAME, luaopen_math}, {LUA_UTF8LIBNAME, luaopen_utf8},  {NULL, NULL},
    };
    static const char *const unsafe[] = {"load", "loadfile", "dofile", "collectgarbage", "warn", NULL};
    static const char *const bytecode[] = {"dump", NULL};
    for (const luaL_Reg *library = libraries; library->func; library++) {
        luaL_requiref(L, library->name, library->func, 1);
        lua_pop(L, 1);
    }
    lua_pushglobaltable(L);
    int globals = lua_gettop(L);
    lua_getfield(L, globals, "next");
    lua_setfield(L, LUA_REGISTRYINDEX, "next");
    remove_names(L, unsafe);
    open_own(L);
    lua_getfield(L, globals, LUA_STRLIBNAME);
    remove_names(L, bytecode);
    lua_pushcfunction(L, repeat);
    lua_setfield(L, -2, "rep");
    lua_getfield(L, -1, "format");
    lua_pushcclosure(L, format, 1);
    lua_setfield(L, -2, "format");
    lua_getfield(L, globals, LUA_MATHLIBNAME);
    lua_getfield(L, -1, "randomseed");
    lua_pushcclosure(L, random_seed, 1);
    lua_setfield(L, -2, "randomseed");
    lua_settop(L, globals);

    protect_strings(L);
    set_libraries_apart(L, globals);
    luaL_newmetatable(L, "environment");
    lua_pushvalue(L, globals);
    lua_setfield(L, -2, "__index");
    lua_pushliteral(L, "environment");
    lua_setfield(L, -2, "__metatable");
    lua_settop(L, 0);
    open_node(L);
}
