/**
 * Creates elements in one expression, and handles pages that the browser restores. Texts are always texts: nothing here
 * parses HTML or sets a style attribute.
 */

export type Child = Node | string | undefined;
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

const fillElement = <E extends Element>(element: E, attributes: Attributes, children: readonly Child[]): E => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
};

export const make = <T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[T] => fillElement(document.createElement(tag), attributes, children);

/** A 24 by 24 drawing in the colour of the text, hidden from screen readers. */
export const icon = (path: string): SVGElement => {
  const name = 'http://www.w3.org/2000/svg';
  const pathElement = fillElement(document.createElementNS(name, 'path'), { d: path }, []);
  return fillElement(
    document.createElementNS(name, 'svg'),
    { viewBox: '0 0 24 24', class: 'wpwl-icon', 'aria-hidden': 'true', focusable: 'false' },
    [pathElement],
  );
};

export const icons = {
  card: 'M3 5h18a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1ZM2 10h20M6 15h4',
  lock: 'M6 11h12v9H6zM8.500 11V7.500a3.500 3.500 0 0 1 7 0V11',
  bank: 'M3 9.500 12 4l9 5.500M4 20h16M6 10v8M10 10v8M14 10v8M18 10v8',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4 20.500a8 8 0 0 1 16 0',
  gift: 'M4 11h16v9H4zM3 7h18v4H3zM12 7v13M12 7c-6 0-5-5-2.500-4S12 7 12 7c0 0 0-3 2.500-4S18 7 12 7',
  away: 'M9 5H5v14h14v-4M13 4h7v7M20 4l-9 9',
  alert: 'M12 3 2 20h20L12 3ZM12 9v6M12 17v1',
  done: 'M5 12.500 10 17.500 19 7',
} as const;

let idCount = 0;

/** An id that is unique in this document. */
export const freshId = (): string => {
  idCount += 1;
  return `wpwl-${idCount}`;
};

// The browser's back button. Engines that keep whole pages (the back/forward cache) restore one as it was left, with
// all typed text and the state of every button: so typed text is cleared when the page is left, and the gateway is
// queried again.

/** `onReturn` is called only for a restored page; a reloaded page starts anew. */
export const watchPage = ({ onLeave, onReturn }: { onLeave: () => void; onReturn: () => void }): void => {
  window.addEventListener('pagehide', onLeave);
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) onReturn();
  });
};
