import WebLoader

/// What `webinspect SOURCE` is to write of a page.
struct InspectOptions {
    /// Nil for text, or JSON with `--json`.
    var format: PageFormat?

    /// Whether parse errors are listed.
    var listsParseErrors = false

    /// Whether the page is looked over for what is wrong with it.
    var looksForFindings = false

    /// From what severity on a finding ends the command with status 1; nil for none.
    var failure: Finding.Severity?

    /// Whether the page's images and style sheets are loaded too.
    var loadsResources = false

    /// Whether the parser is to note where markup departs from the standard.
    var needsParseErrors: Bool { listsParseErrors || reportsFindings }

    /// Whether anything wants the findings.
    var reportsFindings: Bool { looksForFindings || failure != nil || format == .sarif || format == .junit }
}
