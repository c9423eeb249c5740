import Synchronization

/// The memory and time limits for inspections of a page.
extension ParsedPage {
    /// The state of the inspections so far.
    struct Allowance {
        /// Whether all inspections share the budget of a report; otherwise each has its own.
        var isShared = false

        /// The units of a whole report, and the remaining ones; nil before the first inspection.
        var shared: (all: Int, rest: Int)?

        /// The limits that inspections reached.
        var limits: [ReachedLimit] = []
    }

    /// The limits that inspections have reached so far: then their results are incomplete.
    ///
    /// Empty for legitimate pages.
    public var inspectionLimits: [ReachedLimit] { state.withLock(\.allowance.limits) }

    /// Makes all inspections from now on share the budget of a report.
    package func shareAllowance() { state.withLock { $0.allowance.isShared = true } }

    /// The units that the next inspection may use, and the total.
    private var allowedUnits: (all: Int, rest: Int) {
        let size = response.body.count
        guard state.withLock(\.allowance.isShared) else {
            let units = InspectionBudget.units(ofOneInspection: size)
            return (units, units)
        }
        let units = InspectionBudget.units(besides: document, pageSize: size)
        return state.withLock { state in
            let shared = state.allowance.shared ?? (units, units)
            state.allowance.shared = shared
            return shared
        }
    }

    /// Runs an inspection within its budget.
    ///
    /// - Returns: The result, and whether it is complete as far as the limits allow: false if the task was cancelled.
    private func inspect<Value>(_ body: (InspectionBudget) -> Value) -> (Value, isFinal: Bool) {
        let limits = facts.settings.parsing.limits
        let units = allowedUnits
        let budget = InspectionBudget(units: units.rest, seconds: limits.maximumSeconds)
        let value = body(budget)
        if Task.isCancelled { return (value, false) }
        let rest = budget.rest
        let isTruncated = budget.isTruncated
        let isLate = budget.interruption == .time
        state.withLock { state in
            if state.allowance.isShared { state.allowance.shared = (units.all, rest) }
            guard isTruncated else { return }
            let limit =
                isLate
                ? limits.reachedTime : ReachedLimit(code: .inspection, limit: units.all, count: nil)
            if !state.allowance.limits.contains(where: { $0.code == limit.code }) {
                state.allowance.limits.append(limit)
            }
        }
        return (value, true)
    }

    /// Runs an inspection within its budget, without keeping its result.
    func inspecting<Value>(_ body: (InspectionBudget) -> Value) -> Value { inspect(body).0 }

    /// A part of the page that is gathered on first access, within a budget, and kept.
    ///
    /// No lock is held meanwhile: threads that ask for it at the same time may each gather it, and get the same value.
    func kept<Value: Sendable>(
        _ part: any WritableKeyPath<State, Value?> & Sendable,
        _ gather: (InspectionBudget) -> Value
    ) -> Value {
        if let value = state.withLock({ $0[keyPath: part] }) { return value }
        let (value, isFinal) = inspect(gather)
        guard isFinal else { return value }
        return state.withLock { state in
            if let first = state[keyPath: part] { return first }
            state[keyPath: part] = value
            return value
        }
    }
}
