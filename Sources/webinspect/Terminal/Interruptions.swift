import CTerminal
import Glibc
import WebLoader
import WebSite

/// Ctrl-C for a job that can be continued.
///
/// The first lets what runs finish, the second ends it at once, the third ends the process as ever. SIGTERM and SIGHUP end it at once.
enum Interruptions {
    /// Passes signals on to a job; to be called once.
    static func pass(to stop: StopRequest, isSilent: Bool) {
        let pipe = webl_catch_interrupts()
        // Without it a signal ends the process at once, which loses nothing either.
        guard pipe >= 0 else { return }
        Task.detached {
            await BlockingWork.threads.run {
                var byte: UInt8 = 0
                while unsafe read(pipe, &byte, 1) == 1 {
                    let isFirst = stop.level == .goOn && Int32(byte) == SIGINT
                    stop.ask(isFirst ? .drain : .now)
                    guard isFirst, !isSilent else { continue }
                    Output.message(
                        "webinspect: finishing what runs; Ctrl-C again stops at once; the same command goes on later"
                    )
                }
            }
        }
    }

    /// Calls `body` for each Ctrl-C from now on, on a thread of its own; to be called once, and not beside ``pass(to:isSilent:)``.
    static func forEach(_ body: @escaping @Sendable () -> Void) {
        let pipe = webl_catch_each_interrupt()
        // Without it a signal ends the process, as ever.
        guard pipe >= 0 else { return }
        Task.detached {
            await BlockingWork.threads.run {
                var byte: UInt8 = 0
                while unsafe read(pipe, &byte, 1) == 1 { body() }
            }
        }
    }
}
