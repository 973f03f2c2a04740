/** What a cashier does all day, each as one flow: sales of every kind, up to their result. */
import { expect } from 'vitest';
import type { SaleRow } from '../../../src/api/contract/sales.ts';
import { fill, formatMessage } from '../../../src/base/placeholders.ts';
import type { ScreenUser } from './screen-user.ts';
import type { DayTill } from './till.ts';

export type Day = { till: DayTill; user: ScreenUser };

const rows = async ({ till, user }: Day): Promise<SaleRow[]> => {
  const { body } = await user.visit.ask(`${till.url}api/sales?from=0&most=50`);
  return (body as { rows: SaleRow[] }).rows;
};

/** The number of the last receipt. */
export const lastReceipt = async (day: Day): Promise<number> => (await rows(day))[0]?.receipt ?? 0;

/** The day begins at the list of people. */
export const signInAtTill = async ({ till, user }: Day): Promise<void> => {
  await user.isKnownAt(till.url);
  await user.page.goto(till.url);
  await user.page.getByRole('button', { name: /Anna/ }).waitFor();
  await user.page.locator('select').selectOption(user.language);
  await user.page.getByRole('heading', { name: user.words.signIn.title }).waitFor();
  await user.shot('01-who');
  await user.flow('sign in', () => user.signIn('Anna'));
  await user.heading(user.words.cashier.idleTitle).waitFor();
  await user.page.getByText(user.words.cashier.counterStates.ready).first().waitFor();
  await user.shot('02-ready');
};

/** A sale by chip and PIN, checked at each wait, and printed. */
export const chipSale = async ({ till, user }: Day): Promise<void> => {
  const { cashier: t } = user.words;
  till.line.holdAnswers();
  till.terminals[0].present({ card: 'visa-credit', by: 'chip', afterMs: 1_500 });
  await user.flow('sale of 12.50', async () => {
    await user.amount('1250');
    await user.sell();
    await user.heading(t.phases.presentCard).waitFor();
    await user.shot('03-present');
    await user.heading(t.phases.askingBank).waitFor();
    await user.shot('04-bank');
    till.line.releaseAnswers();
    await user.ended('approved');
    await user.shot('05-approved');
  });
  await user.flow('print', async () => {
    await user.command('print');
    await user.page
      .getByText(fill(t.printed, { printer: 'Counter' }))
      .first()
      .waitFor();
  });
  await user.shot('06-printed');
  expect(till.printer.printed.some(({ kind }) => kind === 'cut')).toBe(true);
  await user.flow('dismiss a result', () => user.done());
};

/** A tap with a tip of five per cent. */
export const tapWithTip = async ({ till, user }: Day): Promise<void> => {
  const { cashier: t, shared } = user.words;
  till.terminals[0].present({ card: 'mastercard-tap', by: 'tap' });
  await user.flow('sale with a tip', async () => {
    await user.amount('2000');
    await user.command('tip');
    const tip = await user.dialog(t.tipTitle);
    await user.shot('07-tip');
    await user.confirm(tip.getByRole('button', { name: fill(shared.percent, { percent: 5 }) }));
    await tip.waitFor({ state: 'detached' });
    await user.sell();
    await user.ended('approved');
  });
  await user.shot('08-tip-approved');
  await user.done();
};

/** A bill of sixty, half on one card and half on another. */
export const split = async ({ till, user }: Day): Promise<void> => {
  const { cashier: t } = user.words;
  till.terminals[0].present({ card: 'visa-no-cvm', by: 'chip' });
  till.terminals[0].present({ card: 'mastercard-credit', by: 'chip' });
  await user.flow('bill on two cards', async () => {
    await user.amount('6000');
    await user.command('split');
    const dialog = await user.dialog(t.splitTitle);
    await user.shot('09-split');
    await user.confirm(dialog.getByRole('button', { name: formatMessage(user.language)(t.splitParts, { count: 2 }) }));
    await dialog.waitFor({ state: 'detached' });
    await user.sell();
    await user.ended('approved');
    await user.shot('10-split-half');
    await user.free();
    await user.sell();
    await user.page.getByText(t.billDone).waitFor();
    await user.ended('approved');
    await user.shot('11-split-paid');
    await user.choose(user.page.getByRole('button', { name: t.billClose }));
  });
  await user.done();
};

/** A card with a balance of ten pays ten, and another card the rest. */
export const partial = async ({ till, user }: Day): Promise<void> => {
  const { cashier: t } = user.words;
  till.terminals[0].present({ card: 'visa-poor', by: 'chip' });
  till.terminals[0].present({ card: 'mastercard-tap', by: 'tap' });
  await user.flow('part, and the rest', async () => {
    await user.command('terminal');
    await user.dialog(t.terminalTitle);
    await user.shot('12-terminal');
    const request = user.page.getByLabel(t.partial);
    if (await request.isChecked()) throw new Error('a partial approval is accepted without being requested');
    if (user.by === 'keys') {
      await user.tabTo(request);
      await user.press(' ', 'Escape');
    } else {
      await user.page.getByText(t.partial).click();
      await user.page.getByRole('dialog').getByRole('button', { name: user.words.shared.done }).click();
    }
    await user.page.getByRole('dialog').waitFor({ state: 'detached' });
    await user.amount('1250');
    await user.sell();
    await user.ended('approved');
    await user.shot('13-part');
    await user.choose(user.page.locator('main footer button[data-main=true][aria-disabled=false]', { hasText: '2' }));
    // The first part is approved too, and must not be mistaken for the rest.
    await user.page.locator('main footer button[data-main=true]', { hasText: '2' }).waitFor({ state: 'detached' });
    await user.ended('approved');
  });
  await user.shot('14-rest');
  await user.done();
};

/** A card reported as stolen is declined; the customer has another one. */
export const decline = async ({ till, user }: Day): Promise<void> => {
  const { cashier: t } = user.words;
  till.terminals[0].present({ card: 'visa-stolen', by: 'chip' });
  till.terminals[0].present({ card: 'mastercard-m10', by: 'chip' });
  await user.flow('declined, then another card', async () => {
    await user.amount('1990');
    await user.sell();
    await user.ended('declined');
    await user.shot('15-declined');
    await user.choose(user.page.locator('main footer button[aria-disabled=false]', { hasText: t.tryAgain }));
    await user.ended('approved');
  });
  await user.done();
};

/** The customer has left: the sale is cancelled while the terminal waits for a card. */
export const cancel = async ({ till, user }: Day): Promise<void> => {
  const { cashier: t } = user.words;
  till.terminals[0].present({ card: 'visa-credit', by: 'chip', never: true });
  await user.flow('cancel', async () => {
    await user.amount('500');
    await user.sell();
    await user.heading(t.phases.presentCard).waitFor();
    await user.confirmCancel();
    await user.ended('notCharged');
  });
  await user.shot('16-cancelled');
  await user.done();
};
