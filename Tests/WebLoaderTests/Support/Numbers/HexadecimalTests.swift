import Testing

@testable import WebStandards

/// Digits of numbers.
struct HexadecimalTests {
    @Test(arguments: [
        (UInt64.min, 16, "0000000000000000"), (.max, 16, "ffffffffffffffff"), (0xABC, 8, "00000abc"),
        (0x1234_5678_9ABC_DEF0, 16, "123456789abcdef0"), (0x1234_5678_9ABC_DEF0, 8, "9abcdef0"),
        (0xF, 1, "f"),
    ])
    func allDigitsAreThere(value: UInt64, count: Int, digits: String) {
        #expect(value.hexadecimal(digits: count) == digits)
    }
}
