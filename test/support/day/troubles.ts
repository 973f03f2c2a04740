/** What goes wrong in a cashier’s day, and how it ends: nothing is lost or doubled, and the screen says what to do. */
import { expect } from 'vitest';
import type { SaleRow } from '../../../src/api/contract/sales.ts';
import { fill } from '../../../src/base/placeholders.ts';
import { type Day, lastReceipt } from './counter.ts';

const WITHIN = { timeout: 60_000 };

/** The till's rows, newest first. */
const sales = async ({ till, at }: Day): Promise<SaleRow[]> => {
  const { body } = await at.visit.ask(`${till.url}api/sales?from=0&most=50`);
  return (body as { rows: SaleRow[] }).rows;
};

const rowOf = async (day: Day, receipt: number): Promise<SaleRow | undefined> =>
  (await sales(day)).find((row) => row.receipt === receipt);

/** The first sale of the day: from then on the till knows its gateway. */
export const firstSale = async ({ till, at }: Day): Promise<void> => {
  till.terminals[0].comes({ card: 'mastercard-tap', by: 'tap' });
  await at.amount('310');
  await at.sell();
  await at.ended('approved');
  await at.done();
};

/**
 * The gateway is gone: one card is accepted within the limits, another is refused with its reason; then everything is
 * sent.
 */
export const lineCut = async (day: Day): Promise<void> => {
  const { till, at } = day;
  const { cashier: t } = at.words;
  await till.line.cut();
  till.terminals[0].comes({ card: 'mastercard-m10', by: 'chip' });
  await at.flow('sale while the line is down', async () => {
    await at.amount('890');
    await at.sell();
    await at.ended('offline');
  });
  await at.page.locator('main p[role=status]').first().waitFor();
  await at.shot('30-offline');
  await at.done();
  const taken = await lastReceipt(day);
  till.terminals[0].comes({ card: 'mastercard-stripe', by: 'swipe' });
  await at.amount('700');
  await at.sell();
  await at.ended('notCharged');
  await at.shot('31-offline-refused');
  await at.done();
  expect(await rowOf(day, taken)).toMatchObject({ waiting: true });
  await till.line.mend();
  await expect.poll(async () => (await rowOf(day, taken))?.waiting, WITHIN).toBeUndefined();
  await at.page.getByText(t.online, { exact: true }).first().waitFor();
  await at.shot('32-online-again');
};

/** The gateway accepts the sale and dies before it has answered; once back, it tells what became of the sale. */
export const unknownSale = async (day: Day): Promise<void> => {
  const { till, at } = day;
  const { cashier: t } = at.words;
  till.line.dieAtAnswer();
  till.terminals[0].comes({ card: 'mastercard-m10', by: 'chip' });
  await at.amount('4270');
  await at.sell();
  await at.ended('unknown');
  await at.shot('33-unknown');
  await at.done();
  const receipt = await lastReceipt(day);
  expect(await rowOf(day, receipt)).toMatchObject({ ending: 'unknown' });
  // The same amount again is asked about first.
  await at.amount('4270');
  await at.sell();
  const dialog = await at.dialog(t.likelyTitle);
  await at.shot('34-likely');
  await at.choose(dialog.getByRole('button', { name: t.likelyNo }));
  await dialog.waitFor({ state: 'detached' });
  await till.line.mend();
  await expect.poll(async () => (await rowOf(day, receipt))?.ending, WITHIN).not.toBe('unknown');
  await at.page.getByText(t.online, { exact: true }).first().waitFor();
  await at.shot('35-known');
  if (at.by === 'keys') await at.press('Escape');
};

/** Two customers at once, each at their own terminal. */
export const sideBySide = async ({ till, at }: Day): Promise<void> => {
  const { shared, cashier: t } = at.words;
  const busy = (name: string) => at.page.getByRole('button', { name: new RegExp(`^${name}.*${t.counterStates.busy}`) });
  const [first, second] = till.terminals;
  first.comes({ card: 'mastercard-m10', by: 'chip', afterMs: 6_000 });
  second.comes({ card: 'mastercard-tap', by: 'tap', afterMs: 7_000 });
  await at.amount('1110');
  await at.sell();
  await busy('T1').waitFor();
  await at.amount('2220');
  await at.sell();
  await busy('T2').waitFor();
  await expect.poll(() => at.page.locator('main section[data-state=busy]').count()).toBe(2);
  await at.shot('36-two-terminals');
  await expect.poll(() => at.heading(shared.states.approved).count(), WITHIN).toBe(2);
  await at.shot('37-two-approved');
  for (const left of [1, 0]) {
    await at.page
      .locator('main footer button[aria-disabled=false]', { hasText: at.words.cashier.done })
      .first()
      .waitFor();
    await at.page.locator('main footer button', { hasText: at.words.cashier.done }).first().click();
    await expect.poll(() => at.heading(shared.states.approved).count()).toBe(left);
  }
  await at.free();
};

/** Its cable is unplugged: the other terminal takes the sale, and the till says what is wrong. */
export const unplugged = async (day: Day): Promise<void> => {
  const { till, at } = day;
  const { cashier: t } = at.words;
  const [first, second] = till.terminals;
  await first.unplug();
  await at.amount('500');
  await at.sell();
  await at.page.locator('main footer button[aria-disabled=false]', { hasText: t.done }).first().waitFor(WITHIN);
  await at.shot('38-unplugged');
  await at.page.keyboard.press('Escape');
  second.comes({ card: 'mastercard-tap', by: 'tap' });
  await at.amount('500');
  await at.sell();
  await at.ended('approved');
  await at.shot('38-other-terminal');
  expect((await sales(day))[0]).toMatchObject({ ending: 'approved', counter: 'T2' });
  await first.plug();
  await at.done();
};

/** Enter twice, a double click, a second window, a reload in the middle: one sale, and its ending is found. */
export const impatience = async (day: Day): Promise<void> => {
  const { till, at } = day;
  const { cashier: t, shared } = at.words;
  const before = (await sales(day)).length;
  till.terminals[0].comes({ card: 'mastercard-m10', by: 'chip', afterMs: 4_000 });
  const other = await at.visit.beside();
  await other.goto(till.url);
  await other.getByRole('heading', { name: t.idleTitle, exact: true }).waitFor();
  await at.page.bringToFront();
  await at.amount('1350');
  await at.page.locator('main button[aria-keyshortcuts=Enter]').dblclick();
  await at.page.keyboard.press('Enter');
  await at.heading(t.phases.presentCard).waitFor();
  await other.getByRole('heading', { name: t.phases.presentCard, exact: true }).waitFor();
  await other.keyboard.press('Enter');
  await at.page.reload();
  await at.heading(t.phases.presentCard).waitFor();
  await at.ended('approved');
  await other.getByRole('heading', { name: shared.states.approved, exact: true }).waitFor();
  await other.close();
  expect((await sales(day)).length).toBe(before + 1);
  await at.done();
};

/** The screen is locked while the customer types; whoever unlocks it finds the ending. */
export const lockedInTheMiddle = async ({ till, at }: Day): Promise<void> => {
  const { cashier: t, signIn, shared } = at.words;
  till.terminals[0].comes({ card: 'mastercard-m10', by: 'chip', afterMs: 3_000 });
  await at.amount('1460');
  await at.sell();
  await at.heading(t.phases.presentCard).waitFor();
  await at.choose(at.page.getByRole('button', { name: fill(shared.menu, { name: 'Anna' }) }));
  await at.page.getByRole('menuitem', { name: signIn.lock, exact: true }).click();
  await at.page.getByRole('heading', { name: signIn.lockedTitle }).waitFor();
  await at.shot('40-locked');
  await at.page.getByLabel(fill(signIn.pinOf, { name: 'Anna' })).waitFor();
  await at.unlock('Anna');
  await at.ended('approved');
  await at.shot('41-unlocked');
  // The focus is back at the menu, which Enter would open.
  await at.page.locator('main footer button[aria-disabled=false]', { hasText: t.done }).first().click();
  await at.heading(t.idleTitle).waitFor();
  await at.free();
};

/** The till's process dies in the middle of a sale and is restarted: the page finds the ending by itself. */
export const powerCut = async (day: Day): Promise<void> => {
  const { till, at } = day;
  const { cashier: t, shared } = at.words;
  till.terminals[0].comes({ card: 'mastercard-m10', by: 'chip', afterMs: 60_000 });
  await at.amount('1570');
  await at.sell();
  await at.heading(t.phases.presentCard).waitFor();
  const receipt = await lastReceipt(day);
  await till.kill();
  await at.page.getByText(shared.awayTitle).waitFor();
  await at.shot('42-till-gone');
  await till.start();
  await at.page.getByText(shared.awayTitle).waitFor({ state: 'detached' });
  // A restarted till has no sessions: people must sign in again.
  await at.page.getByRole('button', { name: /Anna/ }).or(at.page.locator('form input')).first().waitFor();
  await at.shot('43-till-back');
  await at.unlock('Anna');
  await at.page.locator('main button[aria-keyshortcuts=Enter]').waitFor();
  await expect.poll(async () => (await rowOf(day, receipt))?.ending, WITHIN).toBe('notSent');
  await at.heading(t.phases.presentCard).waitFor({ state: 'detached' });
  await at.shot('44-ending-found');
};

/** Nothing is real, the screen says so all the time, and the till's own books contain none of it. */
export const training = async (day: Day): Promise<void> => {
  const { at } = day;
  const { cashier: t, shared } = at.words;
  const real = await lastReceipt(day);
  const toggle = async (word: string): Promise<void> => {
    await at.choose(at.page.getByRole('button', { name: fill(shared.menu, { name: 'Anna' }) }));
    await at.page.getByRole('menuitem', { name: word }).click();
  };
  await toggle(shared.trainingBegin);
  await at.page.getByText(shared.modes.training.why).waitFor();
  await at.page.getByRole('button', { name: /^T1/ }).waitFor();
  await at.amount('999');
  await at.sell();
  await at.ended('approved');
  await at.shot('45-training');
  await toggle(shared.trainingEnd);
  await at.page.getByText(shared.modes.training.why).waitFor({ state: 'detached' });
  await at.heading(t.idleTitle).waitFor();
  expect(await lastReceipt(day)).toBe(real);
};
