import WebStandards

/// The value of a slider: a number between the minimum and the maximum, on a step.
///
/// [Range state](https://html.spec.whatwg.org/multipage/input.html#range-state-(type=range))
enum FormRange {
    /// Returns a value adjusted to the limits and the step.
    ///
    /// - Parameters:
    ///   - text: The value to set; `nil` if there is none.
    ///   - constraints: The limits and the step.
    ///   - initialValue: The value in the page, from which steps are counted if there is no minimum.
    /// - Returns: The number, as it is sent.
    static func value(_ text: String?, _ constraints: FormConstraints, _ initialValue: String?) -> String {
        let minimum = number(constraints.minimum) ?? 0
        let maximum = number(constraints.maximum) ?? 100
        let given = number(text)
        var value = given ?? (maximum < minimum ? minimum : minimum + (maximum - minimum) / 2)
        value = max(min(value, maximum), minimum)
        if constraints.step?.isEqualIgnoringASCIICase(to: "any") != true {
            let isFromMinimum = number(constraints.minimum) != nil
            let base = isFromMinimum ? minimum : number(initialValue) ?? 0
            let written = [isFromMinimum ? constraints.minimum : initialValue, constraints.step, text]
            let step = number(constraints.step).flatMap { $0 > 0 ? $0 : nil } ?? 1
            let scale = scale(of: written.compactMap(\.self), value)
            value = stepped(value, base, step, minimum...max(minimum, maximum), scale: scale)
        }
        if value == given, let text { return text }
        return written(value)
    }

    private static func number(_ text: String?) -> Double? {
        text.flatMap { InputValue($0, .number)?.number }
    }

    /// The nearest step, and of two equally near ones the higher one, but within the limits.
    ///
    /// It is found in whole numbers, since tenths are not exact in binary.
    private static func stepped(
        _ value: Double,
        _ base: Double,
        _ step: Double,
        _ limits: ClosedRange<Double>,
        scale: Double
    ) -> Double {
        let whole = (
            value: (value * scale).rounded(), base: (base * scale).rounded(), step: (step * scale).rounded()
        )
        guard whole.step >= 1 else { return value }
        let count = ((whole.value - whole.base) / whole.step + 0.5).rounded(.down)
        for number in [count, count - 1, count + 1] {
            let found = (whole.base + number * whole.step) / scale
            if limits.contains(found) { return found }
        }
        return value
    }

    /// The power of ten that makes numbers whole ones, as far as their decimals are written and a number has room for
    /// them.
    private static func scale(of texts: [String], _ value: Double) -> Double {
        let middle = texts.count < 3 ? [written(value)] : []
        let count = (texts + middle).map(decimals).max() ?? 0
        var scale = 1.0
        for _ in 0..<min(count, 12) where abs(value) * scale * 10 < 1e15 { scale *= 10 }
        return scale
    }

    /// How many decimals a number is written with.
    private static func decimals(_ text: String) -> Int {
        let parts = text.utf8.split(maxSplits: 1) { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
        guard let mantissa = parts.first else { return 0 }
        let fraction = mantissa.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .dropFirst()
        let exponent = parts.count > 1 ? Int(bounded: Substring(parts[1])) ?? 0 : 0
        return min(max(0, (fraction.first?.count ?? 0) -| exponent), 400)
    }

    /// A number as JavaScript writes it: without an exponent from 10⁻⁶ to below 10²¹.
    ///
    /// [Number::toString](https://tc39.es/ecma262/#sec-numeric-types-number-tostring)
    static func written(_ value: Double) -> String {
        let text = "\(value.magnitude)"
        let parts = text.utf8.split(separator: UInt8(ascii: "e"))
        let mantissa = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        var digits = Array(mantissa[0])
        // Where the point is, in digits from the first one.
        var point = digits.count + (parts.count > 1 ? Int(bounded: Substring(parts[1])) ?? 0 : 0)
        if mantissa.count > 1 { digits += mantissa[1] }
        while digits.last == UInt8(ascii: "0"), digits.count > 1 { digits.removeLast() }
        while digits.first == UInt8(ascii: "0"), digits.count > 1 {
            digits.removeFirst()
            point -= 1
        }
        if digits == [UInt8(ascii: "0")] { return "0" }
        let zero = UInt8(ascii: "0")
        let output: [UInt8]
        switch point {
        case digits.count...21:
            output = digits + Array(repeating: zero, count: point - digits.count)
        case 1...21:
            output = digits[..<point] + [UInt8(ascii: ".")] + digits[point...]
        case -5...0:
            output = [zero, UInt8(ascii: ".")] + Array(repeating: zero, count: 0 -| point) + digits
        default:
            let rest = digits.count > 1 ? [UInt8(ascii: ".")] + digits[1...] : []
            let sign = point > 0 ? "+" : ""
            output = [digits[0]] + rest + Array("e\(sign)\(point - 1)".utf8)
        }
        return (value < 0 ? "-" : "") + String(decoding: output, as: UTF8.self)
    }
}
