/** The simulated reader alone: raw frames in, raw frames out. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutter } from '../../../drivers/framing/framer.ts';
import { encodeNeo2Frame, type Neo2Frame, neo2FrameMax, neo2Framer } from '../../../drivers/framing/neo2-frame.ts';
import { encodeRequest, fromHost, fromReader } from '../../../drivers/neo2/protocol/commands.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { type BenchOptions, bench } from './bench.ts';
import { captured } from './captures.ts';

/** A raw host: receives `command status data`. */
const raw = (options: BenchOptions = {}) => {
  const rig = bench(options);
  const received: Neo2Frame[] = [];
  const frames = cutter(neo2Framer(fromReader), neo2FrameMax);
  rig.hostLink.listen({
    bytes: (bytes) => {
      for (const piece of frames.push(bytes)) if (piece.kind === 'frame') received.push(piece.frame);
    },
    closed: () => {},
  });
  const describeFrame = ({ command, status = 0, data }: Neo2Frame): string =>
    `${toHex(Uint8Array.of(command, status))} ${toHex(data)}`.trim();
  return {
    ...rig,
    async send(bytes: Uint8Array, ms = 0): Promise<string[]> {
      await rig.hostLink.write(bytes);
      await rig.clock.advance(ms);
      return received.splice(0).map(describeFrame);
    },
    async frame(bytes: Uint8Array): Promise<Neo2Frame | undefined> {
      await rig.hostLink.write(bytes);
      await rig.clock.settle();
      return received.splice(0)[0];
    },
  };
};

const amount = { amountMinor: 9_900n, currency: 'EUR', type: '00' };
const activate = (more: object = {}) =>
  encodeRequest('activate', {
    timeoutS: 30,
    ...amount,
    interfaces: 7,
    patience: { fallback: 1, nextCommandS: 60 },
    ...more,
  });
const authenticate = encodeRequest('authenticate', { forceOnline: 0, timeoutS: 120 });

test('the printed questions get the printed answers', async () => {
  const { send } = raw({ config: { serial: '630Z000001' } });
  expect(await send(captured('ping.req'))).toEqual(['1800']);
  expect(await send(captured('cancel.req'))).toEqual(['0500']);
  expect(await send(captured('serial.req'))).toEqual(['1200 3633305A3030303030310000000000']);
  expect(await send(captured('setICS3C.req'))).toEqual(['6000']);
});

describe('damage', () => {
  test('a wrong checksum is status 04, sent once', async () => {
    const { send } = raw();
    const broken = captured('ping.req').map((byte, index) => (index === 15 ? byte ^ 1 : byte));
    expect(await send(broken)).toEqual(['0004']);
    expect(await send(captured('ping.req'))).toEqual(['1800']);
  });

  test('a wrong header is status 01', async () => {
    expect(await raw().send(new Uint8Array(Buffer.from('VivoTech9\0....')))).toEqual(['0001']);
  });

  test('an unknown command is status 02, a malformed one 05', async () => {
    const { send } = raw();
    const unknown = encodeNeo2Frame({ header: 'ViVOtech2', command: 0x77, sub: 1, data: new Uint8Array(0) }, fromHost);
    expect(await send(unknown)).toEqual(['7702']);
    const malformed = { header: 'ViVOtech2', command: 0x02, sub: 0x40, data: fromHex('1E9F02') } as const;
    expect(await send(encodeNeo2Frame(malformed, fromHost))).toEqual(['0205']);
  });

  test('no bytes crash the simulated reader', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.uint8Array({ maxLength: 60 }), fc.constant(activate()))), async (parts) => {
        const { send, device } = raw({ presentations: [{ card: testCard('visa-credit'), by: 'chip' }] });
        for (const part of parts) await send(part, 200);
        expect(device.state()).not.toBe('off');
      }),
      { numRuns: 40 },
    );
  });
});

test('the reader answers under the header of the question', async () => {
  const { frame } = raw();
  const ping = { header: 'ViVOpayV3', command: 0x18, sub: 0x01, data: new Uint8Array(0) } as const;
  expect(await frame(encodeNeo2Frame(ping, fromHost))).toMatchObject({ header: 'ViVOpayV3', sub: 0x01, status: 0 });
  expect(await frame(captured('ping.req'))).toMatchObject({ header: 'ViVOtech2', status: 0 });
});

test('any command cancels the wait for a card', async () => {
  const { send, device } = raw({ presentations: [{ card: testCard('visa-credit'), by: 'tap', afterMs: 5_000 }] });
  await send(activate(), 1_000);
  expect(device.state()).toBe('activate');
  expect(await send(captured('ping.req'), 10)).toEqual(['0200 DFEE25020012', '1800']);
  expect(device.state()).toBe('idle');
});

test.each([
  ['a date', { date: '260102' }],
  ['a time', { time: '120000' }],
])('the host must not set %s: the reader has its own clock', async (_, more) => {
  expect(await raw().send(activate(more))).toEqual(['0205']);
});

test.each([
  ['not told', undefined, []],
  ['told as text', 1, [Buffer.from('NEO 2.0 v1.00').toString('hex').toUpperCase()]],
  ['reported in a frame', 2, [`5669564F746563683200140100 0D 4E454F20322E302076312E3030 9F30`.replaceAll(' ', '')]],
] as const)('a restart is %s', async (_, setting, reports) => {
  const rig = bench({ faults: [{ kind: 'reset', atCommand: setting === undefined ? 1 : 2 }] });
  const received: string[] = [];
  rig.hostLink.listen({ bytes: (bytes) => received.push(toHex(bytes)), closed: () => {} });
  if (setting !== undefined) await rig.hostLink.write(encodeRequest('bootNotice', { on: setting }));
  await rig.clock.settle();
  received.length = 0;
  await rig.hostLink.write(captured('ping.req'));
  await rig.clock.advance(10_000);
  expect(received).toEqual(reports);
});

test('at the keypad only the end of the entry is accepted', async () => {
  const { send } = raw({ presentations: [{ card: testCard('visa-stripe'), by: 'swipe' }] });
  expect(await send(activate(), 3_000)).toHaveLength(1);
  expect(await send(encodeRequest('onlinePin', { type: 1, panLength: 0, longest: 12, shortest: 4, words: 0 }))).toEqual(
    ['6200'],
  );
  expect(await send(captured('cancel.req'))).toEqual(['050A']);
  expect(await send(encodeRequest('cancelKeys', {}))).toEqual(['6200', '620A 02']);
  expect(await send(encodeRequest('cancelKeys', {}))).toEqual(['620A']);
});

test.each([
  ['VP6800', '3200 0100'],
  ['VP3300', '3203'],
])('%s answers 32-03 with %s', async (model, output) => {
  expect(await raw({ config: { model } }).send(encodeRequest('state', {}))).toEqual([output]);
});

test('a number is typed in under the header that the guide prints', async () => {
  const typed = encodeRequest('manualUnderV3', { timeoutS: 5, flags: 0 });
  expect(Buffer.from(typed).toString('latin1')).toMatch(/^ViVOpayV3/);
  const other = { header: 'ViVOtech2', command: 0x83, sub: 0x41, data: new Uint8Array(4) } as const;
  expect(await raw().send(encodeNeo2Frame(other, fromHost))).toEqual(['8303']);
});

test('while a chip runs only the cancel is accepted', async () => {
  const { send, device } = raw({ presentations: [{ card: testCard('visa-signature'), by: 'chip' }] });
  expect((await send(activate(), 2_000))[0]).toContain('DFEE25020010');
  expect(await send(authenticate, 10)).toEqual(['6063']);
  expect(await send(captured('ping.req'))).toEqual(['180A']);
  expect(await send(captured('cancel.req'))).toEqual(['0500']);
  expect(device.state()).toBe('idle');
});

test('an abandoned transaction ends by its own timer', async () => {
  const { send, clock, device } = raw({ presentations: [{ card: testCard('visa-signature'), by: 'chip' }] });
  await send(activate(), 2_000);
  expect(device.state()).toBe('started');
  await clock.advance(60_000);
  expect(device.state()).toBe('idle');
  expect(await send(authenticate)).toEqual(['600B']);
});

test('without a card: status 08 after its time', async () => {
  const { send, clock } = raw({ presentations: [{ card: testCard('visa-credit'), by: 'tap', never: true }] });
  expect(await send(activate({ timeoutS: 5 }), 4_999)).toEqual([]);
  await clock.advance(1);
  expect(await send(new Uint8Array(0))).toEqual(['0208']);
});

test('the host’s answer is refused without a chip that waits for it', async () => {
  expect(await raw().send(captured('hostresp.req'))).toEqual(['600B']);
});

test('the same seed sends the same bytes', async () => {
  const runOnce = async () => {
    const { send } = raw({ presentations: [{ card: testCard('visa-signature'), by: 'chip' }], seed: 7 });
    return [await send(activate(), 3_000), await send(authenticate, 3_000)];
  };
  expect(await runOnce()).toEqual(await runOnce());
});

test('frames that come in one portion are all answered', async () => {
  const { send } = raw();
  expect(await send(concat(captured('ping.req'), captured('serial.req'), captured('fw.req')))).toHaveLength(3);
});
