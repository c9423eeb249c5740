// Two versions of a page: what has changed, and both views side by side.

import { api, count, date, go, h, setParams, short, tabs, title, toast, urlLink } from './core.js';
import { badge, button, empty, fill, more, pathOf, scaling, text, viewer } from './view.js';

export function compare(main, params) {
  const ends = new AbortController(), life = ends.signal, url = params.get('url') ?? '';
  const ask = (what, more) => api('page/' + what, { params: { url, ...more }, signal: life });
  const body = h('div');
  title(`Compare: ${url}`);
  main.replaceChildren(h('div', { class: 'page' }, h('header', null, h('h1', { text: 'Two versions' }), h('p', null, urlLink(url)),
    h('p', null, h('a', { href: pathOf(url, { tab: 'history' }), text: 'Its page and history' }))), body));
  fill(body, life, async () => {
    const { versions = [] } = await ask('history');
    const old = params.get('old') ?? versions[1]?.date, fresh = params.get('new') ?? versions[0]?.date;
    if (!old || !fresh) return empty('Only one version is kept: there is nothing to compare. Reload the page when it has changed.');
    const choice = (name, chosen) => h('label', null, name === 'old' ? 'Old ' : 'New ', h('select', { name },
      [...new Set([chosen, ...versions.map(x => x.date)])].sort().reverse().map(x => h('option', { value: x, selected: x === chosen,
        text: date(Date.parse(x)) || short(x, 40) }))));
    const form = h('form', { class: 'toolbar', onsubmit: event => {
      event.preventDefault();
      go(pathOf(url, Object.fromEntries(new FormData(form)), '/compare'));
    } }, choice('old', old), choice('new', fresh), h('button', { text: 'Compare' }));
    return [form, ...sides(url, old, fresh, params, life, ask)];
  });
  return () => ends.abort();
}

function sides(url, old, fresh, params, life, ask) {
  const one = (when, name) => Object.assign(viewer({ url, date: when }, `the ${name} version`, life), { when, name });
  const pair = [one(old, 'old'), one(fresh, 'new')], both = viewer({ url, old, new: fresh }, 'both texts', life);
  const changes = h('section', { class: 'page-changes', 'aria-label': 'Changes' }), drawn = new Set();
  const pages = h('div', { class: 'page-pair' }, pair.map(x => h('section', { 'aria-label': `The ${x.name} version` },
    h('h2', { text: `${x.name === 'old' ? 'Old' : 'New'}: ${date(Date.parse(x.when)) || short(x.when, 40)}` }), x.pane)));
  const panel = h('div', { class: 'panel page-view', id: 'compare-panel', role: 'tabpanel', tabIndex: 0 });
  /** Shows a change on both sides, each where it has it. */
  const reveal = change => pair.map(async (x, i) => {
    const mark = i ? change.new_path : change.old_path;
    if (!mark) return;
    try {
      const { matches: [match] } = await ask('select', { date: x.when, selector: mark, from: 0, count: 1 });
      x.draw({ mark, at: match?.node });
    } catch (error) {
      if (!life.aborted) toast(error.message);
    }
  });
  const line = x => h('li', null, badge(x.op, { added: 'good', removed: 'error', changed: 'warning' }[x.op]), badge(x.kind), text(x.summary), ' ',
    (x.old_path || x.new_path) && button('Show', () => {
      if (panel.contains(both.pane)) select('pages');
      reveal(x);
    }, { class: 'quiet', 'aria-label': `Show: ${short(x.summary, 80)}` }), h('div', { class: 'muted' }, x.old != null && h('del', null, text(x.old)), x.old != null && x.new != null && ' → ', x.new != null && h('ins', null, text(x.new))));
  fill(changes, life, async () => {
    const { changes: all, coarse } = await ask('diff', { old, new: fresh });
    return [h('h2', { text: count(all.length, 'change') }), coarse && h('p', { class: 'muted', text: 'The comparison was cut short: there may be finer ones.' }),
      more(all, line, 'They are the same.', null, 100)];
  });
  function select(id) {
    row.select(id);
    panel.setAttribute('aria-labelledby', 'tab-' + id);
    panel.replaceChildren(bar, id === 'text' ? both.pane : pages);
    for (const x of id === 'text' ? [both] : pair) if (!drawn.has(x)) drawn.add(x) && x.draw();
  }
  const bar = scaling(params, life, panel, ...pair, both);
  const row = tabs([{ id: 'pages', label: 'Views', panel: panel.id }, { id: 'text', label: 'Side by side text', panel: panel.id }],
    { label: 'What is compared', onselect: tab => (setParams({ tab }), select(tab)) });
  select(params.get('tab') === 'text' ? 'text' : 'pages');
  return [changes, row, panel];
}
