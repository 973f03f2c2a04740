import { describe, expect, test } from 'vitest';
import type { Fault } from '../../../src/base/fault.ts';
import { errorText } from '../../../src/base/fault.ts';
import { fromHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { cardOf } from '../../support/devices/driver-bench.ts';
import { issuer } from '../../support/devices/driver-hsm.ts';
import { openContainer } from './hsm.ts';
import { openBench } from './simulator-bench.ts';

const chipSale = { presentations: [{ card: testCard('visa-credit'), by: 'chip' as const }] };

const runWholeSale = async (o: Awaited<ReturnType<typeof openBench>>) => {
  const [pair] = cardOf(await o.read()).sred;
  if (pair === undefined) throw new Error('no ciphertext');
  const icc = issuer('visa-credit', openContainer(pair)).answer(true);
  return (await o.complete({ kind: 'approved', icc })).kind;
};

describe.each(['reports', 'stream'] as const)('over a link of %s', (carries) => {
  test.each([
    [{ kind: 'split' }, []],
    [{ kind: 'merge', atMessage: 12 }, []],
    [{ kind: 'duplicate', atMessage: 11 }, ['terminal.stray']],
    [{ kind: 'unsolicited', atCommand: 4 }, []],
    [{ kind: 'unsolicited', atCommand: 11 }, []],
    [{ kind: 'unknownMessage', atCommand: 11 }, ['terminal.stray']],
    [{ kind: 'repeatedRequest', times: 3 }, []],
    // A late response of an earlier session, to the echo.
    [{ kind: 'staleBytes', bytes: fromHex('C00200000010AA00810482FFDF018204000000008402DF01C0') }, 'any'],
  ] as const)('a sale survives %j', async (fault, codes) => {
    const o = await openBench({ ...chipSale, carries, faults: [fault] });
    expect(await runWholeSale(o)).toBe('approved');
    if (codes !== 'any') expect(o.unsolicited.map(({ code }) => code)).toEqual(codes);
    expect(o.device.state()).toBe('idle');
  });

  test.each([
    [{ kind: 'silence', atCommand: 11 }, 'terminal.silent'],
    [{ kind: 'wrongChecksum', atMessage: 13 }, 'terminal.garbled'],
    [{ kind: 'linkDrop', atMessage: 12, when: 'before' }, 'link.lost'],
    [{ kind: 'linkDrop', atMessage: 12, when: 'after' }, 'link.lost'],
    [{ kind: 'garbage', fromCommand: 11, everyMs: 100 }, 'terminal.garbled'],
    [{ kind: 'reset', atCommand: 11 }, 'link.lost'],
  ] as const)('a sale ends with a fault under %j', async (fault, code) => {
    const { start, clock, terminal, device } = await openBench({ ...chipSale, carries, faults: [fault] });
    const ended = start().then(
      () => 'no fault',
      (fault: Fault) => fault.code,
    );
    expect(await clock.until(ended)).toBe(code);
    await terminal.close();
    await device.close();
    expect(clock.waiting()).toBe(0);
  });
});

test('a restart while the chip waits for the host is not a decline', async () => {
  const { read, terminal, clock, device } = await openBench(chipSale);
  await read();
  device.notify('1001', '00000000');
  await clock.settle();
  await expect(clock.until(terminal.complete({ kind: 'approved' }))).rejects.toMatchObject({ code: 'link.lost' });
});

test('a cancelled transaction that ends late is waited for', async () => {
  const faults = [{ kind: 'lateAnswer', afterMs: 5_000 }] as const;
  const { start, terminal, clock, unsolicited } = await openBench({ ...chipSale, faults });
  const reading = start();
  await clock.advance(100);
  await clock.until(terminal.cancel());
  expect(await clock.until(reading)).toEqual({ kind: 'notRead', why: 'cancelledByTill' });
  expect(unsolicited).toEqual([]);
});

test('a cancelled transaction that never ends is given up, so that its end cannot reach the next sale', async () => {
  const faults = [{ kind: 'lateAnswer', afterMs: 60_000 }] as const;
  const { start, terminal, clock } = await openBench({ ...chipSale, faults });
  const ended = start().catch((fault: Fault) => fault.code);
  await clock.advance(100);
  await clock.until(terminal.cancel());
  expect(await clock.until(ended)).toBe('terminal.silent');
});

describe('the health of the device', () => {
  const last = fromHex('FFFF01020000001FF800');

  test('tampered', async () => {
    const { terminal, clock, start } = await openBench({ ...chipSale, config: { tampered: true } });
    expect(await clock.until(terminal.health())).toMatchObject({
      ok: false,
      tampered: true,
      problems: ['The terminal was opened by somebody'],
    });
    const ended = start().catch(errorText);
    expect(await clock.until(ended)).toMatch(/cannot take cards.*opened/);
  });

  test.each([
    ['card data', { sredKsn: last }, 'sred'],
    ['PINs', { pinKsn: last }, 'pin'],
  ] as const)('the key for %s is exhausted', async (name, keys, use) => {
    const { terminal, clock, start } = await openBench({ ...chipSale, keys });
    const states = await clock.until(terminal.keys());
    expect(states.find((each) => each.use === use)).toMatchObject({ ready: false, usesLeft: 0 });
    const { problems, ok } = await clock.until(terminal.health());
    expect(ok).toBe(false);
    expect(problems).toContain(`The key for ${name} is used up`);
    const ended = start().catch((fault: Fault) => fault.code);
    expect(await clock.until(ended)).toBe('terminal.unready');
    await clock.advance(5_000);
  });

  test('a low battery, and a nearly empty one', async () => {
    const low = await openBench({ ...chipSale, config: { batteryPercent: 12 } });
    await low.clock.advance(1_000);
    expect(low.unsolicited.map(errorText)).toEqual(['The terminal warns: The battery is at 12 %']);
    expect(await low.clock.until(low.terminal.health())).toMatchObject({ problems: ['The battery is at 12 %'] });
    expect((await low.read()).kind).toBe('goOnline');

    const empty = await openBench({ ...chipSale, config: { batteryPercent: 5 } });
    const ended = empty.start().catch(errorText);
    expect(await empty.clock.until(ended)).toMatch(/battery is nearly empty/);
    expect(empty.lines).not.toContain('display: PRESENT CARD');
  });

  test('the daily restart is announced, reported and acknowledged', async () => {
    const { clock, terminal, unsolicited, device } = await openBench(chipSale);
    await clock.advance(23 * 3_600_000 - 180_000 + 1_000);
    expect((await clock.until(terminal.health())).problems).toEqual(['It restarts by itself in 3 minutes']);
    await clock.advance(240_000);
    expect(unsolicited.map(errorText)).toEqual([
      'The terminal warns: It restarts by itself in 3 minutes',
      'The terminal warns: It restarted',
    ]);
    expect((await clock.until(terminal.health())).problems).toEqual([]);
    expect(device.state()).toBe('idle');
  });
});

test('calls while another runs are refused, and after the close the link is lost', async () => {
  const { start, terminal, clock } = await openBench(chipSale);
  const reading = start();
  for (const call of [() => terminal.echo(), () => terminal.health(), () => terminal.complete({ kind: 'approved' })]) {
    await expect(call()).rejects.toMatchObject({ code: 'terminal.busy' });
  }
  await clock.until(reading);
  await terminal.close();
  await expect(terminal.echo()).rejects.toMatchObject({ code: 'link.lost' });
});

test('an echo is harmless and quick', async () => {
  const { terminal, clock, device } = await openBench(chipSale);
  await clock.until(terminal.echo());
  expect(device.state()).toBe('idle');
});
