/// How the browser is started.
enum BrowserFlags {
    /// All flags but those of the process itself: its folder, its pipe, its sandbox.
    static let all = [
        "--headless=new", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check",
        // Nothing of its own: no updates, no reports, no translations, no extensions.
        "--disable-extensions", "--disable-background-networking", "--disable-component-update",
        "--disable-breakpad", "--disable-crash-reporter", "--disable-default-apps", "--disable-sync",
        "--disable-domain-reliability", "--no-pings", "--metrics-recording-only", "--password-store=basic",
        "--use-mock-keychain", "--mute-audio", "--disable-gpu", "--disable-dev-shm-usage",
        // A page that nobody looks at is as one that somebody does.
        "--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
        "--disable-renderer-backgrounding",
        // All frames of a page are in its process, so that its tree is one: there is nothing of another site to keep from it.
        "--disable-site-isolation-trials",
        "--disable-features=IsolateOrigins,site-per-process,Translate,MediaRouter,OptimizationHints,"
            + "AutofillServerCommunication,CertificateTransparencyComponentUpdater,InterestFeedContentSuggestions",
        // Behind the kernel's filter, which refuses all sockets: names are not looked up, and nothing is tried.
        "--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=http://127.0.0.1:9",
        "--proxy-bypass-list=<-loopback>", "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "about:blank",
    ]
}
