/* What Swift sees of libyaml. */
#ifndef WEBLOADER_CYAML_SHIM_H
#define WEBLOADER_CYAML_SHIM_H

#include <yaml.h>

#endif
