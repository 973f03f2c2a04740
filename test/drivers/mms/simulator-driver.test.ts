import { describe, expect, test } from 'vitest';
import type { Presentation } from '../../../drivers/simulation/simulator.ts';
import { fromHex } from '../../../src/base/hex.ts';
import { type TestCardName, testCard } from '../../../src/emv/test-cards.ts';
import { cardOf } from '../../support/devices/driver-bench.ts';
import { issuer } from '../../support/devices/driver-hsm.ts';
import { lastWordRows, verdictOf } from '../../support/devices/driver-rows.ts';
import { hexIn, openPin, openTrack2, sealedOf } from './hsm.ts';
import { openBench } from './simulator-bench.ts';

describe.each(['reports', 'stream'] as const)('a whole sale over a link of %s', (carries) => {
  test.each<[TestCardName, Presentation['by'], string, string, bigint]>([
    ['visa-credit', 'chip', 'ICC', 'PIN', 9_900n],
    ['visa-debit', 'chip', 'ICC', 'PIN', 9_900n],
    ['visa-signature', 'chip', 'ICC', '', 9_900n],
    ['visa-offline-pin', 'chip', 'ICC', '', 9_900n],
    ['mastercard-credit', 'chip', 'ICC', 'PIN', 9_900n],
    ['mastercard-m10', 'chip', 'ICC', '', 9_900n],
    ['visa-credit', 'tap', 'NFC_ICC', '', 5_000n],
    ['visa-credit', 'tap', 'NFC_ICC', 'PIN', 5_001n],
    ['mastercard-tap', 'tap', 'NFC_ICC', '', 9_900n],
    ['visa-tap-stripe', 'tap', 'NFC_MAGSTRIPE', '', 1_000n],
    ['visa-stripe', 'swipe', 'MAGSTRIPE', '', 9_900n],
    ['mastercard-stripe', 'swipe', 'MAGSTRIPE', '', 9_900n],
    // The chip is broken: the device asks three times, then for the stripe.
    ['visa-broken-chip', 'chip', 'MAGSTRIPE_AS_FALLBACK', '', 9_900n],
    // A card without a chip in the slot.
    ['visa-stripe', 'chip', 'MAGSTRIPE', '', 9_900n],
    // A swiped chip card is sent to its chip.
    ['visa-credit', 'swipe', 'ICC', 'PIN', 9_900n],
  ])('%s by %s is %s %s', async (name, by, entryMode, pin, minor) => {
    const card = testCard(name);
    const { read, complete, device, unsolicited, terminal, clock } = await openBench({
      carries,
      presentations: [{ card, by }],
    });
    const outcome = await read(minor);
    expect(outcome.kind).toBe('goOnline');
    const data = cardOf(outcome);
    expect(data.entryMode).toBe(entryMode);
    expect(data.maskedPan).toBe(`${card.pan.slice(0, 6)}******${card.pan.slice(-4)}`);
    expect(data.pin ?? data.icc).toBeUndefined();
    expect(JSON.stringify(data)).not.toContain(card.pan);

    const container = sealedOf(data);
    const stripe = entryMode.startsWith('MAGSTRIPE');
    expect(stripe ? openTrack2(container) : hexIn(container, '57')).toContain(card.pan);
    if (pin !== '') expect(openPin(container, card.pan)).toBe(card.pin);
    else expect(hexIn(container, '99')).toBe('');
    if (entryMode.endsWith('ICC')) expect(issuer(name, container).genuine).toBe(true);

    const icc = entryMode === 'ICC' ? { icc: issuer(name, container).answer(true) } : {};
    expect((await complete({ kind: 'approved', ...icc })).kind).toBe(entryMode === 'ICC' ? 'approved' : 'none');
    expect(await clock.until(terminal.waitForRemoval(10_000))).toBe(true);
    expect(unsolicited).toEqual([]);
    expect(device.state()).toBe('idle');
    await terminal.close();
    await device.close();
    expect(clock.waiting()).toBe(0);
  });
});

describe('where the till leads the fallback', () => {
  /** Property 1.2.1.1.1.1 set to 00, as another program would. */
  const runHostLed = async (presentation: Presentation, model = 'DynaFlex II PED') => {
    const bench = await openBench({ presentations: [presentation], config: { model } });
    bench.device.setProperty('1.2.1.1.1.1', fromHex('00'));
    return bench;
  };

  test('three chip failures allow the stripe', async () => {
    const { read, complete, events, unsolicited, device } = await runHostLed({
      card: testCard('visa-broken-chip'),
      by: 'chip',
    });
    const data = cardOf(await read());
    expect(data.entryMode).toBe('MAGSTRIPE_AS_FALLBACK');
    expect(events.filter((event) => event === 'cardInserted')).toHaveLength(3);
    expect(events.slice(-4)).toEqual(['useStripe', 'presentCard', 'cardRemoved', 'cardSwiped']);
    expect(await complete({ kind: 'approved' })).toEqual({ kind: 'none' });
    expect(unsolicited).toEqual([]);
    expect(device.state()).toBe('idle');
  });

  test('one card without a chip is enough for the stripe', async () => {
    const { read, events } = await runHostLed({ card: testCard('visa-stripe'), by: 'chip' });
    expect(cardOf(await read()).entryMode).toBe('MAGSTRIPE');
    expect(events.filter((event) => event === 'cardInserted')).toHaveLength(1);
  });

  test('a broken chip cannot be read if swipes are not accepted', async () => {
    const { read, device } = await runHostLed({ card: testCard('visa-broken-chip'), by: 'chip' });
    expect(await read(9_900n, ['chip'])).toEqual({ kind: 'notRead', why: 'cardUnreadable' });
    expect(device.state()).toBe('idle');
  });

  test('a swiped chip card is sent to its chip, unless the sale takes swipes only', async () => {
    const first = await runHostLed({ card: testCard('visa-credit'), by: 'swipe' });
    expect(cardOf(await first.read()).entryMode).toBe('ICC');
    expect(first.events).toContain('useChip');
    const second = await runHostLed({ card: testCard('visa-credit'), by: 'swipe' });
    expect(cardOf(await second.read(9_900n, ['swipe'])).entryMode).toBe('MAGSTRIPE');
  });

  test('a pulled chip does not allow the stripe', async () => {
    const { read, device } = await runHostLed({ card: testCard('visa-credit'), by: 'chip', pullsCardAt: 'read' });
    expect(await read()).toEqual({ kind: 'notRead', why: 'cardRemoved' });
    expect(device.state()).toBe('idle');
  });
});

test('a typed number', async () => {
  const card = testCard('visa-credit');
  const { read, complete, device, unsolicited } = await openBench({ presentations: [{ card, by: 'manual' }] });
  const data = cardOf(await read(9_900n, ['manual']));
  expect(data).toMatchObject({ entryMode: 'MANUAL', verification: 'signature', maskedPan: '476173******0010' });
  expect(openTrack2(sealedOf(data))).toContain(`;${card.pan}=${card.expiry}`);
  expect(device.state()).toBe('idle');
  expect(await complete({ kind: 'approved' })).toEqual({ kind: 'none' });
  expect(unsolicited).toEqual([]);
});

test('AES DUKPT: twelve bytes of serial number, and the same card', async () => {
  const card = testCard('visa-credit');
  const { read, complete, terminal, clock } = await openBench({
    presentations: [{ card, by: 'chip' }],
    keys: { scheme: 'aes128Dukpt' },
  });
  const keys = await clock.until(terminal.keys());
  expect(keys.map(({ use, usesLeft, ready }) => [use, (usesLeft ?? 0) > 1_000_000, ready])).toEqual([
    ['sred', true, true],
    ['pin', true, true],
    ['mac', true, true],
  ]);
  const data = cardOf(await read());
  expect(data.sred[0]?.ksn).toHaveLength(24);
  const container = sealedOf(data);
  expect(hexIn(container, '5A')).toBe(card.pan);
  expect(hexIn(container, '99')).toHaveLength(32);
  expect((await complete({ kind: 'approved', icc: issuer('visa-credit', container).answer(true) })).kind).toBe(
    'approved',
  );
});

describe('the chip by itself', () => {
  test('approves', async () => {
    const { read, device, complete } = await openBench({
      presentations: [{ card: testCard('visa-no-cvm'), by: 'chip' }],
    });
    const outcome = await read(2_500n);
    expect(outcome.kind).toBe('approvedOffline');
    const container = sealedOf(cardOf(outcome));
    expect(hexIn(container, '9F27')).toBe('40');
    expect(hexIn(container, '5A')).toBe(testCard('visa-no-cvm').pan);
    expect(device.state()).toBe('idle');
    expect(await complete({ kind: 'approved' })).toEqual({ kind: 'none' });
  });

  test('declines', async () => {
    const { read } = await openBench({
      presentations: [{ card: testCard('visa-no-cvm'), by: 'chip' }],
      config: { actionCodes: { denial: '8000000000', online: '0000000000' } },
    });
    const outcome = await read(2_500n);
    expect(outcome).toMatchObject({ kind: 'declinedOffline', card: { entryMode: 'ICC', verification: 'none' } });
    expect(hexIn(sealedOf(cardOf(outcome)), '9F27')).toBe('00');
  });
});

describe('the chip’s final decision', () => {
  test.each(lastWordRows)('%s, host %s, issuer data %s: %s', async (name, kind, data, verdict) => {
    const { read, complete, device } = await openBench({ presentations: [{ card: testCard(name), by: 'chip' }] });
    const answer = issuer(name, sealedOf(cardOf(await read()))).answer(kind === 'approved');
    const outcome = await complete(verdictOf(kind, data, answer));
    expect(outcome.kind).toBe(verdict);
    expect(device.state()).toBe('idle');
    if (outcome.kind === 'approved' || outcome.kind === 'declined') expect(outcome.icc).toMatch(/^5F2A020978/);
  });

  test('contains no account data', async () => {
    const { read, complete } = await openBench({ presentations: [{ card: testCard('visa-credit'), by: 'chip' }] });
    await read();
    const verdict = await complete({ kind: 'approved' });
    // Cardholder name, expiry and the masked track are in the device's unencrypted data.
    expect(JSON.stringify(verdict)).not.toMatch(/5F20|5F24|DFDF4D|34373631/);
  });
});
