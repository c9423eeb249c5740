import WebDifference
import WebLoader

/// The JSON Schema of what `diff --json` writes.
enum DiffSchema {
    static var schema: JSONValue {
        .object([
            .init("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            .init("title", .string("What differs between two pages, as webinspect diff --json writes it")),
            .init(
                "anyOf",
                .array([
                    object(
                        "Of two pages.",
                        [
                            ("same", type("boolean", "Whether nothing changed.")),
                            ("changes", list(of: change, "In the order of the new page.")),
                            ("ignored", ignored), ("coarse", coarse),
                        ],
                        optional: [
                            (
                                "findings",
                                list(of: finding, "With --served --rendered: what only scripts make.")
                            ),
                            ("hidden", list(of: hidden, "With --explain: which rule has hidden what.")),
                        ]
                    ),
                    object(
                        "Of two archives.",
                        [
                            ("same", type("boolean", "Whether all pages are the same.")),
                            ("pages", list(of: page, "Those that are not the same, by URL.")),
                            ("same_pages", count("How many are the same.")),
                            ("failed", count("How many could not be compared.")), ("coarse", coarse),
                        ],
                        optional: [
                            ("hidden", list(of: hidden, "With --explain: which rule has hidden what."))
                        ]
                    ),
                ])
            ),
        ])
    }

    private static let coarse = type(
        "boolean",
        "Whether the answer is coarser than it could be: time ran out, or a page reached a limit."
    )

    private static var change: JSONValue {
        object(
            "A change.",
            [
                ("kind", words(PageDifference.Kind.allCases.map(\.rawValue), "What it is of.")),
                ("op", words(PageDifference.Operation.allCases.map(\.rawValue), "What was done.")),
                ("name", text("What of the element it is: null for the element itself.")),
                ("old", text("The text or value in the old page.")),
                ("new", text("The text or value in the new page.")),
                ("old_path", text("A CSS selector of the element in the old page.")),
                ("new_path", text("A CSS selector of the element in the new page.")),
                ("old_line", line("The line of its tag in the old page.")),
                ("new_line", line("The line of its tag in the new page.")),
                ("summary", type("string", "A line that says the change.")),
            ]
        )
    }

    private static var hidden: JSONValue {
        object(
            "Something that a rule says is no change.",
            [("rule", type("string", "The rule.")), ("change", change)],
            optional: [("url", type("string", "Of archives, the page."))]
        )
    }

    private static var finding: JSONValue {
        object(
            "Something that only scripts make of the page.",
            [
                ("code", type("string", "What it is, as a stable word.")),
                ("severity", words(Finding.Severity.allCases.map(\.rawValue), "How severe it is.")),
                ("message", type("string", "What was found, for people.")),
                ("advice", type("string", "What to do about it.")),
            ],
            optional: [("element", type("string", "The name of the element that it is about."))]
        )
    }

    private static var page: JSONValue {
        object(
            "A page of the archives.",
            [
                ("url", type("string", "Its URL.")),
                ("op", words(["added", "removed", "changed"], "What was done.")),
            ],
            optional: [
                ("change_count", count("How many changes it has.")),
                ("changes", list(of: change, "What has changed on it; empty where it would be too much.")),
            ]
        )
    }

    private static var ignored: JSONValue {
        .object([
            .init("type", .string("object")),
            .init("description", .string("How often something differed that is no change, by what it is.")),
            .init("additionalProperties", count("How often.")),
        ])
    }

    // MARK: - Parts

    private static func object(
        _ description: String,
        _ required: [(String, JSONValue)],
        optional: [(String, JSONValue)] = []
    ) -> JSONValue {
        .object([
            .init("type", .string("object")), .init("description", .string(description)),
            .init("required", .array(required.map { .string($0.0) })),
            .init(
                "properties",
                .object((required + optional).map { JSONValue.Member($0.0, $0.1) })
            ),
        ])
    }

    private static func type(_ type: String, _ description: String) -> JSONValue {
        .object([.init("type", .string(type)), .init("description", .string(description))])
    }

    private static func text(_ description: String) -> JSONValue {
        .object([
            .init("type", .array([.string("string"), .string("null")])),
            .init("description", .string(description)),
        ])
    }

    private static func line(_ description: String) -> JSONValue {
        .object([
            .init("type", .array([.string("integer"), .string("null")])),
            .init("description", .string(description)), .init("minimum", .integer(1)),
        ])
    }

    private static func count(_ description: String) -> JSONValue {
        .object([
            .init("type", .string("integer")), .init("description", .string(description)),
            .init("minimum", .integer(0)),
        ])
    }

    private static func words(_ words: [String], _ description: String) -> JSONValue {
        .object([
            .init("enum", .array(words.map(JSONValue.string))), .init("description", .string(description)),
        ])
    }

    private static func list(of item: JSONValue, _ description: String) -> JSONValue {
        .object([
            .init("type", .string("array")), .init("description", .string(description)), .init("items", item),
        ])
    }
}
