import Glibc
import Synchronization
import WebLoader

/// Asks for a password at the terminal, where it is not shown.
enum PasswordPrompt {
    /// Bytes of a password, at most.
    private static let maximumLength = 4096

    /// The answer, which is asked for once per line, however many sources the line has.
    private static let answer = Mutex<String?>(nil)

    /// The password of a user: the terminal's answer, whatever the standard streams are.
    ///
    /// - Parameters:
    ///   - user: The user's name, for the question.
    ///   - purpose: The flag, for errors.
    /// - Returns: The password, which may be empty.
    /// - Throws: ``Failure`` if there is no terminal, or nothing is answered.
    static func password(of user: String, for purpose: String) throws(Failure) -> String {
        if let known = answer.withLock({ $0 }) { return known }
        let descriptor = isatty(2) == 1 ? unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY) : -1
        guard descriptor >= 0 else {
            throw Failure(
                usage: purpose,
                "no password, and no terminal to ask at; expected USER:PASSWORD, or USER: for an empty one"
            )
        }
        defer { close(descriptor) }
        let password = try read(descriptor, "Password for \(TerminalText.visible(user)): ", purpose)
        answer.withLock { $0 = password }
        return password
    }

    private static func read(
        _ descriptor: Int32,
        _ question: String,
        _ purpose: String
    ) throws(Failure) -> String {
        var before = termios()
        guard unsafe tcgetattr(descriptor, &before) == 0 else {
            throw Failure(usage: purpose, "no password, and the terminal cannot be asked")
        }
        // The clock's signal would end the process with a terminal that shows nothing.
        var clock = sigset_t()
        unsafe sigemptyset(&clock)
        unsafe sigaddset(&clock, SIGALRM)
        var mask = sigset_t()
        unsafe pthread_sigmask(SIG_BLOCK, &clock, &mask)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &mask, nil) }
        var hidden = before
        // Control-C comes as a byte, so that the terminal is put back before the process ends.
        hidden.c_lflag &= ~tcflag_t(bitPattern: ECHO | ISIG | ICANON)
        unsafe tcsetattr(descriptor, TCSAFLUSH, &hidden)
        defer { unsafe tcsetattr(descriptor, TCSAFLUSH, &before) }
        write(question, descriptor)
        defer { write("\n", descriptor) }
        var bytes: [UInt8] = []
        while true {
            var byte: UInt8 = 0
            let count = unsafe Glibc.read(descriptor, &byte, 1)
            if count < 0, errno == EINTR { continue }
            // Control-C, and Control-D on an empty line.
            guard count > 0, byte != 0x03, byte != 0x04 || !bytes.isEmpty else {
                throw Failure(
                    subject: purpose,
                    "no password was given",
                    code: "load.cancelled",
                    status: .interrupted
                )
            }
            switch byte {
            case 0x0A, 0x0D: return String(decoding: bytes, as: UTF8.self)
            case 0x08, 0x7F: removeCharacter(&bytes)
            case 0x15: bytes = []
            default: if bytes.count < maximumLength { bytes.append(byte) }
            }
        }
    }

    /// Removes the last character: the bytes of UTF-8 behind its first, and that.
    private static func removeCharacter(_ bytes: inout [UInt8]) {
        while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    }

    private static func write(_ text: String, _ descriptor: Int32) {
        var text = text
        text.withUTF8 { unsafe _ = Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
