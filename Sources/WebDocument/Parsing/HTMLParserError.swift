/// Why a page could not be parsed at all.
///
/// Markup is never an error: the standard gives every sequence of bytes a tree. Limits that cut a tree short
/// are in ``HTMLLimitsReport``.
package struct HTMLParserError: Error, Equatable, Sendable {
    /// The kind of error.
    enum Code: Equatable, Sendable {
        /// libxml2's allocator returned nothing.
        case outOfMemory
        /// The input has more than `Int32.max` bytes, more than libxml2 can count.
        case inputTooLarge
        /// Bytes were given to a parser that had finished.
        case finished
        /// The parse was cancelled, so its result is not needed.
        case cancelled
    }

    let code: Code
}
