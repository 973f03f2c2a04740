/** Partial approvals and gift cards: only the approved amount counts, and secrets are stored nowhere. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EndedSale } from '../../src/till/machine/sale.ts';
import { chargedOn } from '../../src/till/payments.ts';
import { textParameters } from '../support/till/card-parameters.ts';
import { createReply, eur, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
let run: TillRun;
let told: Readonly<Record<string, string>>[] = [];
/** The gateway approves only this part of the request. */
let part: string | undefined;
const open = () =>
  rig.open({
    host: {
      ...rig.host,
      async pay(parameters, key) {
        told.push(textParameters(parameters));
        const reply = await rig.host.pay(parameters, key);
        if (part === undefined || reply.kind !== 'answered') return reply;
        return createReply(reply.code, reply.means, { ...reply.body, amount: part });
      },
      async find(reference) {
        const reply = await rig.host.find(reference);
        if (part === undefined || reply.kind !== 'answered' || !Array.isArray(reply.body['payments'])) return reply;
        const payments = reply.body['payments'].map((payment: object) => ({ ...payment, amount: part }));
        return createReply(reply.code, reply.means, { payments });
      },
    },
  });
beforeEach(() => {
  rig = tillRig();
  told = [];
  part = undefined;
  run = open();
});
afterEach(() => {
  run.close();
  rig.remove();
});

const noop = () => {};
const waitForEnd = async (running: { done: Promise<EndedSale> }) => rig.clock.until(running.done);
const endingOf = ({ ending, reason }: EndedSale): string => `${ending} ${reason}`;
const bill = { id: 'f'.repeat(32), total: eur(1_000n) };

test('a partial approval counts if the sale accepts one', async () => {
  part = '6.00';
  const sale = await waitForEnd(run.till.sell({ amount: eur(1_000n), partial: true, bill }, noop));
  expect([endingOf(sale), sale.answer?.approved, chargedOn(sale)]).toEqual(['approved approved', eur(600n), eur(600n)]);
  expect(told[0]).toMatchObject({ 'customParameters[partialApproval]': 'true', merchantInvoiceId: bill.id });
  expect(() => run.till.refund({ receipt: 1, amount: eur(601n) }, noop)).toThrow('At most 6.00 EUR');
  // The journal agrees.
  expect(chargedOn(run.till.find(1))).toEqual(eur(600n));
});

test.each([
  ['nothing', '0.00'],
  ['more', '10.01'],
  ['an unreadable amount', 'six'],
])('%s is not a partial approval: the sale is unknown, and reversed', async (_, amount) => {
  part = amount;
  const sale = await waitForEnd(run.till.sell({ amount: eur(1_000n), partial: true }, noop));
  expect([endingOf(sale), run.outbox.waiting().map(({ kind }) => kind)]).toEqual(['unknown unanswered', ['reversal']]);
});

test('if the sale does not accept partial approval, less than requested is a wrong amount', async () => {
  part = '6.00';
  const sale = await waitForEnd(run.till.sell({ amount: eur(1_000n) }, noop));
  expect(endingOf(sale)).toBe('unknown unanswered');
  await run.passTime(2);
  expect(run.says(sale.intent.sale)).toEqual({ ending: 'declined reversed', charged: 0n });
});

test('a gift card is charged at the gateway without a terminal; its number and PIN are stored nowhere', async () => {
  const [number, pin] = ['9900 0000 0000 0010', '773155'];
  run.close();
  const noTerminal = { get: () => Promise.reject(new Error('no terminal takes part')), drop: async () => {} };
  run = rig.open({ parts: { terminals: noTerminal } });
  const request = { amount: eur(1_000n), number, pin, bill, cashier: 'Ada' };
  const sale = await waitForEnd(run.till.payByGiftCard(request, noop));
  expect([endingOf(sale), sale.intent.giftCard]).toEqual(['approved approved', { maskedNumber: '************0010' }]);
  expect(rig.booked(sale.intent.sale)).toBe(1_000n);
  for (const file of readdirSync(rig.folder)) {
    const bytes = readFileSync(join(rig.folder, file)).toString('latin1');
    expect([bytes.includes('9900000000000010'), bytes.includes(pin)], file).toEqual([false, false]);
  }
});

test('a gift card sale is not taken offline, and is reversed after a lost answer', async () => {
  rig.fates.push('notReached');
  const awayEnding = await waitForEnd(run.till.payByGiftCard({ amount: eur(500n), number: '9900000000000010' }, noop));
  expect(endingOf(awayEnding)).toBe('notSent neverArrived');
  rig.fates.push('answerLost', 'answerLost');
  const lost = await waitForEnd(run.till.payByGiftCard({ amount: eur(500n), number: '9900000000000010' }, noop));
  expect(endingOf(lost)).toBe('unknown unanswered');
  await run.passTime(2);
  expect([run.says(lost.intent.sale).ending, rig.booked(lost.intent.sale)]).toEqual(['declined reversed', 0n]);
});

test.each([
  ['990', undefined, 'it has 3 characters, not 8 to 32'],
  ['9900+0000+0010', undefined, 'other signs in it'],
  ['9900000000000010', '7', 'its PIN has 2 to 32'],
])('an invalid gift card number is refused before anything is written', (number, pin, reason) => {
  const request = { amount: eur(500n), number, pin };
  expect(() => run.till.payByGiftCard(request, noop)).toThrow(reason);
  expect(run.journal.length).toBe(0);
});

test('the number of a payment card is refused as a gift card before anything is written or sent', () => {
  const length = run.journal.length;
  for (const number of ['4761739001010010', '4761 7390 0101 0010', '378282246310005'])
    expect(() => run.till.payByGiftCard({ amount: eur(1_000n), number }, () => {})).toThrow('of a payment card');
  expect([run.journal.length, told]).toEqual([length, []]);
});
