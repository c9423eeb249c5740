/// What screen readers have of an element.
public struct AccessibleNode: Sendable {
    /// What it is, as "button" or "gridcell".
    public let role: String
    /// How it is called.
    public let name: String
    /// What more is said of it.
    public let description: String
    /// What it has in it, as a field does.
    public let value: String
    /// What else is known of it, as "expanded" or "focused".
    public let properties: [String: ScriptValue]
}

extension DebuggedPage {
    /// All that screen readers are told of the page, in the order of the document.
    public func accessibilityTree() async throws -> [AccessibleNode] {
        let nodes = try await send("Accessibility.getFullAXTree")["nodes"].items
        return nodes.filter { $0["ignored"] != true }.map { node in
            let properties = node["properties"].items.map { ($0["name"].text ?? "", $0["value"]["value"]) }
            return AccessibleNode(
                role: node["role"]["value"].text ?? "",
                name: node["name"]["value"].text ?? "",
                description: node["description"]["value"].text ?? "",
                value: node["value"]["value"].text ?? "",
                properties: Dictionary(properties) { $1 }
            )
        }
    }

    /// What has the focus, as screen readers say it; nil if nothing has it but the page.
    public func focusedNode() async throws -> AccessibleNode? {
        try await accessibilityTree().last { $0.properties["focused"] == true && $0.role != "RootWebArea" }
    }

    /// What is pressed, chosen or typed into, and has no name.
    public func namelessControls() async throws -> [String] {
        let roles: Set = [
            "button", "link", "textbox", "searchbox", "checkbox", "combobox", "radio", "switch", "slider",
            "tab",
            "menuitem", "spinbutton", "treeitem", "grid", "treegrid", "tabpanel", "tablist", "region",
            "dialog",
            "Iframe", "progressbar", "meter", "listbox", "DisclosureTriangle",
        ]
        return try await accessibilityTree()
            .filter { roles.contains($0.role) && $0.name.allSatisfy(\.isWhitespace) }
            .map { "\($0.role) \($0.description) \($0.value)" }
    }
}
