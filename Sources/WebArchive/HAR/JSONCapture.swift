/// A value of JSON that was copied out of a file, but for what is long in an entry of a HAR.
struct JSONCapture {
    /// The value's bytes; empty if they are too many, or nested too deeply.
    ///
    /// In an entry, a body is an empty string, and members for which nobody asks are null.
    var bytes: [UInt8] = []
    /// Where the value is in the file.
    var range: Range<Int>
    /// Where the string of `response.content.text` is in the file, without its quotes.
    var text: Range<Int>?
    /// Whether the file does not end before the value.
    var isWhole = false
    /// Whether each bracket closes its own kind.
    var isBalanced = true
    /// Whether it is longer than what is copied.
    var isTooLong = false
    /// Whether it is nested more deeply than a parser goes.
    var isTooDeep = false
    /// Whether a control character is in the body's string.
    var hasControlCharacter = false
    /// Where another entry begins in this one, whose end is missing; the value ends there.
    var nextEntry: Int?
}

/// Copies a value of JSON, byte by byte, without recursion.
///
/// Only brackets and quotes are looked at; whether it is JSON is for a parser to say.
struct JSONCapturer {
    /// The members on whose way an entry's body is found, and those that are left out.
    private enum Name {
        case response, content, text, request, omitted, other
    }

    private var capture: JSONCapture
    private let maximumSize: Int
    private let isEntry: Bool

    /// Whether each open bracket, from the outermost, is one of an object; as far as ``maximumDepth``.
    private var kinds: [Bool] = []
    /// Where each of them is in the file, and in the copy.
    private var places: [(file: Int, copy: Int)] = []
    private var depth = 0
    /// The names of the members that are open at the first three levels.
    private var names: [Name] = [.other, .other, .other]
    /// Whether the next string is a name.
    private var expectsName = false
    /// The level of the member that is being left out.
    private var omittedLevel: Int?

    private static let maximumDepth = 512

    init(at offset: Int, maximumSize: Int, isEntry: Bool) {
        capture = JSONCapture(range: offset..<offset)
        self.maximumSize = maximumSize
        self.isEntry = isEntry
    }

    /// Copies the value that begins at the cursor, and passes over it.
    mutating func run(_ cursor: inout FileCursor) throws(ArchiveError) -> JSONCapture {
        let start = cursor.offset
        capture.isWhole = try value(&cursor)
        capture.range = start..<cursor.offset
        if capture.isTooLong || capture.isTooDeep { capture.bytes = [] }
        return capture
    }

    /// Returns whether the value has an end.
    private mutating func value(_ cursor: inout FileCursor) throws(ArchiveError) -> Bool {
        var isFirst = true
        while let byte = try cursor.peek() {
            switch byte {
            case UInt8(ascii: "\""):
                guard try string(&cursor) else { return false }
                if depth == 0 { return true }
                if let next = capture.nextEntry {
                    cursor.seek(to: next)
                    return true
                }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open(byte == UInt8(ascii: "{"), at: cursor.offset)
                append(byte)
                cursor.advance()
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return true }
                close(byte == UInt8(ascii: "}"))
                cursor.advance()
                if depth == 0 { return true }
            case UInt8(ascii: ","):
                if depth == 0, !isFirst { return true }
                separate()
                append(byte)
                cursor.advance()
            case UInt8(ascii: ":"):
                append(byte)
                cursor.advance()
                expectsName = false
                omitIfNeeded()
            case 0x20, 0x09, 0x0A, 0x0D:
                if depth == 0 { return true }
                cursor.advance()
            default:
                append(byte)
                cursor.advance()
            }
            isFirst = false
        }
        // A number or a literal may end with the file.
        return depth == 0 && !isFirst
    }

    // MARK: - Brackets

    private mutating func open(_ isObject: Bool, at offset: Int) {
        depth += 1
        if depth <= Self.maximumDepth {
            kinds.append(isObject)
            places.append((offset, capture.bytes.count))
        } else if omittedLevel == nil {
            capture.isTooDeep = true
        }
        if 1...3 ~= depth { names[depth - 1] = .other }
        expectsName = isObject
    }

    /// Closes a bracket; one that closes nothing is left out, and one that is missing is put in.
    private mutating func close(_ isObject: Bool) {
        if depth <= Self.maximumDepth, kinds.last != isObject {
            capture.isBalanced = false
            guard isObject, kinds.contains(true) else { return }
            while kinds.last == false { pop(UInt8(ascii: "]")) }
        }
        pop(UInt8(ascii: isObject ? "}" : "]"))
    }

    private mutating func pop(_ bracket: UInt8) {
        endOmission()
        if depth <= Self.maximumDepth {
            kinds.removeLast()
            places.removeLast()
        }
        depth -= 1
        expectsName = false
        append(bracket)
    }

    private mutating func separate() {
        endOmission()
        expectsName = depth > 0 && depth <= Self.maximumDepth && kinds.last == true
    }

    /// Leaves the member out whose colon has just been read, if nobody asks for it.
    private mutating func omitIfNeeded() {
        guard isEntry, omittedLevel == nil, 1...3 ~= depth, names[depth - 1] == .omitted else { return }
        for byte in "null".utf8 { append(byte) }
        omittedLevel = depth
    }

    private mutating func endOmission() {
        if omittedLevel == depth { omittedLevel = nil }
    }

    // MARK: - Strings

    private var isBody: Bool {
        isEntry && depth == 3 && names[0] == .response && names[1] == .content && names[2] == .text
            && kinds == [true, true, true]
    }

    /// Copies a string; returns whether it has an end.
    private mutating func string(_ cursor: inout FileCursor) throws(ArchiveError) -> Bool {
        let isName = expectsName
        let isBody = !isName && isBody
        let start = capture.bytes.count
        append(UInt8(ascii: "\""))
        cursor.advance()
        let textStart = cursor.offset
        var isEscaped = false
        while try cursor.fill() {
            let piece = unsafe cursor.piece
            var index = 0
            var isEnded = false
            while index < piece.count {
                let byte = unsafe piece[index]
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\"") {
                    isEnded = true
                    break
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte < 0x20 {
                    if isBody { capture.hasControlCharacter = true }
                }
                index += 1
            }
            if !isBody { unsafe append(UnsafeRawBufferPointer(rebasing: piece[..<index])) }
            cursor.advance(by: index)
            if isEnded {
                if isBody { capture.text = textStart..<cursor.offset }
                append(UInt8(ascii: "\""))
                cursor.advance()
                if isName { take(name: start) }
                return true
            }
        }
        return false
    }

    /// Notes the name that has been copied.
    private mutating func take(name start: Int) {
        expectsName = false
        if isEntry, omittedLevel == nil, 2...Self.maximumDepth ~= depth, start < capture.bytes.count,
            capture.bytes[start...].elementsEqual("\"startedDateTime\"".utf8)
        {
            // Nothing in an entry has it.
            beginNextEntry()
        }
        guard isEntry, 1...3 ~= depth, omittedLevel == nil, start < capture.bytes.count else { return }
        let name = capture.bytes[start...]
        names[depth - 1] =
            switch depth {
            case 1 where name.elementsEqual("\"response\"".utf8): .response
            case 1 where name.elementsEqual("\"request\"".utf8): .request
            // Stack traces and messages of web sockets may be longer than all else.
            case 1 where name.starts(with: "\"_".utf8): .omitted
            case 2 where names[0] == .response && name.elementsEqual("\"content\"".utf8): .content
            case 2 where names[0] == .request && name.elementsEqual("\"postData\"".utf8): .omitted
            case 3 where names[1] == .content && name.elementsEqual("\"text\"".utf8): .text
            default: .other
            }
    }

    /// Ends the entry where the innermost object begins, with the brackets that it misses.
    private mutating func beginNextEntry() {
        let place = places[depth - 1]
        capture.nextEntry = place.file
        guard place.copy <= capture.bytes.count else { return }
        capture.bytes.removeLast(capture.bytes.count - place.copy)
        if capture.bytes.last == UInt8(ascii: ",") { capture.bytes.removeLast() }
        capture.bytes += kinds.dropLast().reversed().map { UInt8(ascii: $0 ? "}" : "]") }
    }

    // MARK: - Copying

    private mutating func append(_ byte: UInt8) {
        guard isCopying(1) else { return }
        capture.bytes.append(byte)
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard isCopying(bytes.count) else { return }
        unsafe capture.bytes.append(contentsOf: bytes)
    }

    private mutating func isCopying(_ count: Int) -> Bool {
        guard omittedLevel == nil, !capture.isTooLong, !capture.isTooDeep else { return false }
        guard capture.bytes.count + count <= maximumSize else {
            capture.isTooLong = true
            return false
        }
        return true
    }
}
