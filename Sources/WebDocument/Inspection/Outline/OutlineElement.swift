/// The role of one element in an outline, by its name and attributes.
struct OutlineElement {
    /// The kind of the element, by its name.
    enum Native {
        case heading(Int)
        case article
        case aside
        case section
        case nav
        case main
        case header
        case footer
        case form
        case search
    }

    private(set) var native: Native?

    /// The value of `role`; nil where it names no known role.
    private(set) var role: AccessibleRole?

    /// Whether the element and its contents are hidden.
    private(set) var isHidden = false

    /// `aria-level`; nil without one that is a number above 0.
    private(set) var level: Int?

    /// Reads an element of HTML.
    init(_ element: TreeNode) {
        native = Native(element)
        // The roles `none` and `presentation` are ignored on elements that matter to assistive technology.
        var isOfInterest = false
        var next = element.firstAttribute
        while let attribute = next {
            next = attribute.next
            guard attribute.isPlain else { continue }
            switch attribute.initial {
            case UInt8(ascii: "r") where attribute.hasName("role"):
                role = AccessibleRole(roleAttribute: attribute.value)
            case UInt8(ascii: "h") where attribute.hasName("hidden"):
                isHidden = !attribute.value.isEqualIgnoringASCIICase(to: "until-found")
            case UInt8(ascii: "t") where attribute.hasName("tabindex"): isOfInterest = true
            case UInt8(ascii: "a"):
                if attribute.hasName("aria-hidden") {
                    if attribute.value.isEqualIgnoringASCIICase(to: "true") { isHidden = true }
                } else if attribute.hasName("aria-level") {
                    level = Int(bounded: attribute.value).flatMap { $0 > 0 ? $0 : nil }
                } else if Self.isGlobal(attribute) {
                    isOfInterest = true
                }
            default: break
            }
        }
        if isOfInterest, role == .presentational { role = nil }
    }

    /// Whether the attribute is one that makes the roles `none` and `presentation` be ignored.
    ///
    /// [WAI-ARIA: presentational roles conflict
    /// resolution](https://www.w3.org/TR/wai-aria-1.2/#conflict_resolution_presentation_none)
    private static func isGlobal(_ attribute: TreeAttribute) -> Bool {
        for name in globals where attribute.hasName(name) { return true }
        return false
    }

    private static let globals: [StaticString] = [
        "aria-label", "aria-labelledby", "aria-describedby", "aria-description", "aria-atomic", "aria-busy",
        "aria-controls", "aria-current", "aria-details", "aria-flowto", "aria-keyshortcuts", "aria-live",
        "aria-owns", "aria-relevant", "aria-roledescription",
    ]

    /// The level of the heading that it is; nil if it is not a heading.
    var headingLevel: Int? {
        switch role {
        case nil:
            guard case .heading(let number) = native else { return nil }
            return level ?? number
        case .heading:
            if case .heading(let number) = native { return level ?? number }
            return level ?? 2
        case .landmark, .article, .presentational, .other: return nil
        }
    }

    /// Whether it is `article`, `aside`, `nav` or `section`.
    var isSection: Bool {
        switch native {
        case .article, .aside, .section, .nav: true
        case .heading, .main, .header, .footer, .form, .search, nil: false
        }
    }

    /// Whether a `header` or `footer` inside it is not that of the whole page.
    var isScope: Bool {
        if isSection { return true }
        if case .main = native { return true }
        switch role {
        case .article, .landmark(.complementary), .landmark(.main), .landmark(.navigation),
            .landmark(.region):
            return true
        case .landmark, .heading, .presentational, .other, nil: return false
        }
    }

    /// The landmark that it may be, and whether it needs a name to be one.
    ///
    /// - Parameters:
    ///   - isInScope: Whether it is inside an element that ``isScope``.
    ///   - isInSection: Whether it is inside an element that ``isSection``.
    /// - Returns: The landmark; `nil` if the element is not a landmark.
    func landmark(isInScope: Bool, isInSection: Bool) -> (role: Landmark.Role, needsLabel: Bool)? {
        switch role {
        case .landmark(let role): return (role, role.needsLabel)
        case .heading, .article, .presentational, .other: return nil
        case nil: break
        }
        switch native {
        case .header: return isInScope ? nil : (.banner, false)
        case .footer: return isInScope ? nil : (.contentInformation, false)
        case .aside: return (.complementary, isInSection)
        case .nav: return (.navigation, false)
        case .main: return (.main, false)
        case .search: return (.search, false)
        case .form: return (.form, true)
        case .section: return (.region, true)
        case .article, .heading, nil: return nil
        }
    }
}

extension OutlineElement.Native {
    /// Nil for an element whose name has no meaning in an outline.
    init?(_ element: TreeNode) {
        guard let name = unsafe element.nameBytes else { return nil }
        switch unsafe name[0] {
        case UInt8(ascii: "h"):
            if let level = element.headingLevel {
                self = .heading(level)
            } else if element.hasName("header") {
                self = .header
            } else {
                return nil
            }
        case UInt8(ascii: "a"):
            if element.hasName("article") {
                self = .article
            } else if element.hasName("aside") {
                self = .aside
            } else {
                return nil
            }
        case UInt8(ascii: "s"):
            if element.hasName("section") {
                self = .section
            } else if element.hasName("search") {
                self = .search
            } else {
                return nil
            }
        case UInt8(ascii: "f"):
            if element.hasName("footer") {
                self = .footer
            } else if element.hasName("form") {
                self = .form
            } else {
                return nil
            }
        case UInt8(ascii: "n") where element.hasName("nav"): self = .nav
        case UInt8(ascii: "m") where element.hasName("main"): self = .main
        default: return nil
        }
    }
}
