import Foundation
import Glibc
import Synchronization
import TestSupport

/// The soak's server: some ports on loopback, a thread a connection, connections that stay open.
///
/// It is a process of its own, so that what it uses is not taken for the loader's, and ends with its standard input.
final class SoakServer: Sendable {
    private static let ports = 8

    /// Of a hundred requests, so many are answered badly.
    private static let faultsPerHundred = 25

    private struct State {
        var generator: SeededGenerator
        var versions = [Int](repeating: 0, count: SoakPage.count)
    }

    private let state: Mutex<State>

    /// Serves until standard input ends; writes the ports to standard output first, a line each.
    static func run(seed: UInt64) throws {
        let server = SoakServer(seed)
        signal(SIGPIPE, SIG_IGN)
        for _ in 0..<ports {
            let listener = try LoopbackListener()
            print(listener.port)
            Thread.detachNewThread {
                while let connection = listener.accept() {
                    Thread.detachNewThread { server.serve(connection) }
                }
            }
        }
        fflush(nil)
        // Nobody writes to it: it is there to end.
        while readLine() != nil {}
    }

    private init(_ seed: UInt64) {
        state = Mutex(State(generator: SeededGenerator(seed: seed)))
    }

    private func serve(_ connection: SoakConnection) {
        while let head = connection.readHead(), let request = SoakRequest(head) {
            if let count = request["content-length"].flatMap({ Int($0) }), !connection.skip(count) { return }
            let answer = answer(request)
            for step in answer.steps {
                switch step {
                case .send(let bytes):
                    guard connection.send(bytes) else { return }
                case .pause(let milliseconds):
                    guard connection.pause(milliseconds) else { return }
                }
            }
            guard answer.keepsConnection else { return connection.finish() }
        }
    }

    private func answer(_ request: SoakRequest) -> SoakAnswer {
        let (page, fault) = state.withLock { state -> (SoakPage, SoakAnswer.Fault?) in
            let number = (request.page ?? 0) % SoakPage.count
            // Pages change when somebody posts to them, and otherwise by themselves now and then.
            let changes = request.method == "POST" || Int.random(in: 0..<20, using: &state.generator) == 0
            if changes { state.versions[number] += 1 }
            // Half of a page is a whole answer to HEAD, with fields that are another page's.
            let fails =
                request.method != "HEAD"
                && Int.random(in: 0..<100, using: &state.generator) < Self.faultsPerHundred
            return (
                SoakPage(
                    number: number,
                    version: state.versions[number],
                    flavour: request["x-flavour"] ?? "-"
                ),
                fails ? SoakAnswer.Fault.allCases.randomElement(using: &state.generator) : nil
            )
        }
        guard let fault else { return SoakAnswer(request, page) }
        return SoakAnswer(request, page, fault)
    }
}
