import Glibc

/// Ends the process where something that always has to hold does not, and says what; a precondition says nothing in
/// what is optimised.
func demand(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { violation(message()) }
}

/// Ends the process, and says why.
func violation(_ message: String) -> Never {
    let line = Array("violation: \(message)\n".utf8)
    _ = write(2, line, line.count)
    fflush(nil)
    abort()
}
