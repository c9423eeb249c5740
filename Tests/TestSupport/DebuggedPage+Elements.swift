/// An element of a page, by a selector or by its name.
public enum PageElement: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The first element that a CSS selector matches.
    case selector(String)
    /// The first element with this role and this name, as screen readers see them; "Name…" begins with the name.
    case named(String, String)

    /// Selects the first element that a CSS selector matches.
    public init(stringLiteral value: String) { self = .selector(value) }

    /// A button with a name.
    public static func button(_ name: String) -> PageElement { .named("button", name) }
    /// A link with a name.
    public static func link(_ name: String) -> PageElement { .named("link", name) }
    /// A tab with a name.
    public static func tab(_ name: String) -> PageElement { .named("tab", name) }

    /// As errors say it.
    public var description: String {
        switch self {
        case .selector(let selector): selector
        case .named(let role, let name): "\(role) \"\(name)\""
        }
    }
}

extension DebuggedPage {
    /// The debugger's name of the element, and null while there is none.
    private func object(_ element: PageElement) async throws -> ScriptValue {
        switch element {
        case .selector(let selector):
            return try await object("document.querySelector(\(ScriptValue.string(selector).json))")
        case .named(let role, let name):
            let isWhole = !name.hasSuffix("…")
            let document = try await object("document")
            let nodes = try await send(
                "Accessibility.queryAXTree",
                ["objectId": document, "role": .string(role)]
            )
            let node = nodes["nodes"].items.first { node in
                let found = node["name"]["value"].text ?? ""
                return node["ignored"] != true && (isWhole ? found == name : found.hasPrefix(name.dropLast()))
            }
            guard let node else { return .null }
            let resolved = try await send("DOM.resolveNode", ["backendNodeId": node["backendDOMNodeId"]])
            return resolved["object"]["objectId"]
        }
    }

    private func object(_ script: String) async throws -> ScriptValue {
        try await send("Runtime.evaluate", ["expression": .string(script)])["result"]["objectId"]
    }

    /// Waits until an element is there; the value of a function with it as `this`: "function() { return this.value }".
    @discardableResult
    public func value(of element: PageElement, _ function: String) async throws -> ScriptValue {
        var value = ScriptValue.null
        try await wait("\(element)") {
            let object = try await object(element)
            guard object != .null else { return false }
            let answer = try await send(
                "Runtime.callFunctionOn",
                ["objectId": object, "functionDeclaration": .string(function), "returnByValue": true]
            )
            guard answer["exceptionDetails"] == .null else {
                throw TestServerError(message: answer["exceptionDetails"].json)
            }
            value = answer["result"]["value"]
            return true
        }
        return value
    }

    /// Whether an element is there now.
    public func has(_ element: PageElement) async throws -> Bool { try await object(element) != .null }

    /// Waits until an element is there.
    public func wait(for element: PageElement) async throws {
        try await wait("\(element)") { .bool(try await has(element)) }
    }

    /// Waits until an element is there no more.
    public func wait(untilGone element: PageElement) async throws {
        try await wait("no \(element)") { .bool(!(try await has(element))) }
    }

    /// Scrolls to an element; returns its middle, or its start where the middle is cut off, once the mouse would meet
    /// it there, and it stays there.
    func middle(of element: PageElement) async throws -> (x: Double, y: Double) {
        let function = """
            function() {
              for (const how of ["nearest", "center"]) {
                this.scrollIntoView({block: how, inline: "nearest", behavior: "instant"});
                const box = this.getClientRects()[0];
                if (!box) return null;
                for (const x of [box.left + box.width / 2, box.left + Math.min(box.width / 2, 12)]) {
                  const y = box.top + box.height / 2;
                  var met = document.elementFromPoint(x, y);
                  if (this.contains(met) || met?.closest("label")?.control === this) return [x, y];
                }
              }
              return met?.outerHTML.slice(0, 200) ?? null;
            }
            """
        var place = ScriptValue.null
        try await wait("the mouse on \(element)") {
            let last = place
            place = try await value(of: element, function)
            // An element that still moves with the content above it would no longer be at this position.
            if place.items.count == 2 { return .bool(place == last) }
            throw TestServerError(message: "there is \(place.json)")
        }
        return (place[0].double ?? 0, place[1].double ?? 0)
    }
}
