import Foundation
import Glibc

/// A program at a terminal: it gets keys, and what it shows is read.
///
/// All waiting ends after a while. The terminal is its standard input, output and error, and its controlling terminal.
public final class PseudoTerminal {
    /// The program and this end of its terminal.
    private let program: StartedProgram
    private let descriptor: Int32

    /// All that was shown so far, without what moves the cursor.
    public var shown: String { String(decoding: bytes, as: UTF8.self) }

    private var bytes: [UInt8] = []
    /// Of the bytes, those up to the end of what was waited for last.
    private var seen = 0
    /// The beginning of a sequence whose end has not come yet.
    private var sequence: [UInt8] = []

    /// TIOCSPTLCK and TIOCGPTN, the same on all architectures that Swift knows.
    private static let setLock: UInt = 0x4004_5431
    private static let getNumber: UInt = 0x8004_5430

    /// Starts an executable of the package, or one by its path.
    public init(_ name: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        // As posix_openpt, unlockpt and ptsname do, which Swift's module of glibc leaves out.
        descriptor = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var lock: Int32 = 0
        var number: UInt32 = 0
        guard descriptor >= 0, unsafe ioctl(descriptor, Self.setLock, &lock) == 0,
            unsafe ioctl(descriptor, Self.getNumber, &number) == 0
        else { throw TestServerError(message: "there is no pseudo terminal: errno \(errno)") }
        var size = winsize(ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(descriptor, UInt(TIOCSWINSZ), &size)
        do {
            // It has a session of its own: the terminal that it opens first is the one whose keys end it.
            program = try StartedProgram(
                name,
                arguments,
                device: "/dev/pts/\(number)",
                environment: ["TERM": "xterm", "NO_COLOR": "1"].merging(environment) { $1 }
            )
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    deinit { Glibc.close(descriptor) }

    /// Presses keys.
    public func type(_ keys: String) throws {
        var rest = Array(keys.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw TestServerError(message: "nobody reads keys: errno \(errno)") }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits until a text is shown behind what was waited for last.
    public func wait(for text: String, seconds: Double = 300) async throws {
        let end = ContinuousClock.now + .seconds(seconds)
        while !find(text) {
            guard try await readSome(until: end) else {
                throw TestServerError(message: "\"\(text)\" is not shown, but \"\(shown)\"")
            }
        }
    }

    /// Waits until the program ends; its exit status, or 128 and the signal.
    public func end(seconds: Double = 300) async throws -> Int32 {
        let end = ContinuousClock.now + .seconds(seconds)
        while try await readSome(until: end) {}
        do {
            return try await program.end(within: (end - .now) / .seconds(1))
        } catch {
            throw TestServerError(message: "\(error) after \"\(shown)\"")
        }
    }

    /// Whether the text is there; what comes after it is looked at next.
    private func find(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard bytes.count >= seen + wanted.count else { return false }
        for start in seen...(bytes.count - wanted.count) where bytes[start...].starts(with: wanted) {
            seen = start + wanted.count
            return true
        }
        return false
    }

    /// Reads what is shown; false at its end, and when the time is up.
    private func readSome(until end: ContinuousClock.Instant) async throws -> Bool {
        while ContinuousClock.now < end {
            // A wait of a moment at a time keeps none of the threads that tests share.
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&ready, 1, 0) > 0 else {
                try await Task.sleep(for: .milliseconds(5))
                continue
            }
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe read(descriptor, $0.baseAddress, $0.count)
            }
            // EIO: nobody has the other end open any more.
            guard count > 0 else { return false }
            chunk[..<count].forEach(add)
            return true
        }
        return false
    }

    /// Leaves out carriage returns, bells and backspaces, and sequences as ESC [ 9 G.
    private func add(_ byte: UInt8) {
        if !sequence.isEmpty || byte == 0x1B {
            sequence.append(byte)
            let isFinal = (0x40...0x7E).contains(byte) && (sequence.count > 2 || byte != UInt8(ascii: "["))
            if sequence.count > 1, isFinal { sequence = [] }
        } else if byte != 0x0D, byte != 0x07, byte != 0x08 {
            bytes.append(byte)
        }
    }
}
