package import WebStandards

extension PageDifference.Change {
    /// The change as `diff` and `watch` write it; docs/json-report.md describes it to users.
    package var json: JSONValue {
        .object([
            .init("kind", .string(kind.rawValue)), .init("op", .string(operation.rawValue)),
            .init("name", JSONValue(name)),
            .init("old", JSONValue(old)), .init("new", JSONValue(new)),
            .init("old_path", JSONValue(oldPath)), .init("new_path", JSONValue(newPath)),
            .init("old_line", JSONValue(oldLine)), .init("new_line", JSONValue(newLine)),
            .init("summary", .string(summary)),
        ])
    }
}
