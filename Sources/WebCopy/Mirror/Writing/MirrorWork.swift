import WebStandards

/// What is known while a copy is written.
struct MirrorWork {
    let places: MirrorPlaces
    var summary = MirrorSummary()
    /// The titles of pages.
    var titles: [Int: String] = [:]
    /// The files that could not be written.
    var failed: Set<Int> = []
    /// The keys of the URLs of which it is known that they are missing.
    var known: Set<String>
    /// The files with symbols that the last page showed which shows any.
    var sprites: [Int: MirrorEmbedding.Sprite] = [:]
    /// Bytes of `data:` URLs that may still be written.
    var room = 512 << 20
    /// The URLs of files that have fewer of these than they should.
    var full: Set<String> = []
    /// How selectors are written: symbols are spared in style sheets where a page before has shown any.
    var selectors: SelectorWriting
    /// What the selectors of its style sheets ask for that a copy may have otherwise.
    var tested: Set<String> = []
    /// The encodings of what refers to style sheets.
    private(set) var environments: [Int: TextEncoding] = [:]
    /// The style sheets of which it is known since they were last taken.
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

    /// Notes in which encoding something is that refers to a style sheet; the first says it.
    mutating func note(_ environment: TextEncoding, of sheet: Int) {
        guard environments[sheet] == nil else { return }
        environments[sheet] = environment
        ready.append(sheet)
    }

    /// Takes a style sheet whose encoding is known; nil if there is none that was not taken.
    mutating func takeReady() -> Int? { ready.popLast() }
}
