/** Each dialect of NEO 2 readers is detected during a day at a reader that speaks it, and no other dialect is. */
import { expect, test } from 'vitest';
import {
  decodeNeo2Frame,
  encodeNeo2Frame,
  type Neo2Header,
  neo2ReportsOf,
} from '../../../drivers/framing/neo2-frame.ts';
import { type Link, observe } from '../../../drivers/links/link.ts';
import { neo2 } from '../../../drivers/neo2/driver/driver.ts';
import {
  commandByte,
  encodeRequest,
  fromReader,
  type Neo2Ask,
  type Neo2CommandName,
  subByte,
} from '../../../drivers/neo2/protocol/commands.ts';
import { neo2DialectDetector } from '../../../drivers/neo2/protocol/dialect-detection.ts';
import { type Neo2Dialect, neo2Dialects } from '../../../drivers/neo2/protocol/dialects.ts';
import { seededRandom } from '../../../drivers/simulation/cardholder.ts';
import { createKeySlots } from '../../../drivers/simulation/key-slots.ts';
import type { Presentation } from '../../../drivers/simulation/simulator.ts';
import type { CardInterface } from '../../../drivers/terminal.ts';
import { isFault } from '../../../src/base/fault.ts';
import { concat, fromHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { openedOn } from '../../support/devices/driver-bench.ts';
import { type BenchOptions, bench } from './bench.ts';
import { captured } from './captures.ts';

const card = testCard('visa-credit');
/**
 * By chip with a PIN, by tap without its PIN, by stripe, by a broken chip, typed, by chip with a host that is too slow,
 * a customer who presses the cancel key, and no card.
 */
const day: readonly (Presentation & { minor?: bigint; slow?: true })[] = [
  { card, by: 'chip' },
  { card, by: 'tap', pin: 'cancel', minor: 9_900n },
  { card: testCard('visa-stripe'), by: 'swipe' },
  { card: testCard('visa-broken-chip'), by: 'chip' },
  { card, by: 'manual' },
  { card, by: 'chip', slow: true },
  { card, by: 'chip', cancels: true },
  { card, by: 'chip', never: true },
];

type DayOptions = Omit<BenchOptions, 'presentations' | 'dialects'> & { known?: readonly string[] };

/** The dialects detected in such a day. Sales that are refused in words are part of it. */
const detectedIn = async (dialects: readonly Neo2Dialect[], { known = [], ...options }: DayOptions = {}) => {
  const rig = bench({ ...options, dialects, presentations: day });
  const detector = neo2DialectDetector({ carries: options.carries ?? 'stream', known });
  const till = await openedOn({ ...rig, hostLink: observe(rig.hostLink, detector) }, neo2);
  const ignoreFault = (work: Promise<unknown>): Promise<unknown> =>
    rig.clock.until(
      work.catch((error: unknown) => {
        if (!isFault(error)) throw error;
      }),
    );
  const sell = async ({ by, minor = 1_000n, slow }: (typeof day)[number]): Promise<void> => {
    const accept: readonly CardInterface[] = by === 'manual' ? ['manual'] : ['chip', 'tap', 'swipe'];
    const outcome = await till.start(minor, accept);
    if (slow) await new Promise<void>((resolve) => rig.clock.after(130_000, resolve));
    if (outcome.kind === 'goOnline') await till.terminal.complete({ kind: 'approved' });
    await till.terminal.waitForRemoval(30_000);
  };
  for (const each of day.slice(0, -1)) await ignoreFault(sell(each));
  const waiting = till.start().catch(() => {});
  await rig.clock.advance(1_000);
  await ignoreFault(till.terminal.cancel());
  await rig.clock.until(waiting);
  await rig.clock.advance(1_000);
  await ignoreFault(till.terminal.health());
  return [...detector.dialects];
};

const ways: readonly Link['carries'][] = ['stream', 'reports'];
const aesKeys = createKeySlots({ random: seededRandom(1), scheme: 'aes128Dukpt' });

test.each<[string, DayOptions]>([
  ['on a line', {}],
  ['over HID', { carries: 'reports' }],
  ['with AES under its keys', { cipher: 'aes' }],
  ['with keys of AES DUKPT, whose serial numbers have no room in the block of a swipe', { keys: aesKeys }],
  ['without a PIN pad', { config: { model: 'VP3350' } }],
])('detects nothing at the strictest reader, %s', async (_, options) => {
  expect(await detectedIn([], options)).toEqual([]);
});

const rows = (Object.keys(neo2Dialects) as Neo2Dialect[]).map(
  (name, index) => [name, ways[index % ways.length] ?? 'stream'] as const,
);

test.each(rows)('%s, on %s', async (name, carries) => {
  expect(await detectedIn([name], { carries })).toEqual([name]);
});

test('detects several at once', async () => {
  const several: Neo2Dialect[] = ['answers-under-v3', 'attribution-extended', 'masks-all', 'new-tags', 'shows-at-till'];
  expect((await detectedIn(several, { carries: 'reports' })).toSorted()).toEqual(several);
});

test('keeps what was known before, which a chip does not contradict', async () => {
  expect(await detectedIn(['masks-all'], { known: ['masks-all', 'old-tags'] })).toEqual(['masks-all', 'old-tags']);
});

type Line = readonly [way: 'said' | 'heard', bytes: Uint8Array];
const requestLine = <N extends Neo2CommandName>(name: N, ask: Neo2Ask<N>): Line => ['said', encodeRequest(name, ask)];
const answerLine = (
  name: Neo2CommandName,
  status: number,
  data: string | Uint8Array,
  header: Neo2Header = 'ViVOtech2',
): Line => {
  const bytes = typeof data === 'string' ? fromHex(data) : data;
  const frame = { header, command: commandByte(name), sub: subByte(name), status, data: bytes };
  return ['heard', encodeNeo2Frame(frame, fromReader)];
};
const dataOf = (name: string): Uint8Array => decodeNeo2Frame(captured(name), fromReader).data;

const sale = {
  ...{ timeoutS: 30, type: '00', amountMinor: 100n, currency: 'EUR', interfaces: 7 },
  patience: { fallback: 1, nextCommandS: 60 },
} as const;
const activate = requestLine('activate', sale);
const authenticate = requestLine('authenticate', { forceOnline: 0, timeoutS: 120 });
const cancel = requestLine('cancel', {});
const started = 'C0DFEE25020010FFEE1F0400000000DFEE2602C0009F390105';

/** Captured answers, and some that only look like a dialect. */
const conversations: readonly [says: string, heard: readonly Neo2Dialect[], ...lines: Line[]][] = [
  [
    'a captured tap',
    ['attribution-missing', 'empty-tags', 'masks-four'],
    ...[activate, answerLine('activate', 0x23, captured('ctls.mchip.resp.tlvs'))],
  ],
  [
    'a captured chip of the Augusta family',
    ['lengths-81', 'masks-four', 'old-tags'],
    ...[authenticate, answerLine('authenticate', 0, captured('contact.rawdata.tlvs'))],
  ],
  [
    'a captured unencrypted chip',
    ['empty-tags', 'in-clear'],
    ...[authenticate, answerLine('authenticate', 0, dataOf('v3.contact.02-05.plain.resp'))],
  ],
  [
    'a captured chip under AES',
    ['empty-tags', 'masks-four'],
    ...[authenticate, answerLine('authenticate', 0, dataOf('v3.contact.02-06.encAES.pinISO4.resp'))],
  ],
  [
    'an encrypted track, with the number unencrypted next to it',
    [],
    ...[authenticate, answerLine('authenticate', 0, `DFEE120A62994900AB0008C001ED57C108${'5A'.repeat(8)}5A0447617390`)],
  ],
  [
    'a swipe of a reader with AES DUKPT',
    ['attribution-extended'],
    ...[activate, answerLine('activate', 0, 'ECDFEE2602EC019F390190')],
  ],
  [
    'TransArmor that only the attribution shows',
    ['transarmor-untold'],
    ...[activate, answerLine('activate', 0, 'ECDFEE2601EC9F390190')],
  ],
  [
    'TransArmor named after the attribution',
    ['transarmor-untold'],
    ...[activate, answerLine('activate', 0, 'E4DFEE2602E4069F390105')],
  ],
  [
    'TransArmor that the reader reported before',
    ['transarmor-told'],
    ...[requestLine('outputMode', { key: 1, slot: 0 }), answerLine('outputMode', 0, '000200000000')],
    ...[activate, answerLine('activate', 0, 'ECDFEE2601EC9F390190')],
  ],
  [
    'a reader that reports no keys, before any card',
    [],
    ...[requestLine('keyState', { use: 2, slot: 0 }), answerLine('keyState', 3, '')],
  ],
  ['the state of a missing key', [], requestLine('keyState', { use: 1, slot: 0 }), answerLine('keyState', 0, 'FF')],
  ['a started chip', [], activate, answerLine('activate', 0, started)],
  ['a card presented before the cancel arrived', [], activate, cancel, answerLine('activate', 0, started)],
  [
    'the end of a cancelled command',
    ['end-before-cancel'],
    ...[activate, cancel, answerLine('activate', 0x0a, '41DFEE02042C000000'), answerLine('cancel', 0, '')],
  ],
  [
    'the end of a cancelled command, after the cancel’s answer',
    ['end-behind-cancel'],
    ...[activate, cancel, answerLine('cancel', 0, ''), answerLine('activate', 0, 'DFEE25020012')],
  ],
  [
    'the end of the next wait',
    [],
    ...[activate, cancel, answerLine('cancel', 0, ''), activate, answerLine('activate', 0, 'DFEE25020012')],
  ],
  [
    'a chip that failed when no stripe is accepted',
    [],
    ...[requestLine('activate', { ...sale, interfaces: 4 }), answerLine('activate', 0x0a, 'DFEF6102F222')],
  ],
  [
    'a tap that failed, in tags of newer firmware',
    [],
    ...[activate, answerLine('activate', 0x0a, 'E5DFEE2602E501DFEE020424000000')],
  ],
  [
    'a number typed under the guide’s header',
    [],
    ...[requestLine('manualUnderV3', { timeoutS: 9, flags: 0 }), answerLine('manualUnderV3', 8, '', 'ViVOpayV3')],
  ],
];

test.each(conversations)('%s: %j', (_, received, ...lines) => {
  for (const carries of ways) {
    const detector = neo2DialectDetector({ carries, known: [] });
    for (const [direction, bytes] of lines)
      detector.push(direction, carries === 'stream' ? bytes : concat(...neo2ReportsOf(bytes)));
    expect([...detector.dialects].toSorted()).toEqual(received);
  }
});

test('ignores bytes that are not frames', () => {
  for (const carries of ways) {
    const detector = neo2DialectDetector({ carries, known: [] });
    for (const direction of ['said', 'heard'] as const) {
      for (const hex of ['00', 'FF'.repeat(300), '5669564F7465636832000240', '01'.repeat(64)])
        detector.push(direction, fromHex(hex));
    }
    expect([...detector.dialects]).toEqual([]);
  }
});
