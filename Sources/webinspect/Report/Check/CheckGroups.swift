import WebLoader
import WebSite

/// The problems of a check's links, grouped by target.
struct CheckGroups {
    /// The target of links, and its state.
    private struct Target: Hashable {
        let url: String
        let result: CheckedLink.Result
        let code: String?
        let isKnown: Bool
        let isMoved: Bool
    }

    /// The links to a target.
    private struct Group {
        var links = 0
        var pages: Set<String> = []
        /// The first of them.
        var examples: [CheckedLink] = []
    }

    private let saysAll: Bool
    private var groups: [Target: Group] = [:]

    /// How many links of a group have their places said.
    private static let maximumExamples = 3

    /// - Parameter saysAll: Whether of each link is said what is known, and not only what is wrong.
    init(saysAll: Bool) { self.saysAll = saysAll }

    mutating func add(_ link: CheckedLink) {
        let isWrong = link.result == .broken || link.result == .unknown || link.isMoved
        guard isWrong || saysAll else { return }
        let target = Target(
            url: link.url,
            result: link.result,
            code: link.code,
            isKnown: link.isKnown,
            isMoved: link.isMoved
        )
        var group = groups[target] ?? Group()
        group.links += 1
        group.pages.insert(link.page ?? link.kind)
        if group.examples.count < Self.maximumExamples { group.examples.append(link) }
        groups[target] = group
    }

    /// The groups, broken ones first, then by the number of links.
    private var sorted: [(target: Target, group: Group)] {
        groups.map { ($0.key, $0.value) }.sorted { left, right in
            let order = [CheckedLink.Result.broken, .unknown, .ok, .skipped]
            let (first, second) = (order.firstIndex(of: left.0.result), order.firstIndex(of: right.0.result))
            if first != second { return (first ?? 0) < (second ?? 0) }
            if left.1.links != right.1.links { return left.1.links > right.1.links }
            return left.0.url < right.0.url
        }
    }

    /// The groups for people, one target per line, as "broken: http://h/gone (http.404): 12 links on 3 pages:
    /// http://h/:5:3, …".
    func text(_ text: CheckText) -> [UInt8] {
        var output = ""
        for (_, group) in sorted {
            guard let first = group.examples.first else { continue }
            let more = group.links > group.examples.count ? ", …" : ""
            let places = group.examples.map(text.place).joined(separator: ", ") + more
            let count =
                "\(Wording.number(group.links, "link")) on \(Wording.number(group.pages.count, "page"))"
            output += "\(text.word(of: first)): \(text.target(of: first)): \(count): \(places)\n"
        }
        return Array(output.utf8)
    }

    /// The groups as JSON.
    var json: [JSONValue] {
        sorted.map { target, group in
            var members: [JSONValue.Member] = [
                .init("code", JSONValue(target.code)), .init("links", .integer(Int64(group.links))),
                .init("pages", .integer(Int64(group.pages.count))),
                .init("places", .array(group.examples.map(Self.place))),
                .init("result", .string(target.result.rawValue)), .init("url", .string(target.url)),
            ]
            if target.isKnown { members.insert(.init("known", .bool(true)), at: 1) }
            return .object(members)
        }
    }

    private static func place(_ link: CheckedLink) -> JSONValue {
        ["column": JSONValue(link.column), "line": JSONValue(link.line), "page": JSONValue(link.page)]
    }
}
