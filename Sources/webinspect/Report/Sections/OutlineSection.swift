import WebLoader

extension Outline {
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
