/// The style and the script of the HTML report, which has nothing outside itself.
enum ReportStyle {
    /// Light and dark as the reader has it, from 360 pixels of width on.
    static let css: StaticString = """
        :root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #0b62c4; --error: #b3261e;
          --warning: #8a5a00; --note: #4a5b6c; }
        @media (prefers-color-scheme: dark) {
          :root { --accent: #7ab7ff; --error: #ff8a80; --warning: #ffc766; --note: #a9bccf; } }
        * { box-sizing: border-box; }
        body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 76rem; padding: 1rem; }
        h1 { font-size: 1.6rem; margin: .5rem 0; overflow-wrap: anywhere; }
        h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); }
        h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
        nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; padding: 0; }
        a { color: var(--accent); }
        .url, td, dd, li, summary { overflow-wrap: anywhere; unicode-bidi: isolate; }
        .number { white-space: nowrap; }
        .skip { position: absolute; left: -999rem; }
        .skip:focus { position: static; }
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; width: 100%; }
        th, td { text-align: start; vertical-align: top; padding: .25rem .5rem; border-bottom: 1px solid var(--line);
          min-width: 3rem; }
        th button { font: inherit; font-weight: bold; background: none; border: 0; padding: 0; cursor: pointer;
          color: inherit; text-align: start; }
        th[aria-sort=ascending] button::after { content: " \\2191"; }
        th[aria-sort=descending] button::after { content: " \\2193"; }
        dl { display: grid; grid-template-columns: minmax(6rem, max-content) minmax(0, 1fr); gap: .1rem 1rem; margin: .5rem 0; }
        dt { font-weight: bold; } dd { margin: 0; }
        @media (max-width: 30rem) { dl { grid-template-columns: minmax(0, 1fr); } dd { padding-inline-start: 1rem; } }
        .filter { display: flex; flex-wrap: wrap; gap: .5rem 1rem; margin: .5rem 0; align-items: center; }
        .filter input { font: inherit; max-width: 100%; }
        .cards { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; padding: 0; }
        .cards li { background: var(--soft); padding: .25rem .75rem; border-radius: .5rem; }
        .error { color: var(--error); } .warning { color: var(--warning); } .note { color: var(--note); }
        pre { background: var(--soft); padding: .5rem; margin: .25rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
        mark { background: #fd06; color: inherit; }
        details { margin: .15rem 0; } details > :not(summary) { margin-inline-start: 1rem; }
        .gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); gap: 1rem; list-style: none;
          padding: 0; }
        .gallery img { display: block; max-width: 100%; max-height: 9rem; background: repeating-conic-gradient(#8882 0 25%,
          #0000 0 50%) 0 / 1rem 1rem; }
        svg { display: block; max-width: 100%; height: auto; } svg text { fill: currentColor; font: 12px system-ui; }
        svg .bar { fill: var(--accent); } svg .line { stroke: var(--line); }
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

    /// What the report may do, said to the browser: show the images that are in it, and run this script and no other.
    ///
    /// `ReportCommandTests` holds the hash to the script.
    static let policy =
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-QjEf05vasLmwvteX6UNj511Gf4wckoAQLk///+mW7rg='; base-uri 'none'; "
        + "form-action 'none'"
}
