/// The pseudo-classes without an argument that browsers know.
///
/// <https://drafts.csswg.org/selectors-4/>, <https://html.spec.whatwg.org/multipage/semantics-other.html#pseudo-classes>
enum PseudoClass: String, Sendable, CaseIterable {
    // Of the tree.
    case root
    case scope
    case empty
    case firstChild = "first-child"
    case lastChild = "last-child"
    case onlyChild = "only-child"
    case firstOfType = "first-of-type"
    case lastOfType = "last-of-type"
    case onlyOfType = "only-of-type"

    // Of links and elements.
    case link
    case anyLink = "any-link"
    case webkitAnyLink = "-webkit-any-link"
    case target
    case defined
    case open
    case paused
    case muted

    // Of forms.
    case checked
    case `default`
    case disabled
    case enabled
    case required
    case optional
    case readOnly = "read-only"
    case readWrite = "read-write"
    case placeholderShown = "placeholder-shown"
    case indeterminate
    case inRange = "in-range"
    case outOfRange = "out-of-range"
    case valid
    case invalid

    // States that depend on the user, on scripts or on shadow trees: no element of a static page has them.
    case active
    case activeViewTransition = "active-view-transition"
    case autofill
    case webkitAutofill = "-webkit-autofill"
    case buffering
    case focus
    case focusVisible = "focus-visible"
    case focusWithin = "focus-within"
    case fullscreen
    case webkitFullScreen = "-webkit-full-screen"
    case webkitFullScreenAncestor = "-webkit-full-screen-ancestor"
    case webkitFullPageMedia = "-webkit-full-page-media"
    case webkitDrag = "-webkit-drag"
    case future
    case hasSlotted = "has-slotted"
    case host
    case hover
    case interestSource = "interest-source"
    case interestTarget = "interest-target"
    case modal
    case past
    case pictureInPicture = "picture-in-picture"
    case playing
    case popoverOpen = "popover-open"
    case seeking
    case stalled
    case targetCurrent = "target-current"
    case userInvalid = "user-invalid"
    case userValid = "user-valid"
    case visited
    case volumeLocked = "volume-locked"
    case xrOverlay = "xr-overlay"

    // Of scrollbars.
    case cornerPresent = "corner-present"
    case decrement
    case doubleButton = "double-button"
    case end
    case horizontal
    case increment
    case noButton = "no-button"
    case singleButton = "single-button"
    case start
    case vertical
    case windowInactive = "window-inactive"

    /// Whether an element of a static page may have it.
    var isStatic: Bool {
        switch self {
        case .root, .scope, .empty, .firstChild, .lastChild, .onlyChild, .firstOfType, .lastOfType,
            .onlyOfType, .link, .anyLink, .webkitAnyLink, .target, .defined, .open, .paused, .muted,
            .checked, .default, .disabled, .enabled, .required, .optional, .readOnly, .readWrite,
            .placeholderShown, .indeterminate, .inRange, .outOfRange, .valid, .invalid:
            true
        case .active, .activeViewTransition, .autofill, .webkitAutofill, .buffering, .focus, .focusVisible,
            .focusWithin, .fullscreen, .webkitFullScreen, .webkitFullScreenAncestor, .webkitFullPageMedia,
            .webkitDrag, .future, .hasSlotted, .host, .hover, .interestSource, .interestTarget, .modal,
            .past, .pictureInPicture, .playing, .popoverOpen, .seeking, .stalled, .targetCurrent,
            .userInvalid, .userValid, .visited, .volumeLocked, .xrOverlay, .cornerPresent, .decrement,
            .doubleButton, .end, .horizontal, .increment, .noButton, .singleButton, .start, .vertical,
            .windowInactive:
            false
        }
    }

    /// Whether it may follow a pseudo-element, which is not in the tree.
    var mayFollowPseudoElement: Bool {
        switch self {
        case .hover, .active, .focus, .focusVisible, .focusWithin, .windowInactive, .enabled, .disabled,
            .cornerPresent, .decrement, .doubleButton, .end, .horizontal, .increment, .noButton,
            .singleButton, .start, .vertical, .targetCurrent:
            true
        default: false
        }
    }
}

/// The pseudo-elements that browsers know; no element is one.
///
/// <https://drafts.csswg.org/css-pseudo-4/>
enum PseudoElement {
    /// Those that may be written with one colon, as in CSS 2.
    static let legacy: [String] = ["before", "after", "first-line", "first-letter"]

    private static let known: [String] = [
        "backdrop", "checkmark", "column", "cue", "details-content", "file-selector-button",
        "grammar-error", "marker", "picker-icon", "placeholder", "scroll-marker", "scroll-marker-group",
        "search-text", "selection", "spelling-error", "target-text", "view-transition",
    ]

    private static let functions: [String] = [
        "cue", "highlight", "part", "picker", "scroll-button", "slotted", "view-transition-group",
        "view-transition-group-children", "view-transition-image-pair", "view-transition-new",
        "view-transition-old",
    ]

    /// Whether browsers know a pseudo-element, given in lower case.
    ///
    /// They accept any name that begins with "-webkit-".
    ///
    /// <https://drafts.csswg.org/selectors-4/#compat>
    static func isKnown(_ name: String, hasArgument: Bool) -> Bool {
        if hasArgument { return functions.contains(name) }
        return legacy.contains(name) || known.contains(name) || name.hasPrefix("-webkit-")
    }

    /// Whether a pseudo-element may be inside another one, and so follow it.
    static func isAllowed(_ name: String, after first: String) -> Bool {
        switch first {
        case "part", "slotted", "picker", "details-content", "file-selector-button": true
        case "before", "after": name == "marker"
        default: false
        }
    }
}
