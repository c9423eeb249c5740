extension PageCopy {
    /// The form of a copy.
    public enum Format: String, Sendable, CaseIterable {
        /// One HTML file that has all else in it, as `data:` URLs.
        case html
        /// A MIME message with the page and its resources as parts ([RFC 2557](https://www.rfc-editor.org/rfc/rfc2557)).
        case mhtml
        /// An archive with the page and its resources as they came ([WACZ](https://specs.webrecorder.net/wacz/1.1.1/)), for
        /// players of archives; scripts stay in it, and so does what a wider or denser screen would show.
        case wacz
        /// A WARC 1.1 of the same: a record for each response as it came, or for the bytes of what came without HTTP.
        ///
        /// Where the name of the file ends in .gz, each is a member of gzip, and where it ends in .zst a frame of Zstandard.
        case warc
        /// An archive as Safari saves and opens it: a binary property list with the page, its resources and its frames, as they
        /// came but without the fields of HTTP; scripts stay in it.
        case webarchive

        /// Whether the page is in it as it came, and whole.
        package var isArchive: Bool {
            switch self {
            case .html, .mhtml: false
            case .wacz, .warc, .webarchive: true
            }
        }

        /// Whether it has exchanges of HTTP, redirects and errors among them.
        var hasExchanges: Bool { self == .wacz || self == .warc }
    }

    /// What a copy has, and how much may be loaded for it.
    public struct Options: Sendable {
        /// The form; HTML by default.
        public var format = Format.html

        /// Whether scripts, event handlers and `javascript:` links stay; false by default.
        ///
        /// Without them, what is in `noscript` shows. An archive (WACZ, WARC, webarchive) has them all the same.
        public var keepsScripts = false

        /// Whether images, films and frames that a script of the page would load later, from `data-src` and attributes like it, are
        /// loaded and shown; false by default.
        ///
        /// An archive stays as it came, and has what they refer to.
        public var showsLazyImages = false

        /// A CSS selector of what is copied, with the elements around it, the head and all style sheets; nil, the default, for the
        /// whole page.
        ///
        /// It counts more than ``takesMainText``; an archive has the whole page all the same.
        public var selector: String?

        /// Whether only the main text is copied, with its images, as ``/WebDocument/ParsedPage/mainText`` finds it; false by
        /// default.
        ///
        /// An archive has the whole page all the same.
        public var takesMainText = false

        /// Of an image in several densities, the densest up to this is taken; 2 by default.
        ///
        /// Where none is up to it, as with 0, the least dense is. What is no number, or less than 0, is 0.
        public var maximumDensity = 2.0 {
            didSet { if !(maximumDensity >= 0) { maximumDensity = 0 } }
        }

        /// The bytes that a sound or a film may have to be copied; 8 MiB by default.
        ///
        /// A larger one stays on the network, by its absolute URL.
        public var maximumMediaSize = 8 << 20 { didSet { maximumMediaSize.boundCount() } }

        /// The bytes that all resources may have; 256 MiB by default.
        ///
        /// That many are in memory. A single one is bounded by ``/WebStandards/LoadLimits/maximumBodySize``.
        public var maximumBytes = 256 << 20 { didSet { maximumBytes.boundCount() } }

        /// The bytes that style sheets and pages in frames may have, each time one is shown, besides those of the page.
        package var maximumTextSize = 256 << 20

        /// How many resources are loaded; 10,000 by default.
        public var maximumFiles = 10_000 { didSet { maximumFiles.boundCount() } }

        /// The time for loading the resources; nil is no limit, and the default is 300 seconds.
        public var maximumTime: Duration? = .seconds(300)

        /// How many resources are loaded at once, 8 by default; at most 6 of one host, or 100 over HTTP/2.
        ///
        /// Less than 1 is 1.
        public var concurrency = 8

        /// Creates the default: the whole page as HTML, without scripts.
        public init() {}
    }

    /// A resource that a copy lacks.
    public struct Missing: Hashable, Sendable {
        /// Its URL.
        public let url: WebURL
        /// The reason, as a stable identifier: "http." with a status, or that of an error, such as "network.timeout"; "limit."
        /// begins those that limits are the reason for.
        public let code: String
        /// The reason, for people.
        public let message: String
        /// Whether only style sheets refer to it, and its server says that there is no such thing (404, 410).
        ///
        /// That is common, and no fault of the copy: rules may be for other pages, and whether this one would show it is not known.
        public let isDeadRule: Bool
    }

    /// What was written.
    public struct Summary: Sendable {
        /// How many files are in the copy: the page, and the resources that it shows.
        public let files: Int
        /// The bytes of the copy.
        public let bytes: Int
        /// How often the page and what it needs was changed so that the copy works, by what was changed: "integrity", "csp",
        /// "base", "scripts" and so on; empty for archives, which change nothing.
        public let changed: [String: Int]
        /// What was had and is not in the copy all the same, besides ``PageCopy/missing``: what cannot be shown in a frame, what
        /// could not be read, and what is more than a copy may have ("limit.resources", "limit.depth").
        public let missing: [Missing]
    }
}
