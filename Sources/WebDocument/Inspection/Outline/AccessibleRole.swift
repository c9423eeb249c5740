/// The role of an element for assistive technology, as far as an outline needs it.
enum AccessibleRole: Equatable {
    case landmark(Landmark.Role)
    case heading
    case article
    /// None at all: `none` and `presentation`.
    case presentational
    /// A role that has no meaning in an outline.
    case other

    /// The first known role in a `role` attribute; nil where there is none.
    ///
    /// [HTML: ARIA roles and states](https://html.spec.whatwg.org/multipage/infrastructure.html#wai-aria)
    init?(roleAttribute value: String) {
        for word in value.utf8.split(whereSeparator: \.isASCIIWhitespace) {
            let name = String(asciiLowercasing: word)
            guard let role = Self(name) else { continue }
            self = role
            return
        }
        return nil
    }

    private init?(_ name: String) {
        if let role = Landmark.Role(rawValue: name) {
            self = .landmark(role)
        } else if name == "heading" {
            self = .heading
        } else if name == "article" {
            self = .article
        } else if name == "none" || name == "presentation" {
            self = .presentational
        } else if name.hasPrefix("doc-") || name.hasPrefix("graphics-") || Self.isOther(name) {
            self = .other
        } else {
            return nil
        }
    }

    private static func isOther(_ name: String) -> Bool {
        for other in others where name.isEqualIgnoringASCIICase(to: other) { return true }
        return false
    }

    /// The roles of [WAI-ARIA](https://w3c.github.io/aria/#role_definitions) that are not abstract, except
    /// for those above.
    private static let others: [StaticString] = [
        "alert", "alertdialog", "application", "blockquote", "button", "caption", "cell", "checkbox", "code",
        "columnheader", "combobox", "comment", "definition", "deletion", "dialog", "directory", "document",
        "emphasis", "feed", "figure", "generic", "grid", "gridcell", "group", "image", "img", "insertion",
        "link", "list", "listbox", "listitem", "log", "mark", "marquee", "math", "menu", "menubar",
        "menuitem", "menuitemcheckbox", "menuitemradio", "meter", "note", "option", "paragraph",
        "progressbar", "radio", "radiogroup", "row", "rowgroup", "rowheader", "scrollbar", "searchbox",
        "sectionfooter", "sectionheader", "separator", "slider", "spinbutton", "status", "strong",
        "subscript", "suggestion", "superscript", "switch", "tab", "table", "tablist", "tabpanel", "term",
        "textbox", "time", "timer", "toolbar", "tooltip", "tree", "treegrid", "treeitem",
    ]
}
