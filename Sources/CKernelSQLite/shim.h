#ifndef CKERNELSQLITE_SHIM_H
#define CKERNELSQLITE_SHIM_H

#include <sqlite3.h>

#endif
