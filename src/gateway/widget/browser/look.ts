/** The look that the shop gave the widget, as far as the card's frame follows it: colours, corners, letters. */

const names = ['text', 'muted', 'line', 'soft', 'surface', 'field', 'accent', 'error', 'radius', 'font'];

export type Look = { dark: boolean; values: Readonly<Record<string, string>> };

/** Reads it where the widget stands. Dark where the page is: a page says so by its `color-scheme`. */
export const lookOf = (element: Element): Look => {
  const style = getComputedStyle(element);
  const schemes = style.colorScheme.split(' ');
  const prefersDark = matchMedia('(prefers-color-scheme: dark)').matches;
  return {
    dark: schemes.includes('dark') && (!schemes.includes('light') || prefersDark),
    values: Object.fromEntries(
      names.map((name) => [`--wpwl-${name}`, style.getPropertyValue(`--wpwl-${name}`).trim()]),
    ),
  };
};

/** Nothing that loads from anywhere. */
const HARMLESS = /^[\w#%.,()\s"'/-]{1,200}$/;

export const wear = (root: HTMLElement, { dark, values }: Look): void => {
  root.style.colorScheme = dark ? 'dark' : 'light';
  for (const [name, value] of Object.entries(values)) {
    const isKnown = names.some((each) => name === `--wpwl-${each}`);
    if (isKnown && HARMLESS.test(value) && !/url/i.test(value)) root.style.setProperty(name, value);
  }
};
