package import WebDatabase
import WebStandards

extension Frontier {
    /// Records the outcome of a leased URL, the URLs found on it and its output atomically.
    ///
    /// The bytes passed to ``append(_:to:)`` since the last call belong to it.
    ///
    /// - Parameters:
    ///   - lease: The URL.
    ///   - outcome: The outcome.
    ///   - signal: The signal of the host.
    ///   - result: The result to store in the URL's row.
    ///   - children: The URLs that were found on it.
    ///   - output: The bytes to append to the first output.
    ///   - now: The current time.
    /// - Returns: The change of the host's state.
    /// - Throws: ``StateError``; `state.lease` if the URL is not leased.
    @discardableResult
    package func finish(
        _ lease: Lease,
        _ outcome: URLOutcome,
        signal: HostSignal,
        result: [UInt8]? = nil,
        children: [FrontierURL] = [],
        output: [UInt8] = [],
        now: Moment
    ) throws(StateError) -> HostChange {
        guard held[lease.id] == lease else {
            throw StateError(.lease, "\(lease.url): it is not handed out")
        }
        let change = try change(now: now) { () throws(StateError) in
            held[lease.id] = nil
            try statements.deleteLease.bind(1, lease.id).run()
            if !output.isEmpty { try append(output) }
            var isAgain = false
            var onward: Int64?
            switch outcome {
            case .done: try end(lease, .done, nil, result)
            case .failed(let reason): try end(lease, .failed, reason, result)
            case .skipped(let reason): try end(lease, .skipped, reason, result)
            case .onward(let next):
                let host = try hostID(next.host)
                try statements.onward.bind(1, lease.id).bind(2, host).bind(3, lease.url).bind(4, result).run()
                onward = host
            case .again(let reason):
                isAgain = true
                try statements.again.bind(1, lease.id).bind(2, reason).run()
            }
            if !children.isEmpty { _ = try insert(children, parent: lease.id, now: now) }
            markOutputs(hasAsked: !lease.host.isEmpty)
            let change = try settle(lease, signal, isAgain: isAgain, now: now)
            if let onward { try addWork(of: onward, now: now) }
            return change
        }
        try commitIfDue(now: now)
        return change
    }

    private func end(
        _ lease: Lease,
        _ state: URLState,
        _ reason: String?,
        _ result: [UInt8]?
    ) throws(StateError) {
        let finish = statements.finish
        try finish.bind(1, lease.id).bind(2, Int64(state.rawValue)).bind(3, reason).bind(4, result)
        let size = unmarked
        try finish.bind(5, size > 0 ? Int64(length(ofOutput: 0)) : nil)
        try finish.bind(6, size > 0 ? Int64(size) : nil).run()
        counter.add(-1, .queued)
        counter.add(1, state, reason)
    }

    /// Gives a lease back, as if it had not been taken.
    package func giveBack(_ lease: Lease, now: Moment) throws(StateError) {
        guard held[lease.id] == lease else {
            throw StateError(.lease, "\(lease.url): it is not handed out")
        }
        try change(now: now) { () throws(StateError) in
            held[lease.id] = nil
            try statements.deleteLease.bind(1, lease.id).run()
            _ = try settle(lease, .unasked, isAgain: false, now: now)
            queue.addWork(of: lease.hostID)
        }
    }
}
