/* The state: its memory, its time, and running a script. */
#include "state.h"

#include <stdlib.h>
#include <string.h>

const char *webl_lua_version(void) { return LUA_RELEASE; }

/* Kept back for what goes on after a script was refused memory. */
#define RESERVE ((size_t)64 << 10)
/* Instructions between two questions whether to go on, which take a fraction of what they do. */
#define HOOK_INTERVAL 1000

int webl_bytes_append(struct bytes *bytes, const void *more, size_t count) {
    if (bytes->capacity - bytes->count < count) {
        size_t capacity = bytes->capacity ? bytes->capacity : 256;
        while (capacity - bytes->count < count) {
            if (capacity > SIZE_MAX / 2)
                return 0;
            capacity *= 2;
        }
        unsigned char *start = realloc(bytes->start, capacity);
        if (!start)
            return 0;
        bytes->start = start;
        bytes->capacity = capacity;
    }
    if (count > 0)
        memcpy(bytes->start + bytes->count, more, count);
    bytes->count += count;
    return 1;
}

void webl_bytes_clear(struct bytes *bytes) {
    bytes->count = 0;
    if (bytes->capacity > 4096) {
        free(bytes->start);
        bytes->start = NULL;
        bytes->capacity = 0;
    }
}

/* MARK: Memory */

/* Refuses before anything is allocated, and Lua collects its garbage and asks again. */
static void *allocate(void *context, void *block, size_t old, size_t new) {
    struct webl_lua *lua = context;
    size_t before = block ? old : 0; /* without a block, `old` says what kind of object it will be */
    if (new > before) {
        size_t more = new - before;
        if (more > lua->memory - lua->used)
            return NULL;
        if (lua->host.headroom) {
            size_t room = (size_t)lua->host.headroom();
            if (room < RESERVE || more > room - RESERVE)
                return NULL;
        }
    }
    if (lua->host.is_busy)
        ++*lua->host.is_busy;
    void *moved = NULL;
    if (new == 0)
        free(block);
    else
        moved = realloc(block, new);
    if (lua->host.is_busy)
        --*lua->host.is_busy;
    if (new == 0 || moved)
        lua->used = lua->used - before + new;
    return moved;
}

void webl_lua_set_context(webl_lua *lua, void *context) { lua->context = context; }

void webl_lua_collect(webl_lua *lua) { lua_gc(lua->state, LUA_GCCOLLECT); }

/* MARK: Breaches */

int webl_lua_raise_breach(lua_State *L, int outcome) {
    struct webl_lua *lua = lua_of(L);
    if (!lua->breach)
        lua->breach = outcome;
    lua_pushnil(L);
    return lua_error(L);
}

static void look_at_host(lua_State *L, lua_Debug *activation) {
    (void)activation;
    struct webl_lua *lua = lua_of(L);
    if (!lua->breach && !lua->host.is_interrupted(lua->context))
        return;
    /* Variables that are to be closed are closed on the way out, and what closes them is a script's: no more of it is run. */
    lua_sethook(L, look_at_host, LUA_MASKCOUNT, 1);
    webl_lua_raise_breach(L, WEBL_LUA_OUT_OF_TIME);
}

/* MARK: Making a state */

static int open_libraries(lua_State *L) {
    webl_lua_open(L);
    return 0;
}

webl_lua *webl_lua_new(const struct webl_lua_host *host, size_t memory) {
    struct webl_lua *lua = calloc(1, sizeof *lua);
    if (!lua)
        return NULL;
    lua->host = *host;
    lua->memory = memory;
    lua->state = lua_newstate(allocate, lua);
    if (!lua->state) {
        free(lua);
        return NULL;
    }
    *(struct webl_lua **)lua_getextraspace(lua->state) = lua;
    lua_pushcfunction(lua->state, open_libraries);
    if (lua_pcall(lua->state, 0, 0, 0) != LUA_OK) {
        webl_lua_free(lua);
        return NULL;
    }
    return lua;
}

void webl_lua_free(webl_lua *lua) {
    lua_close(lua->state);
    free(lua->reply.start);
    free(lua->scratch.start);
    free(lua->output.start);
    free(lua);
}

/* MARK: Running */

struct job {
    const char *source;
    size_t length;
    struct webl_lua_node node;
    int is_check;
    int is_compiled;
};

/* Pushes a script's function, compiled once: the registry holds them by their source. */
static void push_script(lua_State *L, const struct job *job) {
    luaL_getsubtable(L, LUA_REGISTRYINDEX, "scripts");
    lua_pushlstring(L, job->source, job->length);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, -3) == LUA_TNIL) {
        lua_pop(L, 1);
        if (luaL_loadbufferx(L, job->source, job->length, "=script", "t") != LUA_OK)
            lua_error(L);
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, -5);
    }
    lua_replace(L, -3);
    lua_pop(L, 1);
}

/* The function that runs, whose globals are taken from it when it has ended: what it kept there is garbage then. */
static const char running;

static int perform(lua_State *L) {
    struct job *job = lua_touserdata(L, 1);
    push_script(L, job);
    job->is_compiled = 1;
    if (job->is_check)
        return 0;
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &running);
    webl_lua_push_environment(L, job->node.identity);
    if (!lua_setupvalue(L, -2, 1)) /* it names no global */
        lua_pop(L, 1);
    lua_call(L, 0, 1);
    webl_lua_append_value(L, -1, &lua_of(L)->output);
    return 0;
}

/* Takes what a run leaves out of the reach of the next. It neither throws nor allocates: no Lua function is around it. */
static void forget_run(lua_State *L) {
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &running) == LUA_TFUNCTION) {
        lua_pushnil(L);
        if (!lua_setupvalue(L, -2, 1))
            lua_pop(L, 1);
        lua_pushnil(L);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &running);
    }
    lua_pop(L, 1);
    webl_lua_forget_environment(L);
}

static int run(struct webl_lua *lua, struct job *job) {
    lua_State *L = lua->state;
    lua->breach = WEBL_LUA_DONE;
    lua->document = job->node.document;
    webl_bytes_clear(&lua->output);
    lua_sethook(L, look_at_host, LUA_MASKCOUNT, HOOK_INTERVAL);
    lua_settop(L, 0);
    lua_pushcfunction(L, perform);
    lua_pushlightuserdata(L, job);
    int status = lua_pcall(L, 1, 0, 0);
    webl_bytes_clear(&lua->reply);
    webl_bytes_clear(&lua->scratch);
    int outcome = WEBL_LUA_DONE;
    if (lua->breach) {
        outcome = lua->breach;
    } else if (status == LUA_ERRMEM) {
        outcome = WEBL_LUA_OUT_OF_MEMORY;
    } else if (status != LUA_OK) {
        lua->output.count = 0;
        outcome = job->is_compiled ? WEBL_LUA_FAILED : WEBL_LUA_INVALID;
        size_t count;
        const char *message = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &count) : NULL;
        if (!message) {
            message = "an error that is not a text";
            count = strlen(message);
        }
        if (!webl_bytes_append(&lua->output, message, count < 1000 ? count : 1000))
            outcome = WEBL_LUA_OUT_OF_MEMORY;
    }
    lua_settop(L, 0);
    forget_run(L);
    return outcome;
}

int webl_lua_check(webl_lua *lua, const char *source, size_t length) {
    struct job job = {.source = source, .length = length, .is_check = 1};
    return run(lua, &job);
}

int webl_lua_run(webl_lua *lua, const char *source, size_t length, struct webl_lua_node node) {
    struct job job = {.source = source, .length = length, .node = node};
    return run(lua, &job);
}

int webl_lua_reply(webl_lua *lua, const unsigned char *bytes, size_t count) {
    lua->reply.count = 0;
    return webl_bytes_append(&lua->reply, bytes, count);
}

const unsigned char *webl_lua_output(const webl_lua *lua, size_t *count) {
    *count = lua->output.count;
    return lua->output.start;
}
