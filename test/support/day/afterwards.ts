/**
 * What follows sales in a cashier’s day: refunds, voids, holds, gift cards, credits, receipts, customers’ questions.
 */
import { expect } from 'vitest';
import { fill } from '../../../src/base/placeholders.ts';
import { type Day, lastReceipt } from './counter.ts';
import type { Hands } from './hands.ts';

const look = async ({ at }: Day, receipt: number): Promise<void> => {
  const { cashier: t } = at.words;
  await at.command('refund');
  const dialog = await at.dialog(t.refundTitle);
  await at.shot('17-refund-which');
  await at.page.getByRole('textbox', { name: t.refundLabel }).waitFor();
  if (at.by === 'keys') await at.press(...`${receipt}`, 'Enter');
  else {
    await dialog.getByRole('textbox').fill(`${receipt}`);
    await dialog.getByRole('button', { name: t.look }).click();
  }
  await at.dialog(fill(t.detail, { receipt }));
};

/** Chooses the follow-up if there is a choice, types its digits if it needs any, and sends it. */
const follow = async ({ at }: Day, what: keyof Hands['words']['cashier']['follow'], digits = ''): Promise<void> => {
  const dialog = at.page.getByRole('dialog');
  const word = at.words.cashier.follow[what];
  const choice = dialog.getByRole('button', { name: word, exact: true });
  const submit = dialog.locator('button[type=submit]');
  await choice.or(submit).first().waitFor();
  if ((await submit.count()) === 0 || !((await submit.textContent()) ?? '').startsWith(word)) await at.choose(choice);
  await dialog.locator('button[type=submit]', { hasText: word }).waitFor();
  if (digits !== '') {
    await dialog.locator('input[data-amount]').focus();
    await at.press(...digits);
  }
  await dialog.locator('button[type=submit][aria-disabled=false]').waitFor();
  await at.shot(`18-${what}`);
  if (at.by === 'keys') await at.press('Enter');
  else await submit.click();
};

/** Refunds half of a sale, found by its receipt number; then voids the sale before it completely. */
export const refundAndVoid = async (day: Day): Promise<void> => {
  const { till, at } = day;
  const paid = async (amount: string): Promise<number> => {
    till.terminals[0].comes({ card: 'mastercard-tap', by: 'tap' });
    await at.amount(amount);
    await at.sell();
    await at.ended('approved');
    await at.done();
    return lastReceipt(day);
  };
  const [first, second] = [await paid('3300'), await paid('2100')];
  await at.flow('refund of a part', async () => {
    await look(day, first);
    await follow(day, 'refund', '1050');
    await at.ended('approved');
  });
  await at.shot('19-refunded');
  await at.done();
  await at.flow('void', async () => {
    await look(day, second);
    await follow(day, 'void');
    await at.ended('approved');
  });
  await at.shot('20-voided');
  await at.done();
};

/** Holds a hundred, raises it by twenty, and charges ninety; releases another hold. */
export const holds = async (day: Day): Promise<void> => {
  const { till, at } = day;
  const { cashier: t } = at.words;
  const hold = async (amount: string): Promise<void> => {
    till.terminals[0].comes({ card: 'mastercard-credit', by: 'chip' });
    await at.amount(amount);
    await at.command('preauth');
    const dialog = await at.dialog(t.holdsTitle);
    await at.confirm(dialog.getByRole('button', { name: new RegExp(amount.slice(0, -2)) }));
    await at.ended('approved');
    await at.done();
  };
  const follows = async (receipt: number, what: 'increment' | 'completion' | 'release', digits = '') => {
    await look(day, receipt);
    await follow(day, what, digits);
    await at.ended('approved');
    await at.done();
  };
  await at.flow('hold 100.00', () => hold('10000'));
  const first = await lastReceipt(day);
  await at.command('preauth');
  await at.dialog(t.holdsTitle);
  await at.shot('21-holds');
  await at.page.keyboard.press('Escape');
  await at.page.getByRole('dialog').waitFor({ state: 'detached' });
  await at.flow('hold 20.00 more', () => follows(first, 'increment', '2000'));
  await at.flow('charge 90.00 of it', () => follows(first, 'completion', '9000'));
  await hold('4000');
  const second = await lastReceipt(day);
  await at.flow('release a hold', () => follows(second, 'release'));
};

/** Pays with a gift card, whose receipt shows the balance. */
export const giftCard = async ({ at }: Day): Promise<void> => {
  const { cashier: t } = at.words;
  await at.flow('gift card', async () => {
    await at.amount('500');
    await at.command('giftCard');
    const dialog = await at.dialog(t.giftTitle);
    await dialog.getByRole('textbox').first().waitFor();
    await at.shot('22-gift');
    if (at.by === 'keys') await at.press(...GIFT_CARD, 'Enter');
    else {
      await dialog.getByRole('textbox').first().fill(GIFT_CARD);
      await dialog.locator('button[type=submit]').click();
    }
    await at.ended('approved');
  });
  await at.shot('23-gift-paid');
  await at.done();
};

/** A card of the simulated acquirer, with a balance of a hundred. */
const GIFT_CARD = '9900000000000028';

/** The last receipt again: on paper, out of paper, and as text for a message. */
export const paper = async (day: Day): Promise<void> => {
  const { till, at } = day;
  const { cashier: t } = at.words;
  const receipt = await lastReceipt(day);
  await at.flow('find and reprint a receipt', async () => {
    await at.command('find');
    const list = at.page.getByRole('listbox');
    const last = list.getByRole('option').first();
    await last.waitFor();
    expect(await last.textContent()).not.toMatch(/[A-Z]{5}/);
    await at.shot('24-find');
    if (at.by === 'keys') {
      await at.tabTo(list);
      await at.press('Enter');
    } else await list.getByRole('option').first().click();
    const dialog = await at.dialog(fill(t.detail, { receipt }));
    await at.shot('25-detail');
    await at.choose(dialog.getByRole('button', { name: t.receipt, exact: true }));
    const preview = await at.dialog(fill(t.receiptNumber, { receipt }));
    await preview.locator('pre').waitFor();
    await at.choose(preview.getByRole('button', { name: t.secondCopy }));
    await at.page
      .getByText(fill(t.printed, { printer: 'Counter' }))
      .first()
      .waitFor();
  });
  const printed = () => till.printer.printed.flatMap((what) => (what.kind === 'line' ? [JSON.stringify(what)] : []));
  await expect.poll(() => printed().some((line) => line.includes('DUPLICATE')), { timeout: 60_000 }).toBe(true);
  await at.choose(at.page.getByRole('dialog').getByRole('button', { name: t.copyText }));
  await at.page.getByText(t.emailCopied).waitFor();
  expect(await at.visit.clipboard()).toContain('NORDWIND BAKERY');
  await at.shot('26-receipt');
  till.printer.set({ paper: 0 });
  await at.choose(at.page.getByRole('dialog').getByRole('button', { name: t.secondCopy }));
  await at.page.locator('[role=dialog] [data-failed=true]').waitFor();
  await at.shot('27-no-paper');
  till.printer.set({ paper: 2_000 });
  await at.page.keyboard.press('Escape');
  await at.page.getByRole('dialog').waitFor({ state: 'detached' });
};

/** "I was charged": the amount and the last four digits, and what the books say about it. */
export const claim = async ({ at }: Day): Promise<void> => {
  const { cashier: t } = at.words;
  await at.flow('customer says they were charged', async () => {
    await at.command('claim');
    const dialog = await at.dialog(t.claimTitle);
    await dialog.getByRole('textbox').first().waitFor();
    if (at.by === 'keys') await at.press(...'12.50', 'Tab', ...'0010', 'Enter');
    else {
      await dialog.getByRole('textbox').nth(0).fill('12,50');
      await dialog.getByRole('textbox').nth(1).fill('0010');
      await dialog.getByRole('button', { name: t.claimLook }).click();
    }
    await at.heading(t.verdicts.chargedOnce).waitFor();
  });
  await at.shot('28-claim');
  await at.page.keyboard.press('Escape');
  await at.page.getByRole('dialog').waitFor({ state: 'detached' });
};

/** Pays money to the card of a customer without a receipt: the cashier asks the manager, who types their PIN. */
export const creditWithManager = async ({ till, at }: Day): Promise<void> => {
  const { cashier: t, signIn } = at.words;
  till.terminals[0].comes({ card: 'mastercard-tap', by: 'tap' });
  await at.flow('credit that the manager approves', async () => {
    await at.amount('400');
    await at.command('refund');
    const dialog = await at.dialog(t.refundTitle);
    await at.choose(dialog.getByRole('button', { name: /4[.,]00/ }));
    const leave = await at.dialog(signIn.overrideTitle);
    await leave.locator('input[type=password]').waitFor();
    await at.shot('29-override');
    await at.allow('Max');
    await at.ended('approved');
  });
  await at.shot('29-credit');
  await at.done();
};
