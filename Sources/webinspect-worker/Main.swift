import CWorkerGuard
import Glibc
import WebRules

/// The process that evaluates rules.
///
/// The library starts it with an empty environment and communicates with it through descriptors that the
/// library has opened. It gives up files, network and processes before it reads anything.
@main
enum Main {
    static func main() {
        let status = webl_guard_attach()
        guard status == 0 else { _exit(status) }
        RuleWorkerProgram.prepare()
        guard webl_guard_confine() == 0 else { _exit(webl_guard_unconfined_status()) }
        RuleWorkerProgram.serve(ProcessGuard())
        _exit(0)
    }
}
