// Jobs: checks of links, crawls, batches and watches, as they run.

import { announce, api, bytes, count, date, events, go, h, short, title, toast } from './core.js';
import { badge, button, empty, fill, grid, pathOf, text } from './view.js';

const colors = { done: 'good', ok: 'good', stopped: 'warning', unknown: 'warning', changed: 'warning', failed: 'error', broken: 'error', error: 'error' };
const mark = x => badge(x, colors[x]) ?? '';
const words = value => value?.split(/\s+/).filter(Boolean) ?? [];
const fail = error => void toast(error.message);
const listed = object => Object.entries(object).map(([name, x]) => `${name.replaceAll('_', ' ')}: ${x}`).join(', ');

/** All jobs, or the one that the path names. */
export function show(main, { path, params }) {
  const ends = new AbortController(), { signal } = ends, id = +path.slice(6), cards = {}, list = h('ul', { class: 'jobs' });
  const part = h('section', { 'aria-label': 'Jobs' }), heading = h('h1', { text: 'Jobs', tabIndex: -1 });
  const put = job => {
    const known = cards[job.id], next = known?.nextSibling;
    if (id && job.id !== id) return;
    part.querySelector('.empty')?.remove();
    if (job.state !== 'removed') return known ? known.put(job) : list.prepend(cards[job.id] = card(job, id, signal));
    if (id) return go('/jobs', { replace: true });
    if (known?.contains(document.activeElement)) (next?.querySelector('a') ?? heading).focus();
    known?.remove();
  };
  const load = async () => {
    (await api('jobs', { signal })).jobs.reverse().forEach(put);
    return [!list.firstChild && empty(id ? 'It was removed.' : 'No jobs yet.'), list];
  };
  title('Jobs');
  main.replaceChildren(h('div', { class: 'jobs-page' }, !id && [heading, form(params, signal)], part));
  fill(part, signal, load);
  const over = [events.on('job', put), events.on('connected', is => is && load().catch(() => {}))];
  return () => { over.forEach(f => f()); ends.abort(); };
}

/** A job. What changes is put into the parts that are there, so that the focus stays where it is. */
function card(job, alone, signal) {
  const name = short(job.title, 100), state = h('span'), said = h('p', { class: 'muted text' }), log = h('pre', { class: 'text' });
  const found = alone ? results(job, signal) : [], bar = h('progress', { class: 'bar', 'aria-label': 'Progress' });
  const act = (label, run) => button(label, run, { 'aria-label': `${label}: ${name}` });
  const tell = what => api('jobs/do', { body: { id: job.id, do: what } }).catch(fail);
  const stop = act('Stop', () => tell('stop')), resume = act('Resume', () => tell('resume'));
  const box = h('dialog', { 'aria-label': `Remove ${name}` }, h('p', { text: 'Remove it with all that it has found?' }),
    h('div', { class: 'toolbar' }, button('Remove', () => { box.close(); tell('remove'); }), button('Keep', () => box.close())));
  const put = next => {
    const { state: was, lines } = job, { done, failed, waiting, note, bytes: size, current } = Object.assign(job, next).progress ?? {};
    const share = (done + failed) / (done + failed + (waiting ?? NaN)), busy = /ing$/.test(job.state), last = job.log.join('\n');
    if (state.textContent.trim() !== job.state) state.replaceChildren(...mark(job.state));
    bar.hidden = !job.progress;
    if (share >= 0) bar.value = share;
    said.textContent = short([busy ? note : job.message ?? note, size && bytes(size), job.lines && count(job.lines, 'result'), busy ? current : date(job.ended_ms)]
      .filter(Boolean).join(' · '), 600);
    stop.setAttribute('aria-disabled', !busy || job.state === 'stopping');
    resume.setAttribute('aria-disabled', busy);
    if (log.textContent !== last) log.textContent = last;
    if (was !== job.state && !busy) announce(`${name}: ${job.state}`);
    if (lines !== job.lines) found[0]?.grid.refresh();
  };
  put(job);
  return Object.assign(h('li', { class: 'card job' }, h(alone ? 'h1' : 'h2', null, h('a', { class: 'text', href: '/jobs/' + job.id, text: name })), state, bar, said,
    h('div', { class: 'toolbar' }, stop, resume, act('Remove', () => box.showModal())), box, !!alone && [text(listed(job.options)),
      h('details', null, h('summary', { text: 'What it said' }), log), found[1], found[0]]), { put });
}

const link = (url, path) => (/^https?:/i.test(url) ? h('a', { class: 'text', href: pathOf(url, null, path), text: short(url) }) : text(url));
const widths = { Result: '7rem', Line: '4rem', Status: '8rem', Size: '5rem' };
// Of each kind: the columns, the cells of a line, what it may be filtered by.
const tables = {
  check: ['Result URL Page Line Status', x => [mark(x.result), link(x.url), link(x.page), x.line ?? '', text(x.code ?? x.status)], 'broken unknown ok skipped'],
  crawl: ['Status URL Title Size', x => [mark(x.error?.code ?? x.status), link(x.url), text(x.error?.message ?? x.title), bytes(x.bytes)]],
  batch: ['Status URL Results', x => [mark(x.error?.code ?? x.status), link(x.url), text(JSON.stringify(x.results ?? x.error))]],
  watch: ['Result URL Summary', x => [mark(x.result), link(x.url, x.result === 'changed' ? '/compare' : '/page'), text(`${x.date} ${x.summary}`)],
    'changed new same empty error drift'],
};

/** What a line says; of one that was cut, what can still be read. */
function parse(line) {
  try {
    return JSON.parse(line);
  } catch {
    return { url: /"url":"([^"\\]*)/.exec(line)?.[1], results: short(line) };
  }
}

/** The grid of what a job has found, and what filters it. */
function results({ id, kind }, signal) {
  const [columns, cells, kinds = ''] = tables[kind], filter = h('select', { 'aria-label': 'Results', hidden: !kinds, onchange: () => box.grid.refresh(0) },
    ['', ...words(kinds)].map(value => h('option', { value, text: value || 'all' })));
  const box = grid(signal, { label: 'Results', columns: words(columns).map(label => ({ label, width: widths[label] ?? '1fr' })),
    fetchRows: async (from, count, signal) => {
      const { total, lines } = await api('jobs/results', { params: { id, from, count, result: filter.value || null }, signal });
      return { total, rows: lines.map(parse) };
    },
    renderRow: x => (x.summary?.links >= 0 ? { cells: [text(listed(x.summary))], wide: true } : cells(x)) });
  box.style.height = '65vh';
  return [box, filter];
}

// Of which kinds (none: all) what may be said, how it is called, and what may stand there.
const both = 'check crawl', options = [['', 'kind', 'What to do', { check: 'Check links', crawl: 'Crawl', batch: 'Batch', watch: 'Watch' }],
  ['batch', 'recipe', 'Recipe', { '': 'None' }], ['batch', 'cache', 'Pages', { prefer: 'Kept, else loaded', only: 'Kept only', reload: 'Loaded anew' }],
  ['crawl', 'output', 'Put into', { cache: 'The list', warc: 'A WARC' }], ['watch', 'interval', 'Minutes between looks (none: once)', 1],
  [both, 'depth', 'Links away', 0], [both, 'max_pages', 'Pages, at most', 1], ['', 'rate', 'Loads a second of a host', 0.01],
  [both, 'include', 'Only URLs like'], [both, 'exclude', 'No URLs like'], ['check', 'recursive', 'Also pages that they link to', false],
  ['check', 'external', 'Links to other hosts', true], ['check', 'fragments', 'Parts of pages (#…)', true], ['batch', 'links', 'Links', true], ['batch', 'text', 'Text', false]];

function control(at) {
  if (at === !!at) return h('input', { type: 'checkbox', checked: at });
  if (Number.isFinite(at)) return h('input', { type: 'number', min: at, step: at % 1 ? 'any' : 1 });
  if (!at) return h('input');
  return h('select', null, Object.entries(at).map(([value, text]) => h('option', { value, text })));
}

function form(params, signal) {
  const urls = h('textarea', { rows: 4, value: params.getAll('url').join('\n') }), inputs = {};
  const fields = options.map(([kinds, name, label, at]) => {
    const input = inputs[name] = control(at), tick = at === !!at;
    return Object.assign(h('label', { class: tick ? 'tick' : 'field' }, tick && input, ` ${label} `, !tick && input), { kinds });
  });
  const turn = () => fields.forEach(x => { x.hidden = x.kinds && !x.kinds.includes(inputs.kind.value); });
  let recipes = [];
  const begin = event => {
    const said = {}, { text, name } = recipes[inputs.recipe.value] ?? {};
    for (const key in inputs) {
      const { type, checked, value } = inputs[key];
      said[key] = type === 'checkbox' ? checked : type === 'number' && value ? +value : value || null;
    }
    event.preventDefault();
    api('jobs', { body: { kind: said.kind, options: { ...said, urls: words(urls.value), include: words(said.include), exclude: words(said.exclude),
      interval: said.interval && said.interval * 60, run: ['links', 'text'].filter(x => said[x]), recipe: text, recipe_name: name } } })
      .then(({ id }) => go('/jobs/' + id), fail);
  };
  inputs.kind.value = params.get('kind') ?? 'check';
  inputs.kind.addEventListener('change', turn);
  turn();
  api('recipes', { signal }).then(got => {
    recipes = got.recipes;
    inputs.recipe.append(...recipes.map((x, value) => h('option', { value, text: short(x.name, 80) })));
  }, () => {});
  return h('form', { class: 'card', 'aria-label': 'A new job', novalidate: true, onsubmit: begin }, h('label', { class: 'field' }, 'URLs, one a line', urls),
    h('div', { class: 'jobs-fields' }, fields), h('button', { class: 'primary', text: 'Begin' }));
}
