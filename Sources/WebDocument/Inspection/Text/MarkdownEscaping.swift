/// Writes the characters of a line so that CommonMark reads them as text.
///
/// <https://spec.commonmark.org/0.31.2/#backslash-escapes>
struct MarkdownEscaping {
    private(set) var bytes: [UInt8] = []
    private let place: MarkdownLine.Place
    private var lineStart = 0
    /// Code that is not written yet: two adjacent spans would be read as one that contains the marks between
    /// them.
    private var code: [UInt8] = []
    /// Whether the text of a link or of an image is being written, in which brackets have to be in pairs.
    private var isInLink = false
    /// Where the bracket is, in the piece that is being written, that closes one without an escape.
    private var pairEnd: Int?

    init(_ place: MarkdownLine.Place) {
        self.place = place
    }

    mutating func write(_ markup: String) {
        endCode()
        bytes += markup.utf8
    }

    /// Begins a link or a note; an exclamation mark before it would make it an image.
    mutating func beginLink() {
        endCode()
        if bytes.last == UInt8(ascii: "!") {
            bytes.removeLast()
            bytes += #"\!"#.utf8
        }
        bytes.append(UInt8(ascii: "["))
        isInLink = true
    }

    /// Begins an image.
    mutating func beginImage() {
        endCode()
        bytes += "![".utf8
        isInLink = true
    }

    /// Ends the text of a link, of an image or of a note.
    mutating func endLinkText() {
        endCode()
        bytes.append(UInt8(ascii: "]"))
        isInLink = false
    }

    mutating func writeBreak() {
        endCode()
        switch place {
        case .paragraph:
            bytes += "\\\n".utf8
            lineStart = bytes.count
        case .heading: bytes.append(0x20)
        case .cell: bytes += "<br>".utf8
        }
    }

    mutating func write(text: ArraySlice<UInt8>) {
        endCode()
        pairEnd = nil
        if continuesURL(text) { bytes.append(UInt8(ascii: "\\")) }
        var start = text.startIndex
        for index in text.indices where Self.isSpecial[Int(text[index])] {
            bytes += text[start..<index]
            if needsEscape(text, index) { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(text[index])
            start = index + 1
        }
        bytes += text[start...]
    }

    /// Whether a byte is one that ``needsEscape(_:_:)`` checks; most are not.
    private static let isSpecial: [Bool] = {
        var isSpecial = [Bool](repeating: false, count: 256)
        for byte in #"\`*[]<~_&|#-+=>:.)^"#.utf8 { isSpecial[Int(byte)] = true }
        return isSpecial
    }()

    private mutating func needsEscape(_ text: ArraySlice<UInt8>, _ index: Int) -> Bool {
        switch text[index] {
        case UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "~"): return true
        case UInt8(ascii: "["):
            pairEnd = isInLink ? nil : Self.endOfPair(text, index, isAtStart: bytes.count == lineStart)
            return pairEnd == nil
        case UInt8(ascii: "]"): return pairEnd != index
        // Tags, comments, declarations and instructions.
        case UInt8(ascii: "<"):
            guard index + 1 < text.endIndex else { return true }
            let next = text[index + 1]
            return next.isASCIIAlpha || next == UInt8(ascii: "/") || next == UInt8(ascii: "!")
                || next == UInt8(ascii: "?")
        case UInt8(ascii: "_"):
            // Between letters or digits it is not emphasis.
            return
                !(index > text.startIndex && text[index - 1].isASCIIAlphanumeric && index + 1 < text.endIndex
                && text[index + 1].isASCIIAlphanumeric)
        case UInt8(ascii: "&"): return Self.isReference(text[index...])
        // At the start of a line it may begin the row of delimiters that makes a table of the line above.
        case UInt8(ascii: "|"): return place == .cell || bytes.count == lineStart
        // As the first character of a link's text it would turn the link into a note.
        case UInt8(ascii: "^"): return bytes.last == UInt8(ascii: "[")
        // Behind a bracket of a note it would define the note.
        case UInt8(ascii: ":"):
            let isBehindNote = bytes.last == UInt8(ascii: "]") && bytes[lineStart] == UInt8(ascii: "[")
            return isBehindNote || isBeforeSlashes(text[index...])
                || bytes.count == lineStart && beginsBlock(text, index)
        case UInt8(ascii: "."), UInt8(ascii: ")"):
            let isBeforeSpace = index + 1 == text.endIndex || text[index + 1].isASCIIWhitespace
            return place != .cell && isBeforeSpace && isBehindNumber
                || text[index] == UInt8(ascii: ".") && isBehindWWW
        case UInt8(ascii: "#") where place == .heading: return endsHeading(text, index)
        default: return bytes.count == lineStart && beginsBlock(text, index)
        }
    }

    /// Whether a character at the start of a line would begin a block other than a paragraph, or make one of the line
    /// above.
    private func beginsBlock(_ text: ArraySlice<UInt8>, _ index: Int) -> Bool {
        guard place != .cell else { return false }
        guard let next = text[index...].dropFirst().first else { return true }
        switch text[index] {
        case UInt8(ascii: "-"):
            // The item of a list; a break, an underline, the delimiters of a table.
            return next.isASCIIWhitespace || next == UInt8(ascii: "-") || next == UInt8(ascii: "|")
                || next == UInt8(ascii: ":")
        case UInt8(ascii: ":"): return next == UInt8(ascii: "-")
        case UInt8(ascii: "+"): return next.isASCIIWhitespace
        case UInt8(ascii: "#"):
            let end = text[index...].firstIndex { $0 != UInt8(ascii: "#") } ?? text.endIndex
            return end - index <= 6 && (end == text.endIndex || text[end].isASCIIWhitespace)
        // An underline, which the first line of a paragraph is not.
        case UInt8(ascii: "="): return lineStart > 0
        case UInt8(ascii: ">"): return true
        default: return false
        }
    }

    /// Whether a number sign is the last of a heading, so that readers would leave out the run that it ends.
    private func endsHeading(_ text: ArraySlice<UInt8>, _ index: Int) -> Bool {
        guard bytes.isEmpty || bytes.last == 0x20 || bytes.last == UInt8(ascii: "#") else { return false }
        return index + 1 == text.endIndex || index + 2 == text.endIndex && text[index + 1] == 0x20
    }

    /// Returns the index of the bracket that closes one, if no reader takes the two for a link, a note or a task.
    ///
    /// A text in brackets is a link only if something defines it, and definitions are escaped. A text in brackets is
    /// not examined if it is long, contains other brackets, or ends with the text, so that the next character is
    /// unknown.
    private static func endOfPair(_ text: ArraySlice<UInt8>, _ index: Int, isAtStart: Bool) -> Int? {
        let inside = text[index...].dropFirst().prefix(longestPair)
        guard let end = inside.firstIndex(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }),
            text[end] == UInt8(ascii: "]"), end + 1 < text.endIndex
        else { return nil }
        let next = text[end + 1]
        if next == UInt8(ascii: "(") || next == UInt8(ascii: "[") || next == UInt8(ascii: ":") { return nil }
        // A note, or a task.
        if inside.first == UInt8(ascii: "^") || isAtStart && isTask(text[(index + 1)..<end]) { return nil }
        return end
    }

    /// Whether what stands between two brackets is the mark of a task, done or not.
    private static func isTask(_ mark: ArraySlice<UInt8>) -> Bool {
        mark.isEmpty || mark.count == 1 && " xX".utf8.contains(mark.first ?? 0)
    }

    /// Bytes of the longest text in brackets that is looked at.
    private static var longestPair: Int { 100 }

    /// Whether the line is nothing but a number so far, as that of a list's item.
    private var isBehindNumber: Bool {
        let line = bytes[lineStart...]
        return !line.isEmpty && line.count <= 9 && line.allSatisfy(\.isASCIIDigit)
    }

    /// Whether a colon is followed by slashes, so that GitHub's Markdown takes the text for a
    /// URL.
    ///
    /// That would not only make it a link, but also ignore escapes in it: escaped markup would be markup again.
    ///
    /// <https://github.github.com/gfm/#autolinks-extension->
    private func isBeforeSlashes(_ text: ArraySlice<UInt8>) -> Bool {
        text.dropFirst().starts(with: "//".utf8)
    }

    /// Whether a text begins with slashes that make a URL of what is written so far, which a colon, or a colon and a
    /// slash, ends.
    private func continuesURL(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.first == UInt8(ascii: "/") else { return false }
        if bytes.last == UInt8(ascii: ":") { return true }
        return bytes.count > 1 && bytes.last == UInt8(ascii: "/")
            && bytes[bytes.count - 2] == UInt8(ascii: ":")
    }

    /// Whether a dot after what is written so far would begin a URL in GitHub's Markdown.
    private var isBehindWWW: Bool {
        bytes.count >= 3 && bytes.suffix(3).allSatisfy { $0 | 0x20 == UInt8(ascii: "w") }
    }

    /// Whether text that begins with an ampersand may be a character reference, the longest of which has 33 bytes; at
    /// the end of a piece it is not known what follows.
    private static func isReference(_ text: ArraySlice<UInt8>) -> Bool {
        for byte in text.dropFirst().prefix(33) where !byte.isASCIIAlphanumeric && byte != UInt8(ascii: "#") {
            return byte == UInt8(ascii: ";")
        }
        return true
    }

    /// Adds to a code span, or begins one.
    mutating func append(code: ArraySlice<UInt8>) { self.code += code }

    /// Writes the pending code span, with as many backticks as needed.
    ///
    /// <https://spec.commonmark.org/0.31.2/#code-spans>
    mutating func endCode() {
        guard !code.isEmpty else { return }
        let code = self.code
        self.code = []
        let fence = [UInt8](repeating: UInt8(ascii: "`"), count: Self.longestRun(code) + 1)
        let needsPadding = code.first == UInt8(ascii: "`") || code.last == UInt8(ascii: "`")
        bytes += fence
        if needsPadding { bytes.append(0x20) }
        for byte in code {
            if byte == UInt8(ascii: "|"), place == .cell { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        if needsPadding { bytes.append(0x20) }
        bytes += fence
    }

    /// The length of the longest run of backticks.
    static func longestRun(_ code: some Sequence<UInt8>) -> Int {
        var longest = 0
        var run = 0
        for byte in code {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }

    /// The title of a link, if it has any.
    ///
    /// <https://spec.commonmark.org/0.31.2/#link-title>
    mutating func write(title: String) {
        guard !title.isEmpty else { return }
        bytes += #" ""#.utf8
        for byte in title.utf8 {
            if byte == UInt8(ascii: "\\") {
                // At the end of a title GitHub's reader takes two of them for one before the quotation mark.
                bytes += "&#92;".utf8
                continue
            }
            if Self.isMarkup[Int(byte)] { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether a byte could end a title, or be part of what readers look for first.
    private static let isMarkup: [Bool] = {
        var isMarkup = [Bool](repeating: false, count: 256)
        for byte in #"`"<&|[]"#.utf8 { isMarkup[Int(byte)] = true }
        return isMarkup
    }()

    /// The destination of a link.
    ///
    /// <https://spec.commonmark.org/0.31.2/#link-destination>
    mutating func write(url: String) {
        let isPlain =
            !url.isEmpty
            && url.utf8.allSatisfy { byte in
                byte > 0x20 && byte != 0x7F && byte != UInt8(ascii: "(") && byte != UInt8(ascii: ")")
                    && byte != UInt8(ascii: "<")
            }
        if !isPlain { bytes.append(UInt8(ascii: "<")) }
        let url = Array(url.utf8)
        for (index, byte) in url.enumerated() {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "`"),
                UInt8(ascii: "&") where byte != UInt8(ascii: "&") || Self.isReference(url[index...]):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case UInt8(ascii: "|") where place == .cell: bytes += "%7C".utf8
            case 0x0A, 0x0D: bytes.append(0x20)
            default: bytes.append(byte)
            }
        }
        if !isPlain { bytes.append(UInt8(ascii: ">")) }
    }
}
