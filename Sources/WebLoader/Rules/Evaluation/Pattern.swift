import CPCRE2

/// A regular expression of a recipe, compiled: Perl's, over Unicode.
///
/// A match that takes too many steps is given up; what the steps do not see ends with the budget.
@safe final class Pattern {
    /// What came of matching.
    enum Failure: Error {
        /// It took too many steps or too much memory.
        case limit
        /// PCRE2's own words.
        case failed(String)
    }

    /// What is wrong with an expression.
    struct SyntaxError: Error {
        let message: String
        /// Where, in bytes from its start.
        let offset: Int
    }

    /// PCRE2's version, as in "10.42 2022-12-11".
    static var version: LibraryVersion {
        // Its documentation has 24 bytes suffice.
        var text = [UInt8](repeating: 0, count: 64)
        let count = unsafe text.withUnsafeMutableBytes {
            unsafe pcre2_config_8(UInt32(truncatingIfNeeded: PCRE2_CONFIG_VERSION), $0.baseAddress)
        }
        return LibraryVersion(
            name: "PCRE2",
            version: String(decoding: text.prefix(max(0, Int(count) - 1)), as: UTF8.self)
        )
    }

    private let code: OpaquePointer
    private let data: OpaquePointer
    private let context: OpaquePointer

    /// How often the matcher may take a step, for each place that it starts from.
    private static let maximumSteps: UInt32 = 5_000_000
    /// Kilobytes of its own memory.
    private static let maximumHeap: UInt32 = 8_192

    /// Compiles an expression.
    ///
    /// - Throws: ``SyntaxError`` for what is none, and one that is too large.
    init(_ text: String) throws(SyntaxError) {
        var number: Int32 = 0
        var offset = 0
        var text = text
        let compiled = text.withUTF8 { bytes in
            unsafe pcre2_compile_8(
                bytes.baseAddress,
                bytes.count,
                // \C would split a character, and the text be no UTF-8 any more.
                UInt32(PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C) | UInt32(PCRE2_NO_UTF_CHECK),
                &number,
                &offset,
                nil
            )
        }
        guard let compiled = unsafe compiled else {
            throw SyntaxError(message: Self.message(number), offset: offset)
        }
        guard let data = unsafe pcre2_match_data_create_from_pattern_8(compiled, nil) else {
            unsafe pcre2_code_free_8(compiled)
            throw SyntaxError(message: "out of memory", offset: 0)
        }
        guard let context = unsafe pcre2_match_context_create_8(nil) else {
            unsafe pcre2_match_data_free_8(data)
            unsafe pcre2_code_free_8(compiled)
            throw SyntaxError(message: "out of memory", offset: 0)
        }
        unsafe code = compiled
        unsafe self.data = data
        unsafe self.context = context
        unsafe pcre2_set_match_limit_8(context, Self.maximumSteps)
        unsafe pcre2_set_heap_limit_8(context, Self.maximumHeap)
    }

    deinit {
        unsafe pcre2_match_context_free_8(context)
        unsafe pcre2_match_data_free_8(data)
        unsafe pcre2_code_free_8(code)
    }

    /// The first match from an offset on: the ranges of the whole and of each group, nil for one that took no part.
    ///
    /// - Parameters:
    ///   - text: UTF-8.
    ///   - start: Where to begin, between two characters.
    ///   - isAnchoredAndNotEmpty: Whether it must begin there, and not be empty.
    /// - Returns: The ranges in bytes; nil if there is no match.
    /// - Throws: ``Failure``.
    func match(
        in text: UnsafeBufferPointer<UInt8>,
        from start: Int,
        isAnchoredAndNotEmpty: Bool = false
    ) throws(Failure) -> [Range<Int>?]? {
        // Of strings of Swift, so that it is UTF-8.
        var options = UInt32(PCRE2_NO_UTF_CHECK)
        if isAnchoredAndNotEmpty { options |= UInt32(PCRE2_ANCHORED) | UInt32(PCRE2_NOTEMPTY_ATSTART) }
        let result = unsafe pcre2_match_8(code, text.baseAddress, text.count, start, options, data, context)
        switch result {
        case PCRE2_ERROR_NOMATCH: return nil
        case PCRE2_ERROR_MATCHLIMIT, PCRE2_ERROR_DEPTHLIMIT, PCRE2_ERROR_HEAPLIMIT, PCRE2_ERROR_NOMEMORY:
            throw .limit
        case 1...: break
        default: throw .failed(Self.message(result))
        }
        guard let offsets = unsafe pcre2_get_ovector_pointer_8(data) else { return nil }
        var ranges: [Range<Int>?] = []
        for group in 0..<Int(unsafe pcre2_get_ovector_count_8(data)) {
            let (lower, upper) = unsafe (offsets[2 * group], offsets[2 * group + 1])
            // \K in a look-behind can put the start behind the end.
            let isSet = group < Int(result) && lower != webl_pcre2_unset() && lower <= upper
            ranges.append(isSet ? lower..<upper : nil)
        }
        return ranges
    }

    private static func message(_ number: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = unsafe buffer.withUnsafeMutableBufferPointer { bytes in
            unsafe pcre2_get_error_message_8(number, bytes.baseAddress, bytes.count)
        }
        return count > 0 ? String(decoding: buffer.prefix(Int(count)), as: UTF8.self) : "error \(number)"
    }
}

extension Pattern {
    /// Calls `body` with the ranges of each match, one behind the other, until it returns true.
    func forEachMatch(
        in text: UnsafeBufferPointer<UInt8>,
        _ body: ([Range<Int>?]) throws(RuleFailure) -> Bool
    ) throws(MatchFailure) {
        var start = 0
        var afterEmpty = false
        while start <= text.count {
            let found: [Range<Int>?]?
            do throws(Failure) {
                found = unsafe try match(in: text, from: start, isAnchoredAndNotEmpty: afterEmpty)
            } catch {
                throw .pattern(error)
            }
            guard let groups = found, let whole = groups[0], whole.upperBound >= start else {
                // Behind an empty match there is another chance one character on.
                guard afterEmpty, start < text.count else { return }
                start += 1
                while unsafe start < text.count && text[start] & 0xC0 == 0x80 { start += 1 }
                afterEmpty = false
                continue
            }
            do throws(RuleFailure) {
                if try body(groups) { return }
            } catch {
                throw .rule(error)
            }
            start = whole.upperBound
            afterEmpty = whole.isEmpty
        }
    }

    /// Why matching ended: the pattern's doing, or that of who was called.
    enum MatchFailure: Error {
        case pattern(Failure)
        case rule(RuleFailure)
    }
}
