// A grid of any number of rows, of which only those that are seen exist.
import { arrow, h } from './core.js';

const block = 100, spare = 8, keptBlocks = 40;
/** The most that every browser can scroll, in pixels. */
const tallest = 15_000_000;
const clamp = (n, least, most) => Math.max(least, Math.min(most, n));

/** What its options are is said in the views that use it, and in CONTRIBUTING; rows come from `fetchRows(from, count, signal)`. */
export class VirtualGrid {
  total = 0;
  active = 0; // the row that has the focus, or gets it
  column = -1; // its cell, or -1 for the row itself
  first = 0; // the uppermost row that is seen
  selection = new Map(); // by key; when `all` is true, those that are not selected
  all = false;
  #blocks = new Map();
  #shown = new Map();
  #waiting = new Map();
  #view = 0;
  #unit = 32;
  #top = 0;
  #base = 0; // pixels between where a row is and where it is put: 0 unless all are taller than `tallest`
  #drawn = '';

  constructor(options) {
    this.o = options;
    const { columns, multiselect } = options;
    this.pick = multiselect && h('input', { type: 'checkbox', tabIndex: -1, 'aria-label': 'Select all',
      onchange: () => this.selectAll(this.pick.checked) });
    this.columns = multiselect ? [{ width: '2rem', content: this.pick, class: 'pick' }, ...columns] : columns;
    this.heads = this.columns.map(column => h('div', { role: 'columnheader', class: 'cell ' + (column.class ?? '') },
      column.content ?? (column.sort && options.onSort
        ? h('button', { type: 'button', tabIndex: -1, text: column.label, onclick: () => options.onSort(column.sort) })
        : h('span', { text: column.label }))));
    this.head = h('div', { class: 'vgrid-head', role: 'rowgroup', hidden: columns.every(x => !x.label), onkeydown: e => this.#headKey(e) },
      h('div', { role: 'row', class: 'vgrid-row', 'aria-rowindex': 1 }, this.heads));
    this.space = h('div', { class: 'vgrid-space', role: 'rowgroup', onclick: e => this.#click(e), onfocusin: e => this.#focused(e),
      onmousedown: e => e.shiftKey && e.preventDefault(),
      ondblclick: e => this.#at(e) && !e.target.closest('a, button, input') && options.onActivate?.(this.row(this.active), this.active, e) });
    this.element = h('div', { class: 'vgrid', role: options.role ?? 'grid', 'aria-label': options.label,
      'aria-colcount': this.columns.length, 'aria-multiselectable': multiselect ? 'true' : null,
      style: { '--columns': this.columns.map(x => x.width ?? '1fr').join(' ') },
      onkeydown: e => this.#key(e), onscrollend: () => this.#settle() }, this.head, this.space);
    this.element.addEventListener('scroll', () => this.#draw(), { passive: true });
    this.heads.find(head => head.querySelector('button'))?.firstChild.setAttribute('tabindex', 0);
    this.watch = new ResizeObserver(() => this.measure());
    this.watch.observe(this.element);
    this.#count(options.total ?? 0);
    this.refresh(options.start ?? 0, options.active);
  }

  /** The row at an index, if it is here. */
  row(index) { return this.#blocks.get(Math.floor(index / block))?.[index % block]; }

  /** Takes in a new size of the window, of the text or of a row. */
  measure() {
    const { rowHeight = 32 } = this.o, first = (this.#top + this.#base) / this.#unit, before = this.#unit;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    this.#unit = Math.round((typeof rowHeight === 'function' ? rowHeight() : rowHeight) * rem);
    this.#view = this.element.clientHeight - this.head.offsetHeight;
    this.element.style.setProperty('--row', this.#unit + 'px');
    this.#count(this.total);
    if (this.#unit !== before) this.#scroll(first * this.#unit);
    this.#draw(true);
  }

  /** Asks again for what is seen. With `start` a new list, from there; without, the place and the focus stay. */
  async refresh(start, active = start) {
    const seen = Math.ceil((this.#view || 1000) / this.#unit) + spare;
    this.abort();
    const first = start ?? this.first, from = Math.floor(Math.max(0, first - spare) / block) * block;
    const got = await this.#fetch('all', from, Math.ceil((first + seen - from) / block) * block);
    if (!got) return;
    if (from > 0 && from >= got.total) return this.refresh(Math.max(0, got.total - seen));
    this.#blocks.clear();
    for (let at = 0; at < got.rows.length; at += block) this.#blocks.set((from + at) / block, got.rows.slice(at, at + block));
    const focused = this.space.contains(document.activeElement);
    this.#count(got.total);
    if (start != null) {
      this.active = active;
      this.#scroll(start * this.#unit);
    }
    this.active = clamp(this.active, 0, Math.max(0, this.total - 1));
    for (const [index, element] of this.#shown) {
      if (index >= this.total) this.#drop(index);
      else if (JSON.stringify(element.row) !== JSON.stringify(this.row(index))) this.#fill(element, index);
    }
    this.#draw(true);
    if (focused && !this.space.contains(document.activeElement)) this.focus(this.active);
  }

  /** Ends all that is asked for. */
  abort() {
    for (const ends of this.#waiting.values()) ends.abort();
    this.#waiting.clear();
  }
  destroy() {
    this.abort();
    this.watch.disconnect();
  }

  /** Asks for rows; nothing if that is no longer wanted when they come. */
  async #fetch(key, from, count) {
    const ends = new AbortController(), { signal } = ends;
    this.#waiting.set(key, ends);
    try {
      const got = await this.o.fetchRows(from, count, signal);
      return signal.aborted ? null : Array.isArray(got) ? { rows: got, total: this.total } : got;
    } catch (error) {
      if (!signal.aborted) this.o.onError?.(error);
    } finally {
      if (this.#waiting.get(key) === ends) this.#waiting.delete(key);
    }
  }

  #count(total) {
    this.total = total;
    this.element.setAttribute('aria-rowcount', total + (this.head.hidden ? 0 : 1));
    this.tall = total * this.#unit;
    this.space.style.height = Math.min(this.tall, tallest) + 'px';
  }

  // Where it is.

  /** How far all rows reach below what is seen, and how far the browser scrolls. */
  get #ends() { return [this.tall, Math.min(this.tall, tallest)].map(x => Math.max(0, x - this.#view)); }

  /** The upper edge in pixels of all rows. Beyond what a browser scrolls a jump is in proportion, a small move exact. */
  #place() {
    const top = this.element.scrollTop, [reach, room] = this.#ends;
    if (reach === room) this.#base = 0;
    else if (Math.abs(top - this.#top) > 3 * this.#view || top <= 0 || top >= room - 1) this.#base = top / room * reach - top;
    this.#top = top;
    return clamp(top + this.#base, 0, reach);
  }
  #scroll(to) {
    const [reach, room] = this.#ends;
    to = clamp(to, 0, reach);
    this.element.scrollTop = reach === room ? to : to / reach * room;
    this.#top = this.element.scrollTop;
    this.#base = reach === room ? 0 : to - this.#top;
  }
  #settle() {
    if (this.tall <= tallest) return;
    this.#scroll(this.#place());
    this.#draw(true);
  }

  #draw(again) {
    if (!this.#view) return;
    const place = this.#place(), first = Math.floor(place / this.#unit), seen = Math.ceil(this.#view / this.#unit);
    const from = Math.max(0, first - spare), to = Math.min(this.total - 1, first + seen + spare);
    const drawn = `${from} ${to} ${this.#base}`, far = Math.abs(first - this.first) > 2 * seen;
    if (drawn !== this.#drawn || again) {
      this.#drawn = drawn;
      for (const index of this.#shown.keys()) if ((index < from || index > to) && index !== this.active) this.#drop(index);
      const wanted = Array.from({ length: to - from + 1 }, (_, n) => from + n);
      if (this.active < this.total && (this.active < from || this.active > to)) wanted[this.active < from ? 'unshift' : 'push'](this.active);
      for (let n = wanted.length, next = null; n--;) next = this.#show(wanted[n], next);
      clearTimeout(this.pause);
      if (far) this.pause = setTimeout(() => this.#need(from, to), 60);
      else this.#need(from, to);
    }
    if (first !== this.first) {
      this.first = first;
      this.o.onView?.(first);
    }
  }

  #show(index, next) {
    let element = this.#shown.get(index);
    if (!element) {
      element = h('div', { role: 'row', class: 'vgrid-row', draggable: this.o.draggable && 'true', 'aria-rowindex': index + (this.head.hidden ? 1 : 2) });
      element.index = index;
      this.#shown.set(index, element);
      this.#fill(element, index);
      this.space.insertBefore(element, next);
    }
    element.style.top = index * this.#unit - this.#base + 'px';
    return element;
  }
  #drop(index) {
    this.#shown.get(index).remove();
    this.#shown.delete(index);
  }

  #tree(row, index) { return row !== undefined && this.o.tree?.(row, index) || {}; }
  /** Puts into an element what its row says; the focus stays where it was. */
  #fill(element, index) {
    const row = this.row(index), inside = element !== document.activeElement && element.contains(document.activeElement);
    element.row = row;
    element.tabIndex = index === this.active ? 0 : -1;
    const made = row === undefined ? { cells: [h('span', { class: 'visually-hidden', text: 'Loading' })], class: 'wait', wide: true }
      : this.o.renderRow(row, index);
    const { cells, class: kind = '', wide } = Array.isArray(made) ? { cells: made } : made;
    element.className = 'vgrid-row ' + kind;
    if (this.pick) {
      cells.unshift(h('input', { type: 'checkbox', 'aria-label': 'Select ' + (row && this.o.nameOf?.(row) || 'row'), disabled: row === undefined }));
    }
    const columns = wide && cells.length < this.columns.length ? this.columns.slice(0, cells.length) : this.columns;
    element.replaceChildren(...columns.map((column, n) => {
      const span = wide && n === cells.length - 1 ? this.columns.length - n : 1;
      return h('div', { role: 'gridcell', class: 'cell ' + (span > 1 ? 'wide' : column.class ?? ''), 'aria-colindex': n + 1,
        'aria-colspan': span > 1 ? span : null, tabIndex: -1, style: span > 1 && { 'grid-column': `${n + 1} / -1` } }, cells[n]);
    }));
    for (const widget of element.querySelectorAll('a, button, input')) widget.tabIndex = -1;
    const { level = null, expanded = null, size = null, position = null } = this.#tree(row, index);
    Object.assign(element, { ariaLevel: level, ariaExpanded: expanded, ariaSetSize: size, ariaPosInSet: position });
    this.#mark(element);
    if (inside || (element === document.activeElement && this.column >= 0)) this.#target(element).focus({ preventScroll: true });
  }

  /** Asks for the blocks from one row to another, and for none that were scrolled past. */
  #need(from, to) {
    const needed = new Set();
    for (let b = Math.floor(from / block); b <= Math.floor(to / block); b++) needed.add(b);
    for (const [b, ends] of this.#waiting) {
      if (b === 'all') return;
      if (!needed.has(b)) ends.abort();
    }
    for (const b of needed) if (to >= 0 && !this.#blocks.has(b) && this.#waiting.get(b)?.signal.aborted !== false) this.#load(b);
    for (const b of this.#blocks.keys()) if (this.#blocks.size > keptBlocks && !needed.has(b)) this.#blocks.delete(b);
  }
  async #load(b) {
    const got = await this.#fetch(b, b * block, block);
    if (!got) return;
    this.#blocks.set(b, got.rows);
    if (got.total !== this.total) this.#count(got.total);
    for (const [index, element] of this.#shown) if (Math.floor(index / block) === b && element.row === undefined) this.#fill(element, index);
    this.#draw(true);
  }

  // Focus and keys.

  #target(element) {
    if (this.column < 0 || element.row === undefined) return element;
    const cell = element.children[Math.min(this.column, element.children.length - 1)], widgets = cell.querySelectorAll('a, button, input');
    return widgets.length === 1 ? widgets[0] : cell;
  }
  /** Moves the focus to a row, and scrolls to it. */
  focus(index, column = this.column) {
    if (!this.total) return this.heads.find(x => x.querySelector('button'))?.firstChild.focus();
    index = clamp(index, 0, this.total - 1);
    const place = this.#place(), y = index * this.#unit;
    if (y < place) this.#scroll(y);
    else if (y + this.#unit > place + this.#view) this.#scroll(y + this.#unit - this.#view);
    this.#activate(index, column);
    this.#draw(true);
    this.#target(this.#shown.get(index)).focus({ preventScroll: true });
  }
  #activate(index, column) {
    if (index !== this.active) this.#shown.get(this.active)?.setAttribute('tabindex', -1);
    [this.active, this.column] = [index, column];
    this.#shown.get(index)?.setAttribute('tabindex', 0);
  }
  /** The index was given to another row, as rows came in above it. */
  moved(active, first) {
    const focused = this.space.contains(document.activeElement);
    if (first != null) this.#scroll(first * this.#unit + (this.#place() % this.#unit));
    this.#activate(clamp(active, 0, Math.max(0, this.total - 1)), this.column);
    this.#draw(true);
    if (focused) this.#target(this.#shown.get(this.active)).focus({ preventScroll: true });
  }

  #at(event) { return event.target.closest('.vgrid-row'); }
  #focused(event) {
    const element = this.#at(event);
    if (element) this.#activate(element.index, [...element.children].findIndex(cell => cell.contains(event.target)));
  }
  #click(event) {
    const element = this.#at(event);
    if (!element || !this.pick || event.target.closest('a, button')) return;
    if (event.shiftKey) this.#range(this.anchor ?? this.active, element.index);
    else if (event.target.closest('input, .pick') || event.ctrlKey || event.metaKey) this.toggle(element.index);
    else this.#pin(element.index);
  }
  #headKey(event) {
    const buttons = this.heads.map(x => x.querySelector('button')).filter(Boolean), at = buttons.indexOf(event.target);
    const to = arrow(event, at, buttons.length);
    if (to != null) {
      [buttons[at].tabIndex, buttons[to].tabIndex] = [-1, 0];
      buttons[to].focus();
    } else if (event.key === 'ArrowDown') {
      event.preventDefault();
      this.focus(this.active);
    }
  }
  #key(event) {
    const element = this.#at(event), { key, shiftKey } = event, control = event.ctrlKey || event.metaKey, row = this.row(this.active);
    if (!this.space.contains(element) || event.defaultPrevented) return;
    if (this.o.onKey?.(event, row, this.active)) return event.preventDefault();
    if (event.altKey) return;
    const page = Math.max(1, Math.floor(this.#view / this.#unit) - 1), last = element.children.length - 1;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }[key];
    const inRow = this.column >= 0 && !control;
    let to = step ? clamp(this.active + step, 0, this.total - 1) : null, column = this.column;
    if (key === 'Home') [to, column] = inRow ? [this.active, 0] : [0, column];
    else if (key === 'End') [to, column] = inRow ? [this.active, last] : [this.total - 1, column];
    else if (key === 'ArrowRight' || key === 'ArrowLeft') {
      const right = key === 'ArrowRight', tree = column < 0 ? this.#tree(row, this.active) : {};
      to = this.active;
      if (tree.expanded === !right) this.o.onToggle(row, this.active, right);
      else if (!right && column < 0) to = tree.parent ?? this.active;
      else column = clamp(column + (right ? 1 : -1), -1, last);
    } else if (key === 'Enter' && (column < 0 || event.target.matches('.cell'))) this.o.onActivate?.(row, this.active, event);
    else if (this.pick && key === ' ' && !event.target.matches('button, input')) this.toggle(this.active);
    else if (this.pick && control && key === 'a') this.selectAll(true);
    else if (this.pick && key === 'Escape' && this.selected) this.selectAll(false);
    else if (to === null) return;
    event.preventDefault();
    if (to === null) return;
    if (key === 'ArrowUp' && !this.active && !shiftKey) return this.head.querySelector('[tabindex="0"]')?.focus();
    const anchor = this.anchor ?? this.active;
    this.focus(to, column);
    if (this.pick && shiftKey && (step || key === 'Home' || key === 'End')) this.#range(anchor, to);
    else if (to !== this.active || step) this.#pin(to);
  }

  // What is selected.

  /** How many rows are selected. */
  get selected() { return this.all ? this.total - this.selection.size : this.selection.size; }
  isSelected(row) { return this.all !== this.selection.has(this.o.rowKey(row)); }
  async toggle(index) {
    const row = this.row(index);
    if (row === undefined) return;
    const add = !this.selection.has(this.o.rowKey(row));
    for (const x of await this.#whole([row])) this.selection[add ? 'set' : 'delete'](this.o.rowKey(x), x);
    if (!add) this.selection.delete(this.o.partOf?.(row));
    this.#pin(index);
    this.#marked();
  }
  /** Rows, and those that are in them. */
  async #whole(rows) {
    return (await Promise.all(rows.map(async row => [row, ...await this.o.rowsOf?.(row) || []]))).flat();
  }
  selectAll(all) {
    this.all = all;
    this.selection.clear();
    this.#pin(this.active);
    this.#marked();
  }
  #pin(index) { [this.anchor, this.before] = [index, new Map(this.selection)]; }
  async #range(from, to) {
    if (this.all) return;
    this.before ??= new Map(this.selection);
    const range = this.wanted = {}, rows = [], [start, end] = from < to ? [from, to] : [to, from];
    for (let at = start, part; at <= end && part?.length !== 0; at += part.length) {
      const row = this.row(at);
      part = row !== undefined ? [row] : (await this.o.fetchRows(at, Math.min(1000, end + 1 - at))).rows;
      rows.push(...part);
    }
    const all = await this.#whole(rows);
    if (range !== this.wanted) return;
    this.selection = new Map(this.before);
    for (const row of all) this.selection.set(this.o.rowKey(row), row);
    this.#marked();
  }
  #marked() {
    for (const element of this.#shown.values()) this.#mark(element);
    const n = this.selected;
    this.pick.checked = n > 0 && n === this.total;
    this.pick.indeterminate = n > 0 && n < this.total;
    this.o.onSelect?.(n);
  }
  #mark(element) {
    if (!this.pick) return;
    const is = element.row !== undefined && this.isSelected(element.row);
    element.setAttribute('aria-selected', is);
    element.querySelector('.pick input').checked = is;
  }

  /** Says in the headers how it is sorted. */
  sorted(key, order) {
    this.columns.forEach(({ sort }, n) => {
      if (sort) this.heads[n].ariaSort = sort !== key ? 'none' : order === 'desc' ? 'descending' : 'ascending';
    });
  }
}
