import CIDNATables

/// UTS #46 ToASCII as the URL standard uses it: nontransitional, with CheckBidi and CheckJoiners, without
/// CheckHyphens, VerifyDnsLength, UseSTD3ASCIIRules and IgnoreInvalidPunycode.
///
/// The data is that of the Unicode version stated at the top of Sources/CIDNATables/tables.c. Everything here takes
/// time O(*n* log *n*).
///
/// <https://www.unicode.org/reports/tr46/#Processing>
enum DomainToASCII {
    /// The ASCII form of a domain that is not all ASCII, or nil on failure.
    static func convert(utf8 domain: [UInt8]) -> [UInt8]? {
        guard let text = String(validating: domain, as: UTF8.self) else { return nil }
        let scalars = Normalization.nfc(map(text))
        var labels: [Label] = []
        for label in scalars.split(separator: UInt32(URLByte.fullStop), omittingEmptySubsequences: false) {
            guard let converted = Label(label) else { return nil }
            labels.append(converted)
        }
        if labels.contains(where: { BidiRule.makesBidiDomain($0.scalars) }) {
            guard labels.allSatisfy({ BidiRule.isSatisfied(by: $0.scalars) }) else { return nil }
        }
        var output: [UInt8] = []
        for (index, label) in labels.enumerated() {
            if index > 0 { output.append(URLByte.fullStop) }
            guard label.appendASCII(to: &output) else { return nil }
        }
        return output
    }

    /// Processing step 1, Map.
    ///
    /// A disallowed code point stays; the validity criteria find it if normalizing leaves it.
    private static func map(_ text: String) -> [UInt32] {
        var mapped: [UInt32] = []
        mapped.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            let mapping = idna_mapping_of(scalar.value)
            switch mapping.status {
            case idna_status_ignored:
                break
            case idna_status_mapped:
                for index in 0..<UInt32(mapping.mapping.count) {
                    mapped.append(idna_scalar_at(UInt32(mapping.mapping.offset) &+ index))
                }
            default:
                mapped.append(scalar.value)
            }
        }
        return mapped
    }
}

extension DomainToASCII {
    /// A label after processing step 4, Convert/Validate: its code points, decoded if it was Punycode.
    private struct Label {
        let scalars: ArraySlice<UInt32>

        /// Nil if the label is not valid.
        init?(_ label: ArraySlice<UInt32>) {
            guard Self.hasPrefix(label) else {
                guard Self.isValid(label) else { return nil }
                scalars = label
                return
            }
            guard let decoded = Punycode.decode(label.dropFirst(4)),
                decoded.contains(where: { $0 >= 0x80 }),
                Normalization.nfc(decoded) == decoded,
                !Self.hasPrefix(decoded[...]),
                Self.isValid(decoded[...])
            else { return nil }
            scalars = decoded[...]
        }

        /// Appends the label as it stands, or as "xn--" and Punycode if it is not ASCII; false on overflow.
        func appendASCII(to output: inout [UInt8]) -> Bool {
            if scalars.allSatisfy({ $0 < 0x80 }) {
                output.append(contentsOf: scalars.lazy.map { UInt8(truncatingIfNeeded: $0) })
                return true
            }
            output.append(contentsOf: "xn--".utf8)
            return Punycode.encode(scalars, to: &output)
        }

        private static func hasPrefix(_ label: ArraySlice<UInt32>) -> Bool {
            label.starts(with: [0x78, 0x6E, 0x2D, 0x2D] as [UInt32])
        }

        /// Checks the remaining validity criteria: the label is already in NFC and has no "." in it.
        ///
        /// <https://www.unicode.org/reports/tr46/#Validity_Criteria>
        private static func isValid(_ label: ArraySlice<UInt32>) -> Bool {
            guard let first = label.first else { return true }
            return !ScalarProperties(of: first).isMark
                && label.allSatisfy { idna_mapping_of($0).status == idna_status_valid }
                && ContextJ.isSatisfied(by: label)
        }
    }
}
