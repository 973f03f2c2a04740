/** The driver and the simulated reader under cancels and faults, and the reader's health. */
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../drivers/simulation/cardholder.ts';
import { createKeySlots } from '../../../drivers/simulation/key-slots.ts';
import type { Fault } from '../../../src/base/fault.ts';
import { fromHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { cardOf } from '../../support/devices/driver-bench.ts';
import { issuer } from '../../support/devices/driver-hsm.ts';
import { openBench } from './bench.ts';

describe.each([
  ['the end of the cancelled command never comes', {}],
  ['it comes after the answer to the cancel', { dialects: ['end-behind-cancel'] }],
  ['it comes before it', { dialects: ['end-before-cancel'] }],
  ['it comes late', { faults: [{ kind: 'lateAnswer', afterMs: 700 }] }],
] as const)('the till cancels, and %s', (_, reaction) => {
  test.each(Array.from({ length: 25 }, (_unused, index) => [index * 180] as const))('after %s ms', async (ms) => {
    const card = testCard('visa-credit');
    const presentations = [
      { card, by: 'chip' },
      { card, by: 'tap' },
    ] as const;
    const { cancelledAfter, read, device } = await openBench({ presentations, ...reaction });
    const outcome = await cancelledAfter(ms);
    // Once the card was read the cancel only drops the waiting chip.
    if (outcome.kind !== 'goOnline') expect(outcome).toEqual({ kind: 'notRead', why: 'cancelledByTill' });
    expect(device.state()).toBe('idle');
    // The next sale is unaffected, whatever the reader still sends about the one before.
    const next = cardOf(await read(1_000n));
    expect(next.entryMode).toBe(ms === 0 ? next.entryMode : 'NFC_ICC');
  });
});

test.each([
  ['transarmor-untold', 'attribution-missing', 'swipe', 'TransArmor'],
  ['transarmor-untold', 'attribution-missing', 'manual', 'TransArmor'],
  ['transarmor-untold', 'typed-as-pairs', 'manual', 'TransArmor'],
  ['in-clear', 'typed-as-pairs', 'manual', 'no encrypted card data'],
] as const)('%s and %s: a card by %s is refused in words', async (one, other, by, expected) => {
  const card = testCard('visa-stripe');
  const { start, clock } = await openBench({ dialects: [one, other], presentations: [{ card, by }] });
  const fault: Fault = await clock.until(start(1_000n, [by])).then(
    () => expect.unreachable(),
    (error: Fault) => error,
  );
  expect(fault).toMatchObject({ code: 'terminal.unready' });
  expect(fault.message).toContain(expected);
});

test.each([
  [{ kind: 'split' }],
  [{ kind: 'duplicate', atMessage: 9 }],
  [{ kind: 'unsolicited', atCommand: 12 }],
  [{ kind: 'unknownMessage', atCommand: 12 }],
  [{ kind: 'repeatedRequest', times: 2 }],
  [{ kind: 'staleBytes', bytes: fromHex('5669564F7465636832000200000006DFEE25020002') }],
  [{ kind: 'staleBytes', bytes: fromHex('5669564F74656368320060000006DFEE25020002BF69') }],
] as const)('a sale survives %j', async (fault) => {
  for (const carries of ['stream', 'reports'] as const) {
    const presentations = [{ card: testCard('visa-credit'), by: 'chip' }] as const;
    const { read, complete } = await openBench({ presentations, faults: [fault], carries });
    const data = cardOf(await read());
    const icc = issuer('visa-credit', data.icc ?? '').answer(true);
    expect((await complete({ kind: 'approved', icc })).kind).toBe('approved');
  }
});

test.each([
  [{ kind: 'silence', atCommand: 15 }, 'terminal.silent'],
  [{ kind: 'silence', atCommand: 16 }, 'terminal.silent'],
  [{ kind: 'wrongChecksum', atMessage: 15 }, 'terminal.garbled'],
  [{ kind: 'linkDrop', atMessage: 15, when: 'midway' }, 'link.lost'],
  [{ kind: 'linkDrop', atMessage: 15, when: 'after' }, 'link.lost'],
  [{ kind: 'garbage', fromCommand: 15, everyMs: 100 }, 'terminal.garbled'],
  [{ kind: 'reset', atCommand: 15 }, 'link.lost'],
  [{ kind: 'reset', atCommand: 16 }, 'link.lost'],
] as const)('a sale ends with a fault under %j', async (fault, code) => {
  for (const carries of ['stream', 'reports'] as const) {
    const presentations = [{ card: testCard('visa-signature'), by: 'chip' }] as const;
    const { start, clock, terminal } = await openBench({ presentations, faults: [fault], carries });
    const ended = start().then(
      () => 'no fault',
      (fault: Fault) => fault.code,
    );
    expect(await clock.until(ended)).toBe(code);
    await terminal.close();
  }
});

describe('the health of the device', () => {
  test('info, keys, health and echo', async () => {
    const { terminal, clock } = await openBench({});
    expect(await terminal.info()).toEqual({
      model: 'SIMULATED VP6800',
      serial: '17000001',
      firmware: 'SIMULATED VP6800 V1.00.110',
      hasPinPad: true,
    });
    const keys = await clock.until(terminal.keys());
    expect(keys.map(({ use, ready, usesLeft }) => [use, ready, usesLeft])).toEqual([
      ['sred', true, 1_048_575],
      ['pin', true, 1_048_575],
      ['mac', true, 1_048_575],
    ]);
    expect(await clock.until(terminal.health())).toEqual({ ok: true, problems: [], tampered: false });
    await clock.until(terminal.echo());
  });

  test('an exhausted key: reported, and no card is requested', async () => {
    const keys = createKeySlots({
      random: seededRandom(1),
      sredKsn: fromHex('FFFF01020000001FF800'),
    });
    const { terminal, clock, start, events } = await openBench({ keys });
    expect((await clock.until(terminal.health())).problems).toEqual(['The key for card data is used up']);
    const reason = clock.until(start().catch((error: Fault) => error));
    expect(await reason).toMatchObject({ code: 'terminal.unready' });
    expect(events).toEqual([]);
  });

  test('a device that was opened', async () => {
    const { terminal, clock, start, events } = await openBench({ config: { tampered: true } });
    const health = await clock.until(terminal.health());
    expect(health).toMatchObject({ ok: false, tampered: true });
    expect(health.problems[0]).toBe('The terminal says that somebody opened it');
    expect(await clock.until(start().catch((error: Fault) => error))).toMatchObject({ code: 'terminal.unready' });
    expect(events).toEqual([]);
  });
});
