/// The result of parsing a page as it arrived, and its encoding.
package struct ArrivedHTML: Sendable {
    let detection: EncodingDetection
    let page: ParserResult
    let replacementCount: Int
}
