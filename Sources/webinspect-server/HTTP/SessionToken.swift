/// A secret of this run that nobody guesses.
struct SessionToken: Sendable {
    /// 43 characters of base64url: 256 bits.
    let text: String

    /// A new one, of the system's random numbers.
    init() {
        var generator = SystemRandomNumberGenerator()
        text = Self.random(43, using: &generator)
    }

    /// Random characters of base64url, of 6 bits each.
    static func random(_ count: Int, using generator: inout some RandomNumberGenerator) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let bytes = (0..<count).map { _ in alphabet[Int.random(in: 0..<64, using: &generator)] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a field's value is the token as a bearer; how long that takes says nothing about where they differ.
    func isIn(authorization value: String) -> Bool {
        let expected = Array("Bearer \(text)".utf8)
        let given = Array(value.utf8)
        guard given.count == expected.count else { return false }
        var difference: UInt8 = 0
        for index in expected.indices { difference |= given[index] ^ expected[index] }
        return difference == 0
    }
}
