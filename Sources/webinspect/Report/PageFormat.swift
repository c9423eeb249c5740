/// The formats of `webinspect SOURCE`.
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
}
