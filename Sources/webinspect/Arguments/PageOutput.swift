import WebLoader

/// A command's output about its pages: written at once to standard output, or as a whole to a file.
struct PageOutput {
    private let options: LoadingOptions
    private let isOneOfSeveral: Bool
    private var kept: [UInt8] = []
    /// Whether nothing has been written yet.
    private(set) var isFirst = true

    init(_ options: LoadingOptions, isOneOfSeveral: Bool) {
        self.options = options
        self.isOneOfSeveral = isOneOfSeveral
    }

    /// Writes the output for a page; with its source if there are several pages.
    mutating func write(
        _ bytes: [UInt8],
        of item: PageSources.Item,
        as form: PageSources.Form,
        isStyled: Bool = false
    ) throws(Failure) {
        guard isOneOfSeveral else { return try Output.write(bytes, to: options.output, isStyled: isStyled) }
        let name = Source.redacted(item.name)
        var output: [UInt8] = []
        switch form {
        case .lines:
            let mark = Array("\(TerminalText.visible(name))\t".utf8)
            for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
                output += mark + line + [0x0A]
            }
        case .rows: output = bytes
        case .text:
            if !isFirst { output.append(0x0A) }
            output += "==> \(TerminalText.visible(name)) <==\n".utf8 + bytes
        case .matches, .links:
            var members =
                item.isArchived ? Self.place(item.name, item.date) : [.init("source", .string(name))]
            if form == .links { members[0] = .init("source", .string(name)) }
            for line in bytes.split(separator: 0x0A) {
                output += JSONLine.beginning(with: members, line) + [0x0A]
            }
        case .document:
            guard item.isArchived else {
                output = bytes
                break
            }
            output = JSONLine.beginning(with: Self.place(item.name, item.date), bytes[...])
        }
        isFirst = false
        try add(output, isStyled: isStyled)
    }

    /// Adds the document of a page that failed.
    mutating func add(_ failure: Failure, of name: String, _ date: Timestamp?) throws(Failure) {
        guard case .object(let members) = failure.json else { return }
        let first =
            options.takesAllPages ? Self.place(name, date) : [.init("source", .string(Source.redacted(name)))]
        try add(JSONValue.object(first + members).lineInOrder)
    }

    /// Writes what was kept for a file.
    func finish() throws(Failure) {
        if options.output.map({ $0 != "-" }) ?? false { try Output.write(kept, to: options.output) }
    }

    /// Adds bytes as they are.
    mutating func add(_ bytes: [UInt8], isStyled: Bool = false) throws(Failure) {
        guard let path = options.output, path != "-" else {
            return try Output.write(bytes, isStyled: isStyled)
        }
        kept += bytes
    }

    /// Returns the first members of the line of an archive's page.
    static func place(_ url: String, _ date: Timestamp?) -> [JSONValue.Member] {
        [.init("url", .string(Source.redacted(url))), .init("date", JSONValue(date?.text))]
    }
}

/// Lines of JSON.
enum JSONLine {
    /// Prepends members to a JSON object and removes the object's own members of the same names.
    ///
    /// - Parameters:
    ///   - members: The first members.
    ///   - object: A JSON object as this program writes it, without white space; the bytes after it stay.
    /// - Returns: The object.
    static func beginning(with members: [JSONValue.Member], _ object: ArraySlice<UInt8>) -> [UInt8] {
        guard object.first == UInt8(ascii: "{") else { return Array(object) }
        var output = JSONValue.object(members).serialized(sortingNames: false)
        output.removeLast()
        var start = object.startIndex + 1
        while start < object.endIndex, object[start] == UInt8(ascii: "\"") {
            let colon = end(ofString: start, object)
            let end = end(ofValue: colon + 1, object)
            let name = object[(start + 1)..<(colon - 1)]
            if !members.contains(where: { $0.name.utf8.elementsEqual(name) }) {
                output.append(UInt8(ascii: ","))
                output += object[start..<end]
            }
            start = end
            if start < object.endIndex, object[start] == UInt8(ascii: ",") { start += 1 }
        }
        return output + object[start...]
    }

    /// Behind the end of a string that begins here.
    private static func end(ofString start: Int, _ bytes: ArraySlice<UInt8>) -> Int {
        var index = start + 1
        while index < bytes.endIndex, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, bytes.endIndex)
    }

    /// Behind the end of a value that begins here.
    private static func end(ofValue start: Int, _ bytes: ArraySlice<UInt8>) -> Int {
        var depth = 0
        var index = start
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index = end(ofString: index, bytes)
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { return index }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0: return index
            default: break
            }
            index += 1
        }
        return index
    }
}
