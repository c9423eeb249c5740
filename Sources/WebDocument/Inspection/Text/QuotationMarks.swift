/// The marks around a `q` element, which browsers show and no text of the page has.
///
/// <https://html.spec.whatwg.org/multipage/rendering.html#quotes>
enum QuotationMarks {
    /// The mark before a quotation; the depth is 1 for one in no other.
    static func opening(_ depth: Int) -> String { depth.isMultiple(of: 2) ? "\u{2018}" : "\u{201C}" }

    /// The mark behind it.
    static func closing(_ depth: Int) -> String { depth.isMultiple(of: 2) ? "\u{2019}" : "\u{201D}" }
}
