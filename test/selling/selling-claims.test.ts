/** "The customer says they were charged": what the books prove, and what is advised. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Claim, ClaimAnswer } from '../../src/api/contract/sale-requests.ts';
import { anna, counterRig, eur, type Rig } from './counter-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = counterRig();
});
afterEach(() => rig.remove());

type Step = 'sell' | 'decline' | 'lose' | 'void' | 'refund' | 'part' | 'hold' | 'offline' | 'split' | 'other';
const rows: [string, Step[], Claim, ClaimAnswer['verdict'], RegExp | undefined][] = [
  ['nothing was sold', [], { amount: eur('10.00') }, 'notFound', undefined],
  ['sold once', ['sell'], { amount: eur('10.00') }, 'chargedOnce', /refund 10\.00 EUR of receipt 000001/],
  ['another amount', ['sell'], { amount: eur('11.00') }, 'notFound', undefined],
  ['another card', ['sell'], { last4: '9999' }, 'notFound', undefined],
  ['by card alone', ['sell'], { last4: '0010' }, 'chargedOnce', /Charged/],
  ['by receipt', ['sell'], { text: '1' }, 'chargedOnce', /Charged/],
  ['before the window', ['sell'], { amount: eur('10.00'), to: 1 }, 'notFound', undefined],
  [
    'sold twice',
    ['sell', 'sell'],
    { amount: eur('10.00'), last4: '0010' },
    'chargedTwice',
    /If the customer bought only once.*000002/,
  ],
  ['twice, and one voided', ['sell', 'sell', 'void'], { amount: eur('10.00') }, 'chargedOnce', /Refunded in full/],
  ['twice, and one refunded', ['sell', 'sell', 'refund'], { last4: '0010' }, 'chargedOnce', /Refunded in full/],
  ['once, and given back', ['sell', 'refund'], { amount: eur('10.00') }, 'notCharged', /Do not refund it again/],
  [
    'a partial refund',
    ['sell', 'part'],
    { amount: eur('10.00') },
    'chargedOnce',
    /3\.00 EUR of it has already been refunded.*refund 7\.00 EUR/,
  ],
  ['declined', ['decline'], { amount: eur('10.00') }, 'notCharged', /nothing to refund/],
  ['declined, then sold', ['decline', 'sell'], { amount: eur('10.00') }, 'chargedOnce', /Charged/],
  ['nobody knows', ['lose'], { amount: eur('10.00') }, 'unknown', /do not refund anything/],
  ['sold, and one unknown', ['sell', 'lose'], { amount: eur('10.00') }, 'unknown', /do not refund anything/],
  ['held', ['hold'], { amount: eur('10.00') }, 'notCharged', /Held, not charged/],
  ['offline', ['offline'], { amount: eur('10.00') }, 'chargedOnce', /will be charged/],
  ['two parts of one bill', ['split'], { amount: eur('10.00') }, 'chargedOnce', /Charged/],
];

test.each(rows)('%s', async (_, steps, claim, verdict, advised) => {
  const { service, ended, close } = await rig.open();
  let key = 0;
  const nextKey = () => `key-${String(++key).padStart(6, '0')}`;
  const sell = async (more: object = {}) =>
    ended(await service.begin({ operation: 'sale', amount: eur('10.00'), ...more }, anna, nextKey()));
  const follow = async (operation: 'void' | 'refund', more: object = {}) =>
    ended(
      await service.follow(
        { receipt: service.sales({ from: 0, most: 1 }).rows[0]?.receipt ?? 0, operation, ...more },
        anna,
        nextKey(),
      ),
    );
  const runStep: Record<Step, () => Promise<unknown>> = {
    sell,
    other: sell,
    async decline() {
      rig.approvals.push(false);
      await sell();
    },
    async lose() {
      rig.fates.push(...Array.from({ length: 40 }, () => 'answerLost' as const));
      await sell();
    },
    void: () => follow('void'),
    refund: () => follow('refund'),
    part: () => follow('refund', { amount: eur('3.00') }),
    hold: () => sell({ operation: 'preauthorisation' }),
    async offline() {
      rig.fates.push('notReached', 'notReached');
      await sell();
    },
    async split() {
      const first = await sell({ billTotal: eur('20.00') });
      await sell({ bill: first.receipt });
    },
  };
  for (const step of steps) await runStep[step]();
  const answer = service.claim(claim);
  expect(answer.verdict).toBe(verdict);
  if (advised === undefined) expect(answer.sales).toEqual([]);
  else expect(answer.sales.map(({ next }) => next).join('\n')).toMatch(advised);
  for (const { evidence, person } of answer.sales) {
    expect(evidence[0]?.words).toMatch(/^started: /);
    // A cashier has no command line.
    expect(person).not.toContain('npm');
  }
  rig.fates.splice(0);
  await close();
});
