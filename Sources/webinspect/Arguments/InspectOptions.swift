import WebLoader

/// The options of `webinspect SOURCE`.
struct InspectOptions: Equatable {
    /// The format; nil for text, or JSON with `--json`.
    var format: PageFormat?

    /// Whether parse errors are listed.
    var listsParseErrors = false

    /// Whether the page is checked for problems (findings).
    var looksForFindings = false

    /// Whether to say what the content is.
    var findsContent = false

    /// The lowest severity of a finding that ends the command with status 1; `nil` if findings do not affect
    /// the status.
    var failure: Finding.Severity?

    /// Whether the page's images and style sheets are loaded too.
    var loadsResources = false

    /// Whether the parser must record where markup violates the standard.
    var needsParseErrors: Bool { listsParseErrors || reportsFindings }

    /// Whether findings are needed.
    var reportsFindings: Bool { looksForFindings || failure != nil || format == .sarif || format == .junit }

    /// Returns a report of the page, with the requested sections.
    func report(_ page: ParsedPage, _ name: String) -> PageReport {
        var sections: PageReport.Sections = []
        if listsParseErrors { sections.insert(.parseErrors) }
        if reportsFindings { sections.insert(.findings) }
        if findsContent { sections.insert(.content) }
        return PageReport(page, source: Source.redacted(name), including: sections)
    }

    /// A severity by its name.
    static func severity(_ name: String) throws(Failure) -> Finding.Severity {
        guard let severity = Finding.Severity(rawValue: name) else {
            throw Failure(
                usage: "--fail-on \(name)",
                "not one of \(Finding.Severity.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        return severity
    }
}
