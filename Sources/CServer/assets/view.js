// The view of a kept page, and what the parts of a page are shown with.

import { api, count, h, setParams, settings, short, VirtualGrid } from './core.js';

export const narrow = matchMedia('(max-width: 800px)');
export const button = (text, onclick, props) => h('button', { type: 'button', text, onclick, ...props });
export const text = (value, n) => h('span', { class: 'text', text: short(value, n) });
export const empty = text => h('p', { class: 'empty', text });
export const badge = (value, kind = '') => value || value === 0 ? [h('span', { class: 'badge text ' + kind, text: short(value, 80) }), ' '] : null;
/** Where the app shows a kept page. */
export const pathOf = (url, more, path = '/page') => `${path}?${new URLSearchParams({ url, ...more })}`;

const advice = { 'cache.miss': 'It is not kept (any more): reload it.', busy: 'Too much is going on at once. Try again in a moment.',
  'limit.time': 'It takes too long. Try again, or ask for less.', 'reader.crash': 'Reading this page failed; nothing else is lost.' };

/** What went wrong, in its place, and what can be done. */
export const problem = (error, again) => h('div', { class: 'card', role: 'alert' },
  h('p', null, badge(error.code ?? error.name, 'error'), text(error.message, 600)),
  advice[error.code] && h('p', { text: advice[error.code] }), again && button('Try again', again));

/** Puts what `make` returns into a part, which is busy until then; or why that failed. */
export async function fill(part, signal, make) {
  const focused = part.contains(document.activeElement) && part !== document.activeElement;
  part.replaceChildren();
  part.setAttribute('aria-busy', 'true');
  const made = await make().catch(error => signal.aborted || [problem(error, () => fill(part, signal, make))]);
  if (signal.aborted) return;
  part.append(...[made].flat(9).filter(Boolean));
  part.removeAttribute('aria-busy');
  if (focused) (part.querySelector('button, summary, [tabindex="0"]') ?? part).focus();
  made.ready?.();
}

/** The items of a list: some, and a button for the next ones. */
export function more(items, make, none, props, step = 200) {
  if (!items?.length) return empty(none);
  const list = h('ul', { class: 'page-list', ...props }), next = button('', () => add().querySelector('a, button, summary')?.focus());
  const add = () => {
    const from = list.children.length, rows = items.slice(from, from + step).map((x, i) => make(x, from + i)), left = items.length - from - rows.length;
    list.append(...rows);
    next.textContent = `Next ${count(Math.min(step, left))} of ${count(left)}`;
    next.hidden = !left;
    return rows[0];
  };
  add();
  return h('div', null, list, next);
}

/** A grid with a height of its own; it ends with the part that it is in. */
export function grid(signal, options) {
  const error = h('div'), made = new VirtualGrid({ rowHeight: 30, onError: e => error.replaceChildren(problem(e, () => {
    error.replaceChildren();
    made.refresh();
  })), ...options });
  signal.addEventListener('abort', () => made.destroy());
  const box = h('div', { class: 'page-grid' }, made.element, error);
  box.grid = made;
  return box;
}

// The view.

const bounded = zoom => Math.min(5, Math.max(0.1, zoom));

/** How large views are drawn, and how wide they are laid out: a bar for it, keys and the wheel. */
export function scaling(params, life, area, ...views) {
  const read = name => params.get(name) ?? settings.get('view')?.[name];
  const now = { zoom: bounded(+read('zoom')) || 'fit', width: Math.min(4000, +read('width')) || 'pane' };
  const level = h('output', { class: 'number', 'aria-label': 'Zoom' });
  const seen = () => views.find(view => view.pane.clientWidth), scale = () => (seen() ?? views[0]).scale;
  const draw = () => {
    views.forEach(view => view.fit(now));
    level.textContent = Math.round(100 * scale()) + ' %';
  };
  const put = changes => {
    Object.assign(now, changes);
    draw();
    setParams({ zoom: +now.zoom ? now.zoom.toFixed(2) : 'fit', width: now.width });
    settings.set('view', { ...now });
  };
  const larger = () => put({ zoom: bounded(scale() * 1.25) }), smaller = () => put({ zoom: bounded(scale() / 1.25) }), whole = () => put({ zoom: 1 });
  const keys = { '+': larger, '=': larger, '-': smaller, 0: whole };
  const listen = (target, kind, f) => target.addEventListener(kind, f, { signal: life, passive: false });
  // While Control is held, the wheel is ours over the frame too.
  const hold = held => area.classList.toggle('held', held);
  listen(document, 'keyup', () => hold(false));
  listen(window, 'blur', () => hold(false));
  listen(document, 'keydown', event => {
    const { key, target } = event;
    if (key === 'Control' || key === 'Meta') hold(true);
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[key] || !seen() ||
      target.closest('input, select, textarea, .vgrid, [role=tablist]')) return;
    event.preventDefault();
    keys[key]();
  });
  listen(area, 'wheel', event => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    put({ zoom: bounded(scale() * Math.exp(-event.deltaY / 300)) });
  });
  const watch = new ResizeObserver(draw);
  views.forEach(view => watch.observe(view.pane));
  life.addEventListener('abort', () => watch.disconnect());
  return h('div', { class: 'toolbar', role: 'group', 'aria-label': 'Zoom' },
    button('−', smaller, { 'aria-label': 'Zoom out', title: 'Zoom out (-)' }), level, button('+', larger, { 'aria-label': 'Zoom in', title: 'Zoom in (+)' }),
    button('Fit width', () => put({ zoom: 'fit' })), button('100 %', whole, { title: '100 % (0)' }),
    h('label', null, 'Laid out ', h('select', { onchange: event => put({ width: +event.target.value || 'pane' }) }, ['pane', 360, 768, 980, 1280].map(value =>
      h('option', { value, text: +value ? value + ' px wide' : 'as the pane', selected: value === now.width })))));
}

/** A kept page as the server draws it, in a frame that may do nothing. `body`: what the server is asked with. */
export function viewer(body, name, life) {
  const sheet = h('div', { class: 'page-sheet' }), pane = h('div', { class: 'page-pane', role: 'group', tabIndex: 0, 'aria-label': 'Pane of ' + short(name, 100) }, sheet);
  let asked, size = {};
  const self = {
    pane, scale: 1,
    fit({ zoom, width }) {
      const { clientWidth: wide, clientHeight: high } = pane;
      if (!wide || !high) return;
      self.scale = +zoom || (+width ? wide / width : 1);
      const across = +width || wide / self.scale;
      Object.assign(sheet.style, { width: across * self.scale + 'px', height: high + 'px' });
      size = { width: across + 'px', height: high / self.scale + 'px', transform: `scale(${self.scale})` };
      for (const frame of sheet.querySelectorAll('iframe')) Object.assign(frame.style, size);
    },
    /** Draws it anew: marked what the selector `mark` matches, in sight the node `at`. */
    async draw({ mark, at } = {}) {
      asked?.abort();
      const { signal } = asked = new AbortController();
      pane.setAttribute('aria-busy', 'true');
      try {
        const { src } = await api('view', { body: { ...body, mark, at }, signal: AbortSignal.any([life, signal]) });
        const old = [...sheet.children], done = () => {
          old.forEach(x => x.remove());
          pane.removeAttribute('aria-busy');
          // It was laid out at another width when it looked for the fragment.
          if (at != null) frame.contentWindow.location.replace(frame.src);
        };
        // A new frame each time: one that is sent elsewhere would be a step for "back".
        const frame = h('iframe', { sandbox: '', title: 'View of ' + short(name, 100), src: src + (at == null ? '' : '#webinspect-at'), onload: done });
        Object.assign(frame.style, size);
        sheet.prepend(frame);
      } catch (error) {
        if (signal.aborted || life.aborted) return;
        pane.removeAttribute('aria-busy');
        sheet.replaceChildren(problem(error, () => self.draw({ mark, at })));
      }
    },
  };
  return self;
}

/** A field for a selector: what it matches is marked in the view, and gone through. */
export function marker(cx, draw) {
  const said = h('output', { id: 'page-matches' });
  let total = 0, index = -1, timer, asked;
  const look = (from, count = 1) => {
    asked?.abort();
    asked = new AbortController();
    return cx.ask('select', { selector: cx.mark, from, count }, asked.signal);
  };
  const guarded = make => async () => make().catch(error => {
    if (error.name === 'AbortError') return;
    setParams({ mark: cx.mark = '' });
    said.textContent = short(error.message);
    field.setAttribute('aria-invalid', 'true');
  });
  const find = guarded(async () => {
    const before = cx.mark;
    cx.mark = field.value.trim();
    setParams({ mark: cx.mark });
    [total, index, said.textContent] = [0, -1, ''];
    field.removeAttribute('aria-invalid');
    arrows.forEach(x => { x.disabled = true; });
    if (cx.mark) {
      ({ total } = await look(0));
      said.textContent = count(total, 'match', 'matches');
      arrows.forEach(x => { x.disabled = !total; });
    }
    if (cx.mark !== before) draw();
  });
  const step = way => guarded(async () => {
    index = (Math.max(index + way, way - 1) + total) % total;
    const { matches: [match] } = await look(index);
    said.textContent = `${count(index + 1)} of ${count(total)}`;
    if (match) cx.jump(match.node);
  });
  const field = h('input', { type: 'search', value: cx.mark, spellcheck: 'false', autocapitalize: 'off', maxlength: 2000, 'aria-describedby': said.id,
    'aria-label': 'Mark what a selector matches', placeholder: 'CSS selector', oninput: () => { clearTimeout(timer); timer = setTimeout(find, 300); } });
  const arrows = [['Previous', '↑', -1], ['Next', '↓', 1]].map(([name, sign, way]) =>
    button(sign, step(way), { 'aria-label': name + ' match', title: name + ' match', disabled: true }));
  if (cx.mark) find();
  return h('form', { class: 'toolbar', onsubmit: event => {
    event.preventDefault();
    total ? arrows[1].click() : find();
  } }, h('label', null, 'Mark ', field), arrows, said);
}
