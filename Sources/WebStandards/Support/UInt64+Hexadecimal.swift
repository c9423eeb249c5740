extension UInt64 {
    /// Its last digits in hexadecimal, in lower case and with leading zeros: 1 through 16 of them.
    package func hexadecimal(digits count: Int = 16) -> String {
        unsafe String(unsafeUninitializedCapacity: count) { buffer in
            var rest = self
            for index in (0..<count).reversed() {
                unsafe buffer[index] = URLByte.lowerHexDigit(UInt8(truncatingIfNeeded: rest & 0xF))
                rest >>= 4
            }
            return count
        }
    }
}
