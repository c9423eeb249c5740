/// Puts blocks of CommonMark one below the other, each inside the quotes and items that are open.
///
/// <https://spec.commonmark.org/0.31.2/#container-blocks>
struct MarkdownBlocks {
    private(set) var bytes: [UInt8] = []

    /// A quote or an item of a list that is open.
    private struct Container {
        let marker: [UInt8]
        let continuation: [UInt8]
        /// Whether it may follow a paragraph without a blank line.
        let interrupts: Bool
        /// Whether its first line is written.
        var hasBegun = false
    }

    private var containers: [Container] = []
    /// Whether the last block was the text of an item, behind which a list needs no blank line, and how many quotes and
    /// items it was in.
    private var isBehindItemText = false
    private var lastDepth = 0

    /// The list that ended last, if nothing has been written since.
    var lastList: (isOrdered: Bool, marker: UInt8)?

    /// Opens a quote or an item; returns false where too many are open already.
    mutating func open(
        marker: [UInt8],
        continuation: [UInt8]? = nil,
        indentation: Int = 0,
        interrupts: Bool = true
    ) -> Bool {
        guard containers.count < MarkdownWriter.maximumNesting else { return false }
        let continuation = continuation ?? [UInt8](repeating: 0x20, count: indentation)
        containers.append(Container(marker: marker, continuation: continuation, interrupts: interrupts))
        return true
    }

    mutating func close() { containers.removeLast() }

    /// Whether the next line begins with the marker of an item and nothing before it: GitHub's reader sees tasks only there.
    var isAtItem: Bool {
        guard let last = containers.last, !last.hasBegun else { return false }
        return containers.dropLast().allSatisfy { $0.hasBegun && $0.marker.first != UInt8(ascii: ">") }
    }

    /// Writes a block whose lines are separated by line feeds.
    mutating func write(_ block: [UInt8], isItemText: Bool = false) {
        write(lines: block.split(separator: 0x0A, omittingEmptySubsequences: false), isItemText: isItemText)
    }

    /// Writes a block of code between fences.
    ///
    /// <https://spec.commonmark.org/0.31.2/#fenced-code-blocks>
    mutating func write(code: [UInt8], language: String) {
        guard code.contains(where: { !$0.isASCIIWhitespace }) else { return }
        let fence = [UInt8](
            repeating: UInt8(ascii: "`"),
            count: max(3, MarkdownEscaping.longestRun(code) + 1)
        )
        // A carriage return would end the line, and with it the quote or item; browsers show it as a space.
        var lines = code.map { $0 == 0x0D ? 0x20 : $0 }.split(
            separator: 0x0A,
            omittingEmptySubsequences: false
        )
        while lines.last?.isEmpty == true { lines.removeLast() }
        write(lines: [(fence + Array(language.utf8))[...]] + lines + [fence[...]], isCode: true)
    }

    mutating func write(lines: [ArraySlice<UInt8>], isItemText: Bool = false, isCode: Bool = false) {
        guard !lines.isEmpty else { return }
        if couldDefineLink(lines[0], isCode: isCode) {
            // Two spaces, which are neither a link destination nor a title: every reader shows an empty
            // paragraph.
            writeLines([Array("&#32; &#32;".utf8)[...]], isItemText: false)
        }
        writeLines(lines, isItemText: isItemText)
    }

    /// Whether a reader that does not support footnotes would take the first line of one for a link reference
    /// definition, or the lines after it for text where they are code.
    ///
    /// <https://spec.commonmark.org/0.31.2/#link-reference-definitions>
    private func couldDefineLink(_ line: ArraySlice<UInt8>, isCode: Bool) -> Bool {
        guard
            let note = containers.firstIndex(where: { !$0.hasBegun && $0.marker.first == UInt8(ascii: "[") })
        else { return false }
        if isCode { return true }
        let text = containers[(note + 1)...].flatMap(\.marker) + line
        // A link destination is one word, and a title is in quotation marks or parentheses.
        guard let end = text.firstIndex(of: 0x20), let next = text[end...].first(where: { $0 != 0x20 }) else {
            return true
        }
        return next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") || next == UInt8(ascii: "(")
    }

    private mutating func writeLines(_ lines: [ArraySlice<UInt8>], isItemText: Bool) {
        separate()
        for line in lines {
            let start = bytes.count
            for index in containers.indices {
                bytes +=
                    containers[index].hasBegun ? containers[index].continuation : containers[index].marker
                containers[index].hasBegun = true
            }
            bytes += line
            if line.isEmpty { trimSpaces(from: start) }
            bytes.append(0x0A)
        }
        isBehindItemText = isItemText
        lastDepth = containers.count
        lastList = nil
    }

    /// Writes a blank line, unless a new item follows the text of one.
    private mutating func separate() {
        guard !bytes.isEmpty else { return }
        if isBehindItemText, let index = containers.firstIndex(where: { !$0.hasBegun }) {
            let new = containers[index]
            // Behind an item of its own list it interrupts no paragraph.
            let canFollow = new.interrupts || lastDepth > index
            if canFollow, new.marker.first != UInt8(ascii: "["), new.marker.first != UInt8(ascii: ">") {
                return
            }
        }
        let start = bytes.count
        for container in containers where container.hasBegun { bytes += container.continuation }
        trimSpaces(from: start)
        bytes.append(0x0A)
    }

    private mutating func trimSpaces(from start: Int) {
        while bytes.count > start, bytes.last == 0x20 { bytes.removeLast() }
    }
}
