import Glibc
import WebLoader

/// Where text for people goes: how wide it is, and whether it takes colours.
struct Terminal {
    /// When text is coloured.
    enum Coloring: String, CaseIterable {
        /// On a terminal, unless NO_COLOR says otherwise.
        case auto
        case always
        case never
    }

    /// The columns of a line; nil where lines may be of any length, as in files and pipes.
    let width: Int?

    /// Whether escape sequences for colours are understood, and wanted.
    let isColored: Bool

    /// Anything but a terminal.
    static let none = Terminal(width: nil, isColored: false)

    /// Returns the terminal at a descriptor.
    ///
    /// [NO_COLOR](https://no-color.org), [CLICOLOR_FORCE](https://bixense.com/clicolors/); `COLUMNS` takes
    /// precedence over the terminal's own width.
    static func at(_ descriptor: Int32, _ coloring: Coloring = .auto) -> Terminal {
        let isTerminal = isatty(descriptor) == 1
        let isColored =
            switch coloring {
            case .always: true
            case .never: false
            case .auto:
                isSet("NO_COLOR")
                    ? false
                    : isSet("CLICOLOR_FORCE") && variable("CLICOLOR_FORCE") != "0"
                        || isTerminal && variable("TERM") != "dumb"
            }
        return Terminal(width: isTerminal ? columns(of: descriptor) : nil, isColored: isColored)
    }

    /// No line is narrower than anything can be read in.
    private static func columns(of descriptor: Int32) -> Int? {
        if let columns = variable("COLUMNS").flatMap({ Int(inBounds: $0) }), columns > 0 {
            return max(20, columns)
        }
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(truncatingIfNeeded: TIOCGWINSZ), &size) == 0, size.ws_col > 0
        else { return nil }
        return max(20, Int(size.ws_col))
    }

    private static func isSet(_ name: String) -> Bool { variable(name).map { !$0.isEmpty } ?? false }

    private static func variable(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    // MARK: - Colours

    /// How a piece of text is set off from others.
    enum Style: String, CaseIterable {
        case strong = "1"
        case dim = "2"
        case error = "1;31"
        case warning = "33"
        case note = "36"
        case good = "32"
    }

    /// The text in a style, where the terminal has any.
    func styled(_ text: String, _ style: Style) -> String {
        isColored ? "\(style.sequence)\(text)\(Self.end)" : text
    }

    /// The escape sequence that ends a style.
    private static let end = "\u{1B}[0m"

    /// All that ``styled(_:_:)`` puts around text.
    static let sequences = (Style.allCases.map(\.sequence) + [end]).map { Array($0.utf8) }
}

extension Terminal.Style {
    /// The escape sequence that begins the style.
    fileprivate var sequence: String { "\u{1B}[\(rawValue)m" }
}
