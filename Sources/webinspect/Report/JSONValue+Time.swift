import WebLoader

extension JSONValue {
    /// A time in milliseconds, to a thousandth.
    static func milliseconds(_ time: Duration) -> Double {
        (time.inSeconds * 1_000_000).rounded() / 1000
    }
}
