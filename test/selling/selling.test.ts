/** The selling service on a real till: keys, phases, cancellations, bad input, and what remains after a restart. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BeginRequest } from '../../src/api/contract/sale-requests.ts';
import type { Phase } from '../../src/api/contract/sales.ts';
import { anna, counterRig, eur, type Rig } from './counter-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = counterRig();
});
afterEach(() => rig.remove());

const sale = (amount = '12.50', more: Partial<BeginRequest> = {}): BeginRequest => ({
  operation: 'sale',
  amount: eur(amount),
  ...more,
});

test('a sale goes through its phases, and each is reported to the screens', async () => {
  const { service, told, ended, close } = await rig.open();
  const started = await service.begin(sale(), anna, 'key-00001');
  expect(started).toMatchObject({ phase: 'starting', counter: 'T1', amount: eur('12.50'), cashier: 'Anna' });
  expect(service.counters()).toMatchObject([{ name: 'T1', state: 'busy', sale: started.id }]);
  const last = await ended(started);
  expect(last).toMatchObject({ phase: 'ended', card: { last4: '0010', brand: 'VISA' } });
  expect(last.result).toMatchObject({ ending: 'approved', state: 'approved', reason: 'approved', again: false });
  const phases: Phase[] = told.flatMap((event) => (event.on === 'sale' ? [event.sale.phase] : []));
  expect([...new Set(phases)]).toEqual([
    'starting',
    'presentCard',
    'askingBank',
    'cardFinishing',
    'removeCard',
    'ended',
  ]);
  expect(told.filter(({ on }) => on === 'changed')).not.toEqual([]);
  expect(service.counters()).toMatchObject([{ state: 'ready' }]);
  await close();
});

test('the same key gives the same sale, also while it runs, at once, and after a restart', async () => {
  const first = await rig.open();
  const [one, two] = await Promise.all([
    first.service.begin(sale(), anna, 'key-00001'),
    first.service.begin(sale(), anna, 'key-00001'),
  ]);
  expect(two.id).toBe(one.id);
  await expect(first.service.begin(sale('12.51'), anna, 'key-00001')).rejects.toMatchObject({
    code: 'request.keyReused',
  });
  await first.ended(one);
  const repeated = await first.service.begin(sale(), anna, 'key-00001');
  expect(repeated).toMatchObject({ id: one.id, result: { ending: 'approved' } });
  expect(first.service.sales({ from: 0, most: 10 }).total).toBe(1);
  await first.close();
  const second = await rig.open();
  expect(await second.service.begin(sale(), anna, 'key-00001')).toMatchObject({
    id: one.id,
    phase: 'ended',
    result: { ending: 'approved' },
  });
  await expect(second.service.begin(sale('9.00'), anna, 'key-00001')).rejects.toMatchObject({
    code: 'request.keyReused',
  });
  const refund = { receipt: one.receipt, operation: 'refund' } as const;
  const refunded = await second.service.follow(refund, anna, 'key-00002');
  await second.ended(refunded);
  expect((await second.service.follow(refund, anna, 'key-00002')).id).toBe(refunded.id);
  await second.close();
});

test('after a crash in the middle both key and id give the sale as the journal ended it', async () => {
  const first = await rig.open();
  const started = await first.service.begin(sale(), anna, 'key-00001');
  await rig.clock.advance(1_050);
  expect(first.service.liveSale(started.id).phase).toBe('askingBank');
  await first.kill();
  const second = await rig.open();
  for (const one of [second.service.liveSale(started.id), await second.service.begin(sale(), anna, 'key-00001')])
    expect(one).toMatchObject({
      id: started.id,
      phase: 'ended',
      result: { ending: 'unknown', state: 'unknown', again: false },
    });
  expect(second.service.likely(eur('12.50'), '0010')).toMatchObject([{ receipt: started.receipt }]);
  expect(second.service.likely(eur('12.50'), '9999')).toEqual([]);
  expect(second.service.likely(eur('12.51'))).toEqual([]);
  expect(second.service.line()).toMatchObject({ unknown: 1, waiting: { count: 0 } });
  await rig.clock.advance(60_000);
  await rig.clock.until(second.running.forwarder.drain('all'));
  await rig.clock.advance(3_000);
  expect(second.service.line()).toMatchObject({ unknown: 0 });
  expect(second.service.liveSale(started.id).result?.ending).not.toBe('unknown');
  await second.close();
});

test.each(['starting', 'presentCard', 'askingBank', 'cardFinishing', 'removeCard', 'ended'] as const)(
  'a cancel at %s ends in a known state',
  async (phase) => {
    const { service, ended, running, close } = await rig.open();
    const started = await service.begin(sale(), anna, 'key-00001');
    for (let n = 0; n < 100 && service.liveSale(started.id).phase !== phase; n++) await rig.clock.advance(50);
    if (phase !== 'starting') expect(service.liveSale(started.id).phase).toBe(phase);
    expect(service.cancel(started.id).id).toBe(started.id);
    const { result } = await ended(started);
    expect(['approved', 'declined', 'notSent']).toContain(result?.ending);
    expect(result?.ending === 'approved').toBe(['cardFinishing', 'removeCard', 'ended'].includes(phase));
    await rig.clock.advance(60_000);
    await rig.clock.until(running.forwarder.drain('all'));
    const booked = rig.host.books.filter(({ code }) => code === '000.100.110').map(({ paymentType }) => paymentType);
    expect(booked.filter((type) => type === 'DB').length - booked.filter((type) => type === 'RV').length).toBe(
      result?.ending === 'approved' ? 1 : 0,
    );
    await close();
  },
);

test.each([
  ['an amount of zero', sale('0.00'), 'amount.unpositive'],
  ['a negative amount', sale('-1.00'), 'amount.malformed'],
  ['another number format', sale('1.234,56'), 'amount.malformed'],
  ['too many digits', sale('99999999999.00'), 'amount.malformed'],
  ['more decimals than the currency has', sale('1.005'), 'amount.malformed'],
  ['half a decimal', sale('1.5'), 'amount.malformed'],
  ['nothing', sale(''), 'amount.malformed'],
  ['another currency', { ...sale(), amount: { amount: '5.00', currency: 'USD' } }, 'currency.differs'],
  ['no currency at all', { ...sale(), amount: { amount: '5.00', currency: 'XXQ' } }, 'currency.unknown'],
  ['a tip in another currency', sale('5.00', { tip: { amount: '1.00', currency: 'USD' } }), 'currency.differs'],
  ['an unknown counter', sale('5.00', { counter: 'T7' }), 'counter.unknown'],
  ['an unknown bill', sale('5.00', { bill: 99 }), 'till.notFound'],
  ['more than the bill', sale('5.00', { billTotal: eur('4.00') }), 'bill.tooMuch'],
  ['a gift card without a number', sale('5.00', { operation: 'giftCard' }), 'gift.malformed'],
  [
    'a payment card number typed in',
    sale('5.00', { operation: 'giftCard', giftCard: { number: '4761739001010010' } }),
    'gift.malformed',
  ],
])('%s is refused by name, and nothing is begun', async (_, request, code) => {
  const { service, close } = await rig.open();
  await expect(service.begin(request, anna, 'key-00001')).rejects.toMatchObject({ code });
  expect(service.sales({ from: 0, most: 10 }).total).toBe(0);
  expect(service.live()).toEqual([]);
  // The key can still be used.
  await expect(service.begin(sale(), anna, 'key-00001')).resolves.toMatchObject({ counter: 'T1' });
  await rig.clock.advance(10_000);
  await close();
});

test('a busy counter is refused by name, and so is another bill', async () => {
  const { service, ended, close } = await rig.open();
  const started = await service.begin(sale(), anna, 'key-00001');
  await expect(service.begin(sale(), anna, 'key-00002')).rejects.toMatchObject({ code: 'terminal.busy' });
  await ended(started);
  await expect(service.begin(sale('1.00', { bill: started.receipt }), anna, 'key-00003')).rejects.toMatchObject({
    code: 'bill.none',
  });
  const part = await ended(await service.begin(sale('4.00', { billTotal: eur('10.00') }), anna, 'key-00004'));
  await expect(service.begin(sale('6.01', { bill: part.receipt }), anna, 'key-00005')).rejects.toMatchObject({
    code: 'bill.tooMuch',
  });
  const rest = await ended(await service.begin(sale('6.00', { bill: part.receipt }), anna, 'key-00006'));
  expect(service.sale(rest.receipt).bill).toEqual({
    ...{ total: eur('10.00'), paid: eur('10.00'), left: eur('0.00'), unknown: eur('0.00') },
    receipts: [part.receipt, rest.receipt],
  });
  await close();
});

test('only operations that the till would not refuse are offered, with the most that can be refunded', async () => {
  const { service, ended, close } = await rig.open();
  const paid = await ended(await service.begin(sale(), anna, 'key-00001'));
  expect(service.sale(paid.receipt).may).toEqual([
    { operation: 'refund', most: eur('12.50') },
    { operation: 'void', most: eur('12.50') },
  ]);
  const refundRequest = { receipt: paid.receipt, operation: 'refund', amount: eur('2.50') } as const;
  await ended(await service.follow(refundRequest, anna, 'key-00002'));
  const detail = service.sale(paid.receipt);
  expect(detail.may).toEqual([{ operation: 'refund', most: eur('10.00') }]);
  expect(detail.followers).toMatchObject([{ operation: 'refund', amount: eur('2.50'), last4: '0010', brand: 'VISA' }]);
  await expect(service.follow({ ...refundRequest, amount: eur('10.01') }, anna, 'key-00003')).rejects.toMatchObject({
    code: 'till.refundTooHigh',
  });
  for (const one of detail.may) expect(one.operation).not.toBe('void');
  await expect(service.follow({ receipt: paid.receipt, operation: 'void' }, anna, 'key-00004')).rejects.toMatchObject({
    code: 'till.cannotFollow',
  });
  await close();
});

test('a pre-authorisation is held, shown, and completed with a tip', async () => {
  const { service, ended, close } = await rig.open();
  const held = await ended(await service.begin(sale('50.00', { operation: 'preauthorisation' }), anna, 'key-00001'));
  expect(service.holds()).toMatchObject([
    { receipt: held.receipt, held: eur('50.00'), left: eur('50.00'), expired: false },
  ]);
  const operations = service.sale(held.receipt).may.map(({ operation }) => operation);
  expect(operations).toEqual(['increment', 'completion', 'release', 'tip']);
  const tip = { receipt: held.receipt, operation: 'tip', tip: eur('5.00') } as const;
  const done = await ended(await rig.clock.until(service.follow(tip, anna, 'key-00002')));
  expect(done).toMatchObject({
    operation: 'completion',
    amount: eur('55.00'),
    tip: eur('5.00'),
    result: { ending: 'approved' },
  });
  const { followers } = service.sale(held.receipt);
  expect(followers).toMatchObject([
    { operation: 'increment', amount: eur('5.00') },
    { operation: 'completion', amount: eur('55.00') },
  ]);
  expect(service.holds()).toEqual([]);
  expect(await service.follow(tip, anna, 'key-00002')).toMatchObject({ id: done.id });
  expect(service.sale(held.receipt).followers).toHaveLength(2);
  await close();
});

test('a tip that cannot be held is not charged; after another increment a tip needs the bill’s amount', async () => {
  const { service, ended, close } = await rig.open();
  const hold = async (key: string) =>
    (await ended(await service.begin(sale('50.00', { operation: 'preauthorisation' }), anna, key))).receipt;
  const follow = (ask: Parameters<typeof service.follow>[0], key: string) =>
    rig.clock.until(service.follow(ask, anna, key));
  const first = await hold('key-00001');
  rig.approvals.push(false);
  const refused = await ended(await follow({ receipt: first, operation: 'tip', tip: eur('5.00') }, 'key-00002'));
  expect(refused).toMatchObject({ operation: 'increment', result: { ending: 'declined' } });
  expect(service.holds()).toMatchObject([{ receipt: first, left: eur('50.00'), completed: eur('0.00') }]);
  // On a second request the tip is held and charged.
  const repeated = await ended(await follow({ receipt: first, operation: 'tip', tip: eur('5.00') }, 'key-00003'));
  expect(repeated).toMatchObject({ operation: 'completion', amount: eur('55.00'), result: { ending: 'approved' } });

  const second = await hold('key-00004');
  await ended(await follow({ receipt: second, operation: 'increment', amount: eur('30.00') }, 'key-00005'));
  const tip = { receipt: second, operation: 'tip', tip: eur('5.00') } as const;
  await expect(follow(tip, 'key-00006')).rejects.toMatchObject({ code: 'till.cannotFollow' });
  // Whatever carries it out, the request was a tip, and a refusal calls it that.
  const sold = await ended(await service.begin(sale('9.00'), anna, 'key-00008'));
  const onSale = follow({ receipt: sold.receipt, operation: 'tip', tip: eur('1.00') }, 'key-00009');
  await expect(onSale).rejects.toMatchObject({ code: 'till.cannotFollow', facts: { operation: 'a tip' } });
  const whole = await ended(await follow({ ...tip, amount: eur('80.00') }, 'key-00007'));
  expect(whole).toMatchObject({ operation: 'completion', amount: eur('85.00'), result: { ending: 'approved' } });
  await close();
});

test('shows the line’s state, what waits, and what the limits have left', async () => {
  const { service, ended, running, close } = await rig.open();
  expect(service.line()).toMatchObject({ online: true, unknown: 0, forPerson: 0, offline: { ready: true } });
  rig.fates.push('notReached', 'notReached');
  const offlineSale = await ended(await service.begin(sale('20.00'), anna, 'key-00001'));
  expect(offlineSale.result).toMatchObject({ ending: 'approved', state: 'offline', reason: 'approvedOffline' });
  expect(service.line()).toMatchObject({
    online: false,
    waiting: { count: 1, total: eur('20.00') },
    offline: { used: eur('20.00'), most: eur('500.00'), left: eur('480.00') },
  });
  expect(service.sales({ from: 0, most: 5 }).rows).toMatchObject([{ state: 'offline', waiting: true }]);
  await rig.clock.advance(40_000);
  await rig.clock.until(running.forwarder.drain('all'));
  await rig.clock.advance(3_000);
  expect(service.line()).toMatchObject({ online: true, waiting: { count: 0, total: eur('0.00') } });
  expect(service.sales({ from: 0, most: 5 }).rows).toMatchObject([{ state: 'approved' }]);
  await close();
});

test('cancelling or reading an unknown sale is refused by name', async () => {
  const { service, close } = await rig.open();
  expect(() => service.cancel('f'.repeat(32))).toThrowError(expect.objectContaining({ code: 'till.notFound' }));
  expect(() => service.liveSale('f'.repeat(32))).toThrowError(expect.objectContaining({ code: 'till.notFound' }));
  expect(() => service.sale(1)).toThrowError(expect.objectContaining({ code: 'till.notFound' }));
  await close();
});

test('phase durations come from recent sales, and the bank’s part is known even after a restart', async () => {
  const first = await rig.open();
  const started = await first.service.begin(sale(), anna, 'key-00001');
  await rig.clock.advance(500);
  const [anywhere] = [first.service.liveSale(started.id).usualMs];
  expect(first.service.liveSale(started.id)).toMatchObject({
    phase: 'presentCard',
    usualMs: { from: 2_000, to: 15_000 },
  });
  await first.ended(started);
  for (let n = 2; n < 8; n++) await first.ended(await first.service.begin(sale(), anna, `key-0000${n}`));
  const last = await first.service.begin(sale(), anna, 'key-00009');
  expect(last.ahead).toEqual(['presentCard', 'reading', 'askingBank', 'cardFinishing', 'removeCard', 'ended']);
  await rig.clock.advance(500);
  expect(first.service.liveSale(last.id).usualMs).toEqual({ from: 1_000, to: 1_000 });
  expect(anywhere).not.toEqual({ from: 1_000, to: 1_000 });
  await first.ended(last);
  await first.close();
  const second = await rig.open();
  const repeated = await second.service.begin(sale(), anna, 'key-00010');
  await rig.clock.advance(1_050);
  expect(second.service.liveSale(repeated.id)).toMatchObject({ phase: 'askingBank', usualMs: { from: 100, to: 100 } });
  await second.ended(repeated);
  await second.close();
});
