#ifndef CKERNELSQLITE_SHIM_H
#define CKERNELSQLITE_SHIM_H

#include <sqlite3.h>

/* Swift cannot call variadic C functions; these give it the two it needs. */

static inline int kernel_db_config(sqlite3 *db, int option, int on) {
    return sqlite3_db_config(db, option, on, (int *)0);
}

static inline int kernel_vtab_innocuous(sqlite3 *db) {
    return sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
}

/* A cursor of kernel_values. SQLite wants its own part first, and only C promises the order of a struct's fields. */
typedef struct kernel_values_cursor {
    sqlite3_vtab_cursor base;
    void *list;
    sqlite3_int64 position;
} kernel_values_cursor;

#endif
