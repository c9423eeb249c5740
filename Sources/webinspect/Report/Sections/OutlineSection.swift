import WebLoader

extension Outline {
    /// docs/json-report.md describes it to users, as all sections.
    var json: JSONValue {
        [
            "headings": .array(headings.map(\.json)), "landmarks": .array(landmarks.map(\.json)),
            "sections": .array(sections.map(\.json)),
        ]
    }

    /// As in "banner, navigation, main; 2 sections; 1 heading skips a level (line 7)"; nil for a page without any.
    var text: String? {
        let roles = landmarks.map { landmark in
            landmark.label.map { "\(landmark.role.rawValue) \"\($0)\"" } ?? landmark.role.rawValue
        }
        var parts: [String] = []
        if !roles.isEmpty { parts.append(Wording.first(6, of: roles)) }
        if let sections = Wording.count(sections.count, "section") { parts.append(sections) }
        if !headings.isEmpty {
            let first = headings.count { $0.level == 1 }
            if first != 1 { parts.append(first == 0 ? "no h1" : "\(first) h1") }
        }
        let gaps = headings.filter { $0.skippedLevels > 0 }
        if !gaps.isEmpty {
            let lines = gaps.compactMap { $0.position.map { String($0.line) } }
            parts.append(
                "\(gaps.count) heading\(gaps.count == 1 ? " skips" : "s skip") a level"
                    + (lines.isEmpty ? "" : " (line \(Wording.first(3, of: lines)))")
            )
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}

extension OutlineHeading {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("level", .integer(Int64(level))), .init("text", .string(text)),
            .init("element", .string(element)),
        ]
        if skippedLevels > 0 { members.add("skipped_levels", skippedLevels) }
        members.add("section", section)
        return .object(members + JSONValue.members(position))
    }
}

extension Landmark {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("role", .string(role.rawValue)), .init("element", .string(element)),
        ]
        members.add("label", label)
        members.add("parent", parent)
        return .object(members + JSONValue.members(position))
    }
}

extension OutlineSection {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("element", .string(element)), .init("depth", .integer(Int64(depth))),
        ]
        members.add("parent", parent)
        members.add("heading", heading)
        members.add("label", label)
        return .object(members + JSONValue.members(position))
    }
}
