/**
 * A cashier using the screen, by keyboard alone or by touch alone. Every screen is saved as a picture, and checked for
 * accessibility problems, for content outside the screen, and for card numbers.
 */
import { expect } from 'vitest';
import type { State } from '../../../src/api/contract/sales.ts';
import { testCards } from '../../../src/emv/test-cards.ts';
import type { Words } from '../../../src/locales/screens.ts';
import type { Catalogue } from '../../../src/locales/translate.ts';
import { type Command, keyNames } from '../../../src/ui/cashier/keys.ts';
import type { Engine, EngineName, EnginePage, Place, Visit } from '../engines/page.ts';
import { barriers, screenshot, settle } from '../screens/browser.ts';
import { people } from './till.ts';

export type UserOptions = {
  language: string;
  table: Catalogue;
  size: { width: number; height: number };
  scheme: 'light' | 'dark';
  by: 'keys' | 'touch';
  /** Chromium unless told otherwise. */
  engine?: EngineName;
};

export type ScreenUser = {
  by: UserOptions['by'];
  language: string;
  tabTo(place: Place): Promise<void>;
  visit: Visit;
  page: EnginePage;
  words: Words;
  table: Catalogue;
  /** How many key presses each flow took, by its name. */
  presses: ReadonlyMap<string, number>;
  flow(name: string, work: () => Promise<void>): Promise<void>;
  press(...keys: readonly string[]): Promise<void>;
  /** Reaches it with Tab and presses Enter, or touches it. */
  choose(place: Place): Promise<void>;
  /** Confirms what has the focus already: Enter, or a touch. */
  confirm(place: Place): Promise<void>;
  amount(digits: string): Promise<void>;
  command(command: Command): Promise<void>;
  sell(): Promise<void>;
  heading(name: string): Place;
  dialog(name: string): Promise<Place>;
  /** Waits until a sale has this ending, and until its result accepts a press. */
  ended(state: State | 'notCharged'): Promise<void>;
  confirmCancel(): Promise<void>;
  /** Waits until the first terminal is ready for the next card. */
  free(): Promise<void>;
  /** Dismisses the result and returns to the ready screen. */
  done(): Promise<void>;
  /** Makes it a browser that a manager has signed in at before, which shows the names. */
  isKnownAt(url: string): Promise<void>;
  signIn(name: keyof typeof people): Promise<void>;
  /** Approves one action of somebody else. */
  allow(name: keyof typeof people): Promise<void>;
  /** Signs with the person's own PIN. */
  sign(name: keyof typeof people): Promise<void>;
  /** The same over a locked screen, where the name may be chosen already. */
  unlock(name: keyof typeof people): Promise<void>;
  shot(name: string): Promise<void>;
  /** Errors of the page, and answers of the till that contained a card number. */
  problems(): string[];
};

const cardNumbers = Object.values(testCards).map(({ pan }) => pan);
const holdsCard = (text: string): boolean => cardNumbers.some((pan) => text.replaceAll(/[ -]/g, '').includes(pan));

/** The pause between two keys of a fast typist: a scanner's keys come faster. */
const HAND_MS = 40;
const MOST_TABS = 60;

/** Lists content outside the screen, or beyond the edge of its own box. */
const OUTSIDE = `(() => {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth + 1) found.push('the page is ' + root.scrollWidth + ' wide');
  for (const button of document.querySelectorAll('main button, [role=dialog] button')) {
    // While it is busy its text is outside, with a spinner in its place.
    if (button.offsetParent === null || button.hasAttribute('data-loading')) continue;
    if (button.scrollWidth > button.clientWidth + 2) found.push('cut: ' + button.textContent);
  }
  for (const paper of document.querySelectorAll('main pre'))
    if (paper.scrollWidth > paper.clientWidth) found.push('a receipt scrolls sideways');
  return found;
})()`;

/** Watches a page: saves pictures, and records what they and the till's answers should not contain. */
const openScreenWatch = (
  { engine, page, consoleLines, onAnswer }: Visit,
  { language, size, scheme }: UserOptions,
): Pick<ScreenUser, 'shot' | 'problems'> => {
  const leaks: string[] = [];
  onAnswer?.(({ url, text }) => {
    if (url.includes('/api/') && holdsCard(text)) leaks.push(`a card number in the answer of ${url}`);
  });
  return {
    async shot(name) {
      const pictureName = [name, language, size.width, scheme, ...(engine === 'chromium' ? [] : [engine])].join('-');
      await settle(page);
      await screenshot(page, `day-${pictureName}`);
      expect(await page.evaluate<string[]>(OUTSIDE), pictureName).toEqual([]);
      expect(await barriers(page), pictureName).toEqual([]);
      expect(holdsCard(await page.evaluate<string>('document.documentElement.outerHTML')), pictureName).toBe(false);
    },
    problems: () => [...consoleLines().filter((line) => !whileTillIsDown.test(line)), ...leaks],
  };
};

/** The engine's own message while nobody answers at the till's address, because the power was cut. */
const whileTillIsDown =
  /ERR_|^Firefox can’t establish a connection to the server at http:\/\/127\.0\.0\.1:\d+\/api\/events\.$/;

type Actions = Pick<ScreenUser, 'presses' | 'flow' | 'press' | 'tabTo' | 'choose' | 'confirm'>;

/** Presses and counts keys, or touches. */
const openInput = ({ page, focusFromStart: goRound }: Visit, isKeys: boolean): Actions => {
  const presses = new Map<string, number>();
  let count = 0;
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      count += 1;
      await page.keyboard.press(key, { delay: HAND_MS });
    }
  };
  const isFocused = async (place: Place): Promise<boolean> =>
    (await place.first().and(page.locator(':focus')).count()) > 0;
  const tabTo = async (place: Place): Promise<void> => {
    for (let tabs = 0; !(await isFocused(place)); tabs += 1) {
      if (tabs > MOST_TABS) throw new Error(`${tabs} presses of Tab do not reach it`);
      await press('Tab');
      await goRound?.();
    }
  };
  const take = async (place: Place, reach: () => Promise<void>): Promise<void> => {
    await place.first().waitFor();
    if (!isKeys) return place.first().click();
    await reach();
    await press('Enter');
  };
  return {
    ...{ presses, press, tabTo },
    choose: (place) => take(place, () => tabTo(place)),
    confirm: (place) => take(place, () => expect.poll(() => isFocused(place), { timeout: 20_000 }).toBe(true)),
    async flow(name, work) {
      count = 0;
      await work();
      presses.set(name, count);
    },
  };
};

/** Enters PINs: at the list of people, over the lock, and for one action. */
const pinsOf = ({ page, ask }: Visit, { signIn }: Words, { press, choose, isKeys }: Actions & { isKeys: boolean }) => {
  const field = (name: string): Place => page.getByLabel(signIn.pinOf.replace('{name}', name));
  const pin = async (name: keyof typeof people, action: string = signIn.enter): Promise<void> => {
    await field(name).waitFor();
    if (isKeys) return press(...people[name].pin, 'Enter');
    for (const digit of people[name].pin) await page.getByRole('button', { name: digit, exact: true }).last().click();
    await page.getByRole('button', { name: action, exact: true }).click();
  };
  /** From the list of names, or typed if the browser shows none. */
  const name = async (of: string): Promise<void> => {
    const tile = page.locator('fieldset').getByRole('button', { name: new RegExp(of) });
    const nameField = page.getByLabel(signIn.typedName);
    await field(of).or(tile).or(nameField).first().waitFor();
    if (await field(of).isVisible()) return;
    if (await tile.isVisible()) return choose(tile);
    if (isKeys) return press(...of, 'Enter');
    await nameField.fill(of);
    await page.getByRole('button', { name: signIn.typedNext }).click();
  };
  return {
    async isKnownAt(url) {
      await ask(`${url}api/session`, { method: 'POST', data: { name: 'Max', pin: people.Max.pin } });
      await ask(`${url}api/session`, { method: 'DELETE' });
    },
    async signIn(who) {
      await name(who);
      await pin(who);
    },
    allow: (name) => pin(name, signIn.allow),
    sign: (name) => pin(name, signIn.sign),
    async unlock(who) {
      await name(who);
      await pin(who);
    },
  } satisfies Pick<ScreenUser, 'isKnownAt' | 'signIn' | 'allow' | 'sign' | 'unlock'>;
};

/** Opens a browser that was never at this till. */
export const openScreenUser = async (engine: Engine, userOptions: UserOptions): Promise<ScreenUser> => {
  const { language, table, by } = userOptions;
  const visit = await engine.visit(userOptions);
  const { page } = visit;
  page.setDefaultTimeout(60_000);
  const { words } = table;
  const { cashier: t, shared } = words;
  const isKeys = by === 'keys';
  const input = openInput(visit, isKeys);
  const { press } = input;
  const keypad = (key: string): Place =>
    page.locator('main').getByRole('group', { name: t.keypad }).getByRole('button', { name: key, exact: true });
  const main = (shortcut: string): Place => page.locator(`main button[aria-keyshortcuts="${shortcut}"]`).first();
  const heading = (name: string): Place => page.getByRole('heading', { name, exact: true });
  const free = (): Promise<void> =>
    page.getByRole('button', { name: new RegExp(`^T1.*${t.counterStates.ready}`) }).waitFor();
  const done = page.locator('main footer button[aria-disabled=false]', { hasText: shared.done }).first();
  return {
    ...{ visit, page, words, table, by, language, heading, free },
    ...input,
    ...openScreenWatch(visit, userOptions),
    ...pinsOf(visit, words, { ...input, isKeys }),
    async amount(digits) {
      if (isKeys) return press(...digits);
      for (const digit of digits) await keypad(digit).click();
    },
    command: (command) => (isKeys ? press(keyNames[command]) : main(keyNames[command]).click()),
    sell: () => (isKeys ? press('Enter') : main('Enter').click()),
    async dialog(name) {
      const place = page.getByRole('dialog', { name, exact: true });
      await place.waitFor();
      return place;
    },
    async ended(state) {
      await heading(state === 'notCharged' ? shared.notCharged : shared.states[state])
        .first()
        .waitFor();
      await done.waitFor();
    },
    async confirmCancel() {
      if (isKeys) await press('Escape');
      else await page.locator('main footer').getByRole('button', { name: shared.cancel }).click();
    },
    async done() {
      if (isKeys) await press('Enter');
      else await done.click();
      await heading(t.idleTitle).waitFor();
      await free();
    },
  };
};
