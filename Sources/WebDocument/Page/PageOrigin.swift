/// The loader that made a page, which also has the files that the page refers to.
package protocol PageOrigin: Sendable {
    /// The bytes of a resource of the page, from the cache or from the URL itself, without a network; nil if they are
    /// not available.
    func storedBody(_ url: WebURL) async -> [UInt8]?
}
