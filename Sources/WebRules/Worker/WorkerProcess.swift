import CWorker
import Glibc

/// A worker process, as seen by the process that started it.
///
/// It serves one run at a time; ``kill()`` may be called from any thread. The process is ended and waited for
/// when this object is released.
@safe package final class WorkerProcess: @unchecked Sendable {
    /// How a worker ended.
    enum Ending {
        /// It exceeded a limit, which it names.
        case exceeded(BudgetExceeded.Code, asked: Int)
        /// It is of another version, or the system did not confine it.
        case unfit(String)
        /// Outside of a budget, the system had no memory for it.
        case scarcity
        /// It died, for this reason.
        case crash(String)
    }

    /// The result of waiting for a worker.
    enum Event {
        /// A record, without its length.
        case record(ArraySlice<UInt8>)
        /// It has ended; ``end()`` says how.
        case ended
        case timedOut
        /// It sent more bytes than a run may, or bytes that are not a record.
        case unreadable
    }

    private let process: webl_worker_process
    private let memory: Int32
    private let status: UnsafeMutablePointer<webl_worker_status>
    private var capacity = 0
    private var received: [UInt8] = []
    private var consumed = 0
    /// How many bytes the run has sent, and how many it may send.
    private var total = 0
    private var allowance = 0
    /// The deadline after which the pipe was read once more.
    private var lateDeadline: Double?
    private var ending: Int32?

    /// How many runs it has been given.
    private(set) var runs = 0

    /// Starts the worker at a path.
    init(path: String) throws(RuleError) {
        func unavailable(_ code: Int32) -> RuleError {
            let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
            return RuleError(.unavailable, "\(path) could not be started: \(reason)")
        }
        let memory = webl_worker_memory()
        guard memory >= 0 else { throw unavailable(errno) }
        let size = Int(WEBL_WORKER_STATUS_SIZE)
        let mapped = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0)
        guard let mapped = unsafe mapped, unsafe mapped != MAP_FAILED else {
            let code = errno
            close(memory)
            throw unavailable(code)
        }
        let status = unsafe mapped.assumingMemoryBound(to: webl_worker_status.self)
        unsafe status.pointee.protocol = WEBL_WORKER_PROTOCOL
        var process = webl_worker_process()
        let code = unsafe webl_worker_spawn(path, memory, &process)
        guard code == 0 else {
            unsafe munmap(mapped, size)
            close(memory)
            throw unavailable(code)
        }
        self.process = process
        self.memory = memory
        unsafe self.status = unsafe status
    }

    deinit {
        _ = end()
        close(process.process)
        close(process.records)
        close(process.requests)
        close(process.lifeline)
        close(memory)
        unsafe munmap(status, Int(WEBL_WORKER_STATUS_SIZE))
    }

    // MARK: - Requests

    /// Begins a run whose records may take `allowance` bytes.
    package func begin(_ request: WorkerRequest, allowance: Int) throws(RuleError) {
        runs += 1
        total = 0
        lateDeadline = nil
        self.allowance = allowance
        // That of the run before.
        unsafe status.pointee.peak_memory = 0
        try send(request)
    }

    /// Writes a request to the shared file and notifies the worker.
    func send(_ request: WorkerRequest) throws(RuleError) {
        var prefix = RecordWriter()
        let head = request.head
        let body = request.body
        prefix.write(head.count)
        let count = prefix.bytes.count + head.count + body.count
        if count > capacity {
            guard ftruncate(memory, off_t(count) + off_t(WEBL_WORKER_STATUS_SIZE)) == 0 else {
                throw unsent()
            }
            capacity = count
        }
        try put(prefix.bytes + head, at: 0)
        try put(body, at: count - body.count)
        unsafe status.pointee.request_length = UInt64(truncatingIfNeeded: count)
        let code = webl_worker_notify(process.requests)
        guard code == 0 else { throw unsent(code) }
    }

    /// Writes bytes to the shared file, at an offset from the end of the status.
    private func put(_ bytes: [UInt8], at offset: Int) throws(RuleError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe pwrite(
                    memory,
                    buffer.baseAddress?.advanced(by: written),
                    buffer.count - written,
                    off_t(offset + written) + off_t(WEBL_WORKER_STATUS_SIZE)
                )
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                throw unsent()
            }
        }
    }

    private func unsent(_ code: Int32 = errno) -> RuleError {
        let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return RuleError(.unavailable, "the page could not be sent to the worker: \(reason)")
    }

    // MARK: - Records

    /// Waits for the next record of the worker, until a deadline on ``MonotonicClock``.
    func next(until deadline: Double) -> Event {
        while true {
            do throws(RecordReader.Malformed) {
                if let record = try takeRecord() { return .record(record) }
            } catch {
                return .unreadable
            }
            guard total <= allowance else { return .unreadable }
            // A worker that sends without a pause gets no more time than others; data that is in the pipe at
            // the deadline counts.
            if MonotonicClock.now >= deadline {
                guard lateDeadline != deadline else { return .timedOut }
                lateDeadline = deadline
            }
            switch fill(until: deadline) {
            case .data: continue
            case .end: return .ended
            case .timeout: return .timedOut
            }
        }
    }

    private func takeRecord() throws(RecordReader.Malformed) -> ArraySlice<UInt8>? {
        var header = RecordReader(received[consumed...].prefix(4))
        guard received.count - consumed >= 4 else { return nil }
        let count = Int(try header.word())
        guard count <= allowance else { throw RecordReader.Malformed() }
        guard received.count - consumed - 4 >= count else { return nil }
        let start = consumed + 4
        consumed = start + count
        return received[start..<consumed]
    }

    /// Whether all bytes received so far belong to records that have been returned.
    var hasNoUnreadRecords: Bool { consumed == received.count }

    private enum Fill {
        case data
        case end
        case timeout
    }

    /// Reads the available bytes, after waiting for them if there are none.
    private func fill(until deadline: Double) -> Fill {
        if consumed == received.count {
            received.removeAll(keepingCapacity: received.capacity <= 1 << 16)
            consumed = 0
        }
        while true {
            let before = received.count
            received.append(contentsOf: repeatElement(0, count: 1 << 16))
            let count = unsafe received.withUnsafeMutableBytes { buffer in
                unsafe read(process.records, buffer.baseAddress?.advanced(by: before), 1 << 16)
            }
            let code = errno
            received.removeLast((1 << 16) - max(0, count))
            if count > 0 {
                total += count
                return .data
            }
            if count == 0 { return .end }
            guard code == EAGAIN || code == EINTR else { return .end }
            if code == EAGAIN, !waitForRecords(until: deadline) { return .timeout }
        }
    }

    /// Waits until the pipe can be read or is closed; false if the deadline passes before.
    private func waitForRecords(until deadline: Double) -> Bool {
        while true {
            let left = max(0, deadline - MonotonicClock.now)
            // Rounded up, so that the last millisecond is not spent polling without waiting.
            let milliseconds = left.isFinite ? Int32(clamping: Int(bounded: (left * 1000).rounded(.up))) : -1
            var descriptor = pollfd(
                fd: process.records,
                events: Int16(truncatingIfNeeded: POLLIN),
                revents: 0
            )
            let count = unsafe poll(&descriptor, 1, milliseconds)
            if count > 0 { return true }
            if count == 0, MonotonicClock.now >= deadline { return false }
            if count < 0, errno != EINTR { return true }
        }
    }

    // MARK: - The status

    /// The rule that the worker is evaluating, by its index in the recipe; `nil` if it evaluates none.
    var rule: Int? {
        let word = unsafe webl_status_load(&status.pointee.rule)
        return word == 0 ? nil : Int(word) - 1
    }

    /// The most memory that it has counted so far; nil if memory is not counted.
    var peakMemory: Int? {
        guard unsafe webl_status_load(&status.pointee.memory_counted) != 0 else { return nil }
        return unsafe Int(bounded: webl_status_load_long(&status.pointee.peak_memory))
    }

    /// How long its budget had run when a limit ended it, in nanoseconds.
    var usedTime: UInt64 { unsafe webl_status_load_long(&status.pointee.used_nanoseconds) }

    // MARK: - The end

    /// Kills the worker at once, whatever it is doing.
    func kill() { _ = webl_worker_signal(process.process, SIGKILL) }

    /// Ends the worker if it has not ended, waits for it, and says how it ended.
    func end() -> Ending {
        if ending == nil {
            kill()
            ending = webl_worker_reap(process.process)
        }
        let status = ending ?? -1
        guard status >= 0 else { return .crash("it ended, but its exit status was collected elsewhere") }
        if status & 0x7F != 0 { return .crash("it was ended by signal \(status & 0x7F)") }
        switch status >> 8 {
        case Int32(truncatingIfNeeded: WEBL_WORKER_BREACH): return exceededLimit()
        case Int32(truncatingIfNeeded: WEBL_WORKER_PROTOCOL_MISMATCH):
            return .unfit("it has a different version")
        case Int32(truncatingIfNeeded: WEBL_WORKER_UNCONFINED):
            return .unfit("this system does not let it drop its privileges")
        case Int32(truncatingIfNeeded: WEBL_WORKER_SCARCITY): return .scarcity
        case let code: return .crash("it ended with status \(code)")
        }
    }

    private func exceededLimit() -> Ending {
        let asked = unsafe Int(bounded: webl_status_load_long(&status.pointee.asked_memory))
        switch unsafe webl_status_load(&status.pointee.limit) {
        case WEBL_LIMIT_TIME.rawValue: return .exceeded(.time, asked: 0)
        case WEBL_LIMIT_MEMORY.rawValue: return .exceeded(.memory, asked: asked)
        case WEBL_LIMIT_STACK.rawValue: return .exceeded(.stack, asked: 0)
        default: return .crash("it exceeded an unknown limit")
        }
    }
}
