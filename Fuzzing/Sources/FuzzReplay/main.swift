import FuzzTargets
import Glibc

// Runs every target on all inputs that fuzzing has stored for it: fuzz-replay FOLDER. The folder has a file TARGET.txt
// for each target, with one input per line in Base64. If an input fails, the process reports it and ends by a signal.

/// The target and input that are being run, for the signal handler.
nonisolated(unsafe) private var label = [UInt8](repeating: 0, count: 64)

/// An input that takes longer hangs.
private let maximumSeconds: UInt32 = 60

private let signals = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGALRM]
for number in signals {
    signal(number) { number in
        _ = write(2, label, label.count)
        signal(number, SIG_DFL)
        raise(number)
    }
}

guard CommandLine.arguments.count == 2 else {
    print("usage: fuzz-replay FOLDER")
    exit(2)
}
for name in fuzzTargetNames {
    let count = replay(name, "\(CommandLine.arguments[1])/\(name).txt")
    print("\(name): \(count) inputs")
}

/// Runs a target on each line of a file; returns the number of lines.
private func replay(_ name: String, _ path: String) -> Int {
    guard let file = fopen(path, "r") else { return 0 }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    var count = 0
    while true {
        let length = getline(&line, &capacity, file)
        guard length > 0, let line else { return count }
        count += 1
        let text = Array("\(name), line \(count)\n".utf8.prefix(label.count))
        label = text + [UInt8](repeating: 0x20, count: label.count - text.count)
        alarm(maximumSeconds)
        decode(UnsafeBufferPointer(start: line, count: length)).withUnsafeBufferPointer {
            runFuzzTarget(name, $0)
        }
        alarm(0)
    }
}

/// Decodes Base64.
private func decode(_ text: UnsafeBufferPointer<CChar>) -> [UInt8] {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for character in text {
        let digit: UInt32
        switch UInt8(bitPattern: character) {
        case let letter where (0x41...0x5A).contains(letter): digit = UInt32(letter) - 0x41
        case let letter where (0x61...0x7A).contains(letter): digit = UInt32(letter) - 0x61 + 26
        case let number where (0x30...0x39).contains(number): digit = UInt32(number) - 0x30 + 52
        case 0x2B: digit = 62
        case 0x2F: digit = 63
        default: continue
        }
        bits = bits << 6 | digit
        count += 6
        if count >= 8 {
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
    }
    return bytes
}
