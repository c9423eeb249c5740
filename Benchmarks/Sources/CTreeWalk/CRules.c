#include "CTreeWalk.h"

#include <libxml/tree.h>
#include <libxml/xpath.h>
#include <string.h>

/* The length of what an expression gives: texts of all its nodes, or of the first. */
static size_t evaluate(xmlXPathContextPtr context, xmlXPathCompExprPtr expression, int is_list) {
    size_t length = 0;
    xmlXPathObjectPtr result = xmlXPathCompiledEval(expression, context);
    if (!result)
        return 0;
    if (result->type == XPATH_NODESET) {
        xmlNodeSetPtr nodes = result->nodesetval;
        int count = nodes ? nodes->nodeNr : 0;
        if (!is_list && count > 1)
            count = 1;
        for (int index = 0; index < count; index++) {
            xmlChar *text = xmlNodeGetContent(nodes->nodeTab[index]);
            if (text)
                length += strlen((const char *)text);
            xmlFree(text);
        }
    } else {
        xmlChar *text = xmlXPathCastToString(result);
        if (text)
            length = strlen((const char *)text);
        xmlFree(text);
    }
    xmlXPathFreeObject(result);
    return length;
}

size_t tree_walk_rules(const char *bytes, size_t count, const char *const *expressions, const int *are_lists,
                       size_t rules) {
    xmlDocPtr document = tree_walk_parse(bytes, count);
    if (!document)
        return 0;
    size_t length = 0;
    xmlXPathContextPtr context = xmlXPathNewContext(document);
    for (size_t rule = 0; context && rule < rules; rule++) {
        xmlXPathCompExprPtr expression = xmlXPathCtxtCompile(context, (const xmlChar *)expressions[rule]);
        if (expression)
            length += evaluate(context, expression, are_lists[rule]);
        xmlXPathFreeCompExpr(expression);
    }
    xmlXPathFreeContext(context);
    xmlFreeDoc(document);
    return length;
}
