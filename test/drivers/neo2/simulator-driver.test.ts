/** The driver and the simulated reader against each other: whole sales, and what customers and faults do to them. */
import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { decodeTlv, find } from '../../../src/emv/tlv.ts';
import { cardOf } from '../../support/devices/driver-bench.ts';
import { issuer } from '../../support/devices/driver-hsm.ts';
import { customerRows, lastWordRows, saleRows, verdictOf } from '../../support/devices/driver-rows.ts';
import { type Cipher, openBench, openPin, openSred } from './bench.ts';

const forms = [
  ['stream', 'tdes'],
  ['reports', 'tdes'],
  ['reports', 'aes'],
] as const satisfies [string, Cipher][];

describe.each(forms)('a whole sale over a link of %s, %s', (carries, cipher) => {
  test.each(saleRows)('%s by %s is %s, verified by %s', async (name, by, entryMode, verification, minor) => {
    const card = testCard(name);
    const presentations = [{ card, by }];
    const { read, complete, device, unsolicited, terminal, clock } = await openBench({
      presentations,
      carries,
      cipher,
    });
    const outcome = await read(minor);
    expect(outcome.kind).toBe('goOnline');
    const data = cardOf(outcome);
    expect(data).toMatchObject({ entryMode, verification });
    expect(data.maskedPan).toBe(`${card.pan.slice(0, 6)}******${card.pan.slice(-4)}`);
    const [first] = data.sred.map((pair) => openSred(pair, cipher));
    // The first pair has number and expiry: tag 57, or track 2 as text.
    const text = Buffer.from(first ?? '', 'hex').toString('latin1');
    expect(`${first} ${text}`).toMatch(new RegExp(`^57..${card.pan}D${card.expiry}|;${card.pan}=${card.expiry}`));
    expect(new Set(data.sred.map(({ ksn }) => ksn)).size).toBe(1);
    expect(JSON.stringify(data)).not.toContain(card.pan);
    if (verification === 'onlinePin') expect(data.pin && openPin(data.pin, card.pan)).toBe(card.pin);
    else expect(data.pin).toBeUndefined();

    if (data.icc !== undefined) expect(issuer(name, data.icc).genuine).toBe(true);
    expect(data.icc === undefined).toBe(!entryMode.endsWith('ICC'));
    const icc = entryMode === 'ICC' ? issuer(name, data.icc ?? '').answer(true) : undefined;
    const verdict = await complete({ kind: 'approved', icc });
    expect(verdict.kind).toBe(entryMode === 'ICC' ? 'approved' : 'none');
    expect(await clock.until(terminal.waitForRemoval(10_000))).toBe(true);
    expect(unsolicited).toEqual([]);
    expect(device.state()).toBe('idle');
    await terminal.close();
    await device.close();
    expect(clock.waiting()).toBe(0);
  });
});

test.each([
  ['as a block', [], '3B343736313733393030313031303031303D333131323F00'],
  ['under the other header', ['typed-under-tech2'], '3B343736313733393030313031303031303D333131323F00'],
  ['as tags', ['typed-as-pairs'], '5A0847617390010100105F2403311231'],
])('a typed number comes %s', async (_, dialects, plain) => {
  const card = testCard('visa-credit');
  const { read, device } = await openBench({ presentations: [{ card, by: 'manual' }], dialects });
  const data = cardOf(await read(9_900n, ['manual']));
  expect(data).toMatchObject({ entryMode: 'MANUAL', maskedPan: '476173******0010' });
  expect(data.sred.map((pair) => openSred(pair))).toEqual([plain]);
  expect(device.state()).toBe('idle');
});

test('a chip that approves by itself', async () => {
  const { read, complete, device } = await openBench({
    presentations: [{ card: testCard('visa-no-cvm'), by: 'chip' }],
  });
  const outcome = await read(2_500n);
  expect(outcome.kind).toBe('approvedOffline');
  expect(cardOf(outcome).cryptogram?.kind).toBe('TC');
  expect(await complete({ kind: 'approved' })).toEqual({ kind: 'none' });
  expect(device.state()).toBe('idle');
});

test('a chip that declines by itself', async () => {
  const config = { actionCodes: { denial: 'FFFFFFFFFF', online: '0000000000' } };
  const { read, device } = await openBench({ config, presentations: [{ card: testCard('visa-credit'), by: 'chip' }] });
  const outcome = await read();
  expect(outcome.kind).toBe('declinedOffline');
  expect(cardOf(outcome).cryptogram?.kind).toBe('AAC');
  expect(device.state()).toBe('idle');
});

test('chooses the first application for a reader that asks', async () => {
  const menu = ['VISA CREDIT', 'VISA DEBIT'];
  const { read, unsolicited } = await openBench({
    menu,
    presentations: [{ card: testCard('visa-signature'), by: 'chip' }],
  });
  expect((await read()).kind).toBe('goOnline');
  expect(unsolicited).toEqual([]);
});

test('a tap without contactless is sent to the chip', async () => {
  const card = { ...testCard('visa-signature'), contactless: 'none' as const };
  const { read, events } = await openBench({ presentations: [{ card, by: 'tap' }] });
  expect(cardOf(await read()).entryMode).toBe('ICC');
  expect(events).toEqual(['presentCard', 'useChip', 'cardInserted', 'reading']);
});

test('the events of a chip with PIN, a swipe and a tap', async () => {
  const card = testCard('visa-credit');
  const { read, events } = await openBench({
    presentations: [
      { card, by: 'chip' },
      { card, by: 'tap' },
      { card: testCard('visa-stripe'), by: 'swipe' },
    ],
  });
  await read();
  expect(events.splice(0)).toEqual(['presentCard', 'cardInserted', 'reading', 'pinEntered']);
  await read();
  expect(events.splice(0)).toEqual(['presentCard', 'cardTapped', 'enterPin', 'pinEntered']);
  await read();
  expect(events.splice(0)).toEqual(['presentCard', 'cardSwiped']);
});

describe('the chip’s final decision', () => {
  test.each(lastWordRows)('%s, host %s, issuer data %s: %s', async (name, kind, data, verdict) => {
    const { read, complete, device } = await openBench({ presentations: [{ card: testCard(name), by: 'chip' }] });
    const icc = cardOf(await read()).icc ?? '';
    const answer = issuer(name, icc).answer(kind === 'approved');
    const outcome = await complete(verdictOf(kind, data, answer));
    expect(outcome.kind).toBe(verdict);
    expect(device.state()).toBe('idle');
    if (outcome.kind === 'approved') expect(outcome.cryptogram?.kind).toBe('TC');
  });
});

describe('what customers do', () => {
  const card = testCard('visa-credit');
  test.each(customerRows)('%s', async (_, acts, reason) => {
    const { read, device, clock } = await openBench({ presentations: [{ card, ...acts }] });
    // At the chip's own PIN the reader only reports that the cancel key was pressed.
    const text = acts.by === 'chip' && reason === 'pinCancelled' ? 'cancelledByCustomer' : reason;
    expect(await read()).toEqual({ kind: 'notRead', why: text });
    await clock.advance(5_000);
    expect(device.state()).toBe('idle');
  });

  test('cancels at the offline PIN', async () => {
    const presentations = [{ card: testCard('visa-offline-pin'), by: 'chip', pin: 'cancel' }] as const;
    const { read, device } = await openBench({ presentations });
    expect(await read()).toEqual({ kind: 'notRead', why: 'cancelledByCustomer' });
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

  test('has a broken chip when the stripe is not accepted', async () => {
    const { read } = await openBench({ presentations: [{ card: testCard('visa-broken-chip'), by: 'chip' }] });
    expect(await read(9_900n, ['chip', 'tap'])).toEqual({ kind: 'notRead', why: 'cardUnreadable' });
  });

  test('customers come one after the other, and counters and serial numbers continue', async () => {
    const presentations = [1, 2, 3].map(() => ({ card, by: 'chip' }) as const);
    const { read, complete, clock, terminal } = await openBench({ presentations });
    const counters: string[] = [];
    const serials: string[] = [];
    for (const _ of presentations) {
      const data = cardOf(await read());
      counters.push(toHex(find(decodeTlv(fromHex(data.icc ?? '')), '9F36')?.value ?? new Uint8Array(0)));
      serials.push(data.sred[0]?.ksn ?? '');
      await complete({ kind: 'approved' });
      await clock.until(terminal.waitForRemoval(10_000));
    }
    expect(counters).toEqual(['0001', '0002', '0003']);
    expect(new Set(serials).size).toBe(3);
  });
});
