import WebStandards

/// The state of a copy while it is written.
struct MirrorWork {
    let places: MirrorPlaces
    var summary = MirrorSummary()
    /// The titles of pages.
    var titles: [Int: String] = [:]
    /// The files that could not be written.
    var failed: Set<Int> = []
    /// The keys of the URLs that are known to be missing.
    var known: Set<String>
    /// The files with symbols of the last page that showed any.
    var sprites: [Int: MirrorEmbedding.Sprite] = [:]
    /// Bytes of `data:` URLs that may still be written.
    var room = 512 << 20
    /// The URLs of files that have fewer of these than they need.
    var full: Set<String> = []
    /// How selectors are written: style sheets spare symbols once a page has shown any.
    var selectors: SelectorWriting
    /// The attributes, by their suffixes, that the style sheets test and that a copy may change.
    var tested: Set<String> = []
    /// The encodings of the files that refer to style sheets, by style sheet.
    private(set) var environments: [Int: TextEncoding] = [:]
    /// The style sheets whose encoding is known, and that were not taken yet.
    private var ready: [Int] = []

    init(
        _ places: MirrorPlaces,
        _ index: MirrorIndex,
        _ selectors: SelectorWriting,
        missing: [MirrorSummary.Missing]
    ) {
        self.places = places
        self.selectors = selectors
        known = Set(missing.compactMap { (try? WebURL($0.url)).map { index.key(of: $0) } })
        summary.missing = missing
    }

    /// Records the encoding of a file that refers to a style sheet; only the first one counts.
    mutating func note(_ environment: TextEncoding, of sheet: Int) {
        guard environments[sheet] == nil else { return }
        environments[sheet] = environment
        ready.append(sheet)
    }

    /// Takes a style sheet whose encoding is known; `nil` if all of these were taken.
    mutating func takeReady() -> Int? { ready.popLast() }
}
