import WebStandards

/// Removes the chunks of a body, piece by piece.
///
/// [RFC 9112, section 7.1](https://www.rfc-editor.org/rfc/rfc9112#section-7.1)
struct Dechunker {
    private enum State {
        case size, extensions, data, dataEnd, dataLineFeed
        /// In a trailer's line, of which so many bytes were read.
        case trailer(Int)
        case done, failed
    }

    private var state = State.size
    private var size = 0
    private var hasDigits = false

    /// Whether the bytes were no chunks somewhere.
    var isDamaged: Bool { if case .failed = state { true } else { false } }

    /// Whether the last chunk was read.
    var isComplete: Bool {
        switch state {
        case .done, .trailer: true
        case .size, .extensions, .data, .dataEnd, .dataLineFeed, .failed: false
        }
    }

    /// Whether bytes are likely the start of a body in chunks: a size in hexadecimal alone in its line, or with extensions,
    /// and a line end behind the data as far as that is there.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - isWhole: Whether they are all of the body.
    /// - Returns: Whether they are.
    @safe static func isLikely(_ bytes: UnsafeRawBufferPointer, isWhole: Bool) -> Bool {
        var size = 0
        var index = 0
        while index < bytes.count, let digit = unsafe Base16.digit(bytes[index]) {
            size = min(size *| 16 +| Int(digit), Int.largestBounded)
            index += 1
        }
        guard index > 0 else { return false }
        guard index < bytes.count else { return !isWhole }
        guard unsafe [0x0D, 0x0A, 0x20, 0x09, 0x3B].contains(bytes[index]) else { return false }
        guard let line = unsafe bytes[index...].prefix(4096).firstIndex(of: 0x0A) else {
            return !isWhole
        }
        let end = line + 1 + size
        return unsafe size == 0 || end >= bytes.count || bytes[end] == 0x0D || bytes[end] == 0x0A
    }

    /// Passes the data in the bytes to a sink, which returns whether it takes more; false if it does not, or they are damaged.
    mutating func take<Failure: Error>(
        _ bytes: UnsafeRawBufferPointer,
        _ sink: (UnsafeRawBufferPointer) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        var index = 0
        while index < bytes.count {
            if case .data = state {
                let count = min(size, bytes.count - index)
                let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes[index..<(index + count)])
                index += count
                size -= count
                if size == 0 { state = .dataEnd }
                guard unsafe try sink(piece) else { return false }
                continue
            }
            unsafe take(bytes[index])
            if isDamaged { return false }
            if case .done = state { return true }
            index += 1
        }
        return true
    }

    private mutating func take(_ byte: UInt8) {
        switch state {
        case .size:
            if let digit = Base16.digit(byte) {
                size = min(size *| 16 +| Int(digit), Int.largestBounded)
                hasDigits = true
            } else if byte == 0x0A {
                endSize()
            } else {
                state = hasDigits && [0x0D, 0x20, 0x09, 0x3B].contains(byte) ? .extensions : .failed
            }
        case .extensions:
            if byte == 0x0A { endSize() }
        case .dataEnd:
            if byte == 0x0A { beginSize() } else { state = byte == 0x0D ? .dataLineFeed : .failed }
        case .dataLineFeed:
            if byte == 0x0A { beginSize() } else { state = .failed }
        case .trailer(let count):
            if byte == 0x0A {
                state = count == 0 ? .done : .trailer(0)
            } else if byte != 0x0D {
                state = .trailer(count +| 1)
            }
        case .data, .done, .failed: break
        }
    }

    private mutating func endSize() {
        guard hasDigits else {
            state = .failed
            return
        }
        state = size == 0 ? .trailer(0) : .data
    }

    private mutating func beginSize() {
        (state, size, hasDigits) = (.size, 0, false)
    }
}
