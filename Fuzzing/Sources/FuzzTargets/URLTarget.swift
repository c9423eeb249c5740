@testable import WebLoader

/// Parses a URL, and one relative to another; a parsed URL must parse again to the same URL.
func fuzzURL(_ input: UnsafeBufferPointer<UInt8>) {
    let text = String(decoding: input, as: UTF8.self)
    let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let base = try? WebURL(String(parts[0]))
    if let base { check(base) }
    guard parts.count == 2, let url = try? WebURL(String(parts[1]), base: base) else { return }
    check(url)
    var changed = url
    try? changed.setHash(String(parts[0]))
    try? changed.setPathname(String(parts[0]))
    try? changed.setSearch(String(parts[0]))
    check(changed)
}

private func check(_ url: WebURL) {
    let again = try? WebURL(url.href)
    demand(again?.href == url.href, "\(url.href) parses to \(again?.href ?? "nothing")")
}
