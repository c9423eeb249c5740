// The shell: shows the view that a path names, and ends the one before.

import { events, h, onRoute, route, settings, title } from './core.js';

// Nothing here makes scripts of text: what does is left with nothing (Trusted Types; there is no policy for HTML at all).
globalThis.trustedTypes?.createPolicy('default', { createScript: () => '' });

const views = { '/': 'list', '/page': 'page', '/compare': 'page', '/rules': 'rules', '/jobs': 'jobs' };
const main = document.getElementById('main');
let shown, end, age = 0;

const message = (heading, ...parts) => {
  title(heading);
  main.replaceChildren(h('div', { class: 'lost' }, h('h1', { text: heading }), parts));
};

/** Scrolls to where one was; what is there comes in a little later, unless one does something else meanwhile. */
function scroll(y, tries = 40) {
  scrollTo(0, y);
  clearTimeout(scroll.timer);
  if (scrollY < y - 1 && tries) scroll.timer = setTimeout(scroll, 50, y, tries - 1);
}
for (const kind of ['pointermove', 'wheel', 'keydown', 'touchstart']) {
  addEventListener(kind, () => clearTimeout(scroll.timer), { passive: true });
}

async function arrive(at) {
  const { path } = at, view = path.startsWith('/jobs/') ? 'jobs' : views[path], isFirst = !age;
  clearTimeout(scroll.timer);
  if (path === shown && end?.update && end.update(at) !== false) return;
  const mine = ++age;
  end?.();
  end = null;
  shown = path;
  for (const link of document.querySelectorAll('.top nav a')) {
    const is = views[link.pathname] === view;
    if (is) link.setAttribute('aria-current', link.pathname === path ? 'page' : 'true');
    else link.removeAttribute('aria-current');
  }
  if (!view) message('Nothing is here', h('p', null, 'No view has this address. ', h('a', { href: '/', text: 'Go to the list' })));
  else {
    try {
      const { show } = await import(`./${view}.js`);
      if (mine !== age) return;
      end = show(main, at);
    } catch (error) {
      if (mine !== age) return;
      console.error(error);
      message('This view cannot be shown', h('p', { text: error.message }),
        h('button', { type: 'button', text: 'Try again', onclick: () => location.reload() }));
    }
  }
  scroll(history.state?.y ?? 0);
  if (isFirst || main.contains(document.activeElement)) return;
  const heading = main.querySelector('h1') ?? main;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

addEventListener('scrollend', () => history.replaceState({ ...history.state, y: scrollY }, ''));
document.querySelector('.skip').addEventListener('click', event => {
  event.preventDefault();
  main.focus();
});
settings.start();
events.start();
onRoute(arrive);
arrive(route());
