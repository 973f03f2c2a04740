/** Stored business of a live till while its gateway is wrong: kept with its card data, and sent once it is mended. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { openCardTries } from '../../src/queue/card-tries.ts';
import { queueRows } from '../../src/runtime/queue-view.ts';
import { modeOfCode } from '../../src/till/mode.ts';
import type { Host, HostReply } from '../../src/till/ports.ts';
import type { EndedSale } from '../../src/till/sale.ts';
import { NEW_FIELD, replyOf } from '../support/till/issuer-books.ts';
import { type Around, chipCard, type Life, type Rig, tillRig } from '../support/till/till-rig.ts';

const HOUR_MS = 3_600_000;

let rig: Rig;
let life: Life;
/** Keys under which payments were asked for, in their order. */
let keys: string[];
/** What the line answers in the gateway's place. */
let wrong: (() => HostReply) | undefined;

const host = (): Host => {
  const or = async (ask: () => Promise<HostReply>) => (wrong === undefined ? ask() : wrong());
  return {
    ...rig.host,
    pay(parameters, key) {
      keys.push(key);
      return or(() => rig.host.pay(parameters, key));
    },
    refer: (payment, parameters, key) => or(() => rig.host.refer(payment, parameters, key)),
    find: (reference) => or(() => rig.host.find(reference)),
  };
};
const open = (around: Around = {}): void => {
  life = rig.open({ host: host(), ...around });
};

beforeEach(() => {
  rig = tillRig(chipCard, 'live');
  keys = [];
  wrong = undefined;
  open();
});
afterEach(() => {
  life.close();
  rig.remove();
});

const quiet = () => {};
const sold = (minor: bigint) => rig.clock.until(life.sell(minor).done);
const stored = async (minor: bigint): Promise<EndedSale> => {
  rig.fates.push('notReached');
  const sale = await sold(minor);
  expect(sale.offline).toBe('chip');
  keys.pop();
  return sale;
};
const fiveStored = async (): Promise<EndedSale[]> => {
  const sales: EndedSale[] = [];
  for (const minor of [100n, 200n, 300n, 400n, 500n]) sales.push(await stored(minor));
  return sales;
};
const charged = () =>
  rig.host.books
    .filter(({ code }) => modeOfCode(code) === 'live')
    .map(({ paymentType, amount }) => `${paymentType} ${amount}`);
const isForwarded = ({ intent }: EndedSale): boolean | undefined => {
  const now = life.till.findSale(intent.sale);
  return now.at === 'ended' ? now.forwarded?.approved : undefined;
};
/** Messages whose card data can still be opened. */
const withCardData = (): number =>
  [...life.outbox.waiting(), ...life.outbox.parked()].filter(({ id }) => life.outbox.open(id) !== undefined).length;
const wrappedKeys = (): number =>
  life.journal.sql.all('SELECT 1 FROM message WHERE wrapped IS NOT NULL OR sealed IS NOT NULL').length;
const rows = () =>
  queueRows({
    till: life.till,
    ledger: life.ledger,
    outbox: life.outbox,
    tries: openCardTries(life.journal.sql),
    clock: rig.clock,
    sql: life.journal.sql,
  });

const allFive = ['DB 1.00', 'DB 2.00', 'DB 3.00', 'DB 4.00', 'DB 5.00'];

test('five stored sales meet a test channel for an hour, and are charged once each when a live approval is heard', async () => {
  const sales = await fiveStored();
  const first = new Set(sales.map(({ intent }) => intent.key));
  rig.channel.mode = 'test';
  life.forwarder.start();
  await rig.clock.advance(HOUR_MS);
  expect([charged(), withCardData(), life.outbox.parked().length]).toEqual([[], 5, 5]);
  expect([keys.length, new Set(keys)]).toEqual([5, first]);

  rig.channel.mode = 'live';
  await rig.clock.advance(HOUR_MS);
  expect([charged(), withCardData()]).toEqual([[], 5]);
  expect((await sold(700n)).ending).toBe('approved');
  await rig.clock.advance(10 * 60_000);
  await life.forwarder.stop();

  expect(charged().toSorted()).toEqual([...allFive, 'DB 7.00']);
  expect(sales.map(isForwarded)).toEqual([true, true, true, true, true]);
  expect(keys.slice(6).toSorted()).toEqual([...first].map((key) => `${key}-1`).toSorted());
  expect([life.ledger.openSales(), life.outbox.parked(), wrappedKeys()]).toEqual([[], [], 0]);
});

test('the first test answer stops the others: they are not sent to the test system in a burst', async () => {
  await fiveStored();
  rig.channel.mode = 'test';
  await life.drain();
  expect([keys.length, life.outbox.parked().length, life.outbox.waiting().length]).toEqual([1, 1, 4]);
});

test('a start of the till sends them too, and a second wrong hour changes nothing', async () => {
  const sales = await fiveStored();
  rig.channel.mode = 'test';
  await life.pass(8);
  expect([life.outbox.parked().length, withCardData()]).toEqual([5, 5]);
  life.close();
  open();
  expect([life.outbox.parked().length, life.outbox.waiting().length]).toEqual([0, 5]);
  await life.pass(8);
  expect([life.outbox.parked().map(({ again }) => again), withCardData()]).toEqual([[2, 2, 2, 2, 2], 5]);
  life.close();
  rig.channel.mode = 'live';
  open();
  await life.pass(3);
  expect([charged().toSorted(), sales.map(isForwarded), wrappedKeys()]).toEqual([
    allFive,
    [true, true, true, true, true],
    0,
  ]);
});

test('what a person parked for another reason is not taken up by a start or an approval', async () => {
  await stored(100n);
  const { id } = life.outbox.waiting()[0] ?? { id: '' };
  life.outbox.park(id, '000.100.110 looks like a test answer, and is none');
  life.close();
  open();
  await sold(700n);
  expect(life.outbox.parked()).toHaveLength(1);
  expect(life.outbox.unpark(rig.clock.now())).toBe(1);
});

test('one that was taken up by hand and parked for another reason since waits for a person', async () => {
  await stored(100n);
  rig.channel.mode = 'test';
  await life.drain();
  const { id } = life.outbox.parked()[0] ?? { id: '' };
  life.outbox.unpark(rig.clock.now());
  life.outbox.park(id, 'refused');
  expect([life.outbox.mended(rig.clock.now()), life.outbox.parked().length]).toEqual([0, 1]);
});

test('the list of what waits says what to mend, and that it then goes by itself', async () => {
  await stored(100n);
  rig.channel.mode = 'test';
  rig.channel.approves = false;
  await life.drain();
  const [row] = rows();
  expect([row?.state, row?.why]).toEqual(['parked', '800.100.155 amount exceeds credit']);
  expect(row?.toDo).toContain('set this till’s channel live');
  expect(row?.toDo).toContain('sent after the next approval');
  expect([row?.told.why?.code, row?.told.toDo?.code]).toEqual(['open.testAnswer', 'open.mendTestAnswer']);
});

test('a test system’s decline is nobody’s word: the stored sale is charged when the gateway is live', async () => {
  const sale = await stored(100n);
  Object.assign(rig.channel, { mode: 'test', approves: false });
  await life.drain();
  expect([isForwarded(sale), withCardData()]).toEqual([undefined, 1]);
  Object.assign(rig.channel, { mode: 'live', approves: true });
  await sold(700n);
  await life.pass(2);
  expect([isForwarded(sale), charged().toSorted()]).toEqual([true, ['DB 1.00', 'DB 7.00']]);
});

test('a live decline ends it', async () => {
  const sale = await stored(100n);
  rig.channel.approves = false;
  await life.drain();
  expect([isForwarded(sale), withCardData(), life.outbox.parked()]).toEqual([false, 0, []]);
});

const refusedToken = () => replyOf('800.900.300', {});
/** What the client makes of a 401 without a body that it can read. */
const bare401 = (): HostReply => ({
  kind: 'silent',
  fault: new Fault('host.silent', { why: 'the answer is not that of a gateway' }),
});
const unreachable = (): HostReply => ({ kind: 'notSent', fault: new Fault('host.unreachable', { why: 'refused' }) });

/** A simulator's refusal of what follows a payment that it never had. */
const unknownToSimulators = (): HostReply =>
  replyOf('700.400.510', { result: { code: '700.400.510', randomField7: NEW_FIELD } });

test.each([
  ['a wrong token, 800.900.300', refusedToken],
  ['a bare 401', bare401],
  ['no line', unreachable],
] as const)('an hour of %s does not burn the offline takings', async (_, says) => {
  const sales = await fiveStored();
  wrong = says;
  life.forwarder.start();
  await rig.clock.advance(HOUR_MS);
  expect([withCardData(), life.outbox.parked()]).toEqual([5, []]);
  wrong = undefined;
  await rig.clock.advance(15 * 60_000);
  await life.forwarder.stop();
  expect([charged().toSorted(), sales.map(isForwarded), wrappedKeys()]).toEqual([
    allFive,
    [true, true, true, true, true],
    0,
  ]);
});

test('an hour of a wrong token in front of a test channel, then each of them mended', async () => {
  const sales = await fiveStored();
  Object.assign(rig.channel, { mode: 'test' });
  wrong = refusedToken;
  life.forwarder.start();
  await rig.clock.advance(HOUR_MS);
  wrong = undefined;
  await rig.clock.advance(HOUR_MS);
  expect([withCardData(), charged()]).toEqual([5, []]);
  rig.channel.mode = 'live';
  await sold(700n);
  await rig.clock.advance(10 * 60_000);
  await life.forwarder.stop();
  expect([charged().toSorted(), sales.map(isForwarded)]).toEqual([
    [...allFive, 'DB 7.00'],
    [true, true, true, true, true],
  ]);
});

test('a stored sale’s void waits with it, and is answered live', async () => {
  const sale = await stored(1_000n);
  rig.channel.mode = 'test';
  await life.drain();
  const voided = await rig.clock.until(
    life.till.follow({ operation: 'void', receipt: sale.intent.receipt }, quiet).done,
  );
  expect(`${voided.ending} ${voided.reason}`).toBe('approved stored');
  await life.pass(3);
  rig.channel.mode = 'live';
  await sold(700n);
  await life.pass(3);
  expect([charged(), life.says(voided.intent.sale).ending, life.ledger.openSales()]).toEqual([
    ['DB 7.00', 'DB 10.00', 'RV 10.00'],
    'approved voided',
    [],
  ]);
});

test.each([
  ['completion', 'CP 50.00', 'approved completed'],
  ['release', 'RV 50.00', 'approved released'],
] as const)(
  'a stored %s of a live payment that a test system answers is done once, live',
  async (operation, line, ending) => {
    const held = await rig.clock.until(
      life.till.preauthorise({ amount: { minor: 5_000n, currency: 'EUR' } }, quiet).done,
    );
    rig.fates.push('notReached');
    const followed = await rig.clock.until(life.till.follow({ operation, receipt: held.intent.receipt }, quiet).done);
    rig.channel.mode = 'test';
    await life.pass(2);
    expect([life.says(followed.intent.sale).ending, charged()]).toEqual(['approved stored', ['PA 50.00']]);
    rig.channel.mode = 'live';
    await sold(700n);
    await life.pass(2);
    expect([life.says(followed.intent.sale).ending, charged().toSorted()]).toEqual([
      ending,
      [line, 'DB 7.00', 'PA 50.00'].toSorted(),
    ]);
  },
);

test('a refund that was not answered, and that a test system answers then, is given back once', async () => {
  const sale = await sold(1_000n);
  rig.fates.push('requestLost', 'requestLost');
  const back = await rig.clock.until(life.till.refund({ receipt: sale.intent.receipt }, quiet).done);
  expect(`${back.ending} ${back.reason}`).toBe('unknown unanswered');
  rig.channel.mode = 'test';
  await life.pass(2);
  expect([life.says(back.intent.sale).ending, charged()]).toEqual(['unknown unanswered', ['DB 10.00']]);
  rig.channel.mode = 'live';
  await sold(700n);
  await life.pass(2);
  expect([life.says(back.intent.sale).ending, charged()]).toEqual([
    'approved refunded',
    ['DB 10.00', 'DB 7.00', 'RF 10.00'],
  ]);
});

test('at a test till a live channel’s charge for a stored sale is taken back once, and nothing is sent again', async () => {
  life.close();
  rig.remove();
  rig = tillRig(chipCard, 'test');
  open();
  const sale = await stored(1_000n);
  rig.channel.mode = 'live';
  await life.pass(4);
  expect([charged(), life.says(sale.intent.sale).ending, life.ledger.openSales(), wrappedKeys()]).toEqual([
    ['DB 10.00', 'RV 10.00'],
    'declined liveAnswer',
    [],
    0,
  ]);
  expect([life.outbox.waiting(), life.outbox.parked()]).toEqual([[], []]);
});

test('its sale does not end before that charge is known to be taken back', async () => {
  life.close();
  rig.remove();
  rig = tillRig(chipCard, 'test');
  open();
  const sale = await stored(1_000n);
  rig.channel.mode = 'live';
  rig.fates.push('answered', 'requestLost');
  await life.drain();
  expect([charged(), life.says(sale.intent.sale).ending]).toEqual([['DB 10.00'], 'approved approvedOffline']);
  await life.pass(2);
  expect([charged(), life.says(sale.intent.sale).ending]).toEqual([['DB 10.00', 'RV 10.00'], 'declined liveAnswer']);
});

test('what follows a live payment is not over because test simulators do not know it', async () => {
  const held = await rig.clock.until(
    life.till.preauthorise({ amount: { minor: 5_000n, currency: 'EUR' } }, quiet).done,
  );
  rig.fates.push('notReached');
  const followed = await rig.clock.until(
    life.till.follow({ operation: 'completion', receipt: held.intent.receipt }, quiet).done,
  );
  wrong = unknownToSimulators;
  await life.pass(2);
  expect(life.says(followed.intent.sale).ending).toBe('approved stored');
  wrong = undefined;
  await sold(700n);
  await life.pass(2);
  expect([life.says(followed.intent.sale).ending, charged()]).toEqual([
    'approved completed',
    ['PA 50.00', 'DB 7.00', 'CP 50.00'],
  ]);
});
