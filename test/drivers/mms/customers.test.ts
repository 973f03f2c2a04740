import { describe, expect, test } from 'vitest';
import type { TerminalEvent } from '../../../drivers/terminal.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { anyCard, cardOf } from '../../support/devices/driver-bench.ts';
import { customerRows } from '../../support/devices/driver-rows.ts';
import { hexIn, sealedOf } from './hsm.ts';
import { openBench } from './simulator-bench.ts';

describe('what customers do', () => {
  const card = testCard('visa-credit');
  test.each(customerRows)('%s', async (_, acts, reason) => {
    const { read, device, clock } = await openBench({ presentations: [{ card, ...acts }] });
    expect(await read()).toEqual({ kind: 'notRead', why: reason });
    await clock.advance(5_000);
    expect(device.state()).toBe('idle');
  });

  test('pulls the chip before it receives the host’s answer', async () => {
    const { read, complete, device } = await openBench({
      presentations: [{ card, by: 'chip', pullsCardAt: 'complete' }],
    });
    expect((await read()).kind).toBe('goOnline');
    expect(await complete({ kind: 'approved' })).toEqual({ kind: 'gone' });
    expect(device.state()).toBe('idle');
  });

  test('taps a card that cannot be tapped, then inserts it', async () => {
    const { read, events } = await openBench({
      presentations: [{ card: { ...card, pan: '4761739001010127', contactless: 'emv', cvn: 'none' }, by: 'tap' }],
    });
    expect(await read(9_900n, ['tap'])).toEqual({ kind: 'notRead', why: 'cardUnsupported' });
    expect(events).toEqual(['presentCard', 'cardTapped']);
  });

  test('leaves when the sale is stopped while the stripe is requested', async () => {
    const { read, terminal, clock } = await openBench({
      dialects: ['fallback-by-host'],
      presentations: [
        { card: testCard('visa-broken-chip'), by: 'chip' },
        { card, by: 'chip' },
      ],
    });
    const sale = {
      amount: { minor: 9_900n, currency: 'EUR' },
      kind: 'purchase',
      accept: anyCard,
      withinMs: 30_000,
    } as const;
    const stopped = terminal.read({ ...sale, at: clock.now() }, (event) => {
      if (event === 'useStripe') void terminal.cancel();
    });
    expect(await clock.until(stopped)).toEqual({ kind: 'notRead', why: 'cancelledByTill' });
    await clock.advance(10_000);
    expect(cardOf(await read()).entryMode).toBe('ICC');
  });

  test('customers come one after the other, and serial numbers continue', async () => {
    const { read, complete, clock, terminal } = await openBench({
      presentations: [1, 2, 3].map(() => ({ card, by: 'chip' }) as const),
    });
    const counters: string[] = [];
    const serials = new Set<string>();
    for (const _ of [1, 2, 3]) {
      const data = cardOf(await read());
      counters.push(hexIn(sealedOf(data), '9F36'));
      serials.add(data.sred[0]?.ksn ?? '');
      await complete({ kind: 'approved' });
      await clock.until(terminal.waitForRemoval(10_000));
    }
    expect(counters).toEqual(['0001', '0002', '0003']);
    expect(serials.size).toBe(3);
  });
});

describe('a unit without a display', () => {
  const config = { model: 'DynaFlex II' };

  test('has the till show its texts', async () => {
    const { read, complete, events, terminal, clock, unsolicited } = await openBench({
      presentations: [{ card: testCard('visa-credit'), by: 'chip' }],
      config,
    });
    await clock.until(terminal.show('welcome'));
    const data = cardOf(await read());
    // It has no PIN pad: the card uses its next method.
    expect(hexIn(sealedOf(data), '9F34')).toBe('5E0300');
    expect(events).toEqual<TerminalEvent[]>(['presentCard', 'presentCard', 'cardInserted', 'reading']);
    expect((await complete({ kind: 'approved' })).kind).toBe('approved');
    expect((await clock.until(terminal.health())).problems).toEqual([]);
    expect(unsolicited).toEqual([]);
  });

  test('does not take typed numbers', async () => {
    const { start, clock } = await openBench({ presentations: [], config });
    expect(await clock.until(start(9_900n, ['manual']))).toEqual({ kind: 'notRead', why: 'cardUnsupported' });
  });
});

test.each(Array.from({ length: 30 }, (_, index) => [index * 150] as const))(
  'the till cancels after %s ms',
  async (ms) => {
    const { cancelledAfter, terminal, clock, device, unsolicited } = await openBench({
      presentations: [{ card: testCard('visa-credit'), by: 'chip' }],
    });
    const outcome = await cancelledAfter(ms);
    // Once the card was read the cancel only drops the waiting chip.
    if (outcome.kind !== 'goOnline') expect(outcome).toEqual({ kind: 'notRead', why: 'cancelledByTill' });
    await clock.advance(10_000);
    expect(device.state()).toBe('idle');
    expect(unsolicited).toEqual([]);
    expect((await clock.until(terminal.info())).serial).toBe('B61378A');
    await clock.until(terminal.show('welcome'));
  },
);

test('drops a chip that still waits for the host at the next sale', async () => {
  const card = testCard('visa-credit');
  const { read, complete, unsolicited } = await openBench({
    presentations: [
      { card, by: 'chip' },
      { card: testCard('visa-stripe'), by: 'swipe' },
    ],
  });
  expect((await read()).kind).toBe('goOnline');
  expect(cardOf(await read(500n, anyCard)).entryMode).toBe('MAGSTRIPE');
  expect(await complete({ kind: 'declined' })).toEqual({ kind: 'none' });
  expect(unsolicited).toEqual([]);
});
