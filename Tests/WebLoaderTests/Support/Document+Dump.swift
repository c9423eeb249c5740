@testable import WebDocument
@testable import WebStandards

extension Document {
    /// The tree in the format of the html5lib tests.
    var dump: String {
        var dump = HTMLTreeDump()
        dump.append(childrenOf: node)
        return String(decoding: dump.bytes, as: UTF8.self)
    }
}
