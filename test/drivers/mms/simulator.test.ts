import { describe, expect, test } from 'vitest';
import { decodeBlock } from '../../../drivers/mms/protocol/card-data.ts';
import { contentOf, decodeMessage } from '../../../drivers/mms/protocol/messages.ts';
import { decodeNotice } from '../../../drivers/mms/protocol/notices.ts';
import { seededRandom } from '../../../drivers/simulation/cardholder.ts';
import type { Presentation } from '../../../drivers/simulation/simulator.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { retailMac } from '../../../src/emv/mac.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { find } from '../../../src/emv/tlv.ts';
import { workingKey } from '../../support/devices/driver-hsm.ts';
import { bench, rawBench } from './simulator-bench.ts';

const start = ({ options = '0002' }: { options?: string } = {}) =>
  `AA00810401211001843D100182013CA3098101018201018301018402${options}` +
  '86279C01009F02060000000099009F03060000000000005F2A0209785F3601029F150200009F530100';
const cancel = 'AA0081040113100884021008';
const approve = 'AA00810401221004841E10048101008417FF7414DFDF25084236313337384100FA0670048A023030';

/** Names instead of bytes: `started`, `inserted`, `arqc` … */
const notificationNames = (received: readonly string[]): string[] =>
  received.map((hex) => {
    if (!hex.startsWith('AA00')) return hex;
    const message = decodeMessage(fromHex(hex));
    if (message.kind === 'response') return message.status;
    return message.kind === 'notification' ? decodeNotice(message).kind : message.kind;
  });

const sale = (by: Presentation['by'] = 'chip', more: Partial<Presentation> = {}) => ({
  presentations: [{ card: testCard('visa-signature'), by, ...more }],
});

describe('the order of events', () => {
  test('a chip', async () => {
    const { send } = rawBench(sale());
    expect(notificationNames(await send(start(), 3_000))).toEqual(['01000000', 'inserted', 'arqc']);
    expect(notificationNames(await send(approve, 3_000))).toEqual(['00000000', 'batch', 'approved', 'removed']);
  });

  test.each(['tap', 'swipe'] as const)('a %s waits for the host too', async (by) => {
    const { send } = rawBench({
      presentations: [{ card: testCard(by === 'tap' ? 'visa-credit' : 'visa-stripe'), by }],
    });
    const [started, presented, request] = notificationNames(await send(start(), 3_500));
    expect([started, presented, request]).toEqual(['01000000', by === 'tap' ? 'tapped' : 'presented', 'arqc']);
    expect(notificationNames(await send(approve.replace('3030', '3035'), 1_000))).toEqual([
      '00000000',
      'batch',
      'declined',
    ]);
  });

  test('Quick Chip ends by itself', async () => {
    const { send } = rawBench(sale());
    expect(notificationNames(await send(start({ options: '0003' }), 6_000))).toEqual([
      '01000000',
      'inserted',
      'arqc',
      'deferred',
      'removed',
    ]);
    expect(notificationNames(await send(approve))).toEqual(['80020304']);
  });

  test('without a card the device’s own time limit applies', async () => {
    const { send, wait } = rawBench(sale('chip', { never: true }));
    await send(start());
    expect(notificationNames(await wait(59_000))).toEqual([]);
    expect(notificationNames(await wait(1_000))).toEqual(['timedOut']);
  });
});

describe('the host is late', () => {
  test('the request is repeated, byte for byte, then the chip decides', async () => {
    const { send, wait, device } = rawBench(sale());
    device.setProperty('1.1.1.1.1.5', fromHex('0A'));
    device.setProperty('1.1.1.1.1.6', fromHex('02'));
    const [, , request] = await send(start(), 3_000);
    expect(await wait(10_000)).toEqual([request]);
    expect(await wait(10_000)).toEqual([request]);
    expect(notificationNames(await wait(11_000))).toEqual(['batch', 'approved', 'removed']);
    expect(notificationNames(await send(approve))).toEqual(['80020304']);
  });

  test('without a retry the sale’s own time applies', async () => {
    const { send, wait } = rawBench(sale());
    await send(start(), 3_000);
    expect(notificationNames(await wait(55_000))).toEqual([]);
    expect(notificationNames(await wait(5_000))).toContain('batch');
  });
});

type Raw = ReturnType<typeof rawBench>;

describe('refusals', () => {
  test.each([
    ['a cancel without a transaction', (o: Raw) => o.send(cancel), '80020304'],
    ['a host’s answer without a transaction', (o: Raw) => o.send(approve), '80020304'],
    ['another block format', (o: Raw) => o.send(start({ options: '0000' })), '80020102'],
    ['an unknown command', (o: Raw) => o.send('AA00810401221009840210FF'), '80010113'],
    ['a broken start', (o: Raw) => o.send('AA0081040122100184021001'), '80010102'],
    ['a missing key', (o: Raw) => o.send('AA0081040121EF118406EF1181022001'), '80020119'],
    [
      'a property that is not there',
      (o: Raw) => o.send('AA0081040155D101840FD1018501018704020701018902CA00'),
      '80020102',
    ],
    [
      'a property that the host cannot set',
      (o: Raw) => o.send('AA0081040155D1118410D1118501028704030102018903C10101'),
      '80020102',
    ],
  ] as const)('%s', async (_, ask, status) => {
    expect(notificationNames(await ask(rawBench(sale())))).toEqual([status]);
  });

  test('a second start', async () => {
    const { send } = rawBench(sale());
    await send(start());
    expect(notificationNames(await send(start()))).toEqual(['80020308']);
  });

  test('a cancel too late', async () => {
    const { send } = rawBench(sale());
    await send(start(), 3_000);
    await send(approve);
    expect(notificationNames(await send(cancel))).toEqual(['80020305']);
  });

  test('a host’s answer before the request', async () => {
    const { send } = rawBench(sale());
    await send(start(), 600);
    expect(notificationNames(await send(approve))).toEqual(['8002030D']);
  });
});

test('the block’s MAC is right, and the block contains its key’s serial number', async () => {
  const { send } = rawBench(sale());
  const [, , request = ''] = await send(start(), 3_000);
  const message = decodeMessage(fromHex(request));
  if (message.kind !== 'notification') throw new Error('no notification');
  const bytes = find(contentOf('0101', message.payload), '84')?.value ?? new Uint8Array(0);
  const ksn = fromHex(/DFDF540A(.{20})/.exec(toHex(bytes))?.[1] ?? '');
  const mac = retailMac({ key: workingKey(ksn, 'macRequest'), data: bytes.slice(0, -4), padding: 1, length: 4 });
  expect(decodeBlock(bytes).mac).toBe(toHex(mac));
});

test('a restart is reported again and again until it is acknowledged', async () => {
  const { send, wait } = rawBench(sale());
  expect(notificationNames(await send('AA00810401121F0184021F01'))).toEqual(['00000000']);
  expect(notificationNames(await wait(22_000))).toEqual(['restarted', 'restarted', 'restarted']);
  await send('AA0081040155D1118410D1118501018704020701018903C20101');
  expect(notificationNames(await wait(60_000))).toEqual([]);
});

test.each(['reports', 'stream'] as const)('random bytes over %s never stop it', async (carries) => {
  const random = seededRandom(7);
  const { hostLink, clock, device } = bench({ ...sale(), carries });
  hostLink.listen({ bytes: () => {}, closed: () => {} });
  for (let round = 0; round < 200; round += 1) await hostLink.write(random(64));
  await clock.settle();
  expect(device.state()).toBe('idle');
  await device.close();
});

test('the same seed sends the same bytes', async () => {
  const startReply = async () => (await rawBench(sale()).send(start(), 3_000)).join('\n');
  expect(await startReply()).toBe(await startReply());
});
