// The list: what is kept, by host, and lists of one's own.

import { announce, api, bytes, count, date, events, go, h, setParams, settings, short, title, toast, VirtualGrid } from './core.js';
import { badge, button, narrow, pathOf, problem, text } from './view.js';

const help = `A word has to be in the title or the URL, -word must not.
title: url: host: look only there, type:image in the media type; status:404 or status:4 is how the status begins.

→ ← unfold and fold, Enter opens, Space selects, Delete removes, Ctrl+V adds the URLs that you copied.
In a list of your own Alt+↑ and Alt+↓ move a row.`;

/** A URL that no list has: what is put before it is put at the end. */
const nowhere = 'about:blank', quiet = { class: 'quiet' }, own = { class: 'own' };
const usual = list => ({ list, kind: 'pages', filter: '', sort: list ? '' : 'url', order: 'asc', group: list ? 'none' : 'host' });
/** Does it a little later, once, however often it is asked for. */
const soon = (f, ms) => {
  let timer;
  return () => { timer ??= setTimeout(() => { timer = null; f(); }, ms); };
};
const post = (path, body) => api(path, { body });
/** Posts many URLs in lots. */
async function each(path, urls, body, done = () => {}) {
  for (let at = 0; at < urls.length; at += 10_000) done(await post(path, { ...body, urls: urls.slice(at, at + 10_000) }));
}
const urlsOf = rows => rows.map(row => row.url);
const urlsIn = words => [...new Set(words.split(/\s+/).filter(x => /^https?:/.test(x) && URL.canParse(x)).map(x => new URL(x).href.split('#')[0]))];

export function show(main, { params }) {
  const ends = new AbortController(), life = ends.signal;
  let q = usual(null), lists = [], got = {}, turn = Promise.resolve(), grid, dragged, over;
  const guard = make => async (...all) => {
    try {
      return await make(...all);
    } catch (error) {
      if (!life.aborted) toast(error.message);
    }
  };
  const act = (name, f, props) => button(name, guard(() => f()), props);
  /** A button for what is selected. */
  const chosenAct = (name, f, props) => act(name, async () => f(await picked()), props);
  const ask = (path, more, signal = life) => api(path, { params: { ...q, sort: q.sort || null, ...more }, signal });

  // What is shown.

  const heading = h('h1', { class: 'text' }), status = h('p', { class: 'muted small' }), error = h('div'), nav = h('ul');
  const names = h('datalist', { id: 'list-names' }), chosen = h('output'), loads = loading(life, add);
  const field = h('input', { type: 'search', 'aria-label': 'Filter', placeholder: 'Filter', maxlength: 900, spellcheck: 'false', autocapitalize: 'off',
    oninput: soon(() => change({ filter: field.value }), 80) });
  const toggle = (name, key, on, off, props) => Object.assign(act(name, () => change({ [key]: q[key] === on ? off : on }), props), { put() { this.ariaPressed = q[key] === on; } });
  const toggles = [toggle('By host', 'group', 'host', 'none'), toggle('All files', 'kind', 'all', 'pages', { class: 'no-own', title: 'Also images, style sheets and the like' })];
  const plain = h('div', { class: 'toolbar' }, toggles, act('Own order', () => change({ sort: '', order: 'asc', group: 'none' }), own),
    act('Unfold all', () => fold(null, true), { class: 'quiet grouped' }), act('Fold all', () => fold(null, false), { class: 'quiet grouped' }));
  const bar = h('div', { class: 'toolbar', hidden: true, role: 'group', 'aria-label': 'What is selected' }, chosen,
    chosenAct('Reload', rows => add(urlsOf(rows), true)),
    act('Add to list', () => dialog('Add to a list', async name => addTo({ name, ...await post('lists', { name }) }, await picked()))),
    chosenAct('Take out', take, own), chosenAct('Move here', rows => place(rows, grid.row(grid.active)?.url), { ...own, title: 'Before the row where you were last' }),
    chosenAct('Move to the end', rows => place(rows, nowhere), own), chosenAct('Remove', remove, { class: 'danger' }), act('Deselect', () => grid.selectAll(false), quiet));
  const none = h('div', { class: 'empty', hidden: true }, h('p'), act('Clear the filter', () => {
    field.focus();
    return change({ filter: field.value = '' });
  }));
  const side = h('details', { open: !narrow.matches }, h('summary', { text: 'Lists' }), h('nav', { 'aria-label': 'Lists' }, nav),
    act('New list', () => dialog('New list', async name => go('/?list=' + (await post('lists', { name })).id)), quiet), names);
  const box = h('div', { class: 'list-grid' }, none, error);
  const root = h('div', { class: 'list' }, h('aside', { 'aria-label': 'Lists and loads' }, side, loads.element), h('section', { 'aria-label': 'Pages' },
    h('header', null, heading, status, h('div', { class: 'toolbar' },
      act('Rename', () => dialog('Rename the list', name => post('lists/rename', { id: +q.list, name }), { value: heading.textContent }), own),
      act('Delete list', drop, own), act('Add pages', () => dialog('Add pages', value => add(urlsIn(value.replace(/(^|\s)(?!\w+:\/\/)(?=\S)/g, '$1https://'))),
        { rows: 8, 'aria-label': 'URLs', placeholder: 'https://example.com/' }), { class: 'primary' }))),
    h('div', { class: 'list-tools' }, field, h('details', { class: 'help' }, h('summary', { 'aria-label': 'Help', text: '?' }), h('p', { class: 'card', text: help })), plain, bar), box));

  /** Makes the controls say what the state is. */
  function arrange() {
    heading.textContent = q.list ? short(lists.find(x => x.id === +q.list)?.name ?? 'List') : 'Kept pages';
    title(heading.textContent);
    if (document.activeElement !== field) field.value = q.filter;
    toggles.forEach(x => x.put());
    root.className = `list ${q.list ? 'is-own' : ''} ${q.group === 'host' ? 'is-grouped' : ''}`;
    plain.children[2].ariaPressed = !!movable();
    grid.element.role = q.group === 'host' ? 'treegrid' : 'grid';
    grid.sorted(q.sort, q.order);
    names.replaceChildren(...lists.map(x => h('option', { value: x.name })));
    const focused = [...nav.children].findIndex(x => x.contains(document.activeElement));
    nav.replaceChildren(...[{ name: 'All pages' }, ...lists].map(x => h('li', null, Object.assign(h('a', { href: x.id ? '/?list=' + x.id : '/?kind=pages',
      'aria-current': (x.id ?? 0) === +q.list ? 'page' : null }, text(x.name), x.id && h('span', { class: 'number muted small', text: count(x.count) })), { list: x }))));
    nav.children[focused]?.firstChild.focus();
  }

  function say() {
    const { pages, hosts, damaged, indexing, total } = got;
    status.textContent = [`${count(pages, 'page')} of ${count(hosts, 'host')}`, damaged && `${count(damaged)} damaged`,
      indexing && `Reading the cache: ${count(indexing.done)} of ${count(indexing.of)}`].filter(Boolean).join(' · ');
    if (indexing) setTimeout(live, 1000);
    none.hidden = total > 0;
    none.lastChild.hidden = !q.filter;
    none.firstChild.textContent = q.filter ? 'Nothing agrees with the filter.' : indexing ? 'The cache is being read.'
      : q.list ? 'This list is empty. Drag pages to its name, or select them and choose “Add to list”.' : 'Nothing is kept yet. Paste URLs here, or choose “Add pages”.';
  }

  /** Shows the list otherwise. */
  async function change(changes) {
    Object.assign(q, changes);
    const was = usual(q.list);
    for (const key in q) setParams({ [key]: q[key] === was[key] && key !== 'list' ? null : q[key] });
    arrange();
    await grid.refresh(0);
    announce(status.textContent);
    keep();
  }

  /** Remembers where one is: for "back", and for when the app is opened again. */
  function keep() {
    if (life.aborted || location.pathname !== '/') return;
    const at = { first: grid.first, active: grid.active };
    history.replaceState({ ...history.state, ...at }, '');
    settings.set('list', { search: location.search, ...at });
  }
  const keepSoon = soon(keep, 200);

  /** Takes in what has changed: what one looks at stays in its place. */
  const live = soon(() => alone(takeIn), 250);
  /** Does something after what else changes the rows. */
  function alone(f) {
    const done = turn.then(f);
    turn = done.catch(() => {});
    return done;
  }
  async function takeIn() {
    if (life.aborted) return;
    const [active, first] = [grid.active, grid.first].map(index => {
      let at = index;
      while (grid.row(at)?.section != null) at--;
      return { at, by: 0, url: grid.row(at)?.url };
    });
    // The list may change again between the questions.
    for (let tries = 3; tries--;) {
      if (grid.first || grid.space.contains(document.activeElement)) {
        await Promise.all([active, first].map(async x => {
          const { index } = x.url && await ask('position', { url: x.url }).catch(() => null) || {};
          [x.at, x.by] = [index ?? x.at, (index ?? x.at) - x.at];
        }));
        if (active.by || first.by) grid.moved(grid.active + active.by, grid.first + first.by);
      }
      await grid.refresh();
      if ([undefined, active.url].includes(grid.row(active.at)?.url)) return;
    }
  }

  const drawLists = guard(async () => {
    ({ lists } = await api('lists', { signal: life }));
    arrange();
  });

  // Rows.

  function cells({ url, title: name, host, status: code, bytes: size, type, received_ms: at, expires_ms: until, stored, kept }) {
    const when = date(at), path = q.group === 'host' && host ? url.slice(url.indexOf(host) + host.length) : url;
    return [[h('a', { href: pathOf(url), class: 'text', text: short(name || path, 200) }), ' ', badge(!stored && 'not kept', 'warning'),
      badge(kept && 'for offline use'), !/html/.test(type ?? 'html') && badge(type)],
    h('span', { class: 'text', title: short(url, 1000), text: short(path) }), code >= 400 ? badge(code, 'error') : code ?? '', bytes(size),
    at && h('span', { title: until && `Fresh until ${date(until)}` }, when.slice(0, 10), h('span', { class: 'time', text: when.slice(10, 16) }))];
  }

  /** All rows of the list without its sections, also those that were never seen. */
  async function every(more) {
    const rows = [];
    for (let total = 1; rows.length < total;) {
      const part = await ask('list', { group: 'none', ...more, from: rows.length, count: 1000 });
      total = part.rows.length && part.total;
      rows.push(...part.rows);
    }
    return rows;
  }
  const rowsOf = async ({ section }) => (await every({ filter: `${q.filter} host:${section}` })).filter(x => x.host === section);
  /** The pages that something is done with: what is selected, or a row that is not. */
  async function picked(row) {
    if (row && !grid.isSelected(row)) return row.url ? [row] : rowsOf(row);
    return (grid.all ? await every() : [...grid.selection.values()]).filter(x => x.url && grid.isSelected(x));
  }

  async function fold(host, open) {
    await post('folds', { host, open });
    await grid.refresh(host == null ? 0 : undefined);
  }
  /** Goes to the head of the section that a row is in. */
  const head = guard(async to => {
    const from = Math.max(0, to - 1000), { rows } = await ask('list', { from, count: to - from }), at = rows.findLastIndex(x => x.section != null);
    if (at >= 0) grid.focus(from + at);
    else if (from) head(from);
  });

  // What is done.

  async function add(urls, reload) {
    const rejected = [], list = !reload && +q.list || undefined;
    await each('pages', urls, { reload, list }, got => rejected.push(...got.rejected));
    if (!urls.length) toast('There are no URLs in it.');
    else if (rejected.length) toast(`Not loaded: ${count(rejected.length)}. ${rejected[0].url}: ${rejected[0].message}`);
    else announce(`Loading ${count(urls.length, 'page')}`);
  }

  const undoable = (said, run) => toast(said, { seconds: 50, action: { label: 'Undo', run: guard(run) } });
  async function remove(rows) {
    const removals = [];
    await each('remove', urlsOf(rows), {}, got => removals.push(got));
    grid.selectAll(false);
    live();
    undoable(`Removed ${count(removals.reduce((n, x) => n + x.count, 0), 'page')}`, async () => {
      for (const { undo } of removals) if (undo != null) await post('undo', { undo });
    });
  }
  const order = async () => urlsOf(await every({ ...usual(q.list), sort: null }));
  async function take(rows) {
    const id = +q.list, was = await order();
    await each('lists/take', urlsOf(rows), { id });
    grid.selectAll(false);
    undoable(`Taken out: ${count(rows.length, 'page')}`, () => each('lists/add', was, { id, before: nowhere }));
  }
  async function drop() {
    const name = heading.textContent, was = await order();
    await post('lists/delete', { id: +q.list });
    go('/?kind=pages');
    undoable('Deleted the list ' + name, async () => {
      const { id } = await post('lists', { name });
      await each('lists/add', was, { id });
      go('/?list=' + id);
    });
  }

  const movable = () => q.list && !q.sort && q.order === 'asc' && q.group === 'none';
  async function place(rows, before) {
    if (!movable()) return toast('Rows are moved in their own order only.');
    await each('lists/add', urlsOf(rows), { id: +q.list, before });
    await grid.refresh();
    announce('Moved');
  }
  /** Moves a row up or down. */
  const move = guard(way => alone(async () => {
    const index = grid.active, to = index + way;
    if (to < 0 || to >= grid.total) return;
    await place([grid.row(index)], grid.row(way < 0 ? to : to + 1)?.url ?? nowhere);
    grid.focus(to);
    announce(`${count(to + 1)} of ${count(grid.total)}`);
  }));

  async function addTo({ id, name }, rows) {
    await each('lists/add', urlsOf(rows), { id });
    toast(`Added to ${name}: ${count(rows.length, 'page')}`);
  }
  /** Asks for a text. */
  function dialog(name, done, props) {
    const input = h(props?.rows ? 'textarea' : 'input', { 'aria-label': 'Name', required: true, autocomplete: 'off', list: names.id, ...props });
    const element = h('dialog', { 'aria-label': name, onclose: () => element.remove() }, h('form', { onsubmit: event => {
      event.preventDefault();
      element.close();
      guard(done)(input.value.trim());
    } }, h('h2', { text: name }), input, h('div', { class: 'toolbar' }, h('button', { class: 'primary', text: name }), button('Cancel', () => element.close()))));
    main.append(element);
    element.showModal();
    input.select();
  }

  // Dragging and pasting.

  const listen = (target, kind, f) => target.addEventListener(kind, f, { signal: life });
  const clear = () => over?.classList.remove('over', 'after');
  listen(root, 'dragstart', event => {
    dragged = grid.row(event.target.closest('.vgrid-row')?.index);
    if (dragged?.url) event.dataTransfer.setData('text/uri-list', dragged.url);
  });
  listen(root, 'dragend', () => { dragged = clear(); });
  listen(root, 'dragover', event => {
    clear();
    over = dragged && event.target.closest?.(movable() ? 'nav a, .vgrid-space > *' : 'nav a');
    if (!over) return;
    event.preventDefault();
    const { top, height } = over.getBoundingClientRect();
    over.isAfter = event.clientY > top + height / 2;
    over.classList.add('over', over.isAfter ? 'after' : 'over');
  });
  listen(root, 'drop', guard(async event => {
    event.preventDefault();
    const { list, index, isAfter } = over, rows = await picked(dragged);
    if (list?.id) await addTo(list, rows);
    else if (!list) await place(rows, grid.row(index + isAfter)?.url ?? nowhere);
  }));
  listen(document, 'paste', event => {
    if (!event.target.closest?.('input:not([type=checkbox]), textarea')) guard(add)(urlsIn(event.clipboardData.getData('text/plain')));
  });

  /** Shows what the URL says; where it says nothing, what was shown last. */
  function begin() {
    const was = !location.search && history.state?.first == null && settings.get('list');
    if (was) history.replaceState(null, '', '/' + was.search);
    const at = was || history.state || {}, asked = new URLSearchParams(location.search);
    q = usual(asked.get('list'));
    for (const key in q) q[key] = asked.get(key) ?? q[key];
    field.value = q.filter;
    if (grid) grid.selectAll(false);
    else box.prepend((grid = makeGrid()).element);
    arrange();
    return grid.refresh(at.first ?? 0, at.active);
  }

  const makeGrid = () => new VirtualGrid({
    label: 'Pages', multiselect: true, draggable: true, rowHeight: () => (narrow.matches ? 52 : 32),
    columns: [['Title', 'title', 'minmax(8rem, 5fr)'], ['Address', 'url', 'minmax(6rem, 4fr)', 'muted'], ['Status', 'status', '4.5rem', 'number'],
      ['Size', 'bytes', '5rem', 'number'], ['Received', 'date', '9.5rem', 'number']].map(([label, sort, width, kind = '']) => ({ label, sort, width, class: `${sort} ${kind}` })),
    fetchRows: async (from, n, signal) => {
      got = await ask('list', { from, count: n }, signal);
      error.replaceChildren();
      say();
      return got;
    },
    onError: x => error.replaceChildren(problem(x, () => grid.refresh())),
    rowKey: row => row.url ?? ' ' + row.section, partOf: row => ' ' + row.host, rowsOf: guard(row => row.section != null && rowsOf(row)),
    nameOf: row => short(row.title || (row.url ?? 'all of ' + row.section), 100),
    renderRow: row => (row.url ? cells(row) : { class: 'section', wide: true, cells: [h('span', { onclick: () => fold(row.section, !row.open) },
      h('span', { 'aria-hidden': 'true', class: 'fold', text: row.open ? '▾' : '▸' }), h('b', { class: 'text', text: row.section || 'No host' }),
      h('span', { class: 'muted number', text: ' ' + count(row.count) }))] }),
    tree: row => (q.group !== 'host' ? {} : row.url ? { level: 2 } : { level: 1, expanded: row.open }),
    onToggle: guard((row, index, open) => fold(row.section, open)),
    onActivate(row) {
      if (!row?.url) return row && fold(row.section, !row.open);
      keep();
      go(pathOf(row.url));
    },
    onSort: key => change(q.sort === key ? { order: q.order === 'asc' ? 'desc' : 'asc' } : { sort: key, order: /date|bytes/.test(key) ? 'desc' : 'asc' }),
    onSelect() {
      const n = [...grid.selection.values()].filter(x => x.url).length, total = grid.all ? got.pages - n : n;
      chosen.textContent = `${count(total)} selected`;
      plain.hidden = total > 0;
      if (!total && bar.contains(document.activeElement)) grid.focus(grid.active);
      bar.hidden = !total;
    },
    onView: keepSoon,
    onKey({ key, altKey }, row, index) {
      if (!row) return;
      if (key === 'Delete') guard(async () => (q.list ? take : remove)(await picked(row)))();
      else if (key === 'ArrowLeft' && q.group === 'host' && row.url && grid.column < 0) head(index);
      else if (altKey && /^Arrow(Up|Down)$/.test(key) && q.list) move(key === 'ArrowUp' ? -1 : 1);
      else return;
      return true;
    },
  });

  listen(box, 'focusin', keepSoon);
  listen(box, 'click', event => event.target.closest('a') && keep());
  listen(narrow, 'change', () => { side.open = !narrow.matches; });
  title('Kept pages');
  main.replaceChildren(root);
  const offs = [events.on('list', live), events.on('lists', () => { drawLists(); if (q.list) live(); }), events.on('connected', is => is && (live(), drawLists()))];
  settings.ready.then(async () => {
    const isBack = history.state?.first != null;
    if (life.aborted) return;
    drawLists();
    await begin();
    if (isBack && document.activeElement === heading) grid.space.querySelector('.vgrid-row[tabindex="0"]')?.focus({ preventScroll: true });
  });
  return Object.assign(() => {
    offs.forEach(off => off());
    ends.abort();
    grid?.destroy();
  }, { update: () => void begin().then(() => announce(`${heading.textContent}: ${status.textContent}`)) });
}

// What is loaded.

const dismissed = new Set();

/** The loads that run or failed; `add` loads again. */
function loading(life, add) {
  const loads = new Map(), lines = new Map(), list = h('ul'), said = h('h2');
  let busy = 0, done = 0;
  const close = id => { dismissed.add(id); loads.delete(id); draw(); };
  const cancel = id => post('loads/cancel', { id }).catch(error => toast(error.message));
  const line = ({ id, url }) => {
    const bar = h('progress', { class: 'bar', 'aria-label': 'Loaded' }), words = h('span'), second = button('×', () => close(id), { ...quiet, 'aria-label': 'Dismiss' });
    const first = button('', () => (bar.hidden ? (close(id), add([url], true)) : cancel(id)), quiet);
    return Object.assign(h('li', null, text(url), bar, words, first, second), { put({ state, bytes: n, expected, error }) {
      const failed = bar.hidden = state === 'failed';
      second.hidden = !failed;
      if (expected) bar.value = n / expected;
      words.className = failed ? 'error text' : 'muted';
      words.textContent = failed ? short(error?.message) : bytes(n) + (expected ? ` of ${bytes(expected)}` : '');
      first.textContent = failed ? 'Reload' : 'Cancel';
    } });
  };
  const draw = soon(() => {
    const [running, failed, waiting] = ['loading', 'failed', 'waiting'].map(state => [...loads.values()].filter(x => x.state === state));
    const was = busy, shown = [...running, ...failed.slice(-30)];
    busy = running.length + waiting.length;
    said.textContent = [busy && `Loading ${count(busy)}`, failed.length && `${count(failed.length)} failed`].filter(Boolean).join(', ');
    whole.textContent = busy ? 'Cancel all' : 'Dismiss all';
    element.hidden = !said.textContent;
    for (const [id, x] of lines) if (!shown.some(y => y.id === id)) lines.delete(id) && x.remove();
    shown.forEach((load, index) => {
      if (!lines.has(load.id)) lines.set(load.id, line(load));
      const x = lines.get(load.id);
      x.put(load);
      if (list.children[index] !== x) list.insertBefore(x, list.children[index] ?? null);
    });
    if (was && !busy) announce(`${count(done, 'page')} loaded, ${count(failed.length)} failed`);
    if (!busy) done = 0;
  }, 100);
  const hear = load => {
    const over = load.state === 'done';
    if (dismissed.has(load.id)) return;
    done += over;
    if (over || load.error?.code === 'load.cancelled') loads.delete(load.id);
    else loads.set(load.id, load);
    draw();
  };
  const whole = button('', () => busy ? post('loads/cancel', {}).catch(error => toast(error.message)) : [...loads.values()].forEach(x => close(x.id)), quiet);
  const element = h('section', { class: 'loads', 'aria-label': 'Loads', hidden: true }, h('header', null, said, whole), list);
  const begin = is => is && (loads.clear(), api('loads', { signal: life }).then(all => all.loads.forEach(hear), () => {}));
  const offs = [events.on('load', hear), events.on('loads', begin), events.on('connected', begin)];
  life.addEventListener('abort', () => offs.forEach(off => off()));
  begin(true);
  return { element };
}
