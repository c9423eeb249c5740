/* What Swift sees of SQLite. Macros that are casts, and functions of any number of arguments, do not import. */
#ifndef WEBLOADER_CSQLITE_SHIM_H
#define WEBLOADER_CSQLITE_SHIM_H

#include <sqlite3.h>
#include <stdint.h>

/* SQLITE_TRANSIENT is a cast to a function pointer: the value is copied before the call returns. A text of no bytes must
   not be NULL, which would be the value NULL. */
static inline int webl_sqlite3_bind_text(sqlite3_stmt *statement, int index, const void *text, uint64_t count) {
    return sqlite3_bind_text64(statement, index, text ? (const char *)text : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int webl_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, uint64_t count) {
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/* A file that was made to do harm must not make SQLite call anything, nor write to its own tables (both are off in no
   Debian release by default). */
static inline int webl_sqlite3_distrust(sqlite3 *database) {
    int result = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    if (result == SQLITE_OK)
        result = sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
    if (result == SQLITE_OK)
        result = sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
    if (result == SQLITE_OK)
        result = sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
    return result;
}

/* Has a file read that lacks pages; nothing is written to it but what its WAL has. */
static inline int webl_sqlite3_take_damaged(sqlite3 *database) {
    int result = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 0, (int *)0);
    if (result == SQLITE_OK)
        result = sqlite3_db_config(database, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, (int *)0);
    return result;
}

#endif
