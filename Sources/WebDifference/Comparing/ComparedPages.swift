internal import HTTPTypes
internal import WebDocument
internal import WebStandards

/// Two pages and their differences, in the direction in which the pages were passed.
struct ComparedPages {
    let old: Side
    let new: Side
    /// The differences that count as changes.
    private(set) var found: [FoundChange]
    /// The differences that a rule hides.
    private(set) var hidden: [(rule: String, change: FoundChange)]
    private(set) var ignored: [String: Int]
    private(set) var isCoarse: Bool
    /// The blocks of both pages; empty unless `keepsRows` is set.
    private(set) var rows: [PageDifference.Row] = []

    /// The maximum number of hidden changes that are stored.
    static let maximumHiddenCount = 10_000

    init(
        _ old: ParsedPage,
        _ new: ParsedPage,
        _ options: PageDifference.Options
    ) throws(SelectorError) {
        let deadline = options.maximumTime.map { MonotonicClock.now + $0.inSeconds } ?? .infinity
        var names = FlatTree.Names()
        self.old = try Side(old, options, &names)
        self.new = try Side(new, options, &names)
        // Both directions compare the pages in the same order, so that one result mirrors the other.
        let isMirrored = Side.isOrdered(self.new, self.old, names.all)
        var comparison = Comparison(
            isMirrored ? self.new : self.old,
            isMirrored ? self.old : self.new,
            names.all,
            options,
            deadline
        )
        comparison.run()
        found = isMirrored ? comparison.found.map(\.mirrored) : comparison.found
        hidden =
            isMirrored ? comparison.hidden.map { ($0.rule, $0.change.mirrored) } : comparison.hidden
        ignored = comparison.ignored
        isCoarse = comparison.isCoarse || old.isTruncated || new.isTruncated
        if let data = Self.data(of: old), let newData = Self.data(of: new) {
            (found, hidden, ignored) = (DataDifference.changes(data, newData), [], [:])
        }
        compareResponses(old, new, options)
        if options.comparesFindings { compareFindings(old, new) }
        leaveOut(options)
        compareBytes(old, new)
        if options.keepsRows {
            let matches = isMirrored ? comparison.unitMatches.mirrored : comparison.unitMatches
            rows = Self.rows(self.old, self.new, matches)
        }
    }

    // MARK: - Rules

    /// Hides the changes that are covered by the rules about texts or by the learned noise.
    private mutating func leaveOut(_ options: PageDifference.Options) {
        var rules = IgnoreRules(options)
        let all = found
        if !rules.isEmpty {
            found = []
            for change in all {
                if let name = rules.name(hiding: change.old.text, change.new.text, change.operation) {
                    hide(name.hasPrefix("pattern") ? "pattern" : "number", name, change, options)
                } else {
                    found.append(change)
                }
            }
            if rules.isExhausted { isCoarse = true }
        }
        guard let noise = options.noise else { return }
        let left = found
        var paths = (NodePath(), NodePath())
        found = []
        for change in left {
            if noise.covers(change, self, &paths) {
                hide("learned", "learned", change, options)
            } else {
                found.append(change)
            }
        }
    }

    private mutating func hide(
        _ word: String,
        _ rule: String,
        _ change: FoundChange,
        _ options: PageDifference.Options
    ) {
        ignored[word, default: 0] += 1
        guard options.keepsHidden, hidden.count < Self.maximumHiddenCount else { return }
        hidden.append((rule, change))
    }

    // MARK: - Beside the markup

    /// Compares the status and the header fields, if both pages are HTTP responses.
    private mutating func compareResponses(
        _ old: ParsedPage,
        _ new: ParsedPage,
        _ options: PageDifference.Options
    ) {
        guard let status = old.response.status?.code, let other = new.response.status?.code else { return }
        if status != other { add(.response, "status", "\(status)", "\(other)") }
        for name in options.responseFields.map({ $0.lowercased() }).sorted() {
            let (one, two) = (Self.field(name, of: old.response), Self.field(name, of: new.response))
            guard one != two else { continue }
            if let one, let two, !options.includesVolatile,
                Volatility.isRandom(
                    Array(one.utf8)[...],
                    Array(two.utf8)[...],
                    Volatility.Demands(mixed: 8, digits: 10, letters: 16)
                )
            {
                let change = Self.change(.response, name, one, two)
                hide("volatile", "volatile", change, options)
                continue
            }
            add(.response, name, one, two)
        }
    }

    /// The values of a JSON page; `nil` for any other page.
    private static func data(of page: ParsedPage) -> JSONValue? {
        page.mediaType.isJSON ? try? JSONValue(parsing: page.response.body) : nil
    }

    /// Compares the bytes if nothing else decides whether the pages are the same: of content that is not text, and of
    /// truncated pages.
    private mutating func compareBytes(_ old: ParsedPage, _ new: ParsedPage) {
        guard
            old.kind == .other || new.kind == .other || found.isEmpty && (old.isTruncated || new.isTruncated)
        else { return }
        let (one, other) = (old.response.body, new.response.body)
        let common = zip(one, other).prefix { $0 == $1 }.count
        guard common < max(one.count, other.count) else { return }
        func text(_ bytes: [UInt8]) -> String {
            let next = bytes[common...].prefix(8).map { UInt64($0).hexadecimal(digits: 2) }
            return
                "\(bytes.count) bytes, from \(common) on \(next.isEmpty ? "none" : next.joined(separator: " "))"
        }
        add(.response, "body", text(one), text(other))
    }

    /// The values of a header field, joined with commas; `nil` if the field is missing.
    private static func field(_ name: String, of response: WebResponse) -> String? {
        guard let name = HTTPField.Name(name) else { return nil }
        let values = response.headerFields[values: name]
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// Compares the findings of both pages by code and message, regardless of their positions.
    private mutating func compareFindings(_ old: ParsedPage, _ new: ParsedPage) {
        var left: [String: [WebDocument.Finding]] = [:]
        for finding in old.findings.findings { left[Self.text(finding), default: []].append(finding) }
        for finding in new.findings.findings {
            let text = Self.text(finding)
            if left[text]?.popLast() != nil { continue }
            add(.finding, finding.code.rawValue, nil, text, line: finding.position?.line)
        }
        for finding in left.values.joined().sorted(by: { Self.text($0) < Self.text($1) }) {
            add(.finding, finding.code.rawValue, Self.text(finding), nil, line: finding.position?.line)
        }
    }

    private static func text(_ finding: WebDocument.Finding) -> String {
        "\(finding.code.rawValue): \(finding.message)"
    }

    private mutating func add(
        _ kind: PageDifference.Kind,
        _ name: String,
        _ old: String?,
        _ new: String?,
        line: Int? = nil
    ) {
        found.append(Self.change(kind, name, old, new, line: line))
    }

    private static func change(
        _ kind: PageDifference.Kind,
        _ name: String,
        _ old: String?,
        _ new: String?,
        line: Int? = nil
    ) -> FoundChange {
        FoundChange(
            kind: kind,
            operation: old == nil ? .added : new == nil ? .removed : .changed,
            old: FoundChange.Place(element: -1, text: old, order: -1, line: old == nil ? 0 : line ?? 0),
            new: FoundChange.Place(element: -1, text: new, order: -1, line: new == nil ? 0 : line ?? 0),
            name: name
        )
    }
}
