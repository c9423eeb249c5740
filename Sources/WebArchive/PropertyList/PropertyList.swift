/// A value of a property list, in which Apple's programs keep structured data.
package enum PropertyList: Sendable {
    /// Values by their keys, in the order in which they are written; no key is there twice.
    case dictionary([Member])
    case array([PropertyList])
    case string(String)
    case data([UInt8])
    case integer(Int64)

    /// A value of a dictionary, with its key.
    package struct Member: Sendable {
        package let key: String
        package let value: PropertyList

        package init(_ key: String, _ value: PropertyList) {
            self.key = key
            self.value = value
        }
    }
}
