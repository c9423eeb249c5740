extension Recipe {
    /// The JSON Schema of recipes, draft 2020-12; docs/recipe.schema.json is the same.
    public static let schema = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "WebLoader recipe",
          "description": "What to extract from a web page: named fields, each with a selector, what to take, and transforms.",
          "type": "object",
          "required": ["version", "fields"],
          "additionalProperties": false,
          "properties": {
            "version": {"const": 1},
            "let": {
              "description": "Constants, inserted as ${name} in selectors, const, default and template.",
              "type": "object",
              "propertyNames": {"pattern": "^[A-Za-z0-9_]+$", "not": {"const": "value"}},
              "additionalProperties": {"type": ["string", "number", "boolean"]}
            },
            "fields": {"$ref": "#/$defs/fields"}
          },
          "$defs": {
            "fields": {
              "description": "Fields by their names, in the order of the result.",
              "type": "object",
              "minProperties": 1,
              "additionalProperties": {"$ref": "#/$defs/field"}
            },
            "field": {
              "oneOf": [
                {"$ref": "#/$defs/selector"},
                {
                  "type": "object",
                  "additionalProperties": false,
                  "properties": {
                    "select": {"$ref": "#/$defs/selector"},
                    "css": {"type": "string", "description": "A CSS selector."},
                    "xpath": {"type": "string", "description": "An XPath 1.0 expression."},
                    "take": {"$ref": "#/$defs/take"},
                    "all": {"type": "boolean", "default": false, "description": "A list with one value for each match."},
                    "each": {"$ref": "#/$defs/fields", "description": "A list with one object for each match."},
                    "first_of": {
                      "type": "array",
                      "minItems": 1,
                      "items": {"$ref": "#/$defs/field"},
                      "description": "The first of these that has a value."
                    },
                    "const": {"description": "The same value for every page."},
                    "script": {"type": "string", "description": "Lua 5.4; document is the page, or the current element."},
                    "follow": {
                      "type": "object",
                      "required": ["fields"],
                      "additionalProperties": false,
                      "properties": {
                        "depth": {"type": "integer", "minimum": 1, "default": 1},
                        "pages": {"type": "integer", "minimum": 1, "default": 10},
                        "fields": {"$ref": "#/$defs/fields"}
                      },
                      "description": "Fields of the pages that are linked."
                    },
                    "transform": {
                      "oneOf": [
                        {"$ref": "#/$defs/transform"},
                        {"type": "array", "items": {"$ref": "#/$defs/transform"}}
                      ]
                    },
                    "required": {"type": "boolean", "default": false, "description": "A missing value is reported as drift."},
                    "min": {"type": "number", "description": "The least number, count of a list or length of a text."},
                    "max": {"type": "number", "description": "The greatest number, count of a list or length of a text."},
                    "matches": {"type": "string", "description": "A regular expression that the value has to match."},
                    "default": {"description": "The value in place of null, an empty text or an empty list."}
                  },
                  "anyOf": [
                    {"required": ["select"]},
                    {"required": ["css"]},
                    {"required": ["xpath"]},
                    {"required": ["take"]},
                    {"required": ["const"]},
                    {"required": ["first_of"]},
                    {"required": ["script"]}
                  ]
                }
              ]
            },
            "selector": {
              "type": "string",
              "description": "CSS, or XPath if it begins with /, ./ or (."
            },
            "take": {
              "type": "string",
              "pattern": "^(text|raw|html|outer|count|exists|line|attr:.+|url:.+)$",
              "default": "text"
            },
            "transform": {
              "oneOf": [
                {"enum": ["trim", "collapse", "lower", "upper", "number", "date", "url", "unique", "sort", "json"]},
                {
                  "type": "object",
                  "minProperties": 1,
                  "maxProperties": 1,
                  "additionalProperties": false,
                  "properties": {
                    "number": {
                      "type": "object",
                      "additionalProperties": false,
                      "properties": {
                        "decimal": {"$ref": "#/$defs/character"},
                        "group": {"$ref": "#/$defs/character"}
                      }
                    },
                    "date": {
                      "type": "object",
                      "additionalProperties": false,
                      "properties": {"order": {"enum": ["dmy", "mdy", "ymd"]}}
                    },
                    "json": {"type": "string", "pattern": "^\\$", "description": "A JSONPath query (RFC 9535)."},
                    "match": {"type": "string"},
                    "match_all": {"type": "string"},
                    "replace": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
                    "split": {"type": "string"},
                    "join": {"type": "string"},
                    "slice": {
                      "type": "array",
                      "prefixItems": [{"type": "integer"}, {"type": ["integer", "null"]}],
                      "items": false,
                      "minItems": 1
                    },
                    "map": {"type": "object"},
                    "template": {"type": "string"},
                    "default": {},
                    "repeat": {"type": "integer", "minimum": 0}
                  }
                }
              ]
            },
            "character": {"type": "string", "minLength": 1, "maxLength": 1}
          }
        }
        """#
}
