// The nodes of a page as a tree of any size: children are asked for where they are seen.

import { h, short } from './core.js';
import { badge, grid, text } from './view.js';

const most = 200;

/** An open node: how many children it has, those that are here, and the open ones among them, in order. */
class Branch {
  open = [];
  windows = new Map();
  constructor(node, index, parent) {
    Object.assign(this, { node, index, parent, level: parent ? parent.level + 1 : 0, total: 0, size: 0 });
  }
  /** Makes it and all around it so much longer. */
  grow(n) {
    for (let x = this; x; x = x.parent) x.size += n;
  }
  child(index) { return this.open.find(x => x.index === index); }
  /** Where a row of it is: [branch, index among its children]. */
  find(row) {
    let before = 0;
    for (const x of this.open) {
      if (row <= x.index + before) break;
      if (row <= x.index + before + x.size) return x.find(row - x.index - before - 1);
      before += x.size;
    }
    return [this, row - before];
  }
  /** The row of a child. */
  row(index) {
    const before = this.open.reduce((n, x) => n + (x.index < index ? x.size : 0), index);
    return this.parent ? this.parent.row(this.index) + 1 + before : before;
  }
}

export async function tree(cx) {
  const load = (branch, from) => {
    const asked = cx.ask('tree', { node: branch.node, from, count: most });
    branch.windows.set(from, asked);
    asked.catch(() => branch.windows.delete(from));
    return asked;
  };
  const at = (branch, index) => {
    const from = index - index % most;
    return (branch.windows.get(from) ?? load(branch, from)).then(got => got.children[index - from]);
  };
  /** Opens the child of a branch. */
  async function open(parent, index, node) {
    const branch = parent.child(index) ?? new Branch(node, index, parent);
    if (branch.total) return branch;
    branch.total = (await load(branch, 0)).total;
    if (parent.child(index)) return parent.child(index);
    parent.open.push(branch);
    parent.open.sort((a, b) => a.index - b.index);
    branch.grow(branch.total);
    return branch;
  }
  function close(parent, index) {
    const branch = parent.child(index);
    if (!branch) return;
    parent.open = parent.open.filter(x => x !== branch);
    parent.grow(-branch.size);
  }
  let { root } = cx.memory, start = 0; // what was open is so again when one comes back
  if (!root) {
    root = new Branch(0, 0);
    root.grow(root.total = (await load(root, 0)).total);
    for (let i = 0; i < Math.min(root.total, 8); i++) {
      const x = await at(root, i);
      if (x.children) await open(root, i, x.node);
    }
    cx.memory.root = root;
  }
  if (cx.node != null) {
    let branch = root, last = false;
    for (const { node, index } of (await cx.ask('ancestors', { node: cx.node })).ancestors) {
      if (!node) continue;
      start = branch.row(index);
      last = node === +cx.node;
      if (!last) branch = await open(branch, index, node);
    }
    for (let i = 0; !last && i < branch.total; i++) {
      last = (await at(branch, i)).node === +cx.node;
      if (last) start = branch.row(i);
    }
  }
  const toggle = async (row, index, opened) => {
    const [parent, i] = root.find(index);
    if (opened) await open(parent, i, row.node);
    else close(parent, i);
    box.grid.refresh();
  };
  const box = grid(cx.signal, {
    label: 'Nodes', role: 'treegrid', rowHeight: 28, total: root.size, start: Math.max(0, start - 4),
    columns: [{ label: 'Node', width: 'minmax(9rem, 1fr)' }, { label: 'Children', width: '5rem', class: 'number muted' },
      { label: 'Line', width: '4.5rem', class: 'number muted' }],
    async fetchRows(from, count) {
      const places = Array.from({ length: Math.max(0, Math.min(count, root.size - from)) }, (_, i) => root.find(from + i));
      const rows = await Promise.all(places.map(async ([branch, i]) => ({ ...await at(branch, i), open: !!branch.child(i) })));
      return { rows, total: root.size };
    },
    tree(row, index) {
      const [branch, i] = root.find(index);
      return { level: branch.level + 1, size: branch.total, position: i + 1, parent: branch.parent ? branch.parent.row(branch.index) : undefined,
        expanded: row.children ? row.open : undefined };
    },
    renderRow(row, index) {
      const [branch] = root.find(index);
      return [[h('span', { class: 'page-toggle', 'aria-hidden': 'true', style: { '--depth': Math.min(branch.level, 20) },
        text: row.children ? (row.open ? '▾' : '▸') : '', onclick: () => row.children && toggle(row, index, !row.open) }),
        row.kind === 'element' ? h('b', { class: 'text', text: short(row.name, 60) }) : [badge(row.kind), text(row.text ?? row.name, 120)],
        (row.attributes ?? []).map(([name, value]) => [' ', h('span', { class: 'muted text', text: short(name, 40) + '=' }), text(`"${value}"`, 60)])],
      row.children || '', row.line ?? ''];
    },
    onToggle: toggle, onActivate: row => row && cx.jump(row.node),
  });
  return Object.assign([h('p', { class: 'muted', text: 'Right and left open and close, Enter shows the node in the view.' }), box], { ready() {
    if (!start) return;
    box.grid.measure();
    box.grid.focus(start);
  } });
}
