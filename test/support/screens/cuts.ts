/** What cannot be seen completely on a page: truncated text, and boxes that scroll sideways unnecessarily. */

import type { Evaluating } from './browser.ts';

/** What may scroll sideways, and lines that must keep their length; on a narrow screen tables too. */
const SCROLLS = '.m-rows, .m-paper, .te-hex, pre, nav[class*=strip], fieldset[class*=chips]';
const NARROW_PX = 700;
const TABLES = '.mantine-TableScrollContainer-scrollContainer, .te-rail';

/** As text, each thing once. One-pixel boxes are for screen readers. */
const LOOK = `(() => {
  const scrolls = ${JSON.stringify(SCROLLS)} + (innerWidth < ${NARROW_PX} ? ', ' + ${JSON.stringify(TABLES)} : '');
  const found = [...document.querySelectorAll('body *')].flatMap((one) => {
    if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
    const { display, overflowX, overflowY } = getComputedStyle(one);
    if (display === 'inline' || one.clientWidth <= 1 || one.clientHeight <= 1 || one.closest('svg')) return [];
    const words = String(one.value || one.textContent).trim().replace(/\\s+/g, ' ').slice(0, 60);
    const name = [...one.classList].findLast((each) => !/^m_|focus/.test(each)) ?? one.tagName.toLowerCase();
    const say = (what) => [what + ' ' + name + ': ' + words];
    const wide = one.scrollWidth - one.clientWidth;
    const isScrolled = one.closest(scrolls) !== null;
    if (/auto|scroll/.test(overflowX)) return wide > 1 && !isScrolled ? say('scrolls sideways') : [];
    const hasWords = [...one.childNodes].some((child) => child.nodeType === 3 && child.data.trim() !== '');
    if (!hasWords && one.tagName !== 'INPUT') return [];
    if (/hidden|clip/.test(overflowX) && wide > 1) return say('is cut');
    return /hidden|clip/.test(overflowY) && one.scrollHeight - one.clientHeight > 3 ? say('is cut below') : [];
  });
  return [...new Set(found)];
})()`;

/** What is not completely visible on this page at present, as text. */
export const findCuts = (page: Evaluating): Promise<string[]> => page.evaluate<string[]>(LOOK);

/** Of these, only boxes that scroll sideways. */
export const sideways = async (page: Evaluating): Promise<string[]> =>
  (await findCuts(page)).filter((each) => each.startsWith('scrolls sideways'));
