/** A till that is answered in the other mode: by operation, online and stored, and what the gateway has afterwards. */
import { afterEach, expect, test } from 'vitest';
import type { Mode } from '../../src/base/mode.ts';
import type { FollowRequest } from '../../src/till/follow-ups.ts';
import { modeOfCode } from '../../src/till/gateway/mode.ts';
import type { EndedSale } from '../../src/till/machine/sale.ts';
import type { HostReply } from '../../src/till/ports.ts';
import type { Running } from '../../src/till/running.ts';
import { NEW_FIELD } from '../support/till/issuer-books.ts';
import type { Rig, RunParts, TillRun } from '../support/till/till-rig.ts';
import { chipCard, createReply, eur, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
let run: TillRun;
const open = (mode: Mode, around: RunParts = {}): void => {
  rig = tillRig(chipCard, mode);
  run = rig.open(around);
};
afterEach(() => {
  run.close();
  rig.remove();
});

const noop = () => {};
const waitForEnd = (running: Running): Promise<EndedSale> => rig.clock.until(running.done);
const sell = (minor = 1_000n) => waitForEnd(run.sell(minor));
const hold = () => waitForEnd(run.till.preauthorise({ amount: eur(5_000n) }, noop));
const follow = (request: FollowRequest) => waitForEnd(run.till.follow(request, noop));
const endingOf = ({ ending, reason }: EndedSale): string => `${ending} ${reason}`;
const now = (sale: string): string => run.says(sale).ending;
/** The payments that a channel of this mode has approved, in order. */
const bookings = (mode: Mode) =>
  rig.host.books.filter(({ code }) => modeOfCode(code) === mode).map((b) => `${b.paymentType} ${b.amount}`);
const openWork = () => [run.ledger.openSales(), run.outbox.waiting(), run.outbox.parked()];
const listParked = () => run.outbox.parked().map(({ kind, again }) => `${kind} ${again}`);

/** The card's own decision, and whether it was told of an approval. */
const operations: Readonly<Record<string, () => Promise<EndedSale>>> = {
  sale: () => sell(),
  preauthorisation: hold,
  credit: () => waitForEnd(run.till.credit({ amount: eur(1_000n) }, noop)),
};

/** Follow-ups of a payment that was made in the till's own mode, before the channel changed. */
const followUps: Readonly<Record<string, () => Promise<FollowRequest>>> = {
  refund: async () => ({ operation: 'refund', receipt: (await sell()).intent.receipt, amount: eur(400n) }),
  void: async () => ({ operation: 'void', receipt: (await sell()).intent.receipt }),
  increment: async () => ({ operation: 'increment', receipt: (await hold()).intent.receipt, amount: eur(500n) }),
  completion: async () => ({ operation: 'completion', receipt: (await hold()).intent.receipt }),
  release: async () => ({ operation: 'release', receipt: (await hold()).intent.receipt }),
};

test.each(['test', 'live'] as const)(
  'a %s till at a channel of its mode takes payments and follow-ups',
  async (mode) => {
    open(mode);
    const reasons = [];
    for (const work of Object.values(operations)) reasons.push(endingOf(await work()));
    for (const prepare of Object.values(followUps)) reasons.push(endingOf(await follow(await prepare())));
    expect(reasons.map((reason) => reason.split(' ')[0])).toEqual(reasons.map(() => 'approved'));
    expect(openWork()).toEqual([[], [], []]);
  },
);

test.each(Object.keys(operations))('a %s at a live till answered in test mode ends as not charged', async (name) => {
  open('live');
  rig.channel.mode = 'test';
  const sale = await operations[name]?.();
  expect(sale && [endingOf(sale), sale.reversal]).toEqual(['declined testAnswer', 'due']);
  await run.drain();
  expect([bookings('live'), bookings('test').map((line) => line.split(' ')[0]), openWork()]).toEqual([
    [],
    [expect.any(String), 'RV'],
    [[], [], []],
  ]);
  // Nothing is inquired about for ever, even if the test channel is gone by then.
  expect(run.till.findSale(sale?.intent.sale ?? '')).toMatchObject({ ending: 'declined', reversal: 'done' });
});

test.each(Object.keys(operations))(
  'a %s at a test till that a live channel approved is reversed for real',
  async (name) => {
    open('test');
    rig.channel.mode = 'live';
    const sale = await operations[name]?.();
    expect(sale && [endingOf(sale), sale.reversal]).toEqual(['declined liveAnswer', 'due']);
    const [line] = bookings('live');
    await run.drain();
    expect([bookings('live'), openWork()]).toEqual([
      [line, `RV ${line?.split(' ')[1]}`],
      [[], [], []],
    ]);
  },
);

test.each(Object.keys(followUps))(
  'a %s at a live till answered in test mode is not done, and can be requested again',
  async (name) => {
    open('live');
    const request = await followUps[name]?.();
    if (request === undefined) throw new Error('no such operation');
    rig.channel.mode = 'test';
    const before = bookings('live');
    expect(endingOf(await follow(request))).toBe('declined testAnswer');
    await run.drain();
    expect([bookings('live'), openWork()]).toEqual([before, [[], [], []]]);
    rig.channel.mode = 'live';
    expect((await follow(request)).ending).toBe('approved');
    expect(bookings('live')).toHaveLength(before.length + 1);
  },
);

test('a test system’s decline is not a bank’s: the cashier is not told to ask for another card', async () => {
  open('live');
  Object.assign(rig.channel, { mode: 'test', approves: false });
  const sale = await sell();
  expect(endingOf(sale)).toBe('declined testAnswer');
  await run.drain();
  expect([openWork(), now(sale.intent.sale)]).toEqual([[[], [], []], 'declined testAnswer']);
});

test('a sale that only a test system had needs no answer from it once the till has another gateway', async () => {
  open('live');
  rig.channel.mode = 'test';
  const { intent } = await sell();
  run.close();
  rig.channel.mode = 'live';
  run = rig.open({ parts: { gateway: 'the right one' } });
  await run.drain();
  expect(openWork()).toEqual([[], [], []]);
  expect(run.till.findSale(intent.sale)).toMatchObject({ reversal: 'done' });
});

test('a card that waits for the final decision is declined in either mismatch', async () => {
  const messages: string[] = [];
  for (const [till, channel] of [
    ['live', 'test'],
    ['test', 'live'],
  ] as const) {
    open(till, {
      terminal: (twin) => ({
        ...twin,
        complete(word) {
          messages.push(word.kind);
          return twin.complete(word);
        },
      }),
    });
    rig.channel.mode = channel;
    await sell();
    if (till === 'live') {
      run.close();
      rig.remove();
    }
  }
  expect(messages).toEqual(['declined', 'declined']);
});

test.each([
  ['live', 'test', 'declined testAnswer', []],
  ['test', 'live', 'declined reversed', ['DB 10.00', 'RV 10.00']],
] as const)(
  'a %s till gets no answer, and learns by inquiry that a %s channel has it',
  async (till, channel, ending, live) => {
    open(till);
    rig.channel.mode = channel;
    rig.fates.push('answerLost');
    const sale = await sell();
    expect(endingOf(sale)).toBe('unknown unanswered');
    await run.passTime(2);
    expect([now(sale.intent.sale), bookings('live'), openWork()]).toEqual([ending, live, [[], [], []]]);
  },
);

test('a test system’s answer to a reversal never counts for real money: a live gateway must make it', async () => {
  const chip: { says: 'approved' | 'declined' } = { says: 'declined' };
  open('live', { behaviour: { complete: () => chip.says } });
  const sale = await sell();
  chip.says = 'approved';
  expect([endingOf(sale), sale.reversal, bookings('live')]).toEqual([
    'declined chipRefusedApproval',
    'due',
    ['DB 10.00'],
  ]);
  rig.channel.mode = 'test';
  await run.drain();
  expect([listParked(), bookings('live'), bookings('test')]).toEqual([['reversal 1'], ['DB 10.00'], ['RV 10.00']]);
  rig.channel.mode = 'live';
  // The next approval shows that the gateway is fixed.
  const next = await sell(700n);
  expect([next.ending, listParked()]).toEqual(['approved', []]);
  await run.drain();
  expect([bookings('live'), openWork()]).toEqual([
    ['DB 10.00', 'DB 7.00', 'RV 10.00'],
    [[], [], []],
  ]);
});

test('a test system’s answer that it has no such payment does not count for real money either', async () => {
  let simulators = false;
  rig = tillRig(chipCard, 'live');
  const body = { result: { code: '700.400.530', randomField7: NEW_FIELD } };
  run = rig.open({
    behaviour: { complete: () => 'declined' },
    host: {
      ...rig.host,
      refer: async (payment, parameters, key) =>
        simulators ? createReply('700.400.530', 'refused', body) : rig.host.refer(payment, parameters, key),
    },
  });
  expect(endingOf(await sell())).toBe('declined chipRefusedApproval');
  simulators = true;
  await run.drain();
  expect(listParked()).toEqual(['reversal 1']);
  simulators = false;
  // The approval of this sale is reversed as well: the card declines each sale.
  await sell(700n);
  await run.passTime(1);
  expect([bookings('live').toSorted(), openWork()]).toEqual([
    ['DB 10.00', 'DB 7.00', 'RV 10.00', 'RV 7.00'],
    [[], [], []],
  ]);
});

test('at a test till, a test answer to the reversal of a live charge does not count either', async () => {
  open('test');
  rig.channel.mode = 'live';
  const sale = await sell();
  rig.channel.mode = 'test';
  await run.drain();
  expect([listParked(), bookings('live')]).toEqual([['reversal 1'], ['DB 10.00']]);
  rig.channel.mode = 'live';
  run.outbox.unpark(rig.clock.now());
  await run.drain();
  expect([bookings('live'), openWork(), now(sale.intent.sale)]).toEqual([
    ['DB 10.00', 'RV 10.00'],
    [[], [], []],
    'declined liveAnswer',
  ]);
});

test('a late approval counts only if it moved money', async () => {
  open('live');
  rig.channel.mode = 'test';
  rig.fates.push('takenLate', 'notReached');
  const sale = await sell();
  await run.passTime(2);
  expect([now(sale.intent.sale).split(' ')[0], openWork()]).toEqual(['declined', [[], [], []]]);
  expect(await rig.clock.until(run.resolver.inquireLate('all'))).toEqual([]);
});

test.each([
  ['live', 'test', []],
  ['test', 'live', ['DB 10.00', 'RV 10.00']],
] as const)('at a %s till a %s channel’s late approval', async (till, channel, live) => {
  open(till);
  rig.fates.push('notReached');
  const refused = await waitForEnd(run.till.credit({ amount: eur(100n) }, noop));
  expect(refused.ending).toBe('notSent');
  // The request is there although nobody saw it arrive.
  const { sale } = refused.intent;
  rig.channel.mode = channel;
  await rig.clock.until(
    rig.host.pay({ paymentType: 'CD', amount: '1.00', currency: 'EUR', merchantTransactionId: sale }, 'late'),
  );
  const found = await rig.clock.until(run.resolver.inquireLate('all'));
  await run.drain();
  expect([found.length, bookings('live').length, openWork()]).toEqual([live.length / 2, live.length, [[], [], []]]);
});

test('a reversal refused by an unconfigured channel is made once the channel is configured', async () => {
  const refused = new Map<string, HostReply>();
  let isSetUp = false;
  rig = tillRig(chipCard, 'live');
  run = rig.open({
    behaviour: { complete: () => 'declined' },
    host: {
      ...rig.host,
      async refer(payment, parameters, key) {
        if (!isSetUp) refused.set(key, createReply('600.200.500', 'refused', {}));
        return refused.get(key) ?? rig.host.refer(payment, parameters, key);
      },
    },
  });
  await sell();
  await run.passTime(2);
  expect([run.outbox.waiting().length, bookings('live')]).toEqual([1, ['DB 10.00']]);
  isSetUp = true;
  await run.passTime(1);
  expect([bookings('live'), openWork()]).toEqual([
    ['DB 10.00', 'RV 10.00'],
    [[], [], []],
  ]);
});
