/// One of the images that a `srcset` offers.
struct ImageCandidate: Equatable {
    /// The URL, as written.
    let reference: String
    let descriptor: ImageDescriptor
    /// Where the URL is, in bytes of the attribute.
    var range = 0..<0

    /// The candidates of a `srcset` attribute; those with invalid descriptors are left out.
    ///
    /// Complexity: O(n) in the length of the attribute.
    ///
    /// <https://html.spec.whatwg.org/multipage/images.html#parsing-a-srcset-attribute>
    static func parse(_ attribute: String) -> [ImageCandidate] {
        var parser = ImageCandidateParser(input: Array(attribute.utf8))
        return parser.parse()
    }
}

/// The standard's parser of a `srcset` attribute, on bytes: all that it looks for is ASCII.
private struct ImageCandidateParser {
    let input: [UInt8]
    private var position = 0

    init(input: [UInt8]) {
        self.input = input
    }

    mutating func parse() -> [ImageCandidate] {
        var candidates: [ImageCandidate] = []
        while true {
            // 4. Splitting loop.
            skip { $0.isASCIIWhitespace || $0 == UInt8(ascii: ",") }
            // 5.
            guard position < input.count else { return candidates }
            // 6.
            let start = position
            skip { !$0.isASCIIWhitespace }
            var url = start..<position
            // 7., 8. A URL that ends with commas has no descriptors.
            var descriptors: [Range<Int>] = []
            if input[url.upperBound - 1] == UInt8(ascii: ",") {
                while url.count > 0, input[url.upperBound - 1] == UInt8(ascii: ",") {
                    url = start..<url.upperBound - 1
                }
            } else {
                descriptors = tokenizeDescriptors()
            }
            if let descriptor = descriptor(descriptors) {
                let reference = String(decoding: input[url], as: UTF8.self)
                candidates.append(ImageCandidate(reference: reference, descriptor: descriptor, range: url))
            }
        }
    }

    private mutating func skip(while condition: (UInt8) -> Bool) {
        while position < input.count, condition(input[position]) { position += 1 }
    }

    // MARK: - Descriptors

    private enum State {
        case inDescriptor
        case inParentheses
        case afterDescriptor
    }

    /// Step 8: the descriptors up to the comma that ends the candidate, which is skipped.
    private mutating func tokenizeDescriptors() -> [Range<Int>] {
        skip(while: \.isASCIIWhitespace)
        var descriptors: [Range<Int>] = []
        var start = position
        var state = State.inDescriptor
        while position < input.count {
            let byte = input[position]
            switch state {
            case .inDescriptor:
                if byte.isASCIIWhitespace {
                    if start < position { descriptors.append(start..<position) }
                    state = .afterDescriptor
                } else if byte == UInt8(ascii: ",") {
                    if start < position { descriptors.append(start..<position) }
                    position += 1
                    return descriptors
                } else if byte == UInt8(ascii: "(") {
                    state = .inParentheses
                }
            case .inParentheses:
                if byte == UInt8(ascii: ")") { state = .inDescriptor }
            case .afterDescriptor:
                if !byte.isASCIIWhitespace {
                    start = position
                    state = .inDescriptor
                    continue
                }
            }
            position += 1
        }
        if state != .afterDescriptor, start < position { descriptors.append(start..<position) }
        return descriptors
    }

    /// Steps 9 to 16: the meaning of the descriptors; nil for an error.
    private func descriptor(_ tokens: [Range<Int>]) -> ImageDescriptor? {
        var width: Int?
        var density: Double?
        var height: Int?
        for token in tokens {
            let number = input[token.dropLast()]
            switch input[token.upperBound - 1] {
            case UInt8(ascii: "w"):
                guard let value = Self.nonNegativeInteger(number), value > 0, width == nil, density == nil
                else { return nil }
                width = value
            case UInt8(ascii: "x"):
                guard let value = Self.floatingPoint(number), value >= 0, width == nil, density == nil,
                    height == nil
                else { return nil }
                density = value
            case UInt8(ascii: "h"):
                guard let value = Self.nonNegativeInteger(number), value > 0, height == nil, density == nil
                else { return nil }
                height = value
            default: return nil
            }
        }
        // A height without a width is an error.
        if height != nil, width == nil { return nil }
        return ImageDescriptor(width: width, height: height, density: density)
    }

    /// A [valid non-negative
    /// integer](https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#valid-non-negative-integer), 2^53 for a
    /// larger one; nil for any other text.
    private static func nonNegativeInteger(_ text: ArraySlice<UInt8>) -> Int? {
        guard !text.isEmpty else { return nil }
        var value = 0
        for byte in text {
            guard byte.isASCIIDigit else { return nil }
            value.appendDigit(byte)
        }
        return value
    }

    /// A [valid floating-point
    /// number](https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#valid-floating-point-number); nil
    /// for any other text, and for a number that is not finite.
    private static func floatingPoint(_ text: ArraySlice<UInt8>) -> Double? {
        var rest = text
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let integer = rest.prefix(while: \.isASCIIDigit)
        rest = rest.dropFirst(integer.count)
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix(while: \.isASCIIDigit)
            guard !fraction.isEmpty else { return nil }
            rest = rest.dropFirst(fraction.count + 1)
        } else if integer.isEmpty {
            return nil
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
            let exponent = rest.prefix(while: \.isASCIIDigit)
            guard !exponent.isEmpty else { return nil }
            rest = rest.dropFirst(exponent.count)
        }
        guard rest.isEmpty, let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
            return nil
        }
        return value
    }
}
