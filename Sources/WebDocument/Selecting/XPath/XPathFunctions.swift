import CLibXML2

/// The functions that XPath 1.0 does not have.
///
/// <https://www.w3.org/TR/xpath-functions-31/>
enum XPathFunctions {
    static func register(in context: xmlXPathContextPtr) {
        unsafe xmlXPathRegisterFunc(context, "matches") { context, count in
            unsafe XPathFunctions.call(context, count, 2...3) { run, arguments in
                .boolean(run.matches(arguments))
            }
        }
        unsafe xmlXPathRegisterFunc(context, "ends-with") { context, count in
            unsafe XPathFunctions.call(context, count, 2...2) { _, arguments in
                .boolean(arguments[0].utf8.reversed().starts(with: arguments[1].utf8.reversed()))
            }
        }
        unsafe xmlXPathRegisterFunc(context, "lower-case") { context, count in
            unsafe XPathFunctions.call(context, count, 1...1) { _, arguments in
                .string(arguments[0].lowercased())
            }
        }
    }

    private enum Answer {
        case string(String)
        case boolean(Bool)
    }

    /// Takes a function's arguments as strings, and pushes its result.
    private static func call(
        _ context: xmlXPathParserContextPtr?,
        _ count: Int32,
        _ expected: ClosedRange<Int32>,
        _ body: (XPathRun, [String]) -> Answer
    ) {
        guard let context = unsafe context else { return }
        guard expected.contains(count), let data = unsafe context.pointee.context?.pointee.funcLookupData
        else {
            unsafe xmlXPathErr(context, Int32(truncatingIfNeeded: XPATH_INVALID_ARITY.rawValue))
            return
        }
        let run = unsafe Unmanaged<XPathRun>.fromOpaque(data).takeUnretainedValue()
        var arguments: [String] = []
        for _ in 0..<count {
            guard let text = unsafe xmlXPathPopString(context) else { return }
            unsafe arguments.append(String(cString: text))
            unsafe webl_xmlFree(text)
        }
        arguments.reverse()
        let answer = body(run, arguments)
        if run.failure != nil {
            // The failure is stored in the run; this error only ends the evaluation.
            unsafe xmlXPathErr(context, Int32(truncatingIfNeeded: XPATH_INVALID_OPERAND.rawValue))
            return
        }
        switch answer {
        case .string(let text): unsafe valuePush(context, xmlXPathNewString(text))
        case .boolean(let isTrue): unsafe valuePush(context, xmlXPathNewBoolean(isTrue ? 1 : 0))
        }
    }
}

extension XPathRun {
    /// Implements `matches(text, expression, flags)`; the only flag supported is `i`.
    fileprivate func matches(_ arguments: [String]) -> Bool {
        let flags = arguments.count > 2 ? arguments[2] : ""
        guard flags.isEmpty || flags == "i" else {
            fail(
                SelectorError(
                    .invalidXPath,
                    "matches(): the flags \"\(flags)\" are not supported, only \"i\""
                )
            )
            return false
        }
        let pattern = (flags.isEmpty ? "" : "(?i)") + arguments[1]
        do throws(RegularExpression.Failure) {
            let expression: RegularExpression
            if let known = expressions[pattern] {
                expression = known
            } else {
                expression = try RegularExpression(pattern)
                if expressions.count < 64 { expressions[pattern] = expression }
            }
            let isMatch = expression.matches(Array(arguments[0].utf8), steps: &steps)
            if steps < 0 { fail(SelectorError(.xpathLimit, "matches() takes too many steps")) }
            return isMatch
        } catch {
            fail(SelectorError(error.isLimit ? .xpathLimit : .invalidXPath, "matches(): \(error.message)"))
            return false
        }
    }
}
