/// The user names and passwords of a netrc file, read as curl reads it.
///
/// An entry begins with `machine` and a host name, or with `default`, which matches every host; the `login`,
/// `password` and `account` that follow belong to it. The first entry that matches is used. A `macdef`
/// extends to the next empty line. A word may be in double quotes, and `#` begins a comment.
///
/// <https://everything.curl.dev/usingcurl/netrc>
struct Netrc: Equatable, Sendable {
    /// The entry of a host.
    struct Machine: Equatable, Sendable {
        /// The host, in lower case; nil for every one.
        let host: String?
        var login: String?
        var password: String?
    }

    private(set) var machines: [Machine] = []

    /// Reads a file; unknown words are ignored.
    init(_ bytes: [UInt8]) {
        var reader = Reader()
        // An empty line ends a macro, so the file is read line by line.
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            // After an unclosed quote, words cannot be recognized.
            guard reader.read(line, &machines) else { break }
        }
    }

    /// The name and password for a host.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - login: The name, where it is given already; nil for any.
    /// - Returns: Both; nil if there are none.
    func credentials(for host: String, login: String? = nil) -> (login: String, password: String)? {
        let name = String(asciiLowercasing: host.utf8)
        for machine in machines where machine.host == nil || machine.host == name {
            guard machine.login != nil || machine.password != nil, login == nil || machine.login == login
            else {
                continue
            }
            return (machine.login ?? "", machine.password ?? "")
        }
        return nil
    }

    /// Parses the words of a file.
    private struct Reader {
        private enum Expected {
            case word, host, login, password, account
        }

        private var expected = Expected.word
        private var isInMacro = false
        /// Whether there is a machine that the next words belong to.
        private var isInMachine = false

        /// Parses a line; false if the lines after it must not be read.
        mutating func read(_ line: ArraySlice<UInt8>, _ machines: inout [Machine]) -> Bool {
            var rest = line
            if rest.last == 0x0D { rest.removeLast() }
            if isInMacro {
                isInMacro = !rest.isEmpty
                return true
            }
            while true {
                rest = rest.drop { $0.isNetrcSpace }
                guard let first = rest.first, first != UInt8(ascii: "#") else { return true }
                guard first == UInt8(ascii: "\"") else {
                    let word = rest.prefix { !$0.isNetrcSpace }
                    rest = rest.dropFirst(word.count)
                    take(String(decoding: word, as: UTF8.self), &machines)
                    // The rest of the line is the macro's name.
                    if isInMacro { return true }
                    continue
                }
                guard let word = Self.quoted(&rest) else { return false }
                take(word, &machines)
            }
        }

        private mutating func take(_ word: String, _ machines: inout [Machine]) {
            let role = expected
            expected = .word
            switch role {
            case .host: machines.append(Machine(host: String(asciiLowercasing: word.utf8)))
            case .login: if isInMachine { machines[machines.count - 1].login = word }
            case .password: if isInMachine { machines[machines.count - 1].password = word }
            case .account: break
            case .word: takeKeyword(word, &machines)
            }
            isInMachine = !machines.isEmpty
        }

        private mutating func takeKeyword(_ word: String, _ machines: inout [Machine]) {
            switch String(asciiLowercasing: word.utf8) {
            case "machine": expected = .host
            case "default": machines.append(Machine(host: nil))
            case "login": expected = .login
            case "password": expected = .password
            case "account": expected = .account
            case "macdef": isInMacro = true
            default: break
            }
        }

        /// Parses a quoted word; nil if its quote is not closed on the line.
        private static func quoted(_ rest: inout ArraySlice<UInt8>) -> String? {
            rest.removeFirst()
            var word: [UInt8] = []
            while let byte = rest.popFirst() {
                switch byte {
                case UInt8(ascii: "\""): return String(decoding: word, as: UTF8.self)
                case UInt8(ascii: "\\"):
                    guard let escaped = rest.popFirst() else { return nil }
                    switch escaped {
                    case UInt8(ascii: "n"): word.append(0x0A)
                    case UInt8(ascii: "r"): word.append(0x0D)
                    case UInt8(ascii: "t"): word.append(0x09)
                    default: word.append(escaped)
                    }
                default: word.append(byte)
                }
            }
            return nil
        }
    }
}

extension UInt8 {
    fileprivate var isNetrcSpace: Bool { self == 0x20 || 0x09...0x0D ~= self }
}
