// The playground: selectors, XPath, recipes and scripts, tried on a page as they are typed.

import { announce, api, count, events, h, setParams, settings, short, stream, tabs, title, toast } from './core.js';
import { button, fill, more, pathOf, problem, text, viewer } from './view.js';

const kinds = { css: 'Selector', xpath: 'XPath', recipe: 'Recipe', script: 'Script' }, queries = { css: 'selector', xpath: 'xpath' };
const samples = { css: 'h1, h2', xpath: '//h1', script: 'return document:select("h1")[1]:text()',
  recipe: 'version: 1\nfields:\n  title: h1\n  links: {select: "a[href]", all: true}\n' };

const field = (label, ...parts) => h('label', { class: 'field' }, label, parts);

/** The recipe of what is typed. */
const recipeOf = (kind, source) => kind === 'recipe' ? source : JSON.stringify({ version: 1, fields: { value: {
  [kind]: kind === 'script' ? source : source.replaceAll('${', () => '$${'), all: kind !== 'script' } } }, null, 2);

/** A text to write, with the numbers of its lines, and a sign at some: ✕ an error, ■ a limit, ▸ at work. */
function editor(props) {
  const gutter = h('pre', { class: 'gutter', 'aria-hidden': 'true' }), scroll = () => { gutter.scrollTop = area.scrollTop; };
  const area = h('textarea', { wrap: 'off', spellcheck: 'false', onscroll: scroll, ...props });
  const split = () => area.value.split('\n');
  return {
    area, element: h('div', { class: 'editor' }, gutter, area),
    mark(signs = {}) {
      gutter.textContent = split().map((_, i) => (signs[i + 1] ?? '') + (i + 1)).join('\n') + '\n\n';
      scroll();
    },
    caret(line, column = 1) {
      const at = split().slice(0, line - 1).join('\n').length + (line > 1) + column - 1;
      area.setSelectionRange(at, at + 1);
      area.focus();
      area.scrollTop = area.scrollHeight * (line - 4) / split().length;
    },
  };
}

/** A limit, and how much is used. */
function limit(label, standard, max, unit, onchange) {
  const input = h('input', { type: 'number', min: 1, max, value: standard, onchange }), bar = h('meter', { 'aria-label': label + ' used' }), words = h('span', { class: 'number' });
  return {
    input, element: field(label, input, bar, words),
    get value() { return (input.validity.valid && +input.value || standard) * unit; },
    put(used) {
      Object.assign(bar, { max: this.value, value: used ?? 0 });
      words.textContent = used == null ? '–' : count(Math.round(used / unit * 10) / 10) + ' used';
    },
  };
}

/** Values as a tree; those with a place are buttons. */
function tree(value, places, jump, path = '', name) {
  const found = places.get(path), label = name != null && [h('b', null, text(name, 100)), ' '];
  const link = words => found ? button(short(words), () => jump(found), { class: 'text' }) : text(words);
  if (!value || typeof value !== 'object') return h('li', null, label, link(JSON.stringify(value)));
  const items = Object.entries(value), isList = Array.isArray(value), list = h('div');
  const make = () => list.firstChild ?? list.append(more(items, ([key, x]) =>
    tree(x, places, jump, isList ? `${path}[${key}]` : path ? `${path}.${key}` : key, key), 'Nothing'));
  return h('li', null, h('details', { open: !/[.[]/.test(path), ontoggle: make }, h('summary', null, label,
    h('span', { class: 'muted', text: count(items.length, isList ? 'item' : 'field') })), list), found && link('Place'));
}

export function show(main, { params }) {
  const ends = new AbortController(), life = ends.signal;
  let kind, url, texts, lines = {}, job, explaining, timer, view, seen;

  const later = (f, ms) => { clearTimeout(timer); timer = setTimeout(f, ms); };
  const write = editor({ 'aria-label': 'Rule', oninput: () => { write.mark(); later(run, 300); },
    onkeydown: event => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && run() });
  const recipe = () => recipeOf(kind, write.area.value), edit = h('div', { id: 'rules-edit', role: 'tabpanel' }, write.element);
  const row = tabs(Object.entries(kinds).map(([id, label]) => ({ id, label, panel: edit.id })), { label: 'Kind', onselect: id => turn(id) });
  const limits = [limit('Time limit, ms', 5000, 60_000, 1, run), limit('Memory limit, MiB', 10, 1024, 1 << 20, run)];
  const budget = h('div', { class: 'toolbar' }, limits.map(x => x.element)), message = h('div');
  const summary = h('h2'), result = h('div', { class: 'result' }), place = h('p'), frame = h('div', { class: 'frame' }), saved = h('div');
  const table = h('div', { class: 'scroll', tabIndex: 0 }), explained = h('details', { ontoggle: explain }, h('summary', { text: 'Explain' }), table);
  const pages = h('datalist', { id: 'rules-pages' }), page = h('input', { list: pages.id, oninput: () => later(suggest, 200), onchange: run });
  const name = h('input', { maxlength: 200, required: true });
  title('Rules');
  main.replaceChildren(h('div', { class: 'rules' }, h('h1', { text: 'Rules' }), field('Page', page, pages),
    h('section', null, row, edit, h('div', { class: 'toolbar' }, button('Run', run, { class: 'primary', title: 'Ctrl+Enter' }),
      button('Stop', () => job && finish('Stopped'))),
    message, budget, summary, result, explained, h('details', null, h('summary', { text: 'Saved recipes' }),
      h('form', { class: 'toolbar', onsubmit: event => {
        event.preventDefault();
        keep('recipes', { name: name.value.trim(), text: recipe() });
      } }, field('Name', name), h('button', { text: 'Save' }), h('a', { text: 'Download', href: '', onclick: event => Object.assign(event.target,
        { download: (name.value || 'recipe') + '.yaml', href: 'data:application/yaml,' + encodeURIComponent(recipe()) }) })), saved)),
    h('section', null, place, frame)));

  function turn(to, source = texts[to] ?? samples[to]) {
    kind = to;
    row.select(kind);
    edit.setAttribute('aria-labelledby', 'tab-' + kind);
    budget.hidden = queries[kind];
    write.area.value = source;
    run();
  }

  async function suggest() {
    const query = { filter: page.value, group: 'none', sort: 'date', order: 'desc', count: 20 };
    const { rows = [] } = await api('list', { params: query, signal: life }).catch(() => ({}));
    pages.replaceChildren(...rows.map(x => h('option', { value: x.url, label: x.title })));
  }

  async function run() {
    clearTimeout(timer);
    job?.abort();
    url = page.value.trim();
    const { signal } = job = new AbortController(), source = texts[kind] = write.area.value;
    setParams({ kind, url, q: source.length <= 2000 ? source : null });
    settings.set('rules', { kind, url, limits: limits.map(x => x.input.value), texts: JSON.stringify(texts).length < 30_000 ? { ...texts } : {} });
    message.replaceChildren();
    place.replaceChildren();
    if (!url || !source.trim()) return finish('Choose a page, write a rule');
    try {
      await (queries[kind] ? select : evaluate)(source, signal);
      explain();
    } catch (error) {
      if (signal.aborted) return;
      finish('No result');
      say([error]);
    }
  }

  /** Ends what runs. */
  function finish(words, value, ...parts) {
    job?.abort();
    job = null;
    write.mark();
    announce(summary.textContent = words);
    result.replaceChildren(h('ul', null, value), ...parts);
  }

  async function select(source, signal, from = 0) {
    const query = { url, [queries[kind]]: source, from, count: 1000 }, mark = kind === 'css' ? source : undefined;
    const { matches, total, value, time_ms } = await api('page/select', { signal, params: query });
    look(mark, matches?.[0]?.node);
    finish(`${matches ? count(total, 'match', 'matches') : 'A value'}, ${time_ms.toFixed(1)} ms`,
      tree(matches?.map(x => x.text || x.html) ?? value, new Map(matches?.map((x, i) => [`[${i}]`, [x]])), notes => jump(notes, mark)),
      total > from + matches?.length ? button('Next', () => select(source, life, from + matches.length).catch(x => say([x]))) : '');
  }

  async function evaluate(source, signal) {
    const [time, memory] = limits, body = { url, recipe: recipe(), time_ms: time.value, memory_bytes: memory.value };
    const put = used => (time.put(used.time_ms), memory.put(used.memory_bytes));
    let answer;
    put({ time_ms: 0 });
    look();
    await stream('run', { signal, body }, line => {
      if (line.error) throw line.error;
      answer = line.answer;
      if (!line.event) return;
      put(line.event);
      summary.textContent = 'Running ' + short(line.event.rule, 80);
      write.mark({ [kind === 'recipe' ? line.event.line : 1]: '▸' });
    });
    const { data, errors, usage, provenance, log, error } = answer;
    lines = answer.lines;
    put(usage);
    finish(error ? 'Ended early' : `Done in ${usage.time_ms.toFixed(1)} ms`, tree(data, Map.groupBy(provenance, x => x.path), jump),
      log ? h('pre', { class: 'text', text: 'Log\n' + log.join('\n') }) : '');
    say(error ? [error, ...errors] : errors);
  }

  /** The line and column of an error. */
  function spot({ line, column = 1, rule, message }) {
    if (kind === 'recipe') return [line ?? lines[rule], column];
    const [, script = 1, byte = 1] = /line (\d+) of the script|byte (\d+)/.exec(message) ?? [];
    return [+script, new TextDecoder().decode(new TextEncoder().encode(write.area.value).slice(0, byte - 1)).length + 1];
  }

  function say(errors) {
    const signs = {}, load = () => api('pages', { body: { url } }).catch(x => say([x]));
    message.replaceChildren(...errors.slice(0, 50).map(error => {
      const [line, column] = spot(error), { code, rule } = error;
      signs[line] ??= code?.startsWith('budget') ? '■' : '✕';
      return h('div', null, problem({ code, message: (rule ? rule + ': ' : '') + error.message }, code === 'cache.miss' && load),
        line && button(`Line ${line}, column ${column}`, () => write.caret(line, column)));
    }));
    write.mark(signs);
  }

  function explain() {
    explaining?.abort();
    if (!explained.open || !url) return;
    const { signal } = explaining = new AbortController();
    fill(table, signal, async () => {
      const { rules, error } = await api('explain', { body: { url, recipe: recipe() }, signal });
      const cell = x => h('td', { class: 'text', text: short(typeof x === 'object' ? JSON.stringify(x) : x, 120) });
      return [error && problem(error), h('table', { class: 'grid-table' }, h('tr', null, Object.keys(rules[0] ?? {}).map(x => h('th', { text: x }))),
        rules.slice(0, 1000).map(x => h('tr', null, Object.values(x).map(cell))))];
    });
  }

  /** Shows the page: what `mark` selects marked, the node `at` in sight. */
  function look(mark, at, source = url) {
    const wanted = [source, mark, at].join('\n');
    if (wanted === seen) return;
    seen = wanted;
    if (view?.source !== source) {
      view = Object.assign(viewer({ url: source }, source, life), { source });
      frame.replaceChildren(view.pane);
      view.fit({});
    }
    view.draw({ mark, at });
  }
  new ResizeObserver(() => view?.fit({})).observe(frame);

  /** Shows one place of a value. */
  async function jump(notes, mark, i = 0) {
    let { line, column, rule, source = url, node, path } = notes[i];
    place.replaceChildren(h('span', null, kind === 'recipe' && button(short(rule, 80), () => write.caret(lines[rule])),
      source !== url && text(source, 99), ` ${short(path, 200)} `,
      line && h('a', { href: pathOf(source, { tab: 'source', line }), text: `Line ${line}, column ${column}` }), ' ',
      notes[1] && button(`Place ${i + 1} of ${count(notes.length)}: next`, () => jump(notes, mark, (i + 1) % notes.length))));
    if (typeof node === 'string') { // its XPath
      const query = { url: source, xpath: node.replace(/\/@[^/]*$/, ''), from: 0, count: 1 };
      node = (await api('page/select', { params: query, signal: life }).catch(() => null))?.matches?.[0]?.node;
    }
    seen = null;
    look(mark, node, source);
  }

  const keep = (path, body) => api(path, { body }).catch(error => toast(error.message));
  async function listSaved() {
    const { recipes } = await api('recipes', { signal: life }).catch(() => ({}));
    saved.replaceChildren(more(recipes, x => h('li', null, button(short(x.name, 100), () => {
      const before = [kind, write.area.value];
      name.value = x.name;
      turn('recipe', x.text);
      toast('Opened ' + x.name, { action: { label: 'Back', run: () => turn(...before) } });
    }, { class: 'text' }), ' ', button('Delete', async () => {
      await keep('recipes/delete', { name: x.name });
      toast('Deleted ' + x.name, { action: { label: 'Undo', run: () => keep('recipes', x) } });
    }, { 'aria-label': 'Delete ' + short(x.name, 100) })), 'None yet'));
  }

  settings.ready.then(() => {
    const was = settings.get('rules') ?? {}, first = params.get('kind') ?? was.kind;
    texts = { ...was.texts };
    limits.forEach((x, i) => { x.input.value = was.limits?.[i] || x.input.value; });
    page.value = params.get('url') ?? was.url ?? '';
    suggest();
    listSaved();
    turn(kinds[first] ? first : 'css', params.get('q') ?? undefined);
  });
  const offs = [events.on('load', x => x.url === url && x.state === 'done' && (seen = null, run())), events.on('recipes', listSaved)];
  return () => { offs.forEach(f => f()); ends.abort(); job?.abort(); explaining?.abort(); clearTimeout(timer); };
}
