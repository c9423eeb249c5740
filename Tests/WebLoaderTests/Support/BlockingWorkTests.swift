import Synchronization
import Testing

@testable import WebStandards

@Suite(.timeLimit(.minutes(20)))
struct BlockingWorkTests {
    private struct Refusal: Error, Equatable {
        let number: Int
    }

    @Test(arguments: [BlockingWork.inline, .threads])
    func returnsWhatWasMade(_ work: BlockingWork) async {
        #expect(await work.run { [1, 2, 3] } == [1, 2, 3])
    }

    @Test(arguments: [BlockingWork.inline, .threads])
    func throwsWhatWasThrown(_ work: BlockingWork) async {
        await #expect(throws: Refusal(number: 7)) {
            try await work.run { () throws(Refusal) in throw Refusal(number: 7) }
        }
    }

    /// Often enough that work is done at times before anybody waits for it, and at times after.
    @Test func handsOverWhateverComesFirst() async {
        let sums = await withTaskGroup(of: Int.self) { group in
            for number in 0..<2000 {
                group.addTask { await BlockingWork.threads.run { Array(0...number % 50) }.reduce(0, +) }
            }
            return await group.reduce(0, +)
        }
        #expect(sums == (0..<2000).reduce(0) { $0 + (0...$1 % 50).reduce(0, +) })
    }

    @Test func startsWithoutBeingWaitedFor() async {
        await withCheckedContinuation { continuation in
            BlockingWork.threads.start { continuation.resume() }
        }
    }

    @Test func waitsForATaskOnAThreadOfItsOwn() async {
        let answers = await BlockingWork.threads.run {
            (0..<20).map { number in
                BlockingWork.waiting({ await BlockingWork.threads.run { number * 2 } }, started: { _ in })
            }
        }
        #expect(answers == (0..<20).map { $0 * 2 })
    }

    @Test func doesEachNumberOnce() {
        let counts = Mutex([Int](repeating: 0, count: 100))
        BlockingWork.forEach(below: 100) { number in counts.withLock { $0[number] += 1 } }
        #expect(counts.withLock { $0 } == [Int](repeating: 1, count: 100))
    }
}
