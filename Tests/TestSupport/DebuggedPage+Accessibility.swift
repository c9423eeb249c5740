/// An element as screen readers see it.
public struct AccessibleNode: Sendable {
    /// The role, as "button" or "gridcell".
    public let role: String
    /// The accessible name.
    public let name: String
    /// The accessible description.
    public let description: String
    /// The value, as a field has one.
    public let value: String
    /// Other properties, as "expanded" or "focused".
    public let properties: [String: ScriptValue]
}

extension DebuggedPage {
    /// Returns everything that screen readers receive of the page, in document order.
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

    /// Returns the element that has the focus, as screen readers see it; `nil` if only the page itself has it.
    public func focusedNode() async throws -> AccessibleNode? {
        try await accessibilityTree().last { $0.properties["focused"] == true && $0.role != "RootWebArea" }
    }

    /// Returns the elements that are pressed, chosen or typed into, and have no name.
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
