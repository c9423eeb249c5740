import CLua

/// Runs scripts in Lua 5.4: one state per page, in which each script has its own globals.
///
/// Even without a worker it enforces limits on memory, to the byte, and on time, checked every 1000
/// instructions. A single function of Lua's library that takes long, such as a pattern that backtracks, is
/// not interrupted.
@safe package final class LuaEngine: ScriptEngine {
    /// Lua's version.
    package static var version: LibraryVersion {
        // As in "Lua 5.4.4".
        let release = unsafe String(cString: webl_lua_version())
        return LibraryVersion(
            name: "Lua",
            version: release.hasPrefix("Lua ") ? String(release.dropFirst(4)) : release
        )
    }

    /// Access to the memory accounting of the whole process, where there is one.
    @safe struct Accounting {
        /// How many bytes may still be allocated.
        let headroom: @convention(c) () -> Int
        /// Not 0 while the state is being changed.
        let busy: UnsafeMutablePointer<Int32>
        /// Sets the function to call before an allocation is refused, with its argument; `nil` removes it.
        let setReclaim:
            ((@convention(c) (UnsafeMutableRawPointer?) -> Void)?, UnsafeMutableRawPointer?) -> Void
    }

    private let budget: Budget
    private let accounting: Accounting?
    private let lua: OpaquePointer
    /// Called at intervals to ask whether scripts have to end.
    ///
    /// It returns the time limit in milliseconds if it has been reached; nil if scripts may continue. In a
    /// worker a timer ends them, and this is nil.
    var interruption: (() -> Int?)?
    private var allowedTime: Int?

    /// The script that is running.
    var activation: Activation?
    /// The failure of a call that has to end the run.
    var failure: RuleFailure?
    private var selectors: [String: Selector] = [:]
    private var expressions: [String: XPathExpression] = [:]

    /// The context of a running script.
    struct Activation {
        let document: Document
        /// The number of the run: nodes that were given to scripts in other runs are refused.
        let serial: UInt64
        let context: ScriptContext
    }

    private var serial: UInt64 = 0

    /// How many selectors and how many expressions are cached: scripts may build any number of them.
    private static var maximumCached: Int { 256 }

    /// Creates a state within a budget; nil if there is not enough memory for it.
    init?(budget: Budget, accounting: Accounting? = nil) {
        self.budget = budget
        self.accounting = accounting
        var host = unsafe webl_lua_host()
        unsafe host.call = { context, operation, node, text, length in
            guard let context = unsafe context else { return Int32(bitPattern: WEBL_LUA_BREACH.rawValue) }
            let engine = unsafe Unmanaged<LuaEngine>.fromOpaque(context).takeUnretainedValue()
            let bytes = unsafe UnsafeRawBufferPointer(start: text, count: length)
            let answer = unsafe engine.answer(
                UInt32(bitPattern: operation),
                node,
                bytes
            )
            return Int32(bitPattern: answer.rawValue)
        }
        unsafe host.is_interrupted = { context in
            guard let context = unsafe context else { return 0 }
            let engine = unsafe Unmanaged<LuaEngine>.fromOpaque(context).takeUnretainedValue()
            engine.allowedTime = engine.interruption?()
            return engine.allowedTime == nil ? 0 : 1
        }
        if let accounting {
            unsafe host.headroom = accounting.headroom
            unsafe host.is_busy = accounting.busy
        }
        guard let lua = unsafe webl_lua_new(&host, budget.memory.bytes) else { return nil }
        unsafe self.lua = unsafe lua
        // Lua calls back only while this object runs a script.
        unsafe webl_lua_set_context(lua, Unmanaged.passUnretained(self).toOpaque())
        unsafe accounting?.setReclaim(
            { context in
                guard let context = unsafe context else { return }
                unsafe webl_lua_collect(OpaquePointer(context))
            },
            UnsafeMutableRawPointer(lua)
        )
    }

    deinit {
        accounting?.setReclaim(nil, nil)
        unsafe webl_lua_free(lua)
    }

    // MARK: - Scripts

    func check(_ source: String, name: String) throws(RuleError) {
        var source = source
        let outcome = source.withUTF8 { text in
            unsafe webl_lua_check(
                lua,
                UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self),
                text.count
            )
        }
        switch UInt32(bitPattern: outcome) {
        case WEBL_LUA_DONE.rawValue: return
        case WEBL_LUA_INVALID.rawValue: throw error(.invalid, name)
        default:
            throw RuleError(.invalid, "the script needs more memory to compile than is available", rule: name)
        }
    }

    func run(
        _ source: String,
        name: String,
        on node: Node,
        context: ScriptContext
    ) throws(RuleFailure) -> JSONValue {
        // A new number for each run, so that even a node of the same document cannot be used after the script
        // that got it.
        serial &+= 1
        activation = Activation(document: node.document, serial: serial, context: context)
        failure = nil
        defer { activation = nil }
        var source = source
        let outcome = source.withUTF8 { text in
            unsafe webl_lua_run(
                lua,
                UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self),
                text.count,
                webl_lua_node(document: serial, identity: UInt64(node.address))
            )
        }
        switch UInt32(bitPattern: outcome) {
        case WEBL_LUA_DONE.rawValue: return try result(name)
        case WEBL_LUA_INVALID.rawValue: throw .rule(error(.invalid, name))
        case WEBL_LUA_OUT_OF_TIME.rawValue:
            let allowed = allowedTime ?? budget.time.wholeMilliseconds
            throw .budget(BudgetExceeded(.time, rule: name, allowed: allowed, used: allowed))
        case WEBL_LUA_OUT_OF_MEMORY.rawValue:
            let allowed = budget.memory.bytes
            throw .budget(BudgetExceeded(.memory, rule: name, allowed: allowed, used: allowed))
        case WEBL_LUA_STOPPED.rawValue:
            throw failure ?? .rule(RuleError(.failed, "the script was stopped", rule: name))
        default: throw .rule(error(.failed, name))
        }
    }

    /// The output of the last check or run: a record or an error message.
    private var output: [UInt8] {
        var count = 0
        let start = unsafe webl_lua_output(lua, &count)
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    private func result(_ name: String) throws(RuleFailure) -> JSONValue {
        var count = 0
        let start = unsafe webl_lua_output(lua, &count)
        var record = unsafe RecordReader(UnsafeBufferPointer(start: start, count: count))
        do throws(RecordReader.Malformed) {
            return try record.value()
        } catch {
            throw .rule(RuleError(.failed, "what the script returned cannot be read", rule: name))
        }
    }

    /// Lua's error, with "script:3:" at its start turned into "line 3 of the script:".
    ///
    /// It is not a line of the recipe, so it is only in the message.
    private func error(_ code: RuleError.Code, _ name: String) -> RuleError {
        let text = String(decoding: output, as: UTF8.self)
        let prefix = "script:"
        guard text.utf8.starts(with: prefix.utf8) else { return RuleError(code, text, rule: name) }
        let rest = text.utf8.dropFirst(prefix.utf8.count)
        let digits = rest.prefix { $0 != UInt8(ascii: ":") }
        guard let line = Int(bounded: digits) else { return RuleError(code, text, rule: name) }
        let bytes = rest.dropFirst(digits.count + 1).drop { $0 == UInt8(ascii: " ") }
        let message = String(decoding: bytes, as: UTF8.self)
        return RuleError(code, "line \(line) of the script: \(message)", rule: name)
    }

    // MARK: - Support for calls

    /// Passes the answer to the current call to Lua; false if there is not enough memory.
    func reply(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBufferPointer { unsafe webl_lua_reply(lua, $0.baseAddress, $0.count) } != 0
    }

    func selector(_ text: String) throws(SelectorError) -> Selector {
        if let known = selectors[text] { return known }
        let selector = try Selector(text)
        if selectors.count >= Self.maximumCached { selectors = [:] }
        selectors[text] = selector
        return selector
    }

    func expression(_ text: String) throws(SelectorError) -> XPathExpression {
        if let known = expressions[text] { return known }
        let expression = try XPathExpression(text)
        if expressions.count >= Self.maximumCached { expressions = [:] }
        expressions[text] = expression
        return expression
    }
}
