import Glibc

/// Ends the process with a message if an invariant does not hold; a precondition has no message in optimized code.
func demand(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { violation(message()) }
}

/// Ends the process with a message.
func violation(_ message: String) -> Never {
    let line = Array("violation: \(message)\n".utf8)
    _ = write(2, line, line.count)
    fflush(nil)
    abort()
}
