internal import WebDocument
internal import WebStandards

/// Converts found changes into the public ones, with paths, lines and summaries, in the order of the new page.
struct ChangeWriter {
    private let old: Side?
    private let new: Side?
    private let keepsWholeText: Bool

    /// The maximum number of bytes of the paths of all changes together; later changes have no paths.
    private static let maximumPathBytes = 32 << 20

    init(old: Side, new: Side, _ options: PageDifference.Options) {
        self.old = old
        self.new = new
        keepsWholeText = options.keepsWholeText
    }

    /// Creates a writer for changes that do not belong to a page.
    init(_ options: PageDifference.Options) {
        old = nil
        new = nil
        keepsWholeText = options.keepsWholeText
    }

    func changes(_ found: [FoundChange], isSorted: Bool = true) -> [PageDifference.Change] {
        var ordered = Array(found.enumerated())
        if isSorted {
            ordered.sort {
                ($0.element.new.order, $0.element.old.order, $0.offset)
                    < ($1.element.new.order, $1.element.old.order, $1.offset)
            }
        }
        var (oldPaths, newPaths) = (NodePath(), NodePath())
        var room = Self.maximumPathBytes
        return ordered.map { _, change in
            let hasOld = change.operation != .added
            let hasNew = change.operation != .removed
            let (oldText, newText) = texts(change)
            return PageDifference.Change(
                kind: change.kind,
                operation: change.operation,
                old: oldText,
                new: newText,
                oldPath: hasOld ? path(change.old.element, old, &oldPaths, &room) : nil,
                newPath: hasNew ? path(change.new.element, new, &newPaths, &room) : nil,
                oldLine: hasOld ? line(change.old, old) : nil,
                newLine: hasNew ? line(change.new, new) : nil,
                name: change.name.isEmpty ? nil : change.name,
                summary: summary(change)
            )
        }
    }

    /// The old and new text; long ones begin a little before the first difference.
    private func texts(_ change: FoundChange) -> (old: String?, new: String?) {
        guard !keepsWholeText, change.operation == .changed, let old = change.old.text,
            let new = change.new.text, max(old.utf8.count, new.utf8.count) > Self.maximumTextBytes
        else { return (change.old.text.map(cut), change.new.text.map(cut)) }
        let common = zip(old.utf8, new.utf8).prefix { $0 == $1 }.count
        func shown(_ text: String) -> String {
            let bytes = Array(text.utf8.dropFirst(max(0, common - 200)).prefix(Self.maximumTextBytes + 200))
            // From the next word on, so that no character is cut in two.
            guard common > 200, let space = bytes.prefix(200).firstIndex(where: \.isASCIIWhitespace) else {
                return cut(common > 200 ? "…" + Self.whole(bytes) : text)
            }
            return cut("…" + String(decoding: bytes[(space + 1)...], as: UTF8.self))
        }
        return (shown(old), shown(new))
    }

    /// Decodes bytes that may begin or end within a character.
    private static func whole(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.drop { $0 & 0xC0 == 0x80 }, as: UTF8.self)
    }

    private func path(_ element: Int32, _ side: Side?, _ paths: inout NodePath, _ room: inout Int) -> String?
    {
        guard element >= 0, room > 0, let side, let document = side.document else { return nil }
        let path = paths.css(Node(address: side.tree.items[Int(element)].address, in: document))
        room -= path?.utf8.count ?? 0
        return path
    }

    private func line(_ place: FoundChange.Place, _ side: Side?) -> Int? {
        if place.line > 0 { return place.line }
        guard place.element >= 0, let side else { return nil }
        let line = Int(side.tree.items[Int(place.element)].line)
        return line > 0 ? line : nil
    }

    /// The maximum number of bytes of a change's texts, unless whole texts are wanted.
    private static let maximumTextBytes = 4096

    private func cut(_ text: String) -> String {
        keepsWholeText ? text : Self.cut(text, Self.maximumTextBytes)
    }

    static func cut(_ text: String, _ size: Int) -> String {
        guard text.utf8.count > size else { return text }
        var scalars = String.UnicodeScalarView()
        var left = size
        for scalar in text.unicodeScalars {
            left -= UTF8.width(scalar)
            guard left >= 0 else { break }
            scalars.append(scalar)
        }
        return String(scalars) + "…"
    }

    private func summary(_ change: FoundChange) -> String {
        let subject =
            change.name.isEmpty ? change.kind.rawValue : "\(change.kind.rawValue) (\(change.name))"
        let head = "\(subject) \(change.operation.rawValue)"
        func quote(_ text: String?) -> String { "\"\(Self.cut(text ?? "", 100))\"" }
        switch change.operation {
        case .added: return "\(head): \(quote(change.new.text))"
        case .removed, .moved: return "\(head): \(quote(change.old.text))"
        case .changed:
            let (old, new) = change.changed ?? (change.old.text ?? "", change.new.text ?? "")
            return "\(head): \(quote(old)) -> \(quote(new))"
        }
    }
}
