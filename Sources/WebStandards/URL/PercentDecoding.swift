/// Percent-decoding.
///
/// <https://url.spec.whatwg.org/#percent-decode>
package enum PercentDecoding {
    /// The bytes with every "%" and two hexadecimal digits replaced by the byte that they encode.
    package static func decode(_ input: Span<UInt8>, plusAsSpace: Bool = false) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(input.count)
        var index = 0
        while index < input.count {
            let byte = input[index]
            index += 1
            if byte == URLByte.plus, plusAsSpace {
                output.append(URLByte.space)
            } else if byte == URLByte.percent, index + 1 < input.count,
                let high = URLByte.hexValue(input[index]), let low = URLByte.hexValue(input[index + 1])
            {
                output.append(high << 4 | low)
                index += 2
            } else {
                output.append(byte)
            }
        }
        return output
    }
}
