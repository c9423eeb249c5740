/// A page, a frame or a style sheet with its references replaced.
package struct Rewritten: Sendable {
    /// The text, in UTF-8.
    package var bytes: [UInt8]

    /// The numbers of changes besides URLs, by name: "animation", "attributes" (more than an element may have), "base",
    /// "charset", "crossorigin", "csp", "handlers", "integrity", "nonce", "noscript", "ping", "preload", "refresh",
    /// "scripts", "shadowroot" (of templates that made none), "srcdoc" (too deep), "srcset", "styles" (not understood).
    package var changed: [String: Int] = [:]
}
