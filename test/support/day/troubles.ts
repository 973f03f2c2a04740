/** What goes wrong in a cashier’s day, and how it ends: nothing is lost or doubled, and the screen says what to do. */
import { expect } from 'vitest';
import type { SaleRow } from '../../../src/api/contract/sales.ts';
import { fill } from '../../../src/base/placeholders.ts';
import { type Day, lastReceipt } from './counter.ts';

const WITHIN = { timeout: 60_000 };

/** The till's rows, newest first. */
const sales = async ({ till, user }: Day): Promise<SaleRow[]> => {
  const { body } = await user.visit.ask(`${till.url}api/sales?from=0&most=50`);
  return (body as { rows: SaleRow[] }).rows;
};

const rowOf = async (day: Day, receipt: number): Promise<SaleRow | undefined> =>
  (await sales(day)).find((row) => row.receipt === receipt);

/** The first sale of the day: from then on the till knows its gateway. */
export const firstSale = async ({ till, user }: Day): Promise<void> => {
  till.terminals[0].present({ card: 'mastercard-tap', by: 'tap' });
  await user.amount('310');
  await user.sell();
  await user.ended('approved');
  await user.done();
};

/**
 * The gateway is gone: one card is accepted within the limits, another is refused with its reason; then everything is
 * sent.
 */
export const lineCut = async (day: Day): Promise<void> => {
  const { till, user } = day;
  const { shared } = user.words;
  await till.line.disconnect();
  till.terminals[0].present({ card: 'mastercard-m10', by: 'chip' });
  await user.flow('sale while the line is down', async () => {
    await user.amount('890');
    await user.sell();
    await user.ended('offline');
  });
  await user.page.locator('main p[role=status]').first().waitFor();
  await user.shot('30-offline');
  await user.done();
  const lastSale = await lastReceipt(day);
  till.terminals[0].present({ card: 'mastercard-stripe', by: 'swipe' });
  await user.amount('700');
  await user.sell();
  await user.ended('notCharged');
  await user.shot('31-offline-refused');
  await user.done();
  expect(await rowOf(day, lastSale)).toMatchObject({ waiting: true });
  await till.line.reconnect();
  await expect.poll(async () => (await rowOf(day, lastSale))?.waiting, WITHIN).toBeUndefined();
  await user.page.getByText(shared.gateway.online, { exact: true }).first().waitFor();
  await user.shot('32-online-again');
};

/** The gateway accepts the sale and dies before it has answered; once back, it tells what became of the sale. */
export const unknownSale = async (day: Day): Promise<void> => {
  const { till, user } = day;
  const { cashier: t, shared } = user.words;
  till.line.dieAtAnswer();
  till.terminals[0].present({ card: 'mastercard-m10', by: 'chip' });
  await user.amount('4270');
  await user.sell();
  await user.ended('unknown');
  await user.shot('33-unknown');
  await user.done();
  const receipt = await lastReceipt(day);
  expect(await rowOf(day, receipt)).toMatchObject({ ending: 'unknown' });
  // The till asks before it sells the same amount again.
  await user.amount('4270');
  await user.sell();
  const dialog = await user.dialog(t.likelyTitle);
  await user.shot('34-likely');
  await user.choose(dialog.getByRole('button', { name: t.likelyNo }));
  await dialog.waitFor({ state: 'detached' });
  await till.line.reconnect();
  await expect.poll(async () => (await rowOf(day, receipt))?.ending, WITHIN).not.toBe('unknown');
  await user.page.getByText(shared.gateway.online, { exact: true }).first().waitFor();
  await user.shot('35-known');
  if (user.by === 'keys') await user.press('Escape');
};

/** Two customers at once, each at their own terminal. */
export const sideBySide = async ({ till, user }: Day): Promise<void> => {
  const { shared, cashier: t } = user.words;
  const busy = (name: string) =>
    user.page.getByRole('button', { name: new RegExp(`^${name}.*${t.counterStates.busy}`) });
  const [first, second] = till.terminals;
  first.present({ card: 'mastercard-m10', by: 'chip', afterMs: 6_000 });
  second.present({ card: 'mastercard-tap', by: 'tap', afterMs: 7_000 });
  await user.amount('1110');
  await user.sell();
  await busy('T1').waitFor();
  await user.amount('2220');
  await user.sell();
  await busy('T2').waitFor();
  await expect.poll(() => user.page.locator('main section[data-state=busy]').count()).toBe(2);
  await user.shot('36-two-terminals');
  await expect.poll(() => user.heading(shared.states.approved).count(), WITHIN).toBe(2);
  await user.shot('37-two-approved');
  for (const left of [1, 0]) {
    await user.page
      .locator('main footer button[aria-disabled=false]', { hasText: user.words.shared.done })
      .first()
      .waitFor();
    await user.page.locator('main footer button', { hasText: user.words.shared.done }).first().click();
    await expect.poll(() => user.heading(shared.states.approved).count()).toBe(left);
  }
  await user.free();
};

/** A terminal's cable is unplugged: the other terminal takes the sale, and the till says what is wrong. */
export const unplug = async (day: Day): Promise<void> => {
  const { till, user } = day;
  const { shared } = user.words;
  const [first, second] = till.terminals;
  await first.unplug();
  await user.amount('500');
  await user.sell();
  await user.page.locator('main footer button[aria-disabled=false]', { hasText: shared.done }).first().waitFor(WITHIN);
  await user.shot('38-unplugged');
  await user.page.keyboard.press('Escape');
  second.present({ card: 'mastercard-tap', by: 'tap' });
  await user.amount('500');
  await user.sell();
  await user.ended('approved');
  await user.shot('38-other-terminal');
  expect((await sales(day))[0]).toMatchObject({ ending: 'approved', counter: 'T2' });
  await first.plug();
  await user.done();
};

/** Enter twice, a double click, a second window, a reload in the middle: one sale, and its ending is found. */
export const impatience = async (day: Day): Promise<void> => {
  const { till, user } = day;
  const { cashier: t, shared } = user.words;
  const previousCount = (await sales(day)).length;
  till.terminals[0].present({ card: 'mastercard-m10', by: 'chip', afterMs: 4_000 });
  const otherPage = await user.visit.openPage();
  await otherPage.goto(till.url);
  await otherPage.getByRole('heading', { name: t.idleTitle, exact: true }).waitFor();
  await user.page.bringToFront();
  await user.amount('1350');
  await user.page.locator('main button[aria-keyshortcuts=Enter]').dblclick();
  await user.page.keyboard.press('Enter');
  await user.heading(t.phases.presentCard).waitFor();
  await otherPage.getByRole('heading', { name: t.phases.presentCard, exact: true }).waitFor();
  await otherPage.keyboard.press('Enter');
  await user.page.reload();
  await user.heading(t.phases.presentCard).waitFor();
  await user.ended('approved');
  await otherPage.getByRole('heading', { name: shared.states.approved, exact: true }).waitFor();
  await otherPage.close();
  expect((await sales(day)).length).toBe(previousCount + 1);
  await user.done();
};

/** The screen is locked while the customer types; whoever unlocks it finds the ending. */
export const lockedInTheMiddle = async ({ till, user }: Day): Promise<void> => {
  const { cashier: t, signIn, shared } = user.words;
  till.terminals[0].present({ card: 'mastercard-m10', by: 'chip', afterMs: 3_000 });
  await user.amount('1460');
  await user.sell();
  await user.heading(t.phases.presentCard).waitFor();
  await user.choose(user.page.getByRole('button', { name: fill(shared.menu, { name: 'Anna' }) }));
  await user.page.getByRole('menuitem', { name: signIn.lock, exact: true }).click();
  await user.page.getByRole('heading', { name: signIn.lockedTitle }).waitFor();
  await user.shot('40-locked');
  await user.page.getByLabel(fill(signIn.pinOf, { name: 'Anna' })).waitFor();
  await user.unlock('Anna');
  await user.ended('approved');
  await user.shot('41-unlocked');
  // The focus is back at the menu, which Enter would open.
  await user.page.locator('main footer button[aria-disabled=false]', { hasText: shared.done }).first().click();
  await user.heading(t.idleTitle).waitFor();
  await user.free();
};

/** The till's process dies in the middle of a sale and is restarted: the page finds the ending by itself. */
export const powerCut = async (day: Day): Promise<void> => {
  const { till, user } = day;
  const { cashier: t, shared } = user.words;
  till.terminals[0].present({ card: 'mastercard-m10', by: 'chip', afterMs: 60_000 });
  await user.amount('1570');
  await user.sell();
  await user.heading(t.phases.presentCard).waitFor();
  const receipt = await lastReceipt(day);
  await till.kill();
  await user.page.getByText(shared.awayTitle).waitFor();
  await user.shot('42-till-gone');
  await till.start();
  await user.page.getByText(shared.awayTitle).waitFor({ state: 'detached' });
  // A restarted till has no sessions: people must sign in again.
  await user.page.getByRole('button', { name: /Anna/ }).or(user.page.locator('form input')).first().waitFor();
  await user.shot('43-till-back');
  await user.unlock('Anna');
  await user.page.locator('main button[aria-keyshortcuts=Enter]').waitFor();
  await expect.poll(async () => (await rowOf(day, receipt))?.ending, WITHIN).toBe('notSent');
  await user.heading(t.phases.presentCard).waitFor({ state: 'detached' });
  await user.shot('44-ending-found');
};

/** Training: nothing is real, the screen says so all the time, and the till's own books contain none of it. */
export const training = async (day: Day): Promise<void> => {
  const { user } = day;
  const { cashier: t, shared } = user.words;
  const liveReceipt = await lastReceipt(day);
  const toggle = async (label: string): Promise<void> => {
    await user.choose(user.page.getByRole('button', { name: fill(shared.menu, { name: 'Anna' }) }));
    await user.page.getByRole('menuitem', { name: label }).click();
  };
  await toggle(shared.trainingBegin);
  await user.page.getByText(shared.modes.training.why).waitFor();
  await user.page.getByRole('button', { name: /^T1/ }).waitFor();
  await user.amount('999');
  await user.sell();
  await user.ended('approved');
  await user.shot('45-training');
  await toggle(shared.trainingEnd);
  await user.page.getByText(shared.modes.training.why).waitFor({ state: 'detached' });
  await user.heading(t.idleTitle).waitFor();
  expect(await lastReceipt(day)).toBe(liveReceipt);
};
