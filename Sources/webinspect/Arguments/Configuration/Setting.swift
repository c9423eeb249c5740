/// A flag that a configuration file or the environment may set, too.
///
/// Flags that decide where data goes, or send data, are not settings: a file in a folder must not set them.
struct Setting {
    /// The commands that know the flag.
    struct Commands: OptionSet {
        let rawValue: Int

        static let loading = Commands(rawValue: 1)
        static let parsing = Commands(rawValue: 2)
        static let selecting = Commands(rawValue: 4)
        static let extracting = Commands(rawValue: 8)
        static let cache = Commands(rawValue: 16)

        /// The groups of flags that a command knows.
        init(command: String) {
            switch command {
            case "fetch": self = [.loading]
            case "select": self = [.loading, .parsing, .selecting]
            case "extract": self = [.loading, .parsing, .selecting, .extracting]
            case "cache", "history", "serve": self = [.cache]
            case "url", "links", "text", "tables", "report": self = [.loading, .parsing]
            default: self = []
            }
        }

        init(rawValue: Int) { self.rawValue = rawValue }
    }

    /// Whether it takes a value, and whether it may be repeated.
    enum Form {
        case flag
        case value
        case values
    }

    /// The flag, without the dashes.
    let name: String
    let commands: Commands
    /// Its group of mutually exclusive flags: a flag of the group on the command line overrides the setting.
    var group: String?

    private init(_ name: String, _ commands: Commands, group: String? = nil) {
        self.name = name
        self.commands = commands
        self.group = group
    }

    /// The kind of value that the flag takes.
    var form: Form {
        let flags = PageArguments.flags + SelectArguments.flags + ExtractArguments.flags
        return switch flags.first(where: { $0.isNamed("--\(name)") })?.effect {
        case .flag: .flag
        case .values: .values
        case .value, .number, nil: .value
        }
    }

    /// The prefix of the environment variables.
    static let prefix = "WEBINSPECT_"

    /// Variables that are not settings: the browser, and the variables that `watch` passes to the commands it
    /// runs.
    static let otherVariables: Set<String> = [
        "WEBINSPECT_BROWSER", "WEBINSPECT_EVENT", "WEBINSPECT_NAME", "WEBINSPECT_URL",
    ]

    /// The environment variable, as in `WEBINSPECT_CACHE_DIR` for `cache-dir`.
    var variable: String {
        Self.prefix
            + String(
                decoding: name.utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 & 0xDF },
                as: UTF8.self
            )
    }

    /// All settings.
    static let all = [
        Setting("cache-dir", [.loading, .cache]),
        Setting("cache-only", .loading, group: policy),
        Setting("offline", .loading, group: policy),
        Setting("prefer-cache", .loading, group: policy),
        Setting("refresh", .loading, group: policy),
        Setting("revalidate", .loading, group: policy),
        Setting("policy", .loading, group: policy),
        Setting("no-store", .loading, group: store), Setting("keep", .loading, group: store),
        Setting("keep-history", .loading, group: store),
        Setting("header", .loading), Setting("user-agent", .loading),
        Setting("timeout", .loading), Setting("connect-timeout", .loading),
        Setting("max-time", .loading), Setting("max-filesize", .loading),
        Setting("max-redirs", .loading), Setting("no-location", .loading),
        Setting("fail", .loading), Setting("silent", .loading),
        Setting("verbose", .loading),
        Setting("color", .loading), Setting("proxy", .loading),
        Setting("cacert", .loading),
        Setting("netrc", .loading), Setting("netrc-file", .loading),
        Setting("resolve", .loading), Setting("retry", .loading),
        Setting("retry-max-time", .loading),
        Setting("encoding", .parsing), Setting("parser", .parsing),
        Setting("max-depth", .parsing), Setting("max-nodes", .parsing),
        Setting("max-tree-memory", .parsing),
        Setting("budget-time", .selecting), Setting("budget-memory", .extracting),
    ]

    private static var policy: String { "policy" }
    private static var store: String { "store" }

    /// The setting's name for a flag, which may be in its one-letter form.
    static func name(ofFlag flag: String) -> String? {
        guard !flag.hasPrefix("--") else { return String(flag.dropFirst(2).prefix { $0 != "=" }) }
        return LoadingArguments.flags.first { $0.isNamed(flag) }?.word
    }
}
