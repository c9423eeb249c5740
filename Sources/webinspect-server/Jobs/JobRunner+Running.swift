import Glibc
import WebStandards

/// Beginning and ending jobs.
extension JobRunner {
    /// The maximum number of waiting events of a process; beyond it, the oldest are dropped.
    private static let waitingEvents = 256

    /// Queues a job, which starts as soon as there is room.
    func enqueue(_ id: Int64) {
        jobs[id]?.wait()
        waiting.append(id)
        send(id)
        begin()
    }

    private func begin() {
        while !isEnding, running.count < Self.width,
            let next = waiting.firstIndex(where: { !running.contains($0) })
        {
            let id = waiting.remove(at: next)
            running.insert(id)
            jobs[id]?.state = .running
            jobs[id]?.started = Timestamp.now.millisecondsSince1970
            send(id)
            Task { await self.run(id) }
        }
    }

    /// Removes a job from the waiting ones, or sends signals to its process until it ends.
    func stop(_ id: Int64, _ steps: [(seconds: Double, signal: Int32)]) async {
        // Checked first: a job that is resumed as it ends waits until it has ended.
        if let index = waiting.firstIndex(of: id) {
            waiting.remove(at: index)
            jobs[id]?.state = .stopped
            send(id)
            return await keep(id)
        }
        guard running.contains(id) else { return }
        jobs[id]?.state = .stopping
        send(id)
        processes[id]?.end(steps)
    }

    // MARK: - Running

    private func run(_ id: Int64) async {
        do throws(ServeError) {
            try await work(id)
        } catch {
            jobs[id]?.state = error.code == "state.busy" ? .stopped : .failed
            jobs[id]?.message = error.message
        }
        jobs[id]?.ended = Timestamp.now.millisecondsSince1970
        processes[id] = nil
        await keep(id)
        running.remove(id)
        if removed.contains(id) {
            do throws(ServeError) {
                try await erase(id)
            } catch {
                jobs[id]?.state = .stopped
                jobs[id]?.message = error.message
            }
        }
        send(id)
        begin()
    }

    /// Runs the process of a job to its end.
    private func work(_ id: Int64) async throws(ServeError) {
        guard let form = jobs[id]?.form else { return }
        let (program, cache) = (program, cache)
        let start = try await BlockingWork.threads.run { () throws(ServeError) in
            try JobStart(form, JobFolder(cache: cache, id: id), program: program, cache: cache)
        }
        await keep(id)
        let child = try await ChildStarter.shared.start(
            start.line,
            input: start.input.number,
            output: start.output.number,
            error: start.error.number,
            deathSignal: SIGTERM
        )
        let process = JobProcess(ChildProcess(child), said: start.said)
        processes[id] = process
        // It was stopped meanwhile.
        if isEnding || jobs[id]?.state == .stopping { process.end([(0, SIGTERM), (2, SIGKILL)]) }
        let (events, continuation) = AsyncStream<JobOutput.Event>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.waitingEvents)
        )
        async let ended = BlockingWork.serial("webinspect-server.job").run {
            let end = process.wait { continuation.yield($0) }
            continuation.finish()
            return end
        }
        for await event in events { await note(id, event) }
        let end = await ended
        withExtendedLifetime(start) {}
        await countLines(id)
        finish(id, end)
    }

    private func note(_ id: Int64, _ event: JobOutput.Event) async {
        switch event {
        case .line(let text): jobs[id]?.add(log: text)
        case .progress(let progress):
            jobs[id]?.progress = progress
            await countLines(id)
            send(id)
        }
    }

    private func countLines(_ id: Int64) async {
        let results = results(of: id)
        let count = await BlockingWork.threads.run { try? results.count() }
        if let count { jobs[id]?.lines = count }
    }

    private func finish(_ id: Int64, _ end: ChildProcess.Ending) {
        guard var job = jobs[id] else { return }
        let isStopped = job.state == .stopping || isEnding
        job.message = job.log.last
        switch end {
        case .status(let status):
            job.exitStatus = Int(status)
            job.state = Self.state(job.form.kind, status, isStopped: isStopped)
            if job.message?.hasSuffix("(state.busy)") == true {
                job.message = "another process works on this job: resume it once that has ended"
            }
        case .signal, .unknown:
            job.state = isStopped ? .stopped : .failed
            if !isStopped { job.message = "\(end); it goes on when it is resumed" }
        }
        jobs[id] = job
    }

    /// Returns the state of a job whose process has ended with an exit status.
    private static func state(_ kind: JobForm.Kind, _ status: Int32, isStopped: Bool) -> Job.State {
        switch (kind, status) {
        // Links are broken; a limit of the form was reached; a watched page has changed, or is missing.
        case (_, 0), (.check, 1), (.crawl, 6), (.watch, 1), (.watch, 3), (.watch, 4), (.watch, 7): .done
        case (_, 130): .stopped
        default: isStopped ? .stopped : .failed
        }
    }
}
