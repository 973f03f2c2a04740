/** No message stays for ever: a gateway's endless answer comes to a person, whose decision ends it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { meaningOf } from '../../src/base/code-meanings.ts';
import { ANSWERS_MOST } from '../../src/queue/policy.ts';
import type { FollowRequest } from '../../src/till/follow-ups.ts';
import type { Host } from '../../src/till/ports.ts';
import { chipCard, createReply, eur, LIFE_MS, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

const DUPLICATE = '800.110.100';
const by = { who: 'Ana', role: 'manager', reason: 'the bank was called', evidence: 'statement of 2 January' };

let rig: Rig;
let run: TillRun;
beforeEach(() => {
  rig = tillRig(chipCard);
});
afterEach(() => {
  run.close();
  rig.remove();
});

/** The issuer has seen each card before (its code 94), and the gateway lists the payment with that code. */
const createDuplicatingHost = (): Host & { isOn: boolean; sent: number } => {
  const listed: Record<string, unknown>[] = [];
  const host: Host & { isOn: boolean; sent: number } = {
    ...rig.host,
    isOn: false,
    sent: 0,
    async pay(parameters, key) {
      if (!host.isOn) return rig.host.pay(parameters, key);
      const { merchantTransactionId = '', paymentType } = parameters;
      const body = { id: 'e'.repeat(32), merchantTransactionId, paymentType, result: { code: DUPLICATE } };
      if (host.sent === 0) listed.push(body);
      host.sent += 1;
      return createReply(DUPLICATE, 'unknown', body);
    },
    find: async (reference) =>
      host.isOn && listed.some(({ merchantTransactionId }) => merchantTransactionId === reference)
        ? createReply('000.000.100', 'approved', { payments: listed })
        : rig.host.find(reference),
  };
  return host;
};

const storedSale = async () => {
  rig.fates.push('notReached');
  const sale = await rig.clock.until(run.sell(1_000n).done);
  expect(sale.offline).toBe('chip');
  return sale.intent;
};
const follow = async (request: FollowRequest) => {
  const sale = await rig.clock.until(run.till.follow(request, () => {}).done);
  return sale.intent;
};

const open = (host: Host) => {
  run = rig.open({
    host,
    parts: { offline: () => ({ kind: 'allowed', chip: true, deferred: false, stored: true }) },
  });
};

test.each([
  ['void', true, 'notSent personSaidNot', 'notSent nothingToFollow'],
  ['void', false, 'approved personSaidDone', 'approved stored'],
  ['refund', true, 'notSent personSaidNot', 'notSent nothingToFollow'],
  ['refund', false, 'approved personSaidDone', 'approved stored'],
] as const)(
  'a %s behind a stored sale that stays a duplicate: a person ends both (not charged: %s)',
  async (operation, isNot, sold, followerOf) => {
    const host = createDuplicatingHost();
    open(host);
    const { sale, receipt } = await storedSale();
    // The sale was tried before, so that its void is not a withdrawal.
    rig.fates.push('requestLost');
    await run.drain();
    const { sale: child, receipt: second } = await follow({
      receipt,
      operation,
      amount: operation === 'refund' ? eur(400n) : undefined,
    });
    host.isOn = true;
    await run.passTime(20);
    expect(run.outbox.parked().map((message) => message.sale)).toEqual([sale]);
    expect(host.sent).toBe(1);

    run.resolver.force(receipt, { charged: !isNot, by });
    await run.passTime(3);
    expect([run.says(sale).ending, run.says(child).ending]).toEqual([sold, followerOf]);
    // No payment was named: the follow-up is left to a person too, and ends with their decision.
    if (!isNot) {
      expect(run.outbox.parked().map((message) => message.sale)).toEqual([child]);
      run.resolver.force(second, { charged: false, by });
      expect(run.says(child).ending).toBe('notSent personSaidNot');
    }
    await run.passTime(3, LIFE_MS);
    expect([run.resolver.open(), run.outbox.waiting(), run.outbox.parked(), host.sent]).toEqual([[], [], [], 1]);
  },
);

test.each([
  ['the first request was approved', '000.100.110', 'approved', 'approved approvedOffline'],
  ['the first request was declined', '800.100.155', 'declined', 'declined declinedOnForwarding'],
] as const)('of a duplicate and its original, the original decides: %s', async (_, code, means, ending) => {
  const repeated: Record<string, unknown>[] = [];
  const host: Host = {
    ...rig.host,
    pay: async (parameters) => {
      const { merchantTransactionId, paymentType, amount, currency } = parameters;
      const id = (letter: string) => letter.repeat(32);
      const first = { ...(means === 'approved' && { amount, currency }), result: { code, description: '' } };
      repeated.push(
        { id: id('a'), merchantTransactionId, paymentType, result: { code: DUPLICATE } },
        { id: id('b'), merchantTransactionId, paymentType, ...first },
      );
      return createReply(DUPLICATE, 'unknown');
    },
    meaningOf,
    find: async () => createReply('000.000.100', 'approved', { payments: repeated }),
  };
  open({ ...rig.host });
  const { sale } = await storedSale();
  run.close();
  open(host);
  await run.passTime(2);
  expect(run.says(sale).ending).toBe(ending);
  expect([run.outbox.waiting(), run.outbox.parked()]).toEqual([[], []]);
});

test('a message that a channel kept refusing is sent on the next start after the channel is fixed', async () => {
  open({ ...rig.host });
  const { sale } = await storedSale();
  run.close();
  open({ ...rig.host, pay: async () => createReply('800.900.300', 'refused') });
  await run.drain();
  run.journal.sql.run('UPDATE message SET answers = ?', ANSWERS_MOST);
  await run.passTime(1);
  expect(run.outbox.parked().map((message) => message.sale)).toEqual([sale]);
  run.close();
  open({ ...rig.host });
  await run.passTime(1);
  expect([run.says(sale).ending, run.outbox.parked(), rig.booked(sale)]).toEqual([
    'approved approvedOffline',
    [],
    1_000n,
  ]);
});
