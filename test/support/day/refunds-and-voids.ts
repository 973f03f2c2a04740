/**
 * What follows sales in a cashier’s day: refunds, voids, holds, gift cards, credits, receipts, customers’ questions.
 */
import { expect } from 'vitest';
import { fill } from '../../../src/base/placeholders.ts';
import { type Day, lastReceipt } from './counter.ts';
import type { ScreenUser } from './screen-user.ts';

const openReceipt = async ({ user }: Day, receipt: number): Promise<void> => {
  const { cashier: t } = user.words;
  await user.command('refund');
  const dialog = await user.dialog(t.refundTitle);
  await user.shot('17-refund-which');
  await user.page.getByRole('textbox', { name: t.refundLabel }).waitFor();
  if (user.by === 'keys') await user.press(...`${receipt}`, 'Enter');
  else {
    await dialog.getByRole('textbox').fill(`${receipt}`);
    await dialog.getByRole('button', { name: t.look }).click();
  }
  await user.dialog(fill(t.detail, { receipt }));
};

/** Chooses the follow-up if there is a choice, types its digits if it needs any, and sends it. */
const follow = async (
  { user }: Day,
  action: keyof ScreenUser['words']['cashier']['follow'],
  digits = '',
): Promise<void> => {
  const dialog = user.page.getByRole('dialog');
  const label = user.words.cashier.follow[action];
  const choice = dialog.getByRole('button', { name: label, exact: true });
  const submit = dialog.locator('button[type=submit]');
  await choice.or(submit).first().waitFor();
  if ((await submit.count()) === 0 || !((await submit.textContent()) ?? '').startsWith(label))
    await user.choose(choice);
  await dialog.locator('button[type=submit]', { hasText: label }).waitFor();
  if (digits !== '') {
    await dialog.locator('input[data-amount]').focus();
    await user.press(...digits);
  }
  await dialog.locator('button[type=submit][aria-disabled=false]').waitFor();
  await user.shot(`18-${action}`);
  if (user.by === 'keys') await user.press('Enter');
  else await submit.click();
};

/** Refunds half of a sale, found by its receipt number; then voids the sale before it completely. */
export const refundAndVoid = async (day: Day): Promise<void> => {
  const { till, user } = day;
  const payAndReceipt = async (amount: string): Promise<number> => {
    till.terminals[0].present({ card: 'mastercard-tap', by: 'tap' });
    await user.amount(amount);
    await user.sell();
    await user.ended('approved');
    await user.done();
    return lastReceipt(day);
  };
  const [first, second] = [await payAndReceipt('3300'), await payAndReceipt('2100')];
  await user.flow('refund of a part', async () => {
    await openReceipt(day, first);
    await follow(day, 'refund', '1050');
    await user.ended('approved');
  });
  await user.shot('19-refunded');
  await user.done();
  await user.flow('void', async () => {
    await openReceipt(day, second);
    await follow(day, 'void');
    await user.ended('approved');
  });
  await user.shot('20-voided');
  await user.done();
};

/** Holds a hundred, raises it by twenty, and charges ninety; releases another hold. */
export const testHolds = async (day: Day): Promise<void> => {
  const { till, user } = day;
  const { cashier: t } = user.words;
  const placeHold = async (amount: string): Promise<void> => {
    till.terminals[0].present({ card: 'mastercard-credit', by: 'chip' });
    await user.amount(amount);
    await user.command('preauth');
    const dialog = await user.dialog(t.holdsTitle);
    await user.confirm(dialog.getByRole('button', { name: new RegExp(amount.slice(0, -2)) }));
    await user.ended('approved');
    await user.done();
  };
  const followUpHold = async (receipt: number, action: 'increment' | 'completion' | 'release', digits = '') => {
    await openReceipt(day, receipt);
    await follow(day, action, digits);
    await user.ended('approved');
    await user.done();
  };
  await user.flow('hold 100.00', () => placeHold('10000'));
  const first = await lastReceipt(day);
  await user.command('preauth');
  await user.dialog(t.holdsTitle);
  await user.shot('21-holds');
  await user.page.keyboard.press('Escape');
  await user.page.getByRole('dialog').waitFor({ state: 'detached' });
  await user.flow('hold 20.00 more', () => followUpHold(first, 'increment', '2000'));
  await user.flow('charge 90.00 of it', () => followUpHold(first, 'completion', '9000'));
  await placeHold('4000');
  const second = await lastReceipt(day);
  await user.flow('release a hold', () => followUpHold(second, 'release'));
};

/** Pays with a gift card, whose receipt shows the balance. */
export const giftCard = async ({ user }: Day): Promise<void> => {
  const { cashier: t } = user.words;
  await user.flow('gift card', async () => {
    await user.amount('500');
    await user.command('giftCard');
    const dialog = await user.dialog(t.giftTitle);
    await dialog.getByRole('textbox').first().waitFor();
    await user.shot('22-gift');
    if (user.by === 'keys') await user.press(...GIFT_CARD, 'Enter');
    else {
      await dialog.getByRole('textbox').first().fill(GIFT_CARD);
      await dialog.locator('button[type=submit]').click();
    }
    await user.ended('approved');
  });
  await user.shot('23-gift-paid');
  await user.done();
};

/** A card of the simulated acquirer, with a balance of a hundred. */
const GIFT_CARD = '9900000000000028';

/** The last receipt again: on paper, out of paper, and as text for a message. */
export const testReceipts = async (day: Day): Promise<void> => {
  const { till, user } = day;
  const { cashier: t, shared } = user.words;
  const receipt = await lastReceipt(day);
  await user.flow('find and reprint a receipt', async () => {
    await user.command('find');
    const list = user.page.getByRole('listbox');
    const last = list.getByRole('option').first();
    await last.waitFor();
    expect(await last.textContent()).not.toMatch(/[A-Z]{5}/);
    await user.shot('24-find');
    if (user.by === 'keys') {
      await user.tabTo(list);
      await user.press('Enter');
    } else await list.getByRole('option').first().click();
    const dialog = await user.dialog(fill(t.detail, { receipt }));
    await user.shot('25-detail');
    await user.choose(dialog.getByRole('button', { name: t.receipt, exact: true }));
    const preview = await user.dialog(fill(shared.receiptNumber, { receipt }));
    await preview.locator('pre').waitFor();
    await user.choose(preview.getByRole('button', { name: t.secondCopy }));
    await user.page
      .getByText(fill(t.printed, { printer: 'Counter' }))
      .first()
      .waitFor();
  });
  const printed = () =>
    till.printer.printed.flatMap((action) => (action.kind === 'line' ? [JSON.stringify(action)] : []));
  await expect.poll(() => printed().some((line) => line.includes('DUPLICATE')), { timeout: 60_000 }).toBe(true);
  await user.choose(user.page.getByRole('dialog').getByRole('button', { name: t.copyText }));
  await user.page.getByText(t.emailCopied).waitFor();
  expect(await user.visit.clipboard()).toContain('NORDWIND BAKERY');
  await user.shot('26-receipt');
  till.printer.set({ paper: 0 });
  await user.choose(user.page.getByRole('dialog').getByRole('button', { name: t.secondCopy }));
  await user.page.locator('[role=dialog] [data-failed=true]').waitFor();
  await user.shot('27-no-paper');
  till.printer.set({ paper: 2_000 });
  await user.page.keyboard.press('Escape');
  await user.page.getByRole('dialog').waitFor({ state: 'detached' });
};

/** "I was charged": the amount and the last four digits, and what the books say about it. */
export const claim = async ({ user }: Day): Promise<void> => {
  const { cashier: t } = user.words;
  await user.flow('customer says they were charged', async () => {
    await user.command('claim');
    const dialog = await user.dialog(t.claimTitle);
    await dialog.getByRole('textbox').first().waitFor();
    if (user.by === 'keys') await user.press(...'12.50', 'Tab', ...'0010', 'Enter');
    else {
      await dialog.getByRole('textbox').nth(0).fill('12,50');
      await dialog.getByRole('textbox').nth(1).fill('0010');
      await dialog.getByRole('button', { name: t.claimLook }).click();
    }
    await user.heading(t.verdicts.chargedOnce).waitFor();
  });
  await user.shot('28-claim');
  await user.page.keyboard.press('Escape');
  await user.page.getByRole('dialog').waitFor({ state: 'detached' });
};

/** Pays money to the card of a customer without a receipt: the cashier asks the manager, who types their PIN. */
export const creditWithManager = async ({ till, user }: Day): Promise<void> => {
  const { cashier: t, signIn } = user.words;
  till.terminals[0].present({ card: 'mastercard-tap', by: 'tap' });
  await user.flow('credit that the manager approves', async () => {
    await user.amount('400');
    await user.command('refund');
    const dialog = await user.dialog(t.refundTitle);
    await user.choose(dialog.getByRole('button', { name: /4[.,]00/ }));
    const leave = await user.dialog(signIn.overrideTitle);
    await leave.locator('input[type=password]').waitFor();
    await user.shot('29-override');
    await user.allow('Max');
    await user.ended('approved');
  });
  await user.shot('29-credit');
  await user.done();
};
