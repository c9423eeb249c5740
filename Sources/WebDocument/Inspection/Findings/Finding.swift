/// Something on a page that is wrong, or could be better.
public struct Finding: Hashable, Sendable, Codable {
    /// How much it matters.
    public enum Severity: String, CaseIterable, Comparable, Sendable, Codable {
        /// Worth knowing.
        case note
        /// Some people, or some programs, cannot understand a part of the page.
        case warning
        /// Something does not work.
        case error

        /// Whether it matters less.
        public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .note: 0
            case .warning: 1
            case .error: 2
            }
        }
    }

    /// The kind of finding.
    public let code: Code

    /// A description of the problem, with the values that cause it.
    public let message: String

    /// The element it is about, as "img"; nil where it is about the page or its response.
    public let element: String?

    /// Where it stands in the source; nil where it is not about a place.
    public let position: SourcePosition?

    /// How much it matters: all findings of a code matter alike.
    public var severity: Severity { code.severity }

    /// The advice on fixing it.
    public var advice: String { code.advice }
}

/// The findings of a page.
public struct Findings: Hashable, Sendable, Codable {
    /// The maximum number of findings that are kept.
    public static let maximumCount = 10_000

    /// The findings: those of the page as a whole first, the others in the order of their places; the first
    /// ``maximumCount`` of them.
    public internal(set) var findings: [Finding] = []

    /// Whether there are more than are kept.
    public internal(set) var isTruncated = false

    /// The greatest severity of all findings, including those that are not kept; nil where there are none.
    public internal(set) var worst: Finding.Severity?

    mutating func add(
        _ code: Finding.Code,
        _ message: String,
        element: String? = nil,
        at position: SourcePosition? = nil
    ) {
        worst = max(worst ?? code.severity, code.severity)
        guard findings.count < Self.maximumCount else {
            isTruncated = true
            return
        }
        findings.append(Finding(code: code, message: message, element: element, position: position))
    }

    /// Adds other findings behind these.
    package mutating func add(_ others: Findings) {
        for finding in others.findings {
            add(finding.code, finding.message, element: finding.element, at: finding.position)
        }
        if others.isTruncated { isTruncated = true }
        if let other = others.worst { worst = max(worst ?? other, other) }
    }
}
