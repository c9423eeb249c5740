import WebBrowsing

/// The commands of a session.
enum SessionVerb: String, CaseIterable {
    case open, title, url, links, follow, back, forward, go, reload, history, find, next, previous, forms,
        fill, submit,
        select, extract, text, save, cookies, help, quit

    /// The command's operands, as in the help.
    var operands: String {
        switch self {
        case .open: "URL"
        case .follow: "N|TEXT"
        case .go: "N"
        case .reload: "[origin]"
        case .find: "TEXT"
        case .fill: "NAME VALUE"
        case .submit: "[BUTTON]"
        case .select: "SELECTOR"
        case .extract: "RECIPE"
        case .save: "FILE"
        default: ""
        }
    }

    private var summary: String {
        switch self {
        case .open: "load a page: a URL or a path"
        case .title: "its title"
        case .url: "its URL"
        case .links: "its links: number, URL, text"
        case .follow: "load what a link leads to, by its number or its whole text"
        case .back: "show the page before, as it was kept"
        case .forward: "show the page after"
        case .go: "show the entry of the history with that number"
        case .reload: "load the page again; with origin, past all caches"
        case .history: "the pages of the session; * is the one in view"
        case .find: "the first place of a text: number, line and column, context"
        case .next: "the next place"
        case .previous: "the place before"
        case .forms: "the fields of its forms, as they are filled in"
        case .fill: "fill in a field"
        case .submit: "send the form of the field that was filled in last, or of a button"
        case .select: "what a CSS selector matches, a line each"
        case .extract: "what a recipe finds, as JSON"
        case .text: "its main text"
        case .save: "copy the page into a file: .html, .mhtml, .warc, .wacz, .webarchive"
        case .cookies: "the cookies of the session"
        case .help: "this list"
        case .quit: "end the session"
        }
    }

    /// The list of all commands.
    static let list: String = {
        let width = (allCases.map { $0.rawValue.count + $0.operands.count }.max() ?? 0) + 3
        return allCases.map { verb in
            let words = "\(verb.rawValue) \(verb.operands)"
            return "  \(words)\(String(repeating: " ", count: max(1, width - words.count)))\(verb.summary)"
        }.joined(separator: "\n")
    }()
}

/// A line of a session: a command, and what stands behind it.
struct SessionLine {
    let verb: SessionVerb
    /// The rest of the line as it stands, without the space behind the command.
    let rest: Substring.UnicodeScalarView

    /// Reads a line; nil for one that is empty, or a comment.
    ///
    /// It is taken apart by Unicode scalars: one that combines with a space or a quote does not take that away.
    init?(_ line: String) throws(Failure) {
        let text = line[...].unicodeScalars.drop(while: Self.isBlank)
        guard !text.isEmpty, text.first != "#" else { return nil }
        let word = text.prefix { !Self.isBlank($0) }
        guard
            let verb = SessionVerb(
                rawValue: word.elementsEqual("exit".unicodeScalars) ? "quit" : String(word)
            )
        else {
            throw Failure(
                usage: String(String.UnicodeScalarView(word.prefix(100))),
                "no such command; help lists them"
            )
        }
        self.verb = verb
        rest = text.dropFirst(word.count + 1)
        guard !verb.operands.isEmpty || operand.isEmpty else {
            throw Failure(usage: "\(verb.rawValue) \(operand.shortened)", "\(verb.rawValue) stands alone")
        }
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

    /// The rest without white space around it.
    var operand: String {
        var text = rest
        while let first = text.first, first.properties.isWhitespace { text.removeFirst() }
        while let last = text.last, last.properties.isWhitespace { text.removeLast() }
        return String(text)
    }

    /// All of the rest as a name, in double quotes or not; nil where there is none.
    ///
    /// - Throws: ``Failure`` where quotes do not close, or something stands behind them.
    func name() throws(Failure) -> String? {
        guard operand.unicodeScalars.first == "\"" else { return operand.isEmpty ? nil : operand }
        let (word, rest) = try word()
        guard rest.unicodeScalars.allSatisfy(\.properties.isWhitespace) else {
            throw Failure(usage: "\(verb.rawValue) \(operand.shortened)", "unexpected text behind the name")
        }
        return word
    }

    /// A word, in double quotes if it has spaces, and the rest of the line behind it as it stands.
    ///
    /// - Throws: ``Failure`` where there is no word, or its quotes do not close.
    func word() throws(Failure) -> (word: String, rest: String) {
        var text = rest.drop(while: Self.isBlank)
        guard text.first == "\"" else {
            let word = text.prefix { !Self.isBlank($0) }
            guard !word.isEmpty else { throw Failure(usage: verb.rawValue, "expects a name") }
            return (String(word), String(text.dropFirst(word.count + 1)))
        }
        text.removeFirst()
        var word = String.UnicodeScalarView()
        while let scalar = text.popFirst() {
            switch scalar {
            case "\"":
                guard !word.isEmpty else { throw Failure(usage: verb.rawValue, "expects a name") }
                return (String(word), String(text.dropFirst()))
            case "\\": word.append(text.popFirst() ?? "\\")
            default: word.append(scalar)
            }
        }
        throw Failure(usage: verb.rawValue, "the double quotes of the name do not close")
    }
}
