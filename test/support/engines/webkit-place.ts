/** Places of a page in WebKit, like Playwright's locators in the other engines. */
import { Key, type WebElement } from 'selenium-webdriver';
import type { Words as SaidWords, State, Step, Steps } from './in-page/steps.ts';
import type { Finder, Place, Words } from './page.ts';
import type { Frames, Window } from './webkit-window.ts';

/** How long the page itself looks before it is asked again, ms: others want to use it meanwhile. */
const LOOK_MS = 300;

const wordsOf = (words: Words, exact = false): SaidWords =>
  typeof words === 'string' ? { text: words, exact } : { pattern: words.source, flags: words.flags };

/** The steps of a place, for `or` and `and`. */
const stepsOf = new WeakMap<object, Steps>();

const finding = (window: Window, frames: Frames, steps: Steps): Finder => {
  const place = (...more: Step[]): Place => placeOf(window, frames, [...steps, ...more]);
  return {
    locator: (css, { hasText } = {}) =>
      hasText === undefined
        ? place({ by: 'css', css })
        : place({ by: 'css', css }, { by: 'having', words: wordsOf(hasText) }),
    getByRole: (role, { name, exact, level } = {}) =>
      place({ by: 'role', role, name: name === undefined ? undefined : wordsOf(name, exact), level }),
    getByText: (text, { exact } = {}) => place({ by: 'text', words: wordsOf(text, exact) }),
    getByLabel: (text, { exact } = {}) => place({ by: 'label', words: wordsOf(text, exact) }),
  };
};

type Found = { element: WebElement | null };

/** What can be read of a place, and done to it. */
const deeds = (window: Window, frames: Frames, steps: Steps) => {
  const until = (state: State, timeout?: number): Promise<Found> =>
    window.insist(
      `${state}: ${JSON.stringify(steps)}`,
      () => window.call<Found | null>(frames, 'until', steps, state, LOOK_MS),
      timeout,
    );
  const read = async <T>(name: string): Promise<T> => {
    const what = `${name} of ${JSON.stringify(steps)}`;
    const { value } = await window.insist(what, async () => {
      const { element } = await until('attached');
      return { value: await window.call<T>(frames, name, element) };
    });
    return value;
  };
  const act = async (what: string, does: (element: WebElement) => Promise<unknown>): Promise<void> => {
    await window.insist(`${what} ${JSON.stringify(steps)}`, async () => {
      const { element } = await until('ready');
      if (element === null) return undefined;
      await does(element);
      return true;
    });
  };
  return { until, read, act };
};

const placeOf = (window: Window, frames: Frames, steps: Steps): Place => {
  const { until, read, act } = deeds(window, frames, steps);
  const ask = <T>(name: string): Promise<T> => window.insist(name, () => window.call<T>(frames, name, steps));
  const also = (by: 'or' | 'and', other: Place): Place =>
    placeOf(window, frames, [...steps, { by, steps: stepsOf.get(other) ?? [] }]);
  const enter = (text: string) => window.atFocus((driver) => driver.actions().sendKeys(text).perform());
  const nth = (index: number): Place => placeOf(window, frames, [...steps, { by: 'nth', index }]);
  const place: Place = {
    ...finding(window, frames, steps),
    ...{ nth, first: () => nth(0), last: () => nth(-1) },
    filter: ({ hasText }) => placeOf(window, frames, [...steps, { by: 'having', words: wordsOf(hasText) }]),
    or: (other) => also('or', other),
    and: (other) => also('and', other),
    waitFor: async ({ state = 'visible', timeout } = {}) => void (await until(state, timeout)),
    click: () => act('click', (element) => window.click(frames, element, 1)),
    dblclick: () => act('double click', (element) => window.click(frames, element, 2)),
    async check() {
      if (!(await place.isChecked())) await place.click();
    },
    focus: () => act('focus', (element) => window.call(frames, 'focus', element)),
    fill: (text) =>
      act('fill', async (element) => {
        await window.click(frames, element, 1);
        await window.call(frames, 'chooseAll', element);
        await enter(text === '' ? Key.BACK_SPACE : text);
      }),
    // A frame of another site takes the focus only by a click, as from a person.
    pressSequentially: (text) =>
      act('type', async (element) => {
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
export const finderOf = (window: Window, frames: Frames = []): Finder => finding(window, frames, []);
