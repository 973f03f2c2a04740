/** What a cashier does all day, each as one flow: sales of every kind, up to their result. */
import { expect } from 'vitest';
import type { SaleRow } from '../../../src/api/contract/sales.ts';
import { fill, formatMessage } from '../../../src/base/placeholders.ts';
import type { Hands } from './hands.ts';
import type { DayTill } from './till.ts';

export type Day = { till: DayTill; at: Hands };

const rows = async ({ till, at }: Day): Promise<SaleRow[]> => {
  const { body } = await at.visit.ask(`${till.url}api/sales?from=0&most=50`);
  return (body as { rows: SaleRow[] }).rows;
};

/** The number of the last receipt. */
export const lastReceipt = async (day: Day): Promise<number> => (await rows(day))[0]?.receipt ?? 0;

/** The day begins at the list of people. */
export const arrive = async ({ till, at }: Day): Promise<void> => {
  await at.isKnownAt(till.url);
  await at.page.goto(till.url);
  await at.page.getByRole('button', { name: /Anna/ }).waitFor();
  await at.page.locator('select').selectOption(at.language);
  await at.page.getByRole('heading', { name: at.words.signIn.title }).waitFor();
  await at.shot('01-who');
  await at.flow('sign in', () => at.signIn('Anna'));
  await at.heading(at.words.cashier.idleTitle).waitFor();
  await at.page.getByText(at.words.cashier.counterStates.ready).first().waitFor();
  await at.shot('02-ready');
};

/** A sale by chip and PIN, checked at each wait, and printed. */
export const chipSale = async ({ till, at }: Day): Promise<void> => {
  const { cashier: t } = at.words;
  till.line.hold();
  till.terminals[0].comes({ card: 'visa-credit', by: 'chip', afterMs: 1_500 });
  await at.flow('sale of 12.50', async () => {
    await at.amount('1250');
    await at.sell();
    await at.heading(t.phases.presentCard).waitFor();
    await at.shot('03-present');
    await at.heading(t.phases.askingBank).waitFor();
    await at.shot('04-bank');
    till.line.letGo();
    await at.ended('approved');
    await at.shot('05-approved');
  });
  await at.flow('print', async () => {
    await at.command('print');
    await at.page
      .getByText(fill(t.printed, { printer: 'Counter' }))
      .first()
      .waitFor();
  });
  await at.shot('06-printed');
  expect(till.printer.printed.some(({ kind }) => kind === 'cut')).toBe(true);
  await at.flow('dismiss a result', () => at.done());
};

/** A tap with a tip of five per cent. */
export const tapWithTip = async ({ till, at }: Day): Promise<void> => {
  const { cashier: t } = at.words;
  till.terminals[0].comes({ card: 'mastercard-tap', by: 'tap' });
  await at.flow('sale with a tip', async () => {
    await at.amount('2000');
    await at.command('tip');
    const tip = await at.dialog(t.tipTitle);
    await at.shot('07-tip');
    await at.confirm(tip.getByRole('button', { name: fill(t.percent, { percent: 5 }) }));
    await tip.waitFor({ state: 'detached' });
    await at.sell();
    await at.ended('approved');
  });
  await at.shot('08-tip-approved');
  await at.done();
};

/** A bill of sixty, half on one card and half on another. */
export const split = async ({ till, at }: Day): Promise<void> => {
  const { cashier: t } = at.words;
  till.terminals[0].comes({ card: 'visa-no-cvm', by: 'chip' });
  till.terminals[0].comes({ card: 'mastercard-credit', by: 'chip' });
  await at.flow('bill on two cards', async () => {
    await at.amount('6000');
    await at.command('split');
    const dialog = await at.dialog(t.splitTitle);
    await at.shot('09-split');
    await at.confirm(dialog.getByRole('button', { name: formatMessage(at.language)(t.splitParts, { count: 2 }) }));
    await dialog.waitFor({ state: 'detached' });
    await at.sell();
    await at.ended('approved');
    await at.shot('10-split-half');
    await at.free();
    await at.sell();
    await at.page.getByText(t.billDone).waitFor();
    await at.ended('approved');
    await at.shot('11-split-paid');
    await at.choose(at.page.getByRole('button', { name: t.billClose }));
  });
  await at.done();
};

/** A card with a balance of ten pays ten, and another card the rest. */
export const partial = async ({ till, at }: Day): Promise<void> => {
  const { cashier: t } = at.words;
  till.terminals[0].comes({ card: 'visa-poor', by: 'chip' });
  till.terminals[0].comes({ card: 'mastercard-tap', by: 'tap' });
  await at.flow('part, and the rest', async () => {
    await at.command('terminal');
    await at.dialog(t.terminalTitle);
    await at.shot('12-terminal');
    const wish = at.page.getByLabel(t.partial);
    if (await wish.isChecked()) throw new Error('a partial approval is accepted without being requested');
    if (at.by === 'keys') {
      await at.tabTo(wish);
      await at.press(' ', 'Escape');
    } else {
      await at.page.getByText(t.partial).click();
      await at.page.getByRole('dialog').getByRole('button', { name: at.words.shared.done }).click();
    }
    await at.page.getByRole('dialog').waitFor({ state: 'detached' });
    await at.amount('1250');
    await at.sell();
    await at.ended('approved');
    await at.shot('13-part');
    await at.choose(at.page.locator('main footer button[data-main=true][aria-disabled=false]', { hasText: '2' }));
    // The first part is approved too, and must not be mistaken for the rest.
    await at.page.locator('main footer button[data-main=true]', { hasText: '2' }).waitFor({ state: 'detached' });
    await at.ended('approved');
  });
  await at.shot('14-rest');
  await at.done();
};

/** A card reported as stolen is declined; the customer has another one. */
export const declined = async ({ till, at }: Day): Promise<void> => {
  const { cashier: t } = at.words;
  till.terminals[0].comes({ card: 'visa-stolen', by: 'chip' });
  till.terminals[0].comes({ card: 'mastercard-m10', by: 'chip' });
  await at.flow('declined, then another card', async () => {
    await at.amount('1990');
    await at.sell();
    await at.ended('declined');
    await at.shot('15-declined');
    await at.choose(at.page.locator('main footer button[aria-disabled=false]', { hasText: t.tryAgain }));
    await at.ended('approved');
  });
  await at.done();
};

/** The customer has left: the sale is cancelled while the terminal waits for a card. */
export const cancelled = async ({ till, at }: Day): Promise<void> => {
  const { cashier: t } = at.words;
  till.terminals[0].comes({ card: 'visa-credit', by: 'chip', never: true });
  await at.flow('cancel', async () => {
    await at.amount('500');
    await at.sell();
    await at.heading(t.phases.presentCard).waitFor();
    await at.confirmCancel();
    await at.ended('notCharged');
  });
  await at.shot('16-cancelled');
  await at.done();
};
