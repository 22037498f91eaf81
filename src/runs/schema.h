#pragma once

#include "base/result.h"

namespace optiml::runs {

class Database;

// Creates or upgrades the tables; the file's version is SQLite's user_version. Error (user): the file is of a newer version.
Status bring_up_to_date(Database& database);

}  // namespace optiml::runs
