import WebLoader

/// The words of one `--run`: a name perhaps, a command, and its own flags.
struct JobWords {
    /// The name in front of the command, as in `images=links --kind image`; `nil` if there is none.
    var name: String?
    let command: String
    let arguments: ArraySlice<String>
    /// All of it, as it was written.
    let text: String

    /// The longest name of a job, in bytes.
    private static let longestName = 64

    init(_ text: String) throws(Failure) {
        guard let words = ShellWords.split(text) else {
            throw Failure(usage: Self.subject(text), "a quote is not closed")
        }
        guard let first = words.first else {
            throw Failure(usage: "--run", "expects a job: the name of a command and its own flags, in quotes")
        }
        self.text = text
        arguments = words.dropFirst()
        guard let equals = first.firstIndex(of: "=") else {
            command = first
            return
        }
        let name = String(first[..<equals])
        command = String(first[first.index(after: equals)...])
        guard Self.isName(name) else {
            throw Failure(
                usage: Self.subject(text),
                "a name has 1 to \(Self.longestName) letters, digits, \"_\", \"-\" and \".\""
            )
        }
        self.name = name
    }

    private static func isName(_ name: String) -> Bool {
        1...longestName ~= name.utf8.count
            && name.utf8.allSatisfy { byte in
                byte.isASCIIDigit || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                    || [UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
            }
    }

    /// Returns the subject of a job's errors.
    static func subject(_ text: String) -> String {
        "--run '\(text.utf8.count > 120 ? "\(text.prefix(100))…" : text)'"
    }

    /// An error of this job.
    func failure(_ message: String) -> Failure { Failure(usage: Self.subject(text), message) }

    /// Reads the flags and the operands.
    ///
    /// - Parameters:
    ///   - flags: The flags of the command.
    ///   - refused: The flags that have no meaning here, with the reasons.
    /// - Returns: The options of the line.
    /// - Throws: ``Failure`` for an invalid flag or value.
    func line(_ flags: [CommandFlag], refused: [String: String]) throws(Failure) -> LineOptions {
        var given = GivenFlags(flags)
        var operands: [String] = []
        var rest = arguments
        var hasFlags = true
        while let word = rest.popFirst() {
            guard hasFlags, word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            if word == "--" {
                hasFlags = false
                continue
            }
            // A job's result is JSON anyway.
            if word == "--json" { continue }
            try take(word, &rest, into: &given, refused)
        }
        return try LineOptions(operands, [given])
    }

    private func take(
        _ word: String,
        _ rest: inout ArraySlice<String>,
        into given: inout GivenFlags,
        _ refused: [String: String]
    ) throws(Failure) {
        let equals = word.hasPrefix("--") ? word.firstIndex(of: "=") : nil
        let name = equals.map { String(word[..<$0]) } ?? word
        if let reason = refused[name] { throw failure("\(name): \(reason)") }
        guard let index = given.flags.firstIndex(where: { $0.isNamed(name) }) else {
            throw failure("\(name) is no flag of \"\(command)\" that a job has")
        }
        let flag = given.flags[index]
        let attached = equals.map { String(word[word.index(after: $0)...]) }
        if case .flag = flag.effect {
            guard attached == nil else { throw failure("\(name) takes no value") }
            return given.add("", at: index)
        }
        guard let value = attached ?? rest.popFirst() else { throw failure("\(name) expects a value") }
        if case .number = flag.effect, Int(inBounds: value) == nil {
            throw failure("\(name) expects a number, not \"\(value.prefix(40))\"")
        }
        given.add(value, at: index)
    }
}
