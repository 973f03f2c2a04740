/** The driver and the simulated device against each other: whole sales, and what customers and faults do to them. */
import { describe, expect, test } from 'vitest';
import { mpi } from '../../../drivers/mpi/driver/driver.ts';
import { pause } from '../../../src/base/clock.ts';
import type { Fault } from '../../../src/base/fault.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { decodeTlv, find } from '../../../src/emv/tlv.ts';
import { cardOf, openedOn } from '../../support/devices/driver-bench.ts';
import { issuer, openTdesPin as openPin, openTdesSred as openSred } from '../../support/devices/driver-hsm.ts';
import { customerRows, lastWordRows, saleRows, verdictOf } from '../../support/devices/driver-rows.ts';
import { bench, openBench } from './simulator-bench.ts';

describe('a whole sale through the driver', () => {
  test.each(saleRows)('%s by %s is %s, verified by %s', async (name, by, entryMode, verification, minor) => {
    const card = testCard(name);
    const { read, complete, device, unsolicited, terminal, clock } = await openBench({ presentations: [{ card, by }] });
    const outcome = await read(minor);
    expect(outcome.kind).toBe('goOnline');
    const data = cardOf(outcome);
    expect(data).toMatchObject({ entryMode, verification });
    expect(data.maskedPan).toBe(`${card.pan.slice(0, 6)}******${card.pan.slice(-4)}`);
    for (const pair of data.sred) {
      expect(Buffer.from(openSred(pair), 'hex').toString('latin1') + openSred(pair)).toContain(card.pan);
    }
    expect(JSON.stringify(data)).not.toContain(card.pan);
    if (verification === 'onlinePin') expect(data.pin && openPin(data.pin, card.pan)).toBe(card.pin);
    else expect(data.pin).toBeUndefined();

    if (data.icc !== undefined) expect(issuer(name, data.icc).genuine).toBe(true);
    const icc = entryMode === 'ICC' ? issuer(name, data.icc ?? '').answer(true) : undefined;
    const verdict = await complete({ kind: 'approved', icc });
    expect(verdict.kind).toBe(entryMode === 'ICC' ? 'approved' : 'none');
    expect(await clock.until(terminal.waitForRemoval(10_000))).toBe(true);
    expect(unsolicited).toEqual([]);
    expect(device.state()).toBe('idle');
  });

  test.each([
    [[], '5A084761739001010010'],
    [['manual-with-expiry'], '5A0847617390010100105F2403311231'],
  ])('a typed number, dialects %j', async (dialects, sealed) => {
    const card = testCard('visa-credit');
    const { read, device } = await openBench({ presentations: [{ card, by: 'manual' }], dialects });
    const data = cardOf(await read(9_900n, ['manual']));
    expect(data).toMatchObject({ entryMode: 'MANUAL', maskedPan: '476173******0010' });
    expect(data.sred.map(openSred)).toEqual([expect.stringMatching(new RegExp(`^${sealed}(00)*$`))]);
    expect(device.state()).toBe('idle');
  });

  test('a chip that approves and one that declines by itself', async () => {
    const card = testCard('visa-no-cvm');
    const { read, device, clock } = await openBench({ presentations: [{ card, by: 'chip' }] });
    const outcome = await read(2_500n);
    expect(outcome.kind).toBe('approvedOffline');
    expect(cardOf(outcome).cryptogram?.kind).toBe('TC');
    await clock.advance(2_000);
    expect(device.state()).toBe('idle');
  });
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
    if (data === 'forged' && name.startsWith('visa') && outcome.kind === 'declined') {
      expect(fromHex(outcome.tvr ?? '')[4]).toBe(0x40);
    }
  });
});

describe('what customers do', () => {
  const card = testCard('visa-credit');
  test.each(customerRows)('%s', async (_, acts, reason) => {
    const { read, device, clock } = await openBench({ presentations: [{ card, ...acts }] });
    expect(await read()).toEqual({ kind: 'notRead', why: reason });
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

  test('types a wrong PIN, which the host receives', async () => {
    const { read } = await openBench({ presentations: [{ card, by: 'chip', pin: '9876' }] });
    const { pin } = cardOf(await read());
    expect(pin && openPin(pin, card.pan)).toBe('9876');
  });

  test('customers come one after the other, and counters and serial numbers continue', async () => {
    const { read, complete, clock, terminal } = await openBench({
      presentations: [1, 2, 3].map(() => ({ card, by: 'chip' }) as const),
    });
    const counters: string[] = [];
    const serials: string[] = [];
    for (const _ of [1, 2, 3]) {
      const data = cardOf(await read());
      counters.push(toHex(find(decodeTlv(fromHex(data.icc ?? '')), '9F36')?.value ?? new Uint8Array(0)));
      serials.push(...data.sred.map(({ ksn }) => ksn));
      await complete({ kind: 'approved' });
      await clock.until(terminal.waitForRemoval(10_000));
    }
    expect(counters).toEqual(['0001', '0002', '0003']);
    expect(new Set(serials).size).toBe(3);
  });
});

test.each([
  ['mastercard-m10', 'none'],
  ['visa-offline-pin', 'offlinePin'],
  ['visa-credit', 'onlinePin'],
] as const)(
  'a card that is in the slot before a slow till has the tap reader on stays there: %s',
  async (name, verified) => {
    const rig = bench({ presentations: [{ card: testCard(name), by: 'chip', afterMs: 10 }] });
    const { clock, hostLink } = rig;
    const isTapStart = (bytes: Uint8Array) => toHex(bytes).includes('DEC10000');
    const write = async (bytes: Uint8Array) => {
      if (isTapStart(bytes)) await pause(clock, 500);
      return hostLink.write(bytes);
    };
    const { read, complete, terminal, unsolicited } = await openedOn({ ...rig, hostLink: { ...hostLink, write } }, mpi);
    expect(cardOf(await read())).toMatchObject({ entryMode: 'ICC', verification: verified });
    expect((await complete({ kind: 'approved' })).kind).toBe('approved');
    expect(await clock.until(terminal.waitForRemoval(10_000))).toBe(true);
    expect(unsolicited).toEqual([]);
  },
);

test.each(Array.from({ length: 30 }, (_, index) => [index * 150] as const))(
  'the till cancels after %s ms',
  async (ms) => {
    const { cancelledAfter, clock, device, unsolicited } = await openBench({
      presentations: [{ card: testCard('visa-credit'), by: 'chip' }],
    });
    const outcome = await cancelledAfter(ms);
    // Once the card was read the cancel only drops the waiting chip.
    if (outcome.kind !== 'goOnline') expect(outcome).toEqual({ kind: 'notRead', why: 'cancelledByTill' });
    await clock.advance(10_000);
    expect(device.state()).toBe('idle');
    expect(unsolicited).toEqual([]);
  },
);

test.each([
  [{ kind: 'split' }],
  [{ kind: 'duplicate', atMessage: 6 }],
  [{ kind: 'unsolicited', atCommand: 4 }],
  [{ kind: 'staleBytes', bytes: concat(fromHex('010002900093'), fromHex('FF00AA')) }],
  // An old command's 9F41 must not end the reset.
  [{ kind: 'staleBytes', bytes: fromHex('0100029F41DD') }],
] as const)('a sale survives %j', async (fault) => {
  const { read, complete } = await openBench({
    presentations: [{ card: testCard('visa-credit'), by: 'chip' }],
    faults: [fault],
  });
  const data = cardOf(await read());
  const icc = issuer('visa-credit', data.icc ?? '').answer(true);
  expect((await complete({ kind: 'approved', icc })).kind).toBe('approved');
});

test.each([
  [{ kind: 'silence', atCommand: 5 }, 'terminal.silent'],
  [{ kind: 'wrongChecksum', atMessage: 5 }, 'terminal.garbled'],
  [{ kind: 'linkDrop', atMessage: 4, when: 'midway' }, 'link.lost'],
  [{ kind: 'linkDrop', atMessage: 5, when: 'after' }, 'link.lost'],
  [{ kind: 'garbage', fromCommand: 4, everyMs: 100 }, 'terminal.garbled'],
] as const)('a sale ends with a fault under %j', async (fault, code) => {
  const { start, clock, terminal } = await openBench({
    presentations: [{ card: testCard('visa-credit'), by: 'chip' }],
    faults: [fault],
  });
  const reading = start();
  const ended = reading.then(
    () => 'no fault',
    (fault: Fault) => fault.code,
  );
  expect(await clock.until(ended)).toBe(code);
  await terminal.close();
});
