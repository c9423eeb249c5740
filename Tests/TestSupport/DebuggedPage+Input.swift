/// Keys that are held while another is pressed, or the mouse is.
public struct ModifierKeys: OptionSet, Sendable {
    /// The bits, as the debugger has them.
    public let rawValue: Int

    /// The keys of these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Alt.
    public static let alt = ModifierKeys(rawValue: 1)
    /// Control.
    public static let control = ModifierKeys(rawValue: 2)
    /// The key of the window manager.
    public static let meta = ModifierKeys(rawValue: 4)
    /// Shift.
    public static let shift = ModifierKeys(rawValue: 8)
}

/// The input of a person: moving the mouse, pressing its button and keys.
extension DebuggedPage {
    // MARK: - Mouse

    private func mouse(
        _ kind: String,
        _ place: (x: Double, y: Double),
        _ modifiers: ModifierKeys = [],
        _ more: [String: ScriptValue] = [:]
    ) async throws {
        let parameters: [String: ScriptValue] = [
            "type": .string(kind), "x": .number(place.x), "y": .number(place.y),
            "modifiers": .number(Double(modifiers.rawValue)),
        ]
        try await send("Input.dispatchMouseEvent", .object(parameters.merging(more) { $1 }))
    }

    /// Clicks on the middle of an element.
    public func click(_ element: PageElement, modifiers: ModifierKeys = [], count: Int = 1) async throws {
        let place = try await middle(of: element)
        try await mouse("mouseMoved", place, modifiers)
        for number in 1...count {
            let button: [String: ScriptValue] = ["button": "left", "clickCount": .number(Double(number))]
            try await mouse("mousePressed", place, modifiers, button)
            try await mouse("mouseReleased", place, modifiers, button)
        }
    }

    /// Presses the mouse's button on an element, and lets go on another, or so many pixels away.
    public func drag(
        _ element: PageElement,
        to other: PageElement? = nil,
        by offset: (x: Double, y: Double) = (0, 0)
    ) async throws {
        var end = try await middle(of: other ?? element)
        end = (end.x + offset.x, end.y + offset.y)
        let start = try await middle(of: element)
        let button: [String: ScriptValue] = ["button": "left", "clickCount": 1]
        let held: [String: ScriptValue] = ["button": "left", "buttons": 1]
        try await mouse("mouseMoved", start)
        try await mouse("mousePressed", start, [], button)
        let steps = 10.0
        for step in stride(from: 1, through: steps, by: 1) {
            let part = step / steps
            let place = (start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part)
            try await mouse("mouseMoved", place, [], held)
        }
        try await mouse("mouseReleased", end, [], button)
    }

    /// Turns the mouse's wheel over an element.
    public func wheel(_ element: PageElement, by pixels: Double, modifiers: ModifierKeys = []) async throws {
        let place = try await middle(of: element)
        try await mouse("mouseWheel", place, modifiers, ["deltaX": 0, "deltaY": .number(pixels)])
    }

    // MARK: - Keys

    /// Keys that write nothing, or not their own name: the place on the keyboard, the number, what is written.
    private static let keys: [String: (code: String, number: Double, text: String?)] = [
        "Backspace": ("Backspace", 8, nil), "Tab": ("Tab", 9, nil), "Enter": ("Enter", 13, "\r"),
        "Control": ("ControlLeft", 17, nil),
        "Escape": ("Escape", 27, nil), " ": ("Space", 32, " "), "PageUp": ("PageUp", 33, nil),
        "PageDown": ("PageDown", 34, nil), "End": ("End", 35, nil), "Home": ("Home", 36, nil),
        "ArrowLeft": ("ArrowLeft", 37, nil), "ArrowUp": ("ArrowUp", 38, nil),
        "ArrowRight": ("ArrowRight", 39, nil), "ArrowDown": ("ArrowDown", 40, nil),
        "Delete": ("Delete", 46, nil), "F8": ("F8", 119, nil),
    ]

    /// Presses a key and lets go, as often as is said; keys have the names of `KeyboardEvent.key`.
    public func press(_ key: String, modifiers: ModifierKeys = [], times: Int = 1) async throws {
        for _ in 0..<times {
            try await self.key(key, isDown: true, modifiers)
            try await self.key(key, isDown: false, modifiers)
        }
    }

    /// Holds a key down for as long as `body` takes.
    public func hold(_ key: String, _ body: () async throws -> Void) async throws {
        try await self.key(key, isDown: true, key == "Control" ? .control : [])
        try await body()
        try await self.key(key, isDown: false, [])
    }

    private func key(_ name: String, isDown: Bool, _ modifiers: ModifierKeys) async throws {
        let isLetter = name.count == 1 && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let number = Double(name.uppercased().unicodeScalars.first?.value ?? 0)
        let (code, keyNumber, text) =
            Self.keys[name] ?? (isLetter ? "Key\(name.uppercased())" : "", isLetter ? number : 0, name)
        var parameters: [String: ScriptValue] = [
            "type": isDown ? "rawKeyDown" : "keyUp", "key": .string(name), "code": .string(code),
            "windowsVirtualKeyCode": .number(keyNumber), "modifiers": .number(Double(modifiers.rawValue)),
        ]
        if let text, isDown, modifiers.isDisjoint(with: [.control, .alt, .meta]) {
            parameters["type"] = "keyDown"
            parameters["text"] = .string(text)
        }
        try await send("Input.dispatchKeyEvent", .object(parameters))
    }

    /// Types a text where the focus is, a key after the other.
    public func type(_ text: String) async throws {
        for character in text { try await press(character == "\n" ? "Enter" : String(character)) }
    }

    /// Clicks on a field, and types a text in place of what it has.
    public func fill(_ element: PageElement, _ text: String) async throws {
        try await click(element)
        try await press("a", modifiers: .control)
        try await press("Delete")
        try await type(text)
    }

    /// Pastes a text from the clipboard where the focus is.
    public func paste(_ text: String) async throws {
        let permissions: ScriptValue = ["clipboardReadWrite", "clipboardSanitizedWrite"]
        _ = try await pipe.send("Browser.grantPermissions", ["permissions": permissions])
        try await evaluate("navigator.clipboard.writeText(\(ScriptValue.string(text).json))")
        try await press("v", modifiers: .control)
    }

    /// Clicks on a field, and pastes a text in place of what it has.
    public func paste(_ text: String, into element: PageElement) async throws {
        try await click(element)
        try await press("a", modifiers: .control)
        try await paste(text)
    }

    /// Chooses what a list that folds out has, by typing its name there.
    public func choose(_ option: String, in element: PageElement) async throws {
        try await value(of: element, "function() { this.focus() }")
        try await type(option)
    }
}
