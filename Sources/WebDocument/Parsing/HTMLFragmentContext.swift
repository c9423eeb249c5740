/// The context element, as whose content a fragment is parsed.
///
/// [Parsing HTML fragments](https://html.spec.whatwg.org/multipage/parsing.html#parsing-html-fragments)
struct HTMLFragmentContext: Equatable, Sendable {
    /// The namespaces that the parser knows.
    enum Namespace: Sendable {
        case html
        case svg
        case mathML
    }

    var namespace = Namespace.html

    /// The element's local name: in lowercase for HTML, as it is for SVG (`foreignObject`).
    var localName: String

    /// The value of the `encoding` attribute of MathML's annotation-xml.
    var encoding: String?

    /// Whether the element's document is in quirks mode.
    var isQuirky = false

    /// Whether the element is a form or has one among its ancestors.
    var isInForm = false

    /// Whether `<template shadowrootmode>` creates shadow roots, as with `setHTMLUnsafe`, but not with
    /// `innerHTML`.
    var allowsDeclarativeShadowRoots = false
}
