/** What is truncated, squeezed or drawn over something else on a page, as its reader would see it. */
import type { Evaluating } from './browser.ts';

export type LayoutProblems = {
  /** Buttons, links and titles that are not completely visible, or whose text is not. */
  cut: string[];
  /** Text in a column so narrow that hardly a word fits in it. */
  squeezed: string[];
  /** Words in the navigation, in titles and in figures' names that are broken without a hyphen of their own. */
  broken: string[];
  /** Text that reaches into the margin of its card. */
  touching: string[];
  /** Pairs of texts, pictures or buttons of the top bar that overlap. */
  overlapping: string[];
};

const LOOK = `(() => {
  const styleOf = (element) => getComputedStyle(element);
  const boxOf = (element) => element.getBoundingClientRect();
  const around = function* (element) {
    for (let one = element.parentElement; one !== null; one = one.parentElement) yield one;
  };
  // Content only for screen readers has no size and needs none.
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true })
    && element.getClientRects().length > 0
    && ![element, ...around(element)].some((one) => styleOf(one).clipPath === 'inset(50%)');
  const seen = (selector) => [...document.querySelectorAll(selector)].filter(isSeen);
  const name = (element) =>
    (element.innerText?.trim() || element.getAttribute('aria-label') || element.getAttribute('class')).slice(0, 40);
  const hasWords = (element, least) =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim().length >= least);

  const isCut = (element) => {
    const box = boxOf(element);
    for (const one of around(element)) {
      const { overflowX } = styleOf(one);
      if (overflowX === 'visible') continue;
      const frame = boxOf(one);
      if (/auto|scroll/.test(overflowX) && one.scrollWidth > one.clientWidth) return false;
      if (box.right > frame.right + 1 || box.left < frame.left - 1) return true;
    }
    return box.right > innerWidth + 1 || box.left < -1;
  };
  // Text that is shortened on purpose ends in three dots.
  const overflows = (element) => [element, ...element.querySelectorAll('*')].some((one) =>
    one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0 && styleOf(one).display !== 'inline'
    && isSeen(one) && one.closest('[data-truncate]') === null);

  const isSqueezed = (element) => {
    const { width, height } = boxOf(element);
    return width < 72 && height > width * 2;
  };

  const texts = function* (element) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) if (walker.currentNode.data.trim() !== '') yield walker.currentNode;
  };
  const rangeOf = (node, from, to) => {
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, to);
    return [...range.getClientRects()].filter(({ width }) => width > 0.5);
  };
  const brokenIn = (element) => [...texts(element)].flatMap((node) =>
    [...node.data.matchAll(/[\\p{L}\\p{N}]+/gu)]
      .filter(({ 0: word, index }) =>
        new Set(rangeOf(node, index, index + word.length).map(({ top }) => Math.round(top))).size > 1)
      .map(([word]) => word));

  const reaches = (card) => {
    const { paddingLeft, paddingRight } = styleOf(card);
    const box = boxOf(card);
    const [left, right] = [box.left + Number.parseFloat(paddingLeft), box.right - Number.parseFloat(paddingRight)];
    const own = [...texts(card)].filter((node) => isSeen(node.parentElement)
      && node.parentElement.closest('.mantine-Card-root') === card
      && ![node.parentElement, ...around(node.parentElement)].some((one) =>
        card.contains(one) && one !== card && styleOf(one).overflowX !== 'visible'));
    return own.filter((node) => rangeOf(node, 0, node.data.length).some((rect) =>
      rect.left < left - 1 || rect.right > right + 1)).map((node) => node.data.trim().slice(0, 40));
  };

  // The part of a box that is not cut off by its containers.
  const rest = (element) => {
    const { left, right, top, bottom } = boxOf(element);
    const clips = [...around(element)].filter((one) => styleOf(one).overflowX !== 'visible').map(boxOf);
    const from = Math.max(left, ...clips.map((clip) => clip.left));
    const to = Math.min(right, ...clips.map((clip) => clip.right));
    return { left: from, right: to, top, bottom };
  };
  const lieOver = (one, other) => {
    const [a, b] = [rest(one), rest(other)];
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return wide > 1 && high > 1 && !one.contains(other) && !other.contains(one);
  };
  const marks = seen('.tg-bar *').filter((one) => one.matches('svg, button') || hasWords(one, 1));

  return {
    // The skip link is outside the screen until it has the focus.
    cut: seen('button, a:not([class$=-skip]), h1, h2, [role=tab]')
      .filter((one) => isCut(one) || overflows(one)).map(name),
    squeezed: seen('main *').filter((one) => hasWords(one, 13) && isSqueezed(one)).map(name),
    broken: [...new Set(seen('nav a, h1, h2, h3, dt, th').flatMap(brokenIn))],
    touching: seen('.mantine-Card-root').flatMap(reaches),
    overlapping: marks.flatMap((one, at) =>
      marks.slice(at + 1).filter((other) => lieOver(one, other)).map((other) => name(one) + ' | ' + name(other))),
  };
})()`;

export const layoutProblems = (page: Evaluating): Promise<LayoutProblems> => page.evaluate<LayoutProblems>(LOOK);
