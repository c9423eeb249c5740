import Glibc
import WebStandards

/// The process of a job.
final class JobProcess: Sendable {
    private let child: ChildProcess
    private let said: Descriptor

    /// Milliseconds between two looks at whether it has ended.
    private static let interval: Int32 = 200
    /// How often what it has written is read once it has ended: what it has started may write on and on.
    private static let lastReads = 64

    init(_ child: ChildProcess, said: Descriptor) {
        self.child = child
        self.said = said
    }

    /// Sends it signals, each so many seconds after the one before, until it has ended.
    func end(_ steps: [(seconds: Double, signal: Int32)]) {
        Task.detached {
            for step in steps {
                if step.seconds > 0 { try? await Task.sleep(for: Duration(boundedSeconds: step.seconds)) }
                self.child.send(step.signal)
            }
        }
    }

    /// Sends it a signal.
    func send(_ signal: Int32) { child.send(signal) }

    /// Reads what it says until it has ended; blocks.
    func wait(_ told: (JobOutput.Event) -> Void) -> ChildProcess.Ending {
        var output = JobOutput()
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            var stream = pollfd(fd: said.number, events: Int16(truncatingIfNeeded: POLLIN), revents: 0)
            _ = unsafe poll(&stream, 1, Self.interval)
            // Looked at before the pipe is emptied, so that nothing of it is missed.
            let hasEnded = child.hasEnded
            var reads = hasEnded ? Self.lastReads : 1
            while reads > 0 {
                let count = unsafe read(said.number, &buffer, buffer.count)
                guard count > 0 else { break }
                output.add(buffer[..<count]).forEach(told)
                reads -= 1
            }
            guard hasEnded else { continue }
            output.end().forEach(told)
            return child.end(within: 0)
        }
    }
}
