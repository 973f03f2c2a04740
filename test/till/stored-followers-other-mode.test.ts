/** Follow-ups of a live payment while a test system answers, and a test till whose gateway is live. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openHandedOver } from '../../src/ledger/handed-over.ts';
import { destroyExpired } from '../../src/offline/expired-card-data.ts';
import type { UnsentDocument } from '../../src/takeover/unsent-file.ts';
import type { HostReply } from '../../src/till/ports.ts';
import { NEW_FIELD, replyOf } from '../support/till/issuer-books.ts';
import { noop, openWrongGateway, type WrongGateway } from './wrong-gateway.ts';

const HOUR_MS = 3_600_000;

let shop: WrongGateway;
beforeEach(() => {
  shop = openWrongGateway('live');
});
afterEach(() => shop.close());

/** A simulator's refusal of a follow-up of a payment that it never had. */
const answerUnknown = (): HostReply =>
  replyOf('700.400.510', { result: { code: '700.400.510', randomField7: NEW_FIELD } });

test('a stored sale’s void waits with the sale, and gets a live answer', async () => {
  const sale = await shop.stored(1_000n);
  shop.rig.channel.mode = 'test';
  await shop.run.drain();
  const voided = await shop.rig.clock.until(
    shop.run.till.follow({ operation: 'void', receipt: sale.intent.receipt }, noop).done,
  );
  expect(`${voided.ending} ${voided.reason}`).toBe('approved stored');
  await shop.run.passTime(3);
  shop.rig.channel.mode = 'live';
  await shop.sold(700n);
  await shop.run.passTime(3);
  expect([shop.charged(), shop.run.says(voided.intent.sale).ending, shop.run.ledger.openSales()]).toEqual([
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
    const held = await shop.rig.clock.until(
      shop.run.till.preauthorise({ amount: { minor: 5_000n, currency: 'EUR' } }, noop).done,
    );
    shop.rig.fates.push('notReached');
    const followed = await shop.rig.clock.until(
      shop.run.till.follow({ operation, receipt: held.intent.receipt }, noop).done,
    );
    shop.rig.channel.mode = 'test';
    await shop.run.passTime(2);
    expect([shop.run.says(followed.intent.sale).ending, shop.charged()]).toEqual(['approved stored', ['PA 50.00']]);
    shop.rig.channel.mode = 'live';
    await shop.sold(700n);
    await shop.run.passTime(2);
    expect([shop.run.says(followed.intent.sale).ending, shop.charged().toSorted()]).toEqual([
      ending,
      [line, 'DB 7.00', 'PA 50.00'].toSorted(),
    ]);
  },
);

test('an unanswered refund that a test system then answers is paid once', async () => {
  const sale = await shop.sold(1_000n);
  shop.rig.fates.push('requestLost', 'requestLost');
  const refunded = await shop.rig.clock.until(shop.run.till.refund({ receipt: sale.intent.receipt }, noop).done);
  expect(`${refunded.ending} ${refunded.reason}`).toBe('unknown unanswered');
  shop.rig.channel.mode = 'test';
  await shop.run.passTime(2);
  expect([shop.run.says(refunded.intent.sale).ending, shop.charged()]).toEqual(['unknown unanswered', ['DB 10.00']]);
  shop.rig.channel.mode = 'live';
  await shop.sold(700n);
  await shop.run.passTime(2);
  expect([shop.run.says(refunded.intent.sale).ending, shop.charged()]).toEqual([
    'approved refunded',
    ['DB 10.00', 'DB 7.00', 'RF 10.00'],
  ]);
});

test('at a test till a live charge for a stored sale is reversed once, and nothing is sent again', async () => {
  shop.close();
  shop = openWrongGateway('test');
  const sale = await shop.stored(1_000n);
  shop.rig.channel.mode = 'live';
  await shop.run.passTime(4);
  expect([shop.charged(), shop.run.says(sale.intent.sale).ending, shop.run.ledger.openSales(), shop.sealed()]).toEqual([
    ['DB 10.00', 'RV 10.00'],
    'declined liveAnswer',
    [],
    0,
  ]);
  expect([shop.run.outbox.waiting(), shop.run.outbox.parked()]).toEqual([[], []]);
});

test('a stored sale does not end before its live charge is known to be reversed', async () => {
  shop.close();
  shop = openWrongGateway('test');
  const sale = await shop.stored(1_000n);
  shop.rig.channel.mode = 'live';
  shop.rig.fates.push('answered', 'requestLost');
  await shop.run.drain();
  expect([shop.charged(), shop.run.says(sale.intent.sale).ending]).toEqual([['DB 10.00'], 'approved approvedOffline']);
  await shop.run.passTime(2);
  expect([shop.charged(), shop.run.says(sale.intent.sale).ending]).toEqual([
    ['DB 10.00', 'RV 10.00'],
    'declined liveAnswer',
  ]);
});

test('a follow-up of a live payment does not end because test simulators do not know it', async () => {
  const held = await shop.rig.clock.until(
    shop.run.till.preauthorise({ amount: { minor: 5_000n, currency: 'EUR' } }, noop).done,
  );
  shop.rig.fates.push('notReached');
  const followed = await shop.rig.clock.until(
    shop.run.till.follow({ operation: 'completion', receipt: held.intent.receipt }, noop).done,
  );
  shop.line.says = answerUnknown;
  await shop.run.passTime(2);
  expect(shop.run.says(followed.intent.sale).ending).toBe('approved stored');
  shop.line.says = undefined;
  await shop.sold(700n);
  await shop.run.passTime(2);
  expect([shop.run.says(followed.intent.sale).ending, shop.charged()]).toEqual([
    'approved completed',
    ['PA 50.00', 'DB 7.00', 'CP 50.00'],
  ]);
});

const openAt = (gateway: string): void => shop.restart({ parts: { gateway } });

test('a till that gets the right gateway sends it sales that only a test system had, with follow-ups', async () => {
  const sale = await shop.stored(1_000n);
  shop.rig.channel.mode = 'test';
  await shop.run.drain();
  const voided = await shop.rig.clock.until(
    shop.run.till.follow({ operation: 'void', receipt: sale.intent.receipt }, noop).done,
  );
  shop.rig.channel.mode = 'live';
  openAt('the right one');
  await shop.run.passTime(3);
  expect([shop.charged(), shop.run.ledger.openSales(), shop.sealed()]).toEqual([['DB 10.00', 'RV 10.00'], [], 0]);
  expect(shop.run.till.findSale(sale.intent.sale).intent.gateway).toBe('the right one');
  expect(shop.run.says(voided.intent.sale).ending).toBe('approved voided');
});

test('a stored sale whose answer was lost stays with the gateway that may have it', async () => {
  const sale = await shop.stored(1_000n);
  shop.rig.fates.push('requestLost');
  await shop.run.drain();
  shop.rig.channel.mode = 'test';
  await shop.run.passTime(2);
  expect(shop.run.outbox.parked()).toHaveLength(1);
  shop.rig.channel.mode = 'live';
  openAt('the right one');
  await shop.run.passTime(3);
  expect([shop.charged(), shop.isForwarded(sale), shop.withCardData()]).toEqual([[], undefined, 1]);
  openAt('twin');
  await shop.run.passTime(3);
  expect([shop.charged(), shop.isForwarded(sale)]).toEqual([['DB 10.00'], true]);
});

test('a stored sale that was tried once more there stays too, and so does one that was never tried', async () => {
  await shop.stored(1_000n);
  shop.rig.channel.mode = 'test';
  await shop.run.drain();
  shop.run.outbox.unpark(shop.rig.clock.now());
  shop.rig.fates.push('answered', 'requestLost');
  await shop.run.drain();
  await shop.stored(200n);
  shop.rig.channel.mode = 'live';
  openAt('the right one');
  await shop.run.passTime(3);
  expect([shop.charged(), shop.withCardData()]).toEqual([[], 2]);
  openAt('twin');
  await shop.run.passTime(3);
  expect(shop.charged().toSorted()).toEqual(['DB 10.00', 'DB 2.00']);
});

test('a stored sale’s card data can expire before the sale is sent: nobody had charged it', async () => {
  const sale = await shop.stored(1_000n);
  shop.rig.channel.mode = 'test';
  await shop.run.drain();
  const { journal, ledger, parts } = shop.run;
  const later = parts.clock.now() + 31 * 24 * HOUR_MS;
  expect(destroyExpired({ journal, ledger, clock: parts.clock, now: later, days: 30 })).toHaveLength(1);
  openAt('the right one');
  await shop.run.drain();
  expect([shop.run.says(sale.intent.sale).ending, shop.run.ledger.openSales()]).toEqual([
    'notSent cardDataExpired',
    [],
  ]);
});

test('after a takeover in between a stored sale no longer counts as never sent', async () => {
  await shop.stored(1_000n);
  shop.rig.channel.mode = 'test';
  await shop.run.drain();
  const messages = shop.run.outbox.parked();
  const handedOver = openHandedOver(shop.run.journal, shop.rig.clock);
  handedOver.note({ id: 'e'.repeat(32), entries: [], messages } as unknown as UnsentDocument, ['Ada']);
  handedOver.takeBack('Ada');
  shop.rig.channel.mode = 'live';
  openAt('the right one');
  await shop.run.passTime(2);
  expect([shop.charged(), shop.withCardData()]).toEqual([[], 1]);
});

test('a follow-up of a payment that the old gateway has stays with the old gateway', async () => {
  const held = await shop.rig.clock.until(
    shop.run.till.preauthorise({ amount: { minor: 5_000n, currency: 'EUR' } }, noop).done,
  );
  shop.rig.fates.push('notReached');
  const followed = await shop.rig.clock.until(
    shop.run.till.follow({ operation: 'completion', receipt: held.intent.receipt }, noop).done,
  );
  openAt('the right one');
  await shop.run.passTime(2);
  expect(shop.charged()).toEqual(['PA 50.00']);
  openAt('twin');
  await shop.run.passTime(2);
  expect([shop.charged(), shop.run.says(followed.intent.sale).ending]).toEqual([
    ['PA 50.00', 'CP 50.00'],
    'approved completed',
  ]);
});

test('a test till reverses no test payment at a channel that has become live: it moved no money', async () => {
  shop.close();
  shop = openWrongGateway('test');
  shop.restart({ behaviour: { complete: () => 'declined' } });
  const sale = await shop.sold(1_000n);
  expect([sale.reason, sale.reversal]).toEqual(['chipRefusedApproval', 'due']);
  shop.rig.channel.mode = 'live';
  await shop.run.drain();
  expect([shop.charged(), shop.run.ledger.openSales()]).toEqual([[], []]);
});
