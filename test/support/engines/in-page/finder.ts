/** Finds places in a page by what people see and hear of them. Built into one script, which WebDriver injects. */
import { computeAccessibleName, getRole } from 'dom-accessibility-api';
import type { State, Step, Steps, Words } from './steps.ts';

const LOOK_MS = 25;

/** The errors of this page since the last call, as text. */
const errors: string[] = [];
addEventListener('error', ({ message }) => errors.push(message));
addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)));
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  errors.push(`the policy ${violatedDirective} refused ${blockedURI}`),
);
const { error } = console;
console.error = (...values: unknown[]): void => {
  errors.push(values.map(String).join(' '));
  error(...values);
};

export const takeErrors = (): string[] => errors.splice(0);

const normalised = (text: string | null): string => (text ?? '').replaceAll(/\s+/g, ' ').trim();

const isSaid = (shown: string | null, words: Words): boolean => {
  const text = normalised(shown);
  if ('pattern' in words) return new RegExp(words.pattern, words.flags).test(text);
  const expected = normalised(words.text);
  return words.exact ? text === expected : text.toLowerCase().includes(expected.toLowerCase());
};

const isVisible = (element: Element): boolean => {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true });
};

const isHeard = (element: Element): boolean =>
  element.checkVisibility({ visibilityProperty: true }) && element.closest('[aria-hidden=true]') === null;

const levelOf = (element: Element): number =>
  Number(element.getAttribute('aria-level') ?? /^H([1-6])$/.exec(element.tagName)?.[1]);

const hasRole = (element: Element, { role, name, level }: Extract<Step, { by: 'role' }>): boolean =>
  getRole(element) === role &&
  isHeard(element) &&
  (level === undefined || levelOf(element) === level) &&
  (name === undefined || isSaid(computeAccessibleName(element), name));

/** Whether this element has the text, and none of its children has it. */
const hasText = (element: Element, words: Words): boolean =>
  !element.matches('script, style, noscript, head, title') &&
  isSaid(element.textContent, words) &&
  ![...element.children].some((child) => isSaid(child.textContent, words));

const labelsOf = (element: Element): (string | null)[] => {
  const ids = element.getAttribute('aria-labelledby')?.split(/\s+/) ?? [];
  const names = ids.flatMap((id) => document.getElementById(id)?.textContent ?? []);
  if (names.length > 0) return names;
  const label = element.getAttribute('aria-label');
  if (label !== null && label !== '') return [label];
  return 'labels' in element ? [...((element.labels as NodeListOf<Element>) ?? [])].map((one) => one.textContent) : [];
};

const sortByPosition = (found: Iterable<Element>): Element[] =>
  [...new Set(found)].sort((first, second) =>
    first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );

type Root = Document | Element;

const all = (root: Root): Element[] => [...root.querySelectorAll('*')];

const below = (roots: readonly Root[], step: Step): Element[] => {
  const search = (root: Root): Iterable<Element> => {
    if (step.by === 'css') return root.querySelectorAll(step.css);
    if (step.by === 'role') return all(root).filter((element) => hasRole(element, step));
    if (step.by === 'text') return all(root).filter((element) => hasText(element, step.words));
    if (step.by === 'label')
      return all(root).filter((element) => labelsOf(element).some((label) => isSaid(label, step.words)));
    throw new Error(`not a search: ${step.by}`);
  };
  return sortByPosition(roots.flatMap((root) => [...search(root)]));
};

export const find = (steps: Steps): Element[] => {
  let found: Element[] | undefined;
  for (const step of steps) {
    if (step.by === 'having') found = found?.filter((element) => isSaid(element.textContent, step.words));
    else if (step.by === 'nth') found = [found?.at(step.index) ?? []].flat();
    else if (step.by === 'or') found = sortByPosition([...(found ?? []), ...find(step.steps)]);
    else if (step.by === 'and') {
      const otherElements = find(step.steps);
      found = found?.filter((element) => otherElements.includes(element));
    } else found = below(found ?? [document], step);
  }
  return found ?? [];
};

const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));

const describeBox = (element: Element): string => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x, y, width, height].join();
};

export const isDisabled = (element: Element): boolean =>
  element.matches(':disabled') || element.closest('[aria-disabled=true]') !== null;

const isReady = async (element: Element | undefined): Promise<boolean> => {
  if (element === undefined || !isVisible(element) || isDisabled(element)) return false;
  const previousBox = describeBox(element);
  await nextFrame();
  return previousBox === describeBox(element);
};

const hasState = async (found: readonly Element[], state: State): Promise<boolean> => {
  if (state === 'ready') return isReady(found[0]);
  if (state === 'attached') return found.length > 0;
  if (state === 'detached') return found.length === 0;
  return found.some(isVisible) === (state === 'visible');
};

/** The first of them, once they are in this state. Undefined if they were not within the time. */
export const until = async (
  steps: Steps,
  state: State,
  withinMs: number,
): Promise<{ element: Element | undefined } | undefined> => {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = find(steps);
    if (await hasState(found, state)) return { element: found[0] };
    if (performance.now() > deadline) return undefined;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
};

export const count = (steps: Steps): number => find(steps).length;
export const isSeen = (steps: Steps): boolean => find(steps).some(isVisible);

export const text = (element: Element): string | null => element.textContent;
export const value = (element: Element): string => (element as HTMLInputElement).value;
export const isChecked = (element: Element): boolean =>
  (element as HTMLInputElement).checked === true || element.getAttribute('aria-checked') === 'true';

export const focus = (element: Element): void => (element as HTMLElement).focus();

type Point = { x: number; y: number };

/** The upper left corner of a frame's content. */
export const corner = (frame: Element): Point => {
  frame.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  const { x, y } = frame.getBoundingClientRect();
  return { x: x + frame.clientLeft, y: y + frame.clientTop };
};

/** The middle of an element, and whether a click there hits it. */
export const middle = (element: Element): Point & { isMet: boolean } => {
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  const box = element.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const top = document.elementFromPoint(x, y);
  const isLabel = top?.closest('label')?.control === element;
  return { x, y, isMet: top !== null && (isLabel || element.contains(top) || top.contains(element)) };
};

/** Selects the content of a field, so that what is typed next replaces it. */
export const chooseAll = (element: Element): void => {
  focus(element);
  (element as HTMLInputElement).select?.();
};

export const option = (element: Element, expected: string): Element | undefined =>
  [...(element as HTMLSelectElement).options].find(
    ({ value, label }) => value === expected || normalised(label) === normalised(expected),
  );
