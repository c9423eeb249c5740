/// The replacement of a reference in a copy.
package enum Replacement: Sendable {
    /// The reference as it is written.
    case keep
    /// The absolute URL of the original.
    case absolute
    /// Another URL, written as it is: `data:`, or relative; it replaces the fragment too.
    case url(String)
    /// Another URL, and an attribute that is added to the element; in CSS only the URL.
    case marked(String, attribute: String, value: String)
    /// In CSS another value in place of the whole `url()`, as `var(--x)`.
    case value(String)
    /// Nothing that could be loaded: the resource is missing, and shows as such.
    case missing
    /// Nothing at all: the attribute is removed, and with it an element that is useless without it.
    case remove
    /// The markup of a page, as the `srcdoc` of an `iframe`.
    case frame(String)
    /// For a `use`: the markup to insert into the page before it, and the identifier there.
    case symbol(markup: String, id: String)
}
