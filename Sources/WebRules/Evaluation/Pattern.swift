import CPCRE2

/// A compiled regular expression of a recipe, in Perl's syntax, over Unicode.
///
/// A match that takes too many steps is aborted; time that is not counted as steps is limited by the budget.
@safe package final class Pattern {
    /// Why matching failed.
    enum Failure: Error {
        /// It took too many steps or too much memory.
        case limit
        /// PCRE2 reported an error, with this message.
        case failed(String)
    }

    /// Why an expression does not compile.
    struct SyntaxError: Error {
        let message: String
        /// The position of the error, in bytes from the start of the expression.
        let offset: Int
    }

    /// PCRE2's version, as in "10.42 2022-12-11".
    package static var version: LibraryVersion {
        // PCRE2's documentation says that 24 bytes are enough.
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

    /// The maximum number of steps of the matcher for each start position.
    private static let maximumSteps: UInt32 = 5_000_000
    /// The maximum heap memory of the matcher, in kibibytes.
    private static let maximumHeap: UInt32 = 8_192

    /// Compiles an expression.
    ///
    /// - Throws: ``SyntaxError`` if the expression is invalid or too large.
    init(_ text: String) throws(SyntaxError) {
        var number: Int32 = 0
        var offset = 0
        var text = text
        let compiled = text.withUTF8 { bytes in
            unsafe pcre2_compile_8(
                bytes.baseAddress,
                bytes.count,
                // \C could match a part of a character, so that the match is not valid UTF-8.
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

    /// The first match from an offset on: the ranges of the whole match and of each group, nil for a group
    /// that took no part.
    ///
    /// - Parameters:
    ///   - text: UTF-8.
    ///   - start: The offset at which to begin, between two characters.
    ///   - isAnchoredAndNotEmpty: Whether the match must begin there and must not be empty.
    /// - Returns: The ranges in bytes; nil if there is no match.
    /// - Throws: ``Failure``.
    func match(
        in text: UnsafeBufferPointer<UInt8>,
        from start: Int,
        isAnchoredAndNotEmpty: Bool = false
    ) throws(Failure) -> [Range<Int>?]? {
        // The text comes from a Swift string, so it is valid UTF-8.
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
            // \K in a look-behind can put the start after the end.
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
    /// Calls `body` with the ranges of each match, in order, until it returns true.
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
                // After an empty match, the search is repeated one character further on.
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

    /// Why matching ended: an error of the pattern, or one that `body` threw.
    enum MatchFailure: Error {
        case pattern(Failure)
        case rule(RuleFailure)
    }
}
