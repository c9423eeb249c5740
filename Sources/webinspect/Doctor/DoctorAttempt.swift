import WebLoader

/// A recipe that is tried on this machine, and its expected result.
struct DoctorAttempt {
    /// The expected end of an extraction.
    enum Ending {
        /// The value.
        case value(JSONValue)
        /// A limit of the budget, one of these.
        case limit([BudgetExceeded.Code])
    }

    let name: String
    private let field: JSONValue
    private let ending: Ending

    /// The recipe, of one field.
    var recipe: JSONValue { ["version": 1, "fields": ["value": field]] }

    /// The default; but what only the clock ends need not take as long.
    var budget: Budget {
        var budget = Budget()
        if case .limit(let limits) = ending, limits.first == .time { budget.time = .milliseconds(300) }
        return budget
    }

    /// Whether the extraction ended as it has to.
    func isExpected(_ extraction: Extraction) -> Bool {
        switch ending {
        case .value(let value):
            extraction.exceeded == nil && extraction.failure == nil && extraction.data["value"] == value
        case .limit(let limits): extraction.exceeded.map { limits.contains($0.code) } ?? false
        }
    }

    /// An honest rule, and an attack of each kind.
    static let all = [
        DoctorAttempt(name: "rules", field: ["select": "title", "take": "text"], ending: .value("T")),
        DoctorAttempt(
            name: "scripts",
            field: ["script": "return #document:select('li')"],
            ending: .value(2_000)
        ),
        DoctorAttempt(
            name: "time limit",
            field: ["script": "while true do pcall(function() while true do end end) end"],
            ending: .limit([.time])
        ),
        DoctorAttempt(
            name: "memory limit",
            field: ["script": "local t = {} while true do t[#t + 1] = {} end"],
            ending: .limit([.memory])
        ),
        DoctorAttempt(
            name: "stack limit",
            field: ["script": "local function f() return 1 + f() end return f()"],
            ending: .limit([.memory, .stack])
        ),
        DoctorAttempt(
            name: "output limit",
            field: ["script": "return string.rep('x', 3000000)"],
            ending: .limit([.output, .memory])
        ),
        DoctorAttempt(
            name: "endless XPath",
            field: ["xpath": "//li[count(//p[count(//li) > 0]) > 0]", "take": "count"],
            ending: .limit([.time])
        ),
        DoctorAttempt(
            name: "endless patterns",
            field: [
                "const": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab",
                "transform": [["match": "^(a|aa)+$"]],
            ],
            ending: .limit([.time])
        ),
        DoctorAttempt(
            name: "sandbox",
            field: ["script": "return tostring(io) .. tostring(os) .. tostring(require) .. tostring(load)"],
            ending: .value("nilnilnilnil")
        ),
    ]
}
