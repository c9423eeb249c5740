import WebDocument
import WebStandards

/// The resources that a rewritten copy needs: those that draw the page, and no optional ones.
enum CopyWishes {
    /// Returns the resources that the references of a page need.
    ///
    /// - Parameters:
    ///   - references: The references.
    ///   - encoding: The encoding of the page, which its style sheets have unless they declare another.
    ///   - depth: The number of frames around the page.
    /// - Returns: The resources, in the order of the references.
    static func find(
        in references: [CopyReference],
        _ encoding: TextEncoding,
        depth: Int
    ) -> [ResourceWish] {
        references.compactMap { reference in
            use(reference, encoding).map { use in
                ResourceWish(
                    url: reference.resource,
                    use: use,
                    depth: depth,
                    isOptional: reference.isOptional,
                    isStyle: reference.isStyle
                )
            }
        }
    }

    /// Returns the use of a reference; `nil` if it is not loaded.
    static func use(_ reference: CopyReference, _ encoding: TextEncoding) -> ResourceWish.Use? {
        guard reference.isRequisite, !reference.isForbidden, reference.canBeLoaded else { return nil }
        // A reader can choose an alternative style sheet.
        if reference.isOptional, !reference.rel.contains("alternate") || reference.kind != .stylesheet {
            return nil
        }
        if reference.isSymbol { return .symbols }
        // Browsers show what is inside an object of a type that they do not know.
        if reference.kind == .object, let type = reference.type.flatMap({ MediaType($0) }), !isShown(type) {
            return nil
        }
        return switch reference.kind {
        case .stylesheet: .styleSheet(encoding)
        case .frame, .object: .frame
        case .media where reference.element != "track": .media
        case .manifest: nil
        default: .bytes
        }
    }

    /// Whether browsers show something of a type inside a page.
    private static func isShown(_ type: MediaType) -> Bool {
        ["image", "audio", "video"].contains(type.type) || type.isXML || type.isHTML
            || ["text/plain", "text/css", "application/pdf", "application/json"].contains(type.essence)
    }
}
