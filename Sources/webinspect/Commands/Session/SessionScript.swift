import WebBrowsing

/// Runs the commands of a script.
struct SessionScript {
    private let commands: SessionCommands
    private let keepsGoing: Bool

    init(_ commands: SessionCommands, keepsGoing: Bool) {
        self.commands = commands
        self.keepsGoing = keepsGoing
    }

    /// Runs all lines, or those up to the first error.
    ///
    /// - Returns: The status of the first error; `done` without one.
    func run() async throws(Failure) -> ExitStatus {
        var reader = LineReader()
        var number = 0
        var status = ExitStatus.done
        while let lines = try reader.next() {
            for bytes in lines {
                number += 1
                var text = String(decoding: bytes, as: UTF8.self)
                if text.utf8.last == 0x0D { text = String(text.dropLast()) }
                do throws(Failure) {
                    guard try await commands.run(text) else { return status }
                } catch {
                    Output.message(
                        "webinspect: line \(number): \(error.line.dropFirst("webinspect: ".count))"
                    )
                    if status == .done { status = error.status }
                    guard keepsGoing else { return status }
                }
            }
        }
        return status
    }
}
