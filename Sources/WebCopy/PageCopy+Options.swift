extension PageCopy {
    /// The form of a copy.
    public enum Format: String, Sendable, CaseIterable {
        /// One HTML file that has all else in it, as `data:` URLs.
        case html
        /// A MIME message with the page and its resources as parts
        /// ([RFC 2557](https://www.rfc-editor.org/rfc/rfc2557)).
        case mhtml
        /// An archive with the page and its resources as they were received
        /// ([WACZ](https://specs.webrecorder.net/wacz/1.1.1/)), for players of archives; scripts stay in it, and so do
        /// the images for wider or denser screens.
        case wacz
        /// A WARC 1.1 of the same: a record for each response as it was received, or for the bytes of a resource
        /// without HTTP.
        ///
        /// Where the name of the file ends in .gz, each is a member of gzip, and where it ends in .zst a frame of
        /// Zstandard.
        case warc
        /// An archive as Safari saves and opens it: a binary property list with the page, its resources and its frames,
        /// as they were received but without the fields of HTTP; scripts stay in it.
        case webarchive

        /// Whether it has the whole page as it was received.
        package var isArchive: Bool {
            switch self {
            case .html, .mhtml: false
            case .wacz, .warc, .webarchive: true
            }
        }

        /// Whether it has HTTP exchanges, including redirects and errors.
        var hasExchanges: Bool { self == .wacz || self == .warc }
    }

    /// The contents of a copy, and the limits of loading them.
    public struct Options: Sendable {
        /// The form; HTML by default.
        public var format = Format.html

        /// Whether scripts, event handlers and `javascript:` links stay; false by default.
        ///
        /// Without them, what is in `noscript` shows. An archive (WACZ, WARC, webarchive) has them all the same.
        public var keepsScripts = false

        /// Whether images, films and frames that a script of the page would load later, from `data-src` and attributes
        /// like it, are loaded and shown; false by default.
        ///
        /// An archive stays as it came, and has what they refer to.
        public var showsLazyImages = false

        /// A CSS selector of what is copied, with the elements around it, the head and all style sheets; `nil`, the
        /// default, for the whole page.
        ///
        /// It counts more than ``takesMainText``; an archive has the whole page all the same.
        public var selector: String?

        /// Whether only the main text is copied, with its images, as ``/WebDocument/ParsedPage/mainText`` finds it;
        /// false by default.
        ///
        /// An archive has the whole page all the same.
        public var takesMainText = false

        /// The maximum density of an image that is offered in several densities; 2 by default.
        ///
        /// The densest up to this is copied, or the least dense if all are denser, as with 0. A value that is not a
        /// number, or is less than 0, becomes 0.
        public var maximumDensity = 2.0 {
            didSet { if !(maximumDensity >= 0) { maximumDensity = 0 } }
        }

        /// The maximum size in bytes of a sound or a film that is copied; 8 MiB by default.
        ///
        /// A larger one stays on the network, by its absolute URL.
        public var maximumMediaSize = 8 << 20 { didSet { maximumMediaSize.boundCount() } }

        /// The maximum size in bytes of all resources; 256 MiB by default.
        ///
        /// All of them are in memory. A single one is bounded by ``/WebStandards/LoadLimits/maximumBodySize``.
        public var maximumBytes = 256 << 20 { didSet { maximumBytes.boundCount() } }

        /// The maximum size in bytes of style sheets and pages in frames, counting each occurrence, besides the page.
        package var maximumTextSize = 256 << 20

        /// The maximum number of resources; 10,000 by default.
        public var maximumFiles = 10_000 { didSet { maximumFiles.boundCount() } }

        /// The time limit for loading the resources, 300 seconds by default; `nil` for no limit.
        public var maximumTime: Duration? = .seconds(300)

        /// The number of concurrent loads, 8 by default; at most 6 per host, or 100 over HTTP/2.
        ///
        /// A value less than 1 counts as 1.
        public var concurrency = 8

        /// Creates the default: the whole page as HTML, without scripts.
        public init() {}
    }

    /// A resource that a copy lacks.
    public struct Missing: Hashable, Sendable {
        /// Its URL.
        public let url: WebURL
        /// The reason, as a stable identifier: "http." with a status, or the code of an error, such as
        /// "network.timeout"; the codes of exceeded limits begin with "limit.".
        public let code: String
        /// The reason, in words.
        public let message: String
        /// Whether only style sheets refer to it, and its server says that there is no such thing (404, 410).
        ///
        /// That is common, and no fault of the copy: rules may be for other pages, and whether this one would show it
        /// is unknown.
        public let isDeadRule: Bool
    }

    /// The summary of a written copy.
    public struct Summary: Sendable {
        /// The number of files in the copy: the page, and the resources that it shows.
        public let files: Int
        /// The size of the copy, in bytes.
        public let bytes: Int
        /// The number of changes to the page and its resources that make the copy work, by the name of the change:
        /// "integrity", "csp", "base", "scripts" and so on; empty for archives, which change nothing.
        public let changed: [String: Int]
        /// The resources that were loaded but are not in the copy, besides ``PageCopy/missing``: those that cannot be
        /// shown in a frame, could not be parsed, or exceed a limit of the copy ("limit.resources", "limit.depth").
        public let missing: [Missing]
    }
}
