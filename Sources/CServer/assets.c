#include "CServer.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char page[] = {
#embed "assets/index.html"
};
static const unsigned char app_css[] = {
#embed "assets/app.css"
};
/* That of the reports, too. */
static const unsigned char look_css[] = {
#embed "../CLook/look.css"
};
static const unsigned char core_js[] = {
#embed "assets/core.js"
};
static const unsigned char grid_js[] = {
#embed "assets/grid.js"
};
static const unsigned char main_js[] = {
#embed "assets/main.js"
};
static const unsigned char list_js[] = {
#embed "assets/list.js"
};
static const unsigned char page_js[] = {
#embed "assets/page.js"
};
static const unsigned char view_js[] = {
#embed "assets/view.js"
};
static const unsigned char tree_js[] = {
#embed "assets/tree.js"
};
static const unsigned char compare_js[] = {
#embed "assets/compare.js"
};
static const unsigned char rules_js[] = {
#embed "assets/rules.js"
};
static const unsigned char jobs_js[] = {
#embed "assets/jobs.js"
};
static const unsigned char icon[] = {
#embed "assets/icon.svg"
};

#define HTML "text/html; charset=utf-8"
#define CSS "text/css; charset=utf-8"
#define JAVASCRIPT "text/javascript; charset=utf-8"
#define SVG "image/svg+xml; charset=utf-8"

#define ASSET(name, type, bytes) {name, type, bytes, sizeof bytes}

static const struct webl_asset assets[] = {
    ASSET("index.html", HTML, page),
    ASSET("app.css", CSS, app_css),
    ASSET("look.css", CSS, look_css),
    ASSET("core.js", JAVASCRIPT, core_js),
    ASSET("grid.js", JAVASCRIPT, grid_js),
    ASSET("main.js", JAVASCRIPT, main_js),
    ASSET("list.js", JAVASCRIPT, list_js),
    ASSET("page.js", JAVASCRIPT, page_js),
    ASSET("view.js", JAVASCRIPT, view_js),
    ASSET("tree.js", JAVASCRIPT, tree_js),
    ASSET("compare.js", JAVASCRIPT, compare_js),
    ASSET("rules.js", JAVASCRIPT, rules_js),
    ASSET("jobs.js", JAVASCRIPT, jobs_js),
    ASSET("icon.svg", SVG, icon),
};

const size_t webl_asset_count = sizeof assets / sizeof *assets;

const struct webl_asset *webl_asset_at(size_t index) {
    return index < webl_asset_count ? &assets[index] : NULL;
}
