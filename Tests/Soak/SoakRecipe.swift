import WebLoader

/// The recipes of the soak: honest ones, and such as want all that there is.
enum SoakRecipe: String, CaseIterable {
    case title, links, script, globals
    case endless, memory, output, log, pattern, nested

    /// The recipe's text.
    private var text: String {
        switch self {
        case .title: "version: 1\nfields: {title: title}"
        case .links:
            #"{"version":1,"fields":{"title":"title","links":{"select":"a","all":true,"take":"url:href"}}}"#
        case .script:
            #"{"version":1,"fields":{"title":{"script":"return document:select('title')[1]:text()"}}}"#
        case .globals:
            #"{"version":1,"fields":{"title":{"script":"local t = document:select('title')[1]:text() if left then t = 'left ' .. left end left = t string.upper = nil return t"}}}"#
        case .endless:
            #"{"version":1,"fields":{"title":"title","x":{"script":"while true do pcall(error) end"}}}"#
        case .memory:
            #"{"version":1,"fields":{"title":"title","x":{"script":"local a = {} while true do a[#a + 1] = ('ab'):rep(1000) .. #a end"}}}"#
        case .output: #"{"version":1,"fields":{"title":"title","x":{"script":"return ('ab'):rep(900000)"}}}"#
        case .log:
            #"{"version":1,"fields":{"title":"title","x":{"script":"while true do log(('x'):rep(5000)) end"}}}"#
        case .pattern:
            #"{"version":1,"fields":{"title":"title","x":{"script":"return string.find(('a'):rep(60), ('.-'):rep(20) .. 'b')"}}}"#
        case .nested:
            #"{"version":1,"fields":{"title":"title","x":{"script":"local function f() return f() + 1 end return f()"}}}"#
        }
    }

    func parsed() throws -> Recipe { try Recipe(parsing: Array(text.utf8), file: nil) }

    /// The limit that ends it, nil where it comes to its end; where several may, all.
    var limits: [BudgetExceeded.Code] {
        switch self {
        case .title, .links, .script, .globals: []
        case .endless, .pattern: [.time]
        case .memory: [.memory, .time]
        case .output: [.output, .memory, .time]
        case .log: [.log, .time]
        case .nested: [.stack, .memory, .time]
        }
    }

    /// The budget of the recipe's evaluation.
    var budget: Budget { Budget(time: .milliseconds(limits.isEmpty ? 60_000 : 60), memory: .megabytes(8)) }
}
