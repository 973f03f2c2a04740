/** What the resolver does with each answer of the gateway and of the terminal, and the evidence that it leaves. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { meaningOf } from '../../src/gateway/spec/results.ts';
import type { HostReply } from '../../src/till/ports.ts';
import { type DeviceTurn, integratedDevice, type Question } from '../support/till/scripted-integrated-terminal.ts';
import { createReply, LIFE_MS, type Rig, type TillRun, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = tillRig();
});
afterEach(() => rig.remove());

const payment = (reference: string, code: string, more: Record<string, string> = {}) => ({
  id: 'd'.repeat(32),
  paymentType: 'DB',
  merchantTransactionId: reference,
  ...(code === '000.100.110' && { amount: '7.00', currency: 'EUR' }),
  result: { code, description: 'as told' },
  ...more,
});
const listing =
  (...payments: [code: string, more?: Record<string, string>][]) =>
  (reference: string): HostReply =>
    createReply('000.000.100', 'approved', {
      payments: payments.map(([code, more]) => payment(reference, code, more)),
    });
const silent = (): HostReply => ({ kind: 'silent', fault: new Fault('host.silent', { why: 'timed out' }) });
const notSent = (): HostReply => ({ kind: 'notSent', fault: new Fault('host.unreachable', { why: 'refused' }) });

const searches: Readonly<Record<string, (reference: string) => HostReply>> = {
  approved: listing(['000.100.110']),
  'no, then yes': listing(['800.100.155'], ['000.100.110']),
  declined: listing(['800.100.155']),
  'another type': listing(['000.100.110', { paymentType: 'CP' }]),
  'another sale': listing(['000.100.110', { merchantTransactionId: '0'.repeat(32) }]),
  nothing: () => createReply('700.400.580', 'refused'),
  unlisted: () => createReply('999.111.222', 'unknown'),
  silent,
  notSent,
};

const reversals: Readonly<Record<string, () => HostReply>> = {
  whole: () => createReply('000.100.110', 'approved', { amount: '7.00', currency: 'EUR' }),
  part: () => createReply('000.100.110', 'approved', { amount: '6.99', currency: 'EUR' }),
  'nothing there': () => createReply('700.400.530', 'refused'),
  cannot: () => createReply('700.400.300', 'refused'),
  pending: () => createReply('700.400.570', 'refused'),
  unlisted: () => createReply('999.111.222', 'unknown'),
  silent,
  notSent,
};

const askedFor = new Set(['approved', 'no, then yes']);
const afterReversal: Readonly<Record<string, string>> = {
  whole: 'declined reversed closed',
  part: 'unknown unanswered parked',
  'nothing there': 'unknown unanswered waiting',
  cannot: 'unknown unanswered parked',
  pending: 'unknown unanswered waiting',
  unlisted: 'unknown unanswered waiting',
  silent: 'unknown unanswered waiting',
  notSent: 'unknown unanswered waiting',
};
const withoutReversal: Readonly<Record<string, string>> = {
  declined: 'declined declinedByHost closed',
  'another type': 'unknown unanswered parked',
  'another sale': 'unknown unanswered parked',
  nothing: 'notSent neverArrived closed',
  unlisted: 'unknown unanswered waiting',
  silent: 'unknown unanswered waiting',
  notSent: 'unknown unanswered waiting',
};

const cases = Object.keys(searches).flatMap((search) =>
  (askedFor.has(search) ? Object.keys(reversals) : ['whole']).map((reversal) => [search, reversal] as const),
);

const sellUnanswered = async (run: TillRun): Promise<string> => {
  rig.fates.push('requestLost', 'requestLost');
  const sale = run.sell(700n);
  expect((await rig.clock.until(sale.done)).ending).toBe('unknown');
  return sale.sale;
};

const evidence = (run: TillRun, sale: string): string[] =>
  run.ledger.events(sale).flatMap((event) => (event.on === 'asked' ? `${event.what} ${event.heard.said}` : []));

test.each(cases)('the gateway says %s, to the reversal %s', async (search, reversal) => {
  const first = rig.open();
  const sale = await sellUnanswered(first);
  const before = evidence(first, sale).length;
  first.close();
  await rig.clock.advance(LIFE_MS);
  const requests: string[] = [];
  const host = {
    ...rig.host,
    meaningOf,
    async find(reference: string) {
      requests.push('search');
      return searches[search]?.(reference) ?? silent();
    },
    async refer() {
      requests.push('reversal');
      return reversals[reversal]?.() ?? silent();
    },
  };
  const run = rig.open({ host });
  run.till.recover();
  await rig.clock.until(run.resolver.run(run.till.findSale(sale)));
  const now = run.resolver.of(run.till.findSale(sale));
  const expected = askedFor.has(search) ? afterReversal[reversal] : withoutReversal[search];
  expect(`${run.says(sale).ending} ${now.state}`).toBe(expected);
  expect(requests.slice(0, 2)).toEqual(askedFor.has(search) ? ['search', 'reversal'] : ['search']);
  const questions = evidence(run, sale)
    .slice(before)
    .map((line) => line.split(' ')[0]);
  // The list is checked again if a reversal was refused: the same answer is not recorded twice.
  expect(questions).toEqual(requests.slice(0, 2));
  // Whatever the outcome, it says what happens next and what a person can do, and shows why.
  expect(now.next.length).toBeGreaterThan(10);
  expect(now.person.length).toBeGreaterThan(10);
  expect(now.evidence[0]?.words).toBe('started: 7.00 EUR');
  run.close();
});

test('"not found" before the request’s life is over is evidence, not proof', async () => {
  const run = rig.open();
  const sale = await sellUnanswered(run);
  await rig.clock.until(run.resolver.run(run.till.findSale(sale)));
  expect(run.resolver.of(run.till.findSale(sale))).toMatchObject({ state: 'waiting' });
  expect(evidence(run, sale).at(-1)).toBe('search refused');
  rig.wall.jumpMs = 3_600_000;
  await rig.clock.until(run.resolver.run(run.till.findSale(sale)));
  expect(run.says(sale).ending).toBe('unknown unanswered');
  await rig.clock.advance(LIFE_MS);
  await rig.clock.until(run.resolver.run(run.till.findSale(sale)));
  expect(run.says(sale).ending).toBe('notSent neverArrived');
  run.close();
});

test('a silent line leaves one line of evidence, however often it is tried', async () => {
  const run = rig.open();
  const sale = await sellUnanswered(run);
  for (let n = 0; n < 20; n++) {
    rig.fates.push(n % 2 === 0 ? 'notReached' : 'requestLost');
    await rig.clock.advance(LIFE_MS);
    await run.drain();
  }
  expect(evidence(run, sale).filter((line) => /silent|notSent/.test(line)).length).toBeLessThanOrEqual(2);
  run.close();
});

test('evidence contains no card number, even if the gateway’s text does', async () => {
  const first = rig.open();
  const sale = await sellUnanswered(first);
  first.close();
  const words = { description: 'card 4761739001010010 not known', code: '999.111.222' };
  const run = rig.open({
    host: { ...rig.host, find: async () => ({ ...createReply('999.111.222', 'unknown'), ...words }) },
  });
  await rig.clock.until(run.resolver.run(run.till.findSale(sale)));
  const entries = JSON.stringify(run.journal.about(sale));
  expect(entries).toContain('476173******0010');
  expect(entries).not.toContain('4761739001010010');
  run.close();
});

/** What happens to the request, and to the inquiry by the same sale; then what the late inquiry finds. */
test('an approval after "never arrived" is found by a later inquiry, and reversed', async () => {
  const run = rig.open();
  const sale = await sellUnanswered(run);
  await run.passTime(2);
  expect(run.says(sale).ending).toBe('notSent neverArrived');
  expect(await rig.clock.until(run.resolver.inquireLate())).toEqual([]);
  // The gateway accepts it after all, long after its life.
  const { intent } = run.till.findSale(sale);
  await rig.clock.until(
    rig.host.pay(
      { amount: '7.00', currency: 'EUR', paymentType: 'DB', merchantTransactionId: sale, 'pos.terminalId': '1' },
      intent.key,
    ),
  );
  expect(rig.booked(sale)).toBe(700n);
  await rig.clock.advance(600_001);
  const found = await rig.clock.until(run.resolver.inquireLate());
  expect(found.map(({ intent: { sale: id } }) => id)).toEqual([sale]);
  expect([run.says(sale).ending, rig.booked(sale)]).toEqual(['declined approvedLate', 0n]);
  expect(run.resolver.of(run.till.findSale(sale)).state).toBe('closed');
  expect(run.ledger.late()).toEqual([]);
  run.close();
});

test('a sale that was never sent is inquired about once, and that is recorded', async () => {
  const run = rig.open();
  rig.fates.push('notReached');
  const sale = run.sell(7_000n);
  expect((await rig.clock.until(sale.done)).ending).toBe('notSent');
  await rig.clock.advance(600_001);
  rig.fates.push('requestLost');
  expect(run.ledger.late()).toEqual([sale.sale]);
  // The line is down: it stays on the list.
  await rig.clock.until(run.resolver.inquireLate());
  expect(run.ledger.late()).toEqual([sale.sale]);
  await rig.clock.until(run.resolver.inquireLate());
  expect(run.ledger.late()).toEqual([]);
  expect(evidence(run, sale.sale)).toEqual(['search silent', 'search refused']);
  run.close();
});

const terminalWords: [DeviceTurn, DeviceTurn | undefined, string, string][] = [
  ['lostDuring', undefined, 'approved approved', 'closed'],
  ['lostBefore', undefined, 'notSent neverMade', 'waiting'],
  ['declined', undefined, 'declined declinedAtTerminal', 'closed'],
  ['notBegun', undefined, 'notSent notBegunAtTerminal', 'closed'],
  ['lostDuring', 'refused', 'unknown unclearAtTerminal', 'person'],
];

test.each(terminalWords)('the terminal %s, then asked %s: %s', async (pay, last, ending, state) => {
  let turns: Partial<Record<Question, DeviceTurn[]>> = {};
  const device = integratedDevice({ clock: rig.clock, nextTurn: (question) => turns[question]?.shift() ?? 'works' });
  device.payByHand({ minor: 1_000n, currency: 'EUR' });
  const run = rig.open({ parts: { integrated: device.keep() } });
  // A payment that is reported as it is made shows how the device's clock differs.
  await rig.clock.until(run.sell(300n).done);
  turns = { pay: [pay], last: last && ['works', ...Array.from({ length: 8 }, () => last)] };
  const sale = run.sell(1_000n);
  await rig.clock.until(sale.done);
  const now = run.resolver.of(run.till.findSale(sale.sale));
  expect([run.says(sale.sale).ending, now.state]).toEqual([ending, state]);
  // The gateway never receives it.
  expect(rig.host.books).toEqual([]);
  expect(evidence(run, sale.sale)).toEqual([]);
  if (state === 'waiting') {
    turns = {};
    await rig.clock.until(run.resolver.run(run.till.findSale(sale.sale)));
    expect(run.resolver.of(run.till.findSale(sale.sale)).state).not.toBe('waiting');
  }
  run.close();
});
