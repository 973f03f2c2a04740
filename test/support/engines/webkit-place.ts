/** Places of a page in WebKit, like Playwright's locators in the other engines. */
import { Key, type WebElement } from 'selenium-webdriver';
import type { Words as SaidWords, State, Step, Steps } from './in-page/steps.ts';
import type { Finder, Place, Words } from './page.ts';
import type { Frames, Window } from './webkit-window.ts';

/** How long the page itself looks before it is asked again, ms: others want to use it meanwhile. */
const LOOK_MS = 300;

const toFinderWords = (words: Words, exact = false): SaidWords =>
  typeof words === 'string' ? { text: words, exact } : { pattern: words.source, flags: words.flags };

/** The steps of a place, for `or` and `and`. */
const stepsOf = new WeakMap<object, Steps>();

const createFinder = (window: Window, frames: Frames, steps: Steps): Finder => {
  const place = (...added: Step[]): Place => createPlace(window, frames, [...steps, ...added]);
  return {
    locator: (css, { hasText } = {}) =>
      hasText === undefined
        ? place({ by: 'css', css })
        : place({ by: 'css', css }, { by: 'having', words: toFinderWords(hasText) }),
    getByRole: (role, { name, exact, level } = {}) =>
      place({ by: 'role', role, name: name === undefined ? undefined : toFinderWords(name, exact), level }),
    getByText: (text, { exact } = {}) => place({ by: 'text', words: toFinderWords(text, exact) }),
    getByLabel: (text, { exact } = {}) => place({ by: 'label', words: toFinderWords(text, exact) }),
  };
};

type Found = { element: WebElement | null };

/** The queries and actions of a place. */
const actionsAt = (window: Window, frames: Frames, steps: Steps) => {
  const until = (state: State, timeout?: number): Promise<Found> =>
    window.retryUntil(
      `${state}: ${JSON.stringify(steps)}`,
      () => window.call<Found | null>(frames, 'until', steps, state, LOOK_MS),
      timeout,
    );
  const read = async <T>(name: string): Promise<T> => {
    const description = `${name} of ${JSON.stringify(steps)}`;
    const { value } = await window.retryUntil(description, async () => {
      const { element } = await until('attached');
      return { value: await window.call<T>(frames, name, element) };
    });
    return value;
  };
  const perform = async (description: string, action: (element: WebElement) => Promise<unknown>): Promise<void> => {
    await window.retryUntil(`${description} ${JSON.stringify(steps)}`, async () => {
      const { element } = await until('ready');
      if (element === null) return undefined;
      await action(element);
      return true;
    });
  };
  return { until, read, act: perform };
};

const createPlace = (window: Window, frames: Frames, steps: Steps): Place => {
  const { until, read, act: perform } = actionsAt(window, frames, steps);
  const ask = <T>(name: string): Promise<T> => window.retryUntil(name, () => window.call<T>(frames, name, steps));
  const combine = (by: 'or' | 'and', other: Place): Place =>
    createPlace(window, frames, [...steps, { by, steps: stepsOf.get(other) ?? [] }]);
  const enter = (text: string) => window.runFocused((driver) => driver.actions().sendKeys(text).perform());
  const nth = (index: number): Place => createPlace(window, frames, [...steps, { by: 'nth', index }]);
  const place: Place = {
    ...createFinder(window, frames, steps),
    ...{ nth, first: () => nth(0), last: () => nth(-1) },
    filter: ({ hasText }) => createPlace(window, frames, [...steps, { by: 'having', words: toFinderWords(hasText) }]),
    or: (other) => combine('or', other),
    and: (other) => combine('and', other),
    waitFor: async ({ state = 'visible', timeout } = {}) => void (await until(state, timeout)),
    click: () => perform('click', (element) => window.click(frames, element, 1)),
    dblclick: () => perform('double click', (element) => window.click(frames, element, 2)),
    async check() {
      if (!(await place.isChecked())) await place.click();
    },
    focus: () => perform('focus', (element) => window.call(frames, 'focus', element)),
    fill: (text) =>
      perform('fill', async (element) => {
        await window.click(frames, element, 1);
        await window.call(frames, 'chooseAll', element);
        await enter(text === '' ? Key.BACK_SPACE : text);
      }),
    // A frame of another site takes the focus only by a click, as from a person.
    pressSequentially: (text) =>
      perform('type', async (element) => {
        await window.click(frames, element, 1);
        await enter(text);
      }),
    selectOption: async (option) => {
      const { element } = await until('ready');
      const found = await window.call<WebElement | null>(frames, 'option', element, option);
      if (found === null) throw new Error(`no option ${option} in ${JSON.stringify(steps)}`);
      await window.within(frames, () => found.click());
    },
    count: () => ask<number>('count'),
    isVisible: () => ask<boolean>('isSeen'),
    textContent: () => read<string | null>('text'),
    inputValue: () => read<string>('value'),
    isChecked: () => read<boolean>('isChecked'),
    isDisabled: () => read<boolean>('isDisabled'),
  };
  stepsOf.set(place, steps);
  return place;
};

/** Everything in a window, or in one of its frames. */
export const finderOf = (window: Window, frames: Frames = []): Finder => createFinder(window, frames, []);
