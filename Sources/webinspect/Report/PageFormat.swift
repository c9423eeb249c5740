/// What `webinspect SOURCE` writes.
enum PageFormat: String, CaseIterable {
    /// The report, for people.
    case text
    /// The report, for programs.
    case json
    /// The tree, as browsers write it.
    case html
    /// The tree, for people.
    case pretty
    /// The tree, as XML.
    case xml
    /// The findings, as code scanners exchange them.
    case sarif
    /// The findings, as build servers read them.
    case junit

    /// The format that `--format` names.
    init(_ name: String, _ options: LoadingOptions) throws(Failure) {
        guard let format = Self(rawValue: name) else {
            throw Failure(
                usage: "--format \(name)",
                "not one of \(Self.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        if options.json, format != .json { throw Failure(usage: "--format \(name)", "--json says otherwise") }
        self = format
    }
}
