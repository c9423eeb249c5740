// What every view uses: elements, requests, events, routes, texts, tabs, and the virtual grid.
// Whatever a page says is shown by text nodes only.

const number = new Intl.NumberFormat('en');
const properties = new Set(['hidden', 'disabled', 'value', 'checked', 'selected', 'open', 'tabIndex']);

/** An element. `on…` listens, `text` and `class` are short for what they say, null and false are left out. */
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value == null || (value === false && !name.startsWith('aria-') && !properties.has(name))) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (name === 'class') element.className = value;
    else if (name === 'text') element.textContent = value;
    else if (name === 'style') for (const key in value) element.style.setProperty(key, value[key]);
    else if (properties.has(name)) element[name] = value;
    else element.setAttribute(name, value === true && !name.startsWith('aria-') ? '' : value);
  }
  element.append(...children.flat(9).filter(x => x != null && x !== false));
  return element;
}

// The session: its token comes in the fragment, once.

let token = localStorage.getItem('webinspect-token');
function takeToken() {
  const found = /^#token=([\w-]+)/.exec(location.hash);
  if (!found) return false;
  localStorage.setItem('webinspect-token', token = found[1]);
  history.replaceState(history.state, '', location.pathname + location.search);
  return true;
}
takeToken();
addEventListener('hashchange', () => takeToken() && location.reload());

export class ApiError extends Error {
  constructor(status, code, message) {
    super(message);
    Object.assign(this, { name: 'ApiError', status, code });
  }
}

async function request(path, { params, body, signal, keepalive } = {}) {
  const url = new URL(path.startsWith('/') ? path : '/api/' + path, location.origin);
  for (const [name, value] of Object.entries(params ?? {})) if (value != null) url.searchParams.set(name, value);
  for (let again = false; ; again = true) {
    const used = token, headers = { Authorization: 'Bearer ' + used };
    if (body) headers['Content-Type'] = 'application/json';
    const init = { method: body ? 'POST' : 'GET', headers, signal, keepalive, cache: 'no-store',
      body: body && JSON.stringify(body) };
    const response = await fetch(url, init).catch(error => {
      if (error.name === 'AbortError') throw error;
      throw new ApiError(0, 'server.gone', 'webinspect serve does not answer. Is it still running?');
    });
    if (response.ok) return response;
    if (response.status === 401) {
      token = localStorage.getItem('webinspect-token');
      if (token !== used && !again) continue;
      const message = 'This run has ended; open the address that webinspect serve printed.';
      banner(message);
      throw new ApiError(401, 'session', message);
    }
    const { error } = await response.json().catch(() => ({}));
    throw new ApiError(response.status, error?.code ?? 'http', error?.message ?? `The server said ${response.status}.`);
  }
}

/** Asks the server: a GET, or with `body` a POST. */
export const api = async (path, options) => (await request(path, options)).json();

/** Asks for JSON lines and hands each to `online` as it comes. */
export async function stream(path, options, online) {
  const reader = (await request(path, options)).body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ''; ;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? '')).split('\n');
    rest = done ? '' : lines.pop();
    for (const line of lines) if (line.trim()) online(JSON.parse(line));
    if (done) return;
  }
}

// Events. A browser opens six connections to a host, so one tab reads the stream, for all of them.

const channel = new BroadcastChannel('webinspect'), listeners = new Map();
const emit = (kind, value) => listeners.get(kind)?.forEach(f => f(value));
function deliver(message) {
  for (const kind in message) {
    if (kind === 'setting') Object.assign(settings.all, message.setting);
    if (kind === 'connected') banner(message.connected ? '' : 'webinspect serve does not answer. Trying again…');
    emit(kind, message[kind]);
  }
}
channel.onmessage = event => deliver(event.data);
const tell = message => (deliver(message), channel.postMessage(message));

export const events = {
  /** Calls `f` with every event of a kind ("list", "load", "job", "lists", "connected"); returns what ends it. */
  on(kind, f) {
    if (!listeners.has(kind)) listeners.set(kind, new Set());
    listeners.get(kind).add(f);
    return () => listeners.get(kind).delete(f);
  },
  start: () => void navigator.locks.request('webinspect-events', follow),
};

async function follow() {
  for (let wait = 500, again = false, gone = false; ; wait = Math.min(wait * 2, 8000)) {
    const ends = new AbortController();
    let silence;
    try {
      await stream('events', { signal: ends.signal }, message => {
        clearTimeout(silence);
        silence = setTimeout(() => ends.abort(), 40_000);
        // What happened meanwhile was not told: who shows something asks again.
        if (again) tell({ connected: true });
        again = gone = false;
        wait = 500;
        tell(message);
      });
    } catch (error) {
      if (error.status === 401) return;
    }
    clearTimeout(silence);
    again = true;
    await new Promise(done => setTimeout(done, wait));
    if (wait > 500 && !gone) gone = tell({ connected: false }) ?? true;
  }
}

function banner(text) {
  const element = document.getElementById('banner');
  if (element.textContent !== text) element.textContent = text;
  element.hidden = !text;
}

/** What is remembered across runs. `await settings.ready` before the first `get`. */
export const settings = {
  all: {},
  ready: null,
  start() {
    settings.ready = api('settings').then(all => { settings.all = { ...all, ...settings.all }; }, () => {});
    addEventListener('pagehide', () => settings.timer && settings.save());
  },
  get: key => settings.all[key],
  set(key, value) {
    if (JSON.stringify(settings.all[key]) === JSON.stringify(value)) return;
    tell({ setting: { [key]: value } });
    clearTimeout(settings.timer);
    settings.timer = setTimeout(settings.save, 400);
  },
  save() {
    clearTimeout(settings.timer);
    settings.timer = 0;
    api('settings', { body: { settings: settings.all }, keepalive: true }).catch(() => {});
  },
};

// Routes: a path for the view, the query for its state.

const routes = new Set();
export const route = () => ({ path: location.pathname, params: new URLSearchParams(location.search) });
export const onRoute = f => (routes.add(f), () => routes.delete(f));
const arrive = () => routes.forEach(f => f(route()));
addEventListener('popstate', arrive);
history.scrollRestoration = 'manual';

/** Goes to a place of the app, as a link does. */
export function go(path, { replace } = {}) {
  history[replace ? 'replaceState' : 'pushState'](null, '', path);
  arrive();
}

/** Writes what the view already shows into its URL; null takes a name out. */
export function setParams(changes, { replace = true } = {}) {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value == null || value === '') url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  if (url.href !== location.href) history[replace ? 'replaceState' : 'pushState'](history.state, '', url);
}

document.addEventListener('click', event => {
  const link = event.target.closest?.('a[href], [data-go]');
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const path = link.dataset.go ?? (link.target || link.origin !== location.origin || link.hash ? null : link.href);
  if (path == null) return;
  event.preventDefault();
  go(path);
});

/** The title of the document. */
export const title = text => { document.title = short(text, 200) + ' · webinspect'; };

// What is said.

/** Says it to who listens rather than looks. */
export function announce(text) {
  const region = document.getElementById('live');
  region.textContent = '';
  clearTimeout(announce.timer);
  announce.timer = setTimeout(() => { region.textContent = text; }, 60);
}

/** A short message at the lower edge, perhaps with something to do about it; F8 goes there. Returns what takes it away. */
export function toast(text, { action, seconds = action ? 20 : 6 } = {}) {
  const before = document.activeElement;
  let timer;
  const end = () => {
    clearTimeout(timer);
    if (element.contains(document.activeElement)) before?.focus?.({ preventScroll: true });
    element.remove();
  };
  const start = () => { timer = setTimeout(end, seconds * 1000); };
  const stop = () => clearTimeout(timer);
  const element = h('div', { class: 'toast', onmouseenter: stop, onmouseleave: start, onfocusin: stop, onfocusout: start,
    onkeydown: event => event.key === 'Escape' && end() },
  h('span', { class: 'text', text: short(text) }),
  action && h('button', { type: 'button', class: 'quiet', text: action.label, onclick: () => { end(); action.run(); } }),
  h('button', { type: 'button', class: 'quiet close', 'aria-label': 'Dismiss', text: '×', onclick: end }));
  const all = document.getElementById('toasts');
  all.append(element);
  while (all.children.length > 3) all.firstChild.remove();
  announce(text + (action ? ` ${action.label}: F8, then Enter.` : ''));
  start();
  return end;
}
addEventListener('keydown', event => {
  if (event.key === 'F8') document.querySelector('#toasts > :last-child button')?.focus();
});

// How things are written.

/** 1,234 and a noun: "1 page", "2 pages". */
export const count = (n, one, many = one + 's') => number.format(n) + (one ? ' ' + (n === 1 ? one : many) : '');

export function bytes(n) {
  if (n == null) return '';
  let unit = 0;
  for (; n >= 999.5 && unit < 4; unit++) n /= 1000;
  return (unit && n < 9.95 ? n.toFixed(1) : number.format(Math.round(n))) + ' ' + ['B', 'kB', 'MB', 'GB', 'TB'][unit];
}

/** 2026-02-14 09:30:05, here. */
export function date(ms) {
  if (ms == null) return '';
  const at = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return isNaN(at) ? '' : at.toISOString().slice(0, 19).replace('T', ' ');
}

/** "5 min ago", "in 3 h". */
export function ago(ms, now = Date.now()) {
  if (ms == null) return '';
  const seconds = Math.abs(now - ms) / 1000;
  const steps = [[60, 1, 's'], [3600, 60, ' min'], [86400, 3600, ' h'], [86400 * 60, 86400, ' d'],
    [86400 * 730, 86400 * 30.44, ' mo'], [Infinity, 86400 * 365.25, ' y']];
  const [, size, unit] = steps.find(step => seconds < step[0]);
  if (seconds < 5) return 'now';
  const text = Math.floor(seconds / size) + unit;
  return ms > now ? 'in ' + text : text + ' ago';
}

/** One line of at most `n` characters, without control characters. */
export function short(text, n = 300) {
  const line = String(text ?? '').slice(0, n * 8).replace(/[\s\p{Cc}]+/gu, ' ').trim(), all = [...line];
  return all.length > n ? all.slice(0, n - 1).join('') + '…' : line;
}

/** A link out, if it is http or https; else its text. */
export function urlLink(url, text = url) {
  if (!/^https?:\/\//i.test(url)) return h('span', { class: 'text', text: short(text) });
  return h('a', { class: 'text', href: url, rel: 'noreferrer noopener nofollow', target: '_blank', text: short(text) });
}

// Parts.

/** A row of keys that goes round with the arrows, Home and End; returns the place to go to, or null. */
export function arrow(event, at, length, back = 'ArrowLeft', forth = 'ArrowRight') {
  const to = { [back]: (at + length - 1) % length, [forth]: (at + 1) % length, Home: 0, End: length - 1 }[event.key];
  if (to == null || event.altKey || event.ctrlKey || event.metaKey) return null;
  event.preventDefault();
  return to;
}

/** Tabs of items {id, label, count?, panel?: id of its panel}; arrows move, Enter and Space choose. */
export function tabs(items, { selected, onselect, label }) {
  const buttons = items.map(item => h('button', { type: 'button', role: 'tab', id: 'tab-' + item.id, 'aria-controls': item.panel,
    onclick: () => { list.select(item.id); onselect?.(item.id); } },
  item.label, item.count != null && h('span', { class: 'number muted', text: ' ' + count(item.count) })));
  const list = h('div', { role: 'tablist', class: 'tabs', 'aria-label': label, onkeydown: event => {
    const to = arrow(event, buttons.indexOf(document.activeElement), buttons.length);
    if (to != null) buttons[to].focus();
  } }, buttons);
  list.select = id => buttons.forEach((button, index) => {
    button.setAttribute('aria-selected', items[index].id === id);
    button.tabIndex = items[index].id === id ? 0 : -1;
  });
  list.select(selected ?? items[0]?.id);
  return list;
}

/** A bar between two parts; `onmove(percent)` as it is dragged or moved by arrows, `onchange` when it rests. */
export function splitter({ label, value = 50, min = 15, max = 85, vertical = true, onmove, onchange }) {
  const put = to => {
    value = Math.min(max, Math.max(min, to));
    bar.setAttribute('aria-valuenow', Math.round(value));
    onmove?.(value);
  };
  const bar = h('div', { role: 'separator', class: 'splitter', tabIndex: 0, 'aria-label': label, 'aria-valuemin': min,
    'aria-valuemax': max, 'aria-orientation': vertical ? 'vertical' : 'horizontal',
    onpointerdown: event => { bar.setPointerCapture(event.pointerId); event.preventDefault(); bar.focus(); },
    onpointermove: event => {
      if (!bar.hasPointerCapture(event.pointerId)) return;
      const box = bar.parentElement.getBoundingClientRect();
      put(100 * (vertical ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height));
    },
    onpointerup: () => onchange?.(value),
    onkeydown: event => {
      const step = { ArrowLeft: -2, ArrowUp: -2, ArrowRight: 2, ArrowDown: 2, Home: -100, End: 100 }[event.key];
      if (!step) return;
      event.preventDefault();
      put(value + step);
      onchange?.(value);
    } });
  put(value);
  return bar;
}

export { VirtualGrid } from './grid.js';
