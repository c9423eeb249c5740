import Synchronization

@testable import WebStandards
@testable import WebTransport

/// Takes a body without collecting it.
final class DroppingReceiver: BodyReceiver {
    private let taken = Mutex<(bytes: [UInt8], largest: Int)>(([], 0))

    var collectsBody: Bool { false }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    var bytes: [UInt8] { taken.withLock { $0.bytes } }

    /// Bytes of the largest piece.
    var largestPiece: Int { taken.withLock { $0.largest } }

    func receive(head: WebResponse) { taken.withLock { $0.bytes = [] } }

    func receive(_ bytes: Span<UInt8>) {
        taken.withLock { taken in
            taken.largest = max(taken.largest, bytes.count)
            unsafe bytes.withUnsafeBufferPointer { unsafe taken.bytes.append(contentsOf: $0) }
        }
    }
}
