/// What a copy has in place of a reference.
package enum Replacement: Sendable {
    /// What is written.
    case keep
    /// The absolute URL of the original.
    case absolute
    /// Another URL, as it is to be: `data:`, or relative. It replaces the fragment too.
    case url(String)
    /// Another URL, and an attribute that the element gets besides; in CSS only the URL.
    case marked(String, attribute: String, value: String)
    /// In CSS another value in place of the whole `url()`, as `var(--x)`.
    case value(String)
    /// Nothing that could be loaded: the resource could not be had, and shows as such.
    case missing
    /// Nothing at all: the attribute goes, and with it an element that is nothing without.
    case remove
    /// The markup of a page, as the `srcdoc` of an `iframe`.
    case frame(String)
    /// For a `use`: what is to be put into the page in front of it, and the identifier there.
    case symbol(markup: String, id: String)
}
