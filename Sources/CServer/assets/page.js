// A kept page: its view, what it is made of, what is wrong with it.

import { ago, announce, api, bytes, count, date, events, go, h, setParams, settings, short, splitter, tabs,
  title, toast, urlLink } from './core.js';
import { badge, button, empty, fill, grid, marker, more, narrow, pathOf, scaling, text, viewer } from './view.js';
import { compare } from './compare.js';
import { tree } from './tree.js';

const li = (...parts) => h('li', null, parts), h2 = text => h('h2', { text }), note = (...parts) => h('div', { class: 'muted' }, parts);

export const show = (main, { path, params }) => (path === '/compare' ? compare : page)(main, params);

function page(main, params) {
  const ends = new AbortController(), life = ends.signal, url = params.get('url') ?? '', when = params.get('date') ?? undefined;
  let known, current, part, drawn, stale;
  const cx = {
    url, when, mark: params.get('mark') ?? '', node: params.get('node') ?? undefined,
    ask: (what, more, signal = life) => api('page/' + what, { params: { url, date: when, ...more }, signal }),
    report: async () => (await (known ??= cx.ask('report').catch(error => { known = null; throw error; }))).report,
    keptOf: keeper(life), memory: {},
    /** Shows a node in the view. */
    jump(node) {
      setParams({ node: cx.node = node });
      if (narrow.matches && current !== 'view') {
        drawn = false;
        visit({ tab: 'view' });
        view.pane.focus();
      } else draw();
    },
    /** Shows in the view what begins at a line and a column. */
    async reveal(item) {
      try {
        for (let from = 0, got; item.line && (!got || (got.matches.length && from < got.total)); from += got.matches.length) {
          got = await cx.ask('select', { selector: CSS.escape(item.element), from, count: 1000 });
          const match = got.matches.find(x => x.line === item.line && x.column === item.column);
          if (match) return cx.jump(match.node);
        }
        toast('It is not in the view.');
      } catch (error) {
        if (!life.aborted) toast(error.message);
      }
    },
    /** Buttons that show a thing in the view and in the source. */
    places: (item, name = item.element) => item.line && h('span', { class: 'page-places' },
      item.element && button('Show', () => cx.reveal(item), { class: 'quiet', 'aria-label': `Show ${short(name, 60)} in the view` }),
      button('line ' + item.line, () => visit({ tab: 'source', line: item.line }), { class: 'quiet', 'aria-label': `Line ${item.line} of the source` })),
  };
  const visit = changes => {
    setParams(changes, { replace: false });
    open();
  };

  const again = button('Reload', () => reload(url, life, again, () => {
    stale = true;
    go(pathOf(url, { tab: new URLSearchParams(location.search).get('tab') ?? '' }), { replace: true });
  }));
  const heading = h('h1', { class: 'text', text: short(url) }), badges = h('p'), facts = h('div');
  const head = h('header', { class: 'page-head' }, heading, h('p', null, urlLink(url)), badges,
    when && h('p', { class: 'card warning' }, 'This is the version of ', text(date(Date.parse(when)) || when), '. ', h('a', { href: pathOf(url), text: 'The newest' })),
    h('div', { class: 'toolbar' }, again, button('Remove', () => remove(url)),
      urlLink(url, 'Original page ↗'), h('a', { href: pathOf(url, null, '/rules'), text: 'Try rules on it' })), facts);
  const view = viewer({ url, date: when }, url, life), draw = () => view.draw({ mark: cx.mark || undefined, at: cx.node });
  const seen = h('section', { class: 'page-view', id: 'page-view', 'aria-label': 'View' });
  seen.append(scaling(params, life, seen, view), marker(cx, () => draw()), view.pane);
  const panel = h('div', { class: 'panel', id: 'page-panel', role: 'tabpanel', tabIndex: 0 });
  const list = h('div'), column = h('section', { class: 'page-parts', 'aria-label': 'Parts' }, list, panel);
  const bar = splitter({ label: 'Width of the parts', value: settings.get('split') ?? 45, min: 20, max: 75,
    onmove: value => column.style.setProperty('--parts', value + '%'), onchange: value => settings.set('split', value) });

  function arrange() {
    const names = Object.keys(parts).filter(id => narrow.matches || id !== 'view');
    list.replaceChildren(tabs(names.map(id => ({ id, label: parts[id][0], panel: id === 'view' ? 'page-view' : 'page-panel' })),
      { label: 'Parts of the page', onselect: tab => visit({ tab }) }));
    bar.hidden = narrow.matches;
    seen.setAttribute('role', narrow.matches ? 'tabpanel' : 'region');
    open();
  }

  /** Shows the part that the URL names. */
  function open() {
    const asked = new URLSearchParams(location.search), first = narrow.matches ? 'view' : 'outline', tab = asked.get('tab');
    const id = parts[tab] && (narrow.matches || tab !== 'view') ? tab : first, line = +asked.get('line');
    const row = list.firstChild;
    row.select(id);
    row.scrollLeft = row.querySelector('[aria-selected=true]').offsetLeft - row.offsetLeft - 60;
    panel.setAttribute('aria-labelledby', 'tab-' + id);
    panel.hidden = id === 'view';
    seen.hidden = narrow.matches && id !== 'view';
    if (!seen.hidden && !drawn) drawn = draw();
    const state = id === 'source' ? id + line : id;
    if (state === current) return;
    current = state;
    part?.abort();
    const { signal } = part = new AbortController();
    const own = { ...cx, signal, line, asked, ask: (what, more, other = signal) => cx.ask(what, more, other) };
    if (id !== 'view') fill(panel, signal, () => parts[id][1](own));
  }

  main.replaceChildren(h('div', { class: 'page' }, head, h('div', { class: 'page-body' }, column, bar, seen)));
  fill(facts, life, async () => {
    const report = await cx.report(), { freshness = {} } = await known;
    heading.textContent = short(report.title || url);
    title(heading.textContent);
    badges.replaceChildren(...[badge(report.status, report.status < 400 ? 'good' : 'error'), badge(report.mime_type), badge(bytes(report.bytes)),
      badge(report.encoding?.name), badge({ CSS1Compat: 'standards mode', BackCompat: 'quirks mode' }[report.compat_mode] ?? report.kind),
      badge(report.truncated && 'cut by a limit', 'warning')].flat().filter(Boolean));
    return factsOf(report, freshness);
  });
  title(url);
  narrow.addEventListener('change', arrange, { signal: life });
  arrange();

  const stop = () => {
    ends.abort();
    part?.abort();
  };
  stop.update = at => {
    const node = at.params.get('node') ?? undefined;
    if (stale || ['url', 'date', 'mark'].some(key => (at.params.get(key) ?? '') !== ({ url, date: when, mark: cx.mark }[key] ?? ''))) return false;
    drawn &&= String(node) === String(cx.node);
    cx.node = node;
    open();
  };
  return stop;
}

/** Names and what they stand for. */
const described = rows => h('dl', null, rows.filter(Boolean).map(([name, ...value]) => [h('dt', null, text(name)), h('dd', null, value)]));

function factsOf(report, { use, received_ms: received, fresh_for_s: fresh, age_s: age }) {
  const until = Date.now() + 1000 * (fresh - age), moment = ms => `${date(ms)} (${ago(ms)})`, own = use?.useProtocolCachePolicy;
  return h('details', { class: 'page-facts', open: !narrow.matches }, h('summary', { text: 'Facts' }), described([
    received && ['Received', moment(received)],
    fresh != null && [until > Date.now() ? 'Fresh until' : 'Stale since', moment(until)],
    own && [own.used ? 'The cache would answer' : 'The cache would not answer', text(own.explanation)],
    report.response?.caching && ['By HTTP', text(report.response.caching.explanation)],
    ['Timing', waterfall(report)],
    report.warnings?.length && ['Put right', more(report.warnings, x => li(text(x)), '', null, 5)]]));
}

/** The phases of the load, and the redirects before it, each where it was in the whole. */
function waterfall({ redirects = [], timing = {} }) {
  const names = { name_lookup_ms: 'Name', connect_ms: 'Connection', tls_ms: 'TLS', first_byte_ms: 'First byte', total_ms: 'Last byte' }, bars = [];
  let at = 0;
  for (const x of redirects) bars.push([`${x.status} ${x.url}`, at, at += x.timing?.total_ms ?? 0]);
  const start = at;
  for (const key in names) if (timing[key] != null) bars.push([names[key], at, at = start + timing[key]]);
  return h('ol', { class: 'page-waterfall' }, bars.map(([name, from, to]) => li(text(name, 60),
    h('span', { class: 'track' }, h('span', { style: { 'margin-left': 100 * from / at + '%', width: 100 * (to - from) / at + '%' } })),
    h('span', { class: 'number', text: ` ${(to - from).toFixed(1)} ms` }))));
}

/** Has a page loaded, and waits for that. */
async function load(body, life, online) {
  let off;
  try {
    const { loads: [mine], rejected } = await api('pages', { body });
    if (!mine) throw new Error(rejected?.[0]?.message ?? 'It cannot be loaded.');
    return await new Promise((done, failed) => {
      const hear = x => {
        if (x.id !== mine.id) return;
        online?.(x);
        if (x.state === 'done') done(x);
        if (x.state === 'failed') failed(new Error(x.error?.message ?? x.error ?? 'It failed.'));
      };
      off = events.on('load', hear);
      life.addEventListener('abort', failed);
      api('loads').then(all => all.loads.forEach(hear), failed);
    });
  } finally {
    off?.();
  }
}

async function reload(url, life, control, done) {
  if (control.ariaDisabled) return;
  control.ariaDisabled = 'true';
  try {
    await load({ url, reload: true }, life, x => { control.textContent = `Reloading… ${bytes(x.bytes)}`; });
    done();
    toast('Reloaded');
  } catch (error) {
    if (!life.aborted) toast(`Not reloaded: ${error.message}`);
  }
  control.ariaDisabled = null;
  control.textContent = 'Reload';
}

async function remove(url) {
  try {
    const { undo } = await api('remove', { body: { urls: [url] } });
    const back = () => api('undo', { body: { undo } }).then(() => go(pathOf(url)), error => toast(error.message));
    go('/');
    toast('Removed', { action: undo && { label: 'Undo', run: back } });
  } catch (error) {
    toast(error.message);
  }
}

/** Makes elements that say what is kept of a URL, and add it; those made in a moment are asked for together. */
function keeper(life) {
  const known = new Map();
  let waiting = [];
  const send = async () => {
    const lot = waiting.splice(0, 2000);
    if (waiting.length) setTimeout(send);
    const { kept } = await api('kept', { body: { urls: lot.map(x => x.url) }, signal: life }).catch(() => ({ kept: [] }));
    const rows = new Map(kept.map(row => [row.url, row]));
    for (const { url, done } of lot) done(rows.get(url));
  };
  const ask = url => known.get(url) ?? known.set(url, new Promise(done => waiting.push({ url, done }) === 1 && setTimeout(send, 10))).get(url);
  return address => {
    const url = String(address ?? '').split('#')[0], cell = h('span');
    const put = row => cell.replaceChildren(row ? h('a', { href: pathOf(url), title: short(row.title), text: `kept ${ago(row.received_ms)}` })
      : button('Add', add, { class: 'quiet', 'aria-label': 'Add ' + short(url, 100) }));
    const add = async () => {
      const focused = cell.contains(document.activeElement);
      cell.replaceChildren(h('span', { class: 'muted', text: 'Loading…' }));
      try {
        const { title } = await load({ url }, life);
        known.set(url, { url, title, received_ms: Date.now() });
        announce('Added');
      } catch (error) {
        if (!life.aborted) toast(`Not added: ${error.message}`);
      }
      put(await known.get(url));
      if (focused) cell.firstChild.focus();
    };
    if (/^https?:/i.test(url)) Promise.resolve(ask(url)).then(put);
    return cell;
  };
}

// The parts. Each returns what its panel shows.

const parts = {
  view: ['View'], outline: ['Outline', outline], tree: ['Tree', tree], links: ['Links', links], tables: ['Tables', tables],
  images: ['Images', images], forms: ['Forms', forms], data: ['Data', data], text: ['Text', mainText], findings: ['Findings', findings],
  source: ['Source', source], fields: ['Fields', fields], history: ['History', history],
};

async function outline(cx) {
  const report = await cx.report(), { headings = report.headings, landmarks = [] } = report.outline ?? {};
  const line = (x, sign, depth, note) => h('li', { style: { '--depth': Math.min(depth, 8) } }, badge(sign),
    button(short(x.text ?? x.label) || `(${x.element})`, () => cx.reveal({ element: sign, ...x }), { class: 'quiet text' }), ' ', badge(note, 'warning'));
  const depth = x => (x.parent == null ? 0 : 1 + depth(landmarks[x.parent]));
  return [h2('Headings'), more(headings, x => line(x, 'h' + x.level, x.level - 1, x.skipped_levels && 'level skipped'), 'No headings.'),
    h2('Landmarks'), more(landmarks, x => line(x, x.role, depth(x)), 'No landmarks.')];
}

async function links(cx) {
  const { links: all } = await cx.report(), said = h('output');
  let shown = all, timer;
  const filter = () => {
    const words = field.value.toLowerCase().split(/\s+/);
    shown = all.filter(x => words.every(word => `${x.kind} ${x.text ?? ''} ${x.url ?? x.reference}`.toLowerCase().includes(word)));
    said.textContent = count(shown.length, 'link');
  };
  const field = h('input', { type: 'search', value: cx.asked.get('q') ?? '', maxlength: 200, oninput: () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      setParams({ q: field.value });
      filter();
      box.grid.refresh(0);
    }, 150);
  } });
  filter();
  const box = grid(cx.signal, { label: 'Links', columns: [{ label: 'Text', width: 'minmax(4rem, 1fr)' },
    { label: 'URL', width: 'minmax(6rem, 2fr)' }, { label: 'Kind', width: 'minmax(3rem, 6rem)', class: 'muted' }, { label: 'Kept', width: 'minmax(4.5rem, 8rem)' }],
  total: shown.length, fetchRows: (from, n) => ({ rows: shown.slice(from, from + n), total: shown.length }), onActivate: x => cx.reveal(x),
  renderRow: x => [text(x.text), x.url ? urlLink(x.url) : text(`${x.reference} (${x.failure})`), x.kind, cx.keptOf(x.url)] });
  return [h('div', { class: 'toolbar' }, h('label', null, 'Filter ', field), said), box];
}

async function tables(cx) {
  const { tables: all } = await cx.report(), place = h('div', { class: 'page-grid' }), name = (x, n) => short(x.caption || `Table ${n + 1}`, 80);
  const open = n => fill(place, cx.signal, async () => {
    setParams({ table: n });
    const fetchRows = (from, count, signal) => cx.ask('tables', { table: n, from, count }, signal), { columns, total } = await fetchRows(0, 1);
    return [h('h2', null, text(name(all[n], n))), grid(cx.signal, { label: name(all[n], n), total, fetchRows, renderRow: row => row.map(x => text(x)),
      columns: columns.map((label, i) => ({ label: short(label, 80) || `Column ${i + 1}`, width: 'minmax(6rem, 1fr)' })) })];
  });
  if (all[cx.asked.get('table') ?? -1]) open(+cx.asked.get('table'));
  return [more(all, (x, n) => li(button(name(x, n), () => open(n), { class: 'text' }),
    ` ${count(x.row_count, 'row')}, ${count(x.column_count, 'column')} `, text(x.headers?.join(', ')), ' ', cx.places({ ...x, element: 'table' })), 'No tables.'), place];
}

async function images(cx) {
  const { images: all } = await cx.report();
  return more(all, x => li(x.alt == null ? badge('no alternative text', 'warning') : x.alt ? text(x.alt) : badge('decorative'), ' ',
    urlLink(x.url ?? x.reference ?? ''), note([x.width && `declared ${x.width} × ${x.height ?? '?'}`,
      x.file && `${x.file.format} ${x.file.width ?? '?'} × ${x.file.height ?? '?'}`, x.sources?.length && count(x.sources.length, 'source'),
      x.loading].filter(Boolean).join(', '), ' ', cx.keptOf(x.url), cx.places(x, x.alt || x.url))), 'No images.');
}

async function forms(cx) {
  const { forms: all } = await cx.report();
  const flags = ['required', 'disabled', 'read_only', 'checked', 'multiple'];
  return more(all, x => li(badge(x.method), text(x.action ?? x.reference), cx.places({ ...x, element: 'form' }), h('div', { class: 'scroll', tabIndex: 0,
    role: 'group', 'aria-label': 'Fields' }, h('table', { class: 'grid-table' }, h('thead', null, h('tr', null, ['Name', 'Type', 'Label', 'Value'].map(name =>
    h('th', { scope: 'col', text: name })))), h('tbody', null, (x.fields ?? []).slice(0, 500).map(f => h('tr', null, [f.name ?? f.id, f.type,
    f.labels?.join(', ') ?? f.placeholder, f.value ?? f.options?.map(o => o.label).join(', ')].map(v => h('td', null, text(v))),
  h('td', null, flags.filter(k => f[k]).map(k => badge(k))))))))), 'No forms.', null, 50);
}

async function data(cx) {
  const { structured_data: structured, metadata } = await cx.report();
  const value = (name, x) => {
    if (x === null || typeof x !== 'object') return li(text(name), ': ', h('b', null, text(x, 3000)));
    const keys = Object.keys(x), inner = () => box.open && box.children.length < 2 && box.append(more(keys, k => value(k, x[k]), 'Nothing.'));
    const box = h('details', { ontoggle: inner }, h('summary', null, text(name), h('span', { class: 'muted', text: ` ${keys.length}` })));
    return li(box);
  };
  return [['Structured data', structured], ['Metadata', metadata]].map(([name, all = {}]) => [h2(name),
    more(Object.keys(all), k => value(k, all[k]), 'None.')]);
}

async function mainText(cx) {
  const { markdown, words, found } = await cx.ask('text');
  if (!found && !markdown) return empty('No main text was found.');
  return [h('p', { class: 'muted', text: count(words, 'word') + (markdown.length > 500_000 ? ', the first 500,000 characters:' : '') }),
    h('pre', { class: 'text', text: markdown.slice(0, 500_000) })];
}

async function findings(cx) {
  const { findings: all } = await cx.report();
  return more(all, x => li(badge(x.severity, x.severity), text(x.message), cx.places(x, x.message),
    note(text(x.advice), ' ', h('code', { text: x.code }))), 'Nothing to complain about.');
}

async function source(cx) {
  const { total_lines: total } = await cx.ask('source', { line: 1, count: 1 }), line = Math.min(cx.line, total), whole = h('pre', { class: 'text' });
  const box = grid(cx.signal, { label: 'Source', rowHeight: 20, total, start: Math.max(0, line - 4),
    columns: [{ label: 'Line', width: '4rem', class: 'number muted' }, { label: 'Source', width: '1fr', class: 'page-code' }],
    fetchRows: async (from, n, signal) => ({ rows: (await cx.ask('source', { line: from + 1, count: n }, signal)).lines, total }),
    onActivate: row => { whole.textContent = row; },
    renderRow: (row, index) => ({ class: index + 1 === line ? 'marked' : '', cells: [count(index + 1), row] }) });
  return Object.assign([box, h('p', { class: 'muted', text: 'Enter shows a whole line.' }), whole], { ready() {
    box.grid.measure();
    if (line > 0) box.grid.focus(line - 1);
  } });
}

const meanings = { 'cache-control': 'who may keep it, and for how long', 'content-type': 'what the body is', 'content-encoding': 'how the body is packed',
  'content-length': 'bytes of the body, as sent', etag: 'the name of this version', 'last-modified': 'when it was last changed', expires: 'until when it is fresh',
  date: 'when it was sent', age: 'seconds since the origin made it', vary: 'which fields of the request it depends on', 'set-cookie': 'a cookie to send back',
  server: 'the program that answered', link: 'what belongs to it', location: 'where it is', 'content-security-policy': 'what the page may load and run',
  'strict-transport-security': 'only by TLS from now on', 'x-content-type-options': 'that its type is not to be guessed', 'x-frame-options': 'who may frame it',
  'referrer-policy': 'what links say of where they were', 'x-robots-tag': 'what crawlers may do', 'content-language': 'for whom it is written' };

async function fields(cx) {
  const { response: { headers = [], caching, security = {}, cookies = [] } = {} } = await cx.report();
  const notes = [...security.findings ?? [], ...(security.csp ?? []).flatMap(x => x.weaknesses ?? []),
    ...cookies.flatMap(x => (x.findings ?? []).map(code => ({ code, explanation: `cookie ${x.name}` })))];
  return [caching && h('p', null, text(caching.explanation)), described(headers.slice(0, 500).map(([name, value]) => [name, text(value, 2000),
    note(meanings[name.toLowerCase()])])), h2('Safety'),
  more(notes, x => li(badge(x.code, 'warning'), text(x.explanation)), 'Nothing to complain about.')];
}

async function history(cx) {
  const { versions = [] } = await cx.ask('history');
  const pick = (name, x, n) => h('label', null, h('input', { type: 'radio', name, value: x.date, 'aria-label': `${name}: ${date(x.received_ms)}`, checked: n === versions.indexOf(x) }), ` ${name} `);
  const form = h('form', { onsubmit: event => {
    event.preventDefault();
    go(pathOf(cx.url, Object.fromEntries(new FormData(form)), '/compare'));
  } }, more(versions, x => li(pick('old', x, Math.min(1, versions.length - 1)), pick('new', x, 0), h('a', { href: pathOf(cx.url, { date: x.date }),
    text: date(x.received_ms) }), ` (${ago(x.received_ms)}) `, badge(x.status), bytes(x.body_bytes), ' ', text(x.change)), 'No versions are kept.'),
  versions.length > 1 && h('button', { class: 'primary', text: 'Compare' }));
  return form;
}
