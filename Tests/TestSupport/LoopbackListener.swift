import Glibc

/// A port of loopback on which nobody listens: it is held, so that nobody else can.
public final class RefusingPort: Sendable {
    /// Its number.
    public let number: Int

    private let descriptor: Int32

    /// Has the system pick it.
    public init() throws { (descriptor, number) = try listenOnLoopback(backlog: nil) }

    deinit { close(descriptor) }
}

/// Listens on a port of loopback that the system picks, and that is nobody else's for as long as the descriptor is open; without a
/// backlog only takes it.
public func listenOnLoopback(backlog: Int32? = 16) throws -> (descriptor: Int32, port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            unsafe bind(descriptor, pointer, size) == 0
                && backlog.map { listen(descriptor, $0) == 0 } != false
                && getsockname(descriptor, pointer, &size) == 0
        }
    }
    guard isListening else {
        let code = errno
        close(descriptor)
        throw TestServerError(message: "no loopback port to be had: errno \(code)")
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
}
