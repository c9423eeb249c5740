extension String {
    /// The text without ASCII whitespace at its ends, and with each run of it inside replaced by one space.
    ///
    /// <https://infra.spec.whatwg.org/#strip-and-collapse-ascii-whitespace>
    package var collapsingASCIIWhitespace: String {
        var output: [UInt8] = []
        output.reserveCapacity(utf8.count)
        var hasPendingSpace = false
        for byte in utf8 {
            if byte.isASCIIWhitespace {
                hasPendingSpace = !output.isEmpty
            } else {
                if hasPendingSpace { output.append(0x20) }
                hasPendingSpace = false
                output.append(byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}

extension String {
    /// The text without ASCII whitespace at its ends.
    ///
    /// <https://infra.spec.whatwg.org/#strip-leading-and-trailing-ascii-whitespace>
    package var trimmingASCIIWhitespace: String {
        let bytes = utf8
        guard let first = bytes.firstIndex(where: { !$0.isASCIIWhitespace }),
            let last = bytes.lastIndex(where: { !$0.isASCIIWhitespace })
        else { return "" }
        return String(self[first...last])
    }

    /// The words between ASCII whitespace.
    ///
    /// <https://infra.spec.whatwg.org/#split-on-ascii-whitespace>
    package var asciiWords: [String] {
        utf8.split(whereSeparator: \.isASCIIWhitespace).map { String(Substring($0)) }
    }

    /// The text of UTF-8 bytes, with ASCII upper-case letters converted to lower case.
    ///
    /// It uses an array, since each lazy collection type would cost a command a scan of all conformances at
    /// start-up.
    ///
    /// <https://infra.spec.whatwg.org/#ascii-lowercase>
    @inlinable
    package init(asciiLowercasing bytes: some Collection<UInt8>) {
        var lowered = Array(bytes)
        for index in lowered.indices { lowered[index] = lowered[index].asciiLowercased }
        self.init(decoding: lowered, as: UTF8.self)
    }

    /// Whether the bytes are the same.
    @inlinable
    package func isEqual(to other: StaticString) -> Bool {
        guard utf8.count == other.utf8CodeUnitCount else { return false }
        var index = 0
        for byte in utf8 {
            guard unsafe byte == other.utf8Start[index] else { return false }
            index += 1
        }
        return true
    }

    /// Whether both are equal except for the case of ASCII letters.
    ///
    /// <https://infra.spec.whatwg.org/#ascii-case-insensitive>
    @inlinable
    package func isEqualIgnoringASCIICase(to other: StaticString) -> Bool {
        guard utf8.count == other.utf8CodeUnitCount else { return false }
        var index = 0
        for byte in utf8 {
            guard unsafe byte.asciiLowercased == other.utf8Start[index].asciiLowercased else { return false }
            index += 1
        }
        return true
    }
}
