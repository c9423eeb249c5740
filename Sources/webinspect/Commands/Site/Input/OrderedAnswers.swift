import WebLoader

/// Answers inputs, several at once, and yields the answers in the order of the inputs.
///
/// Inputs are read only if there is room, and few more are begun while the oldest takes long: memory is
/// bounded.
struct OrderedAnswers<Input: Sendable>: Sendable {
    /// How many are worked on at once.
    let width: Int

    /// How many are begun before the oldest is answered, for each that is worked on at once.
    private static var depth: Int { 4 }
    /// The most bytes of answers that wait for an older one.
    private static var maximumWaiting: Int { 128 << 20 }
    /// The most bytes that are handed out together.
    private static var pieceSize: Int { 1 << 20 }

    private enum Event: Sendable {
        case inputs([Input])
        case ended(Failure?)
        case answered(Int, [UInt8])
    }

    /// The inputs and the answers in progress.
    private struct State {
        var queue = Queue<Input>()
        var queued = 0
        var isReading = false
        /// Whether there is no more input; and why, if it could not be read.
        var isEnded = false
        var failure: Failure?
        var running = 0
        /// The numbers of the next to be begun, and of the next to be handed out.
        var next = 0
        var oldest = 0
        var waiting: [Int: [UInt8]] = [:]
        var waitingSize = 0
    }

    /// Runs until there is no more input.
    ///
    /// - Parameters:
    ///   - read: Waits for the next inputs; `nil` at the end.
    ///   - answer: Answers an input; empty if it has no answer.
    ///   - write: Receives answers, as soon as they are available.
    /// - Throws: The error of `write`, at once; the error of `read`, once the rest is answered.
    func run(
        read: @escaping @Sendable () async throws(Failure) -> [Input]?,
        answer: @escaping @Sendable (Input) async -> [UInt8],
        write: ([UInt8]) throws(Failure) -> Void
    ) async throws(Failure) {
        let result = await withTaskGroup(of: Event.self, returning: Result<Void, Failure>.self) { group in
            var state = State()
            do throws(Failure) {
                repeat {
                    begin(&state, &group, read, answer)
                    guard let event = await group.next() else { break }
                    take(event, &state)
                    try handOut(&state, write)
                } while !isDone(state)
            } catch {
                group.cancelAll()
                return .failure(error)
            }
            return .success(())
        }
        try result.get()
    }

    private func isDone(_ state: State) -> Bool {
        state.isEnded && state.running == 0 && state.queued == 0
    }

    private func begin(
        _ state: inout State,
        _ group: inout TaskGroup<Event>,
        _ read: @escaping @Sendable () async throws(Failure) -> [Input]?,
        _ answer: @escaping @Sendable (Input) async -> [UInt8]
    ) {
        while state.running < width, state.next - state.oldest < width *| Self.depth,
            state.waitingSize < Self.maximumWaiting, let input = state.queue.popFirst()
        {
            let number = state.next
            state.next += 1
            state.queued -= 1
            state.running += 1
            group.addTask { .answered(number, await answer(input)) }
        }
        guard !state.isEnded, !state.isReading, state.queued == 0 else { return }
        state.isReading = true
        group.addTask {
            do throws(Failure) {
                guard let inputs = try await read() else { return .ended(nil) }
                return .inputs(inputs)
            } catch {
                return .ended(error)
            }
        }
    }

    private func take(_ event: Event, _ state: inout State) {
        switch event {
        case .inputs(let inputs):
            state.isReading = false
            for input in inputs { state.queue.append(input) }
            state.queued += inputs.count
        case .ended(let failure):
            state.isReading = false
            state.isEnded = true
            state.failure = failure
        case .answered(let number, let bytes):
            state.running -= 1
            state.waiting[number] = bytes
            state.waitingSize += bytes.count
        }
    }

    private func handOut(_ state: inout State, _ write: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        var piece: [UInt8] = []
        while let bytes = state.waiting.removeValue(forKey: state.oldest) {
            state.oldest += 1
            state.waitingSize -= bytes.count
            piece += bytes
            guard piece.count >= Self.pieceSize else { continue }
            try write(piece)
            piece = []
        }
        if !piece.isEmpty { try write(piece) }
        if isDone(state), let failure = state.failure { throw failure }
    }
}
