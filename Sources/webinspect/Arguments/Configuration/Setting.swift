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
            case "cache": self = [.cache]
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
    let form: Form
    let commands: Commands
    /// Its group of mutually exclusive flags: a flag of the group on the command line overrides the setting.
    var group: String?

    private init(_ name: String, _ form: Form, _ commands: Commands, group: String? = nil) {
        self.name = name
        self.form = form
        self.commands = commands
        self.group = group
    }

    /// The environment variable, as in `WEBINSPECT_CACHE_DIR` for `cache-dir`.
    var variable: String {
        "WEBINSPECT_"
            + String(
                decoding: name.utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 & 0xDF },
                as: UTF8.self
            )
    }

    /// All settings.
    static let all = [
        Setting("cache-dir", .value, [.loading, .cache]),
        Setting("cache-only", .flag, .loading, group: policy),
        Setting("offline", .flag, .loading, group: policy),
        Setting("prefer-cache", .flag, .loading, group: policy),
        Setting("refresh", .flag, .loading, group: policy),
        Setting("revalidate", .flag, .loading, group: policy),
        Setting("policy", .value, .loading, group: policy),
        Setting("no-store", .flag, .loading, group: store), Setting("keep", .flag, .loading, group: store),
        Setting("header", .values, .loading), Setting("user-agent", .value, .loading),
        Setting("timeout", .value, .loading), Setting("connect-timeout", .value, .loading),
        Setting("max-time", .value, .loading), Setting("max-filesize", .value, .loading),
        Setting("max-redirs", .value, .loading), Setting("no-location", .flag, .loading),
        Setting("fail", .flag, .loading), Setting("silent", .flag, .loading),
        Setting("verbose", .flag, .loading),
        Setting("color", .value, .loading), Setting("proxy", .value, .loading),
        Setting("cacert", .value, .loading),
        Setting("netrc", .flag, .loading), Setting("netrc-file", .value, .loading),
        Setting("resolve", .values, .loading), Setting("retry", .value, .loading),
        Setting("retry-max-time", .value, .loading),
        Setting("encoding", .value, .parsing), Setting("parser", .value, .parsing),
        Setting("max-depth", .value, .parsing), Setting("max-nodes", .value, .parsing),
        Setting("max-tree-memory", .value, .parsing),
        Setting("budget-time", .value, .selecting), Setting("budget-memory", .value, .extracting),
    ]

    private static var policy: String { "policy" }
    private static var store: String { "store" }

    /// The setting's name for a flag, which may be in its one-letter form.
    static func name(ofFlag flag: String) -> String? {
        switch flag {
        case "-H": "header"
        case "-A": "user-agent"
        case "-m": "max-time"
        case "-f": "fail"
        case "-s": "silent"
        case "-v": "verbose"
        case "-x": "proxy"
        case "-n": "netrc"
        default: flag.hasPrefix("--") ? String(flag.dropFirst(2).prefix { $0 != "=" }) : nil
        }
    }
}
