/// A request as the soak's server reads it.
struct SoakRequest {
    let method: String
    let path: String
    private let fields: [(name: String, value: String)]

    /// Parses a request's line and fields; returns `nil` if the request line is invalid.
    init?(_ head: String) {
        let lines = head.split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        method = String(words[0])
        path = String(words[1])
        fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            let value = parts.last.map { $0.drop { $0 == " " } } ?? ""
            return (parts[0].lowercased(), String(value))
        }
    }

    /// The value of a field, by its name in lower case; nil where it is not there.
    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The page that the path names; nil for a path of another kind.
    var page: Int? { path.hasPrefix("/p/") ? Int(path.dropFirst(3)) : nil }
}
