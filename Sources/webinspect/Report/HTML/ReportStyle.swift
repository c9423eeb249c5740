/// The style and the script of our pages, which have nothing outside themselves.
enum ReportStyle {
    /// The style sheet in addition to the one that is shared with the local server's pages (`CLook`), from
    /// 360 pixels of width on.
    static let css: StaticString = """

        body { max-width: 92rem; margin: 0 auto; padding: 0 var(--s4); overflow-wrap: anywhere; }
        body > header { padding: var(--s5) 0 var(--s3); }
        .badges { display: flex; flex-wrap: wrap; gap: var(--s2); }
        .badges > .badge { white-space: normal; }
        .cards { grid-template-columns: repeat(auto-fill, minmax(6.5rem, 1fr)); }
        .cards > li:has(> a) { padding: 0; }
        .cards a { display: block; padding: var(--s3) var(--s4); color: inherit; text-decoration: none; border-radius: inherit; }
        .cards a:hover { background: var(--soft); }
        .cards b { display: block; font-size: var(--huge); line-height: 1.2; font-variant-numeric: tabular-nums; }
        .url, bdi { unicode-bidi: isolate; }

        nav ul { display: flex; gap: var(--s1); margin: 0; padding: 0; list-style: none; overflow: auto; scrollbar-width: thin; }
        nav a { display: flex; justify-content: space-between; gap: var(--s2); padding: var(--s1) var(--s2); color: inherit;
          text-decoration: none; white-space: nowrap; border-radius: var(--radius); }
        nav a:hover { background: var(--soft); }
        nav a:focus-visible { outline-offset: -2px; }
        nav .number { color: var(--muted); }
        @media screen and (min-width: 64rem) {
          .report { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: var(--s5); align-items: start; }
          nav { position: sticky; top: 0; max-height: 100vh; overflow: auto; padding: var(--s4) 0; scrollbar-width: thin; }
          nav ul { flex-direction: column; overflow: visible; }
          nav a { white-space: normal; }
        }

        main > section { margin: var(--s4) 0; padding: var(--s3) var(--s5) var(--s4); background: var(--raised);
          border: 1px solid var(--line); border-radius: calc(2 * var(--radius)); }
        [id] { scroll-margin-top: var(--s4); }
        main > section:target { border-color: var(--accent); }
        h2 > .badge, h3 > .badge { font-weight: 400; vertical-align: middle; }
        h3 { margin: var(--s4) 0 var(--s2); }
        dd > :is(dl, ul, details):first-child { margin-top: 0; }
        dl { display: grid; grid-template-columns: fit-content(13rem) minmax(0, 1fr); gap: var(--s1) var(--s4); }
        main ul, main ol { padding-inline-start: var(--s5); }
        main :is(.plain, .words, .cards, .gallery, .waterfall) { padding: 0; list-style: none; }
        .plain > li + li { margin-top: var(--s3); padding-top: var(--s2); border-top: 1px solid var(--line); }
        .words { display: flex; flex-wrap: wrap; gap: 0 var(--s3); margin: 0; }

        /* Words are cut only where they are longer than a column gets, URLs anywhere. */
        th, td { max-width: 20rem; overflow-wrap: break-word; }
        .long { min-width: 12rem; }
        td .url { overflow-wrap: anywhere; }
        td:has(> .url) { max-width: 40rem; }
        .short > details > summary { white-space: nowrap; }
        td > details[open] { min-width: min(30rem, 70vw); }
        .empty + .scroll { display: none; }
        tbody tr:hover { background: color-mix(in srgb, var(--soft) 50%, transparent); }
        th:not([aria-sort]) button::after { content: "\\2195"; opacity: .55; }
        .filter { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s4); align-items: center; }

        .screenshot { max-width: min(100%, 40rem); height: auto; border: 1px solid var(--line); }
        details { margin: var(--s1) 0; }
        details > :not(summary) { margin-inline-start: var(--s4); }
        .finding { padding: var(--s2) var(--s3); margin: var(--s2) 0; border: 1px solid var(--line);
          border-inline-start: .25rem solid var(--border); border-radius: var(--radius); }
        .finding.error { border-inline-start-color: var(--error); color: inherit; }
        .finding.warning { border-inline-start-color: var(--warning); color: inherit; }
        .finding > :not(summary) { margin-inline-start: 0; }
        .tree { font-family: var(--mono); font-size: .87em; }
        .tree > div, .tree summary { padding: 0 var(--s1); }
        .tree details { margin-block: 0; }
        .tree div { padding-inline-start: var(--s4); }

        .waterfall { display: grid; grid-template-columns: fit-content(12rem) minmax(4rem, 1fr) auto; gap: var(--s1) var(--s3); }
        .waterfall > li { display: contents; }
        .track { align-self: center; background: var(--soft); border-radius: var(--radius); }
        .track > span { display: block; height: .75rem; min-width: 2px; border-radius: var(--radius); background: var(--accent); }
        .track > .connecting { background: var(--muted); } .track > .receiving { background: var(--good); }
        .bar, .track > span { print-color-adjust: exact; }
        .gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(11rem, 100%), 1fr)); gap: var(--s4); }
        .gallery img { display: block; max-height: 10rem; background: repeating-conic-gradient(var(--line) 0 25%,
          #0000 0 50%) 0 / 1rem 1rem; }

        /* Both sides of a difference. */
        .change + .change { margin-top: var(--s4); }
        .change small { font-weight: 400; color: var(--muted); }
        .sides { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: var(--s2); margin: var(--s1) 0; }
        .sides > div { padding: var(--s1) var(--s2); background: var(--soft); white-space: pre-wrap; unicode-bidi: isolate;
          border-radius: var(--radius); }
        .sides > .none { background: repeating-linear-gradient(135deg, var(--line) 0 .25rem, #0000 .25rem .5rem); }
        .places > div { padding-block: 0; background: none; color: var(--muted); font-size: var(--small); }
        .removed > .old { background: color-mix(in srgb, var(--error) 12%, var(--raised)); }
        .added > .new { background: color-mix(in srgb, var(--good) 12%, var(--raised)); }
        .moved > div { background: color-mix(in srgb, var(--warning) 12%, var(--raised)); }
        del { background: color-mix(in srgb, var(--error) 24%, transparent); text-decoration-thickness: 1px; }
        ins { background: color-mix(in srgb, var(--good) 24%, transparent); text-decoration: none; }

        @media screen and (max-width: 48rem) {
          main > section { padding: var(--s2) var(--s3) var(--s3); }
          main ul, main ol { padding-inline-start: var(--s4); }
          .cards { grid-template-columns: repeat(auto-fill, minmax(6rem, 1fr)); gap: var(--s2); }
          .cards > li, .cards a { padding: var(--s2) var(--s3); }
          dl { grid-template-columns: fit-content(7rem) minmax(0, 1fr); }
          dd:has(> :is(dl, .scroll, .plain, details)) { grid-column: 1 / -1; padding-inline-start: var(--s3); }
          /* A row is a list of its cells, each with its name. */
          table[data-sorts] :is(tbody, tr, td) { display: block; max-width: none; text-align: start; }
          table[data-sorts] { display: block; }
          table[data-sorts] > thead, table[data-sorts] td:empty { display: none; }
          table[data-sorts] tr { padding: var(--s2) 0; border-bottom: 1px solid var(--line); }
          table[data-sorts] td { padding: 0; border: 0; overflow-wrap: anywhere; }
          td[data-name]::before { content: attr(data-name) " "; color: var(--muted); font-size: var(--small); }
        }
        @media (forced-colors: active) { .track > span { forced-color-adjust: none; background: Highlight; } }
        @media print {
          body { max-width: none; padding: 0; } nav, .filter { display: none; }
          th, td { font-size: .75em; } td.long { min-width: 0; overflow-wrap: anywhere; }
          th.long { min-width: 0; } main th button::after { content: none; }
          main > section { padding: 0; border: 0; } .finding { break-inside: avoid; }
          .finding::details-content { display: block; content-visibility: visible; }
        }
        """

    /// Tables that sort and filter; without it everything is there all the same.
    static let script: StaticString = """
        for (const table of document.querySelectorAll("table[data-sorts]")) {
          const body = table.tBodies[0];
          const heads = [...table.tHead.rows[0].cells];
          heads.forEach((head, column) => {
            const button = document.createElement("button");
            button.append(...head.childNodes);
            head.append(button);
            button.addEventListener("click", () => {
              const down = head.getAttribute("aria-sort") === "ascending";
              for (const other of heads) other.removeAttribute("aria-sort");
              head.setAttribute("aria-sort", down ? "descending" : "ascending");
              const rows = [...body.rows].map((row) => [row.cells[column].textContent.trim(), row]);
              const numeric = rows.every(([text]) => text === "" || !isNaN(text));
              const order = numeric ? (a, b) => a - b : new Intl.Collator().compare;
              rows.sort((a, b) => (down ? order(b[0], a[0]) : order(a[0], b[0])));
              body.append(...rows.map(([, row]) => row));
            });
          });
          if (body.rows.length < 8) continue;
          const filter = document.createElement("p");
          filter.className = "filter";
          const label = document.createElement("label");
          const input = document.createElement("input");
          const count = document.createElement("span");
          input.type = "search";
          count.setAttribute("role", "status");
          label.append("Filter ", input);
          filter.append(label, count);
          table.parentElement.before(filter);
          const texts = new Map([...body.rows].map((row) => [row, row.textContent.toLowerCase()]));
          input.addEventListener("input", () => {
            const words = input.value.toLowerCase().split(/\\s+/);
            let shown = 0;
            for (const [row, text] of texts) {
              row.hidden = !words.every((word) => text.includes(word));
              if (!row.hidden) shown += 1;
            }
            count.textContent = shown + " of " + texts.size;
          });
        }
        """

    /// Returns the Content-Security-Policy of a report: it may show the images that are in it, and run at
    /// most this script.
    ///
    /// `ReportCommandTests` checks the hash of the script.
    static func policy(runsScript: Bool) -> String {
        let script = runsScript ? "script-src 'sha256-QjEf05vasLmwvteX6UNj511Gf4wckoAQLk///+mW7rg='; " : ""
        return "default-src 'none'; img-src data:; style-src 'unsafe-inline'; \(script)base-uri 'none'; "
            + "form-action 'none'"
    }
}
