/**
 * The issuer approves after the till gave up waiting: the reversal finds the payment undecided, and the gateway keeps
 * each of its answers under its key. The money is returned all the same, once.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { meaningOf } from '../../src/gateway/spec/results.ts';
import type { Host, HostReply } from '../../src/till/ports.ts';
import { type Fate, type SlowFate, slowFates } from '../support/till/bookkeeping-host.ts';
import { createReply, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = tillRig();
});
afterEach(() => rig.remove());

const slow = Object.keys(slowFates) as SlowFate[];
const approvedCode = '000.100.110';

/** Only the queue's own sender inquires. */
const sellAndLeave = async (run: TillRun, ...fates: Fate[]): Promise<string> => {
  rig.fates.push(...fates);
  const { sale, done } = run.sell(700n);
  expect((await rig.clock.until(done)).ending).toBe('unknown');
  run.forwarder.start();
  await rig.clock.advance(240_000);
  await rig.clock.until(run.forwarder.stop());
  return sale;
};

const approvedOf = (sale: string, type: string) =>
  rig.ofSale(sale).filter(({ paymentType, code }) => paymentType === type && code === approvedCode).length;

test.each(slow)('a sale (%s) is reversed once', async (fate) => {
  const run = rig.open();
  const sale = await sellAndLeave(run, fate);
  expect([approvedOf(sale, 'DB'), approvedOf(sale, 'RV'), rig.booked(sale)]).toEqual([1, 1, 0n]);
  expect(run.says(sale)).toEqual({ ending: 'declined reversed', charged: 0n });
  expect([...run.outbox.waiting(), ...run.outbox.parked()]).toEqual([]);
  run.close();
});

test.each(slow)('a reversal (%s) counts when it is decided, and is made once', async (fate) => {
  const run = rig.open();
  const sale = await sellAndLeave(run, 'answerLost', 'answerLost', 'answered', fate);
  expect([approvedOf(sale, 'DB'), approvedOf(sale, 'RV'), rig.booked(sale)]).toEqual([1, 1, 0n]);
  expect(run.says(sale)).toEqual({ ending: 'declined reversed', charged: 0n });
  run.close();
});

/**
 * The first answer to a reversal is the given one; the gateway keeps it under its key, and a new key is a new request.
 */
const hostWithFirstReversal = (code: string): Host => {
  const stored = new Map<string, HostReply>();
  return {
    ...rig.host,
    meaningOf,
    async refer(payment, parameters, key) {
      if (stored.size === 0) stored.set(key, createReply(code, meaningOf(code)));
      return stored.get(key) ?? rig.host.refer(payment, parameters, key);
    },
  };
};

test.each([
  ['the payment has no final result yet', '700.400.570'],
  ['the reversal has no final result yet', '000.200.000'],
  ['too many requests', '800.120.100'],
  ['it was never sent to the issuer', '900.100.310'],
  ['the issuer is unavailable', '800.100.176'],
])('an answer that only says "not now" ends only its key: %s', async (_, code) => {
  const run = rig.open({ host: hostWithFirstReversal(code) });
  const sale = await sellAndLeave(run, 'answerLost', 'answerLost');
  expect(run.says(sale)).toEqual({ ending: 'declined reversed', charged: 0n });
  expect([approvedOf(sale, 'RV'), run.outbox.parked()]).toEqual([1, []]);
  run.close();
});

test('a reversal whose answer is lost keeps its key', async () => {
  const keys: string[] = [];
  const host: Host = {
    ...rig.host,
    refer(payment, parameters, key) {
      keys.push(key);
      return rig.host.refer(payment, parameters, key);
    },
  };
  const run = rig.open({ host });
  const sale = await sellAndLeave(run, 'answerLost', 'answerLost', 'answered', 'answerLost', 'answered', 'answerLost');
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  expect(approvedOf(sale, 'RV')).toBe(1);
  run.close();
});

test('"cannot be reversed" while an earlier reversal is in progress is not an end', async () => {
  // The second try is a new request, while the issuer is still processing the first.
  const tooMany = createReply('800.120.100', 'later');
  let tries = 0;
  const host: Host = {
    ...rig.host,
    refer: async (payment, parameters, key) => {
      tries += 1;
      if (tries > 1) return rig.host.refer(payment, parameters, key);
      void rig.host.refer(payment, parameters, key);
      return tooMany;
    },
  };
  const run = rig.open({ host });
  const sale = await sellAndLeave(run, 'answerLost', 'answerLost', 'answered', 'decidedAfter60s');
  expect(run.says(sale)).toEqual({ ending: 'declined reversed', charged: 0n });
  expect([approvedOf(sale, 'RV'), run.outbox.parked()]).toEqual([1, []]);
  run.close();
});
