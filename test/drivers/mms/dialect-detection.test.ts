/** Each dialect of MMS devices is detected during a day at a device that speaks it, and no other dialect is. */
import { expect, test } from 'vitest';
import { type Link, observe } from '../../../drivers/links/link.ts';
import { mms } from '../../../drivers/mms/driver/driver.ts';
import { encodeBlock } from '../../../drivers/mms/protocol/card-data.ts';
import { mmsDialectDetector, undetectableDialects } from '../../../drivers/mms/protocol/dialect-detection.ts';
import { type MmsDialect, mmsDialects } from '../../../drivers/mms/protocol/dialects.ts';
import { encodeFramed, frameMessage, payloadOf } from '../../../drivers/mms/protocol/messages.ts';
import type { Presentation } from '../../../drivers/simulation/simulator.ts';
import type { CardInterface } from '../../../drivers/terminal.ts';
import { isFault } from '../../../src/base/fault.ts';
import { fromHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { encodeTlv, tlv } from '../../../src/emv/tlv.ts';
import { openedOn } from '../../support/devices/driver-bench.ts';
import { captured, captures } from './captures.ts';
import { type BenchOptions, bench } from './simulator-bench.ts';

/** By chip, by tap, two stripes with different numbers, a broken chip, typed, and no card. */
const day: readonly Presentation[] = [
  { card: testCard('visa-credit'), by: 'chip' },
  { card: testCard('visa-signature'), by: 'tap' },
  { card: testCard('mastercard-credit'), by: 'chip' },
  { card: testCard('visa-stripe'), by: 'swipe' },
  { card: testCard('visa-broken-chip'), by: 'chip' },
  { card: testCard('visa-credit'), by: 'manual' },
  { card: testCard('visa-credit'), by: 'chip', never: true },
];

type DayOptions = Omit<BenchOptions, 'presentations' | 'dialects'> & { known?: readonly string[]; restarts?: true };

/** The dialects detected in such a day, at a device that was switched on before the till. */
const detectedIn = async (dialects: readonly string[], { known = [], restarts, ...options }: DayOptions = {}) => {
  const carries = options.carries ?? 'reports';
  const rig = bench({ ...options, dialects, presentations: day });
  await rig.clock.advance(2_000);
  const detector = mmsDialectDetector({ carries, known });
  const till = await openedOn({ ...rig, hostLink: observe(rig.hostLink, detector) }, mms);
  const ignoreFault = (work: Promise<unknown>): Promise<unknown> =>
    rig.clock.until(
      work.catch((error: unknown) => {
        if (!isFault(error)) throw error;
      }),
    );
  const sell = async ({ by }: Presentation): Promise<void> => {
    const accept: readonly CardInterface[] = by === 'manual' ? ['manual'] : ['chip', 'tap', 'swipe'];
    const outcome = await till.start(1_000n, accept);
    if (outcome.kind === 'goOnline') await till.terminal.complete({ kind: 'approved' });
    await till.terminal.waitForRemoval(30_000);
  };
  for (const each of day.slice(0, -1)) await ignoreFault(sell(each));
  const waiting = till.start().catch(() => {});
  await rig.clock.advance(1_000);
  await ignoreFault(till.terminal.cancel());
  await rig.clock.until(waiting);
  if (restarts) await rig.clock.advance(24 * 3_600_000);
  await ignoreFault(till.terminal.health());
  await ignoreFault(till.terminal.echo());
  return [...detector.dialects];
};

/** Every row of the table except those marked as undetectable. */
const detectable = (Object.keys(mmsDialects) as MmsDialect[]).filter(
  (name) => undetectableDialects[name] === undefined,
);
const ways: readonly Link['carries'][] = ['reports', 'stream'];

test('undetectable dialects are in the table, and are never detected', async () => {
  for (const name of Object.keys(undetectableDialects)) {
    expect(mmsDialects).toHaveProperty(name);
    expect(await detectedIn([name])).toEqual([]);
  }
});

test.each<[string, DayOptions]>([
  ['over HID', {}],
  ['on a line', { carries: 'stream' }],
  ['with AES DUKPT keys', { keys: { scheme: 'aes256Dukpt' } }],
  ['that restarts once a day', { restarts: true }],
  ['with a battery that runs low', { config: { batteryPercent: 12 } }],
])('detects nothing at the strictest device, %s', async (_, options) => {
  expect(await detectedIn([], options)).toEqual([]);
});

test.each(detectable.map((name, index) => [name, ways[index % ways.length] ?? 'reports'] as const))(
  '%s, on %s',
  async (...row) => {
    const [name, carries] = row;
    expect(await detectedIn([name], { carries })).toEqual([name]);
  },
);

test('detects several at once', async () => {
  const several: MmsDialect[] = ['arqc-twice', 'block-as-printed', 'end-twice', 'long-lengths', 'names-plain'];
  expect((await detectedIn(several, { carries: 'stream' })).toSorted()).toEqual(several);
});

test('forgets a dialect when masks show six digits after all', async () => {
  expect(await detectedIn([], { known: ['masks-four', 'names-plain'] })).toEqual(['names-plain']);
});

/** The manual's own examples, and messages that only look like a dialect. */
const messages: readonly [says: string, heard: readonly MmsDialect[], ...said: readonly string[]][] = [
  ['the answer about a key as printed', ['ids-left-out', 'key-slot-other'], 'keyinfo.req', 'keyinfo.resp'],
  [
    'a property that is not nested and need not be',
    ['long-lengths'],
    'getprop.resetctl.simple.req',
    'getprop.resetctl.simple.resp',
  ],
  ['a nested property', ['long-lengths'], 'prop.model.get.req', 'prop.model.get.resp'],
  ['a restart before anything was answered', ['restart-told-at-start'], 'notif.reset.occurred'],
  [
    'a restart after an answer',
    ['long-lengths'],
    'prop.arpcRetry.set.req',
    'prop.arpcRetry.set.resp',
    'notif.reset.occurred',
  ],
  ['a session that times out', [], 'notif.session.expiring'],
  ['an end and a request without a start', [], 'notif.complete.techfallback', 'notif.arqc.contact.pin'],
  [
    'a chip that failed in the slot, while the stripe was accepted too',
    ['fallback-by-host'],
    ...['start.req.emvflow.all', 'notif.card.inserted', 'notif.complete.techfallback'],
  ],
  [
    'a chip that failed in the slot, while no stripe was accepted',
    [],
    ...['start.req.quickchip.ctls', 'notif.card.inserted', 'notif.complete.techfallback'],
  ],
  [
    'a chip that was pulled',
    [],
    ...['start.req.emvflow.all', 'notif.card.inserted', 'notif.card.removed', 'notif.complete.techfallback'],
  ],
  [
    'batch data and the end',
    [],
    ...['start.req.emvflow.all', 'notif.batch.contact', 'notif.complete.contact.approved', 'start.req.emvflow.all'],
  ],
  [
    'the end and batch data',
    ['end-first'],
    ...['start.req.emvflow.all', 'notif.complete.contact.approved', 'notif.batch.contact', 'start.req.emvflow.all'],
  ],
  [
    'the end, batch data, and the end once more',
    ['end-twice'],
    ...['start.req.emvflow.all', 'notif.complete.contact.approved', 'notif.batch.contact'],
    ...['notif.complete.contact.approved', 'start.req.emvflow.all'],
  ],
  ['a repeated request', ['arqc-twice'], 'start.req.emvflow.all', 'notif.arqc.contact.pin', 'notif.arqc.contact.pin'],
  [
    'the next sale’s request',
    [],
    ...['start.req.emvflow.all', 'notif.arqc.contact.pin', 'start.req.emvflow.all', 'notif.arqc.contact.pin'],
  ],
];

test.each(messages)('%s: %j', (_, received, ...sent) => {
  for (const carries of ways) {
    const detector = mmsDialectDetector({ carries, known: [] });
    for (const name of sent) {
      const { direction } = captures('magtek-mms').find((each) => each.name === name) ?? {};
      const [way, from] = direction === 'host->device' ? (['said', 'host'] as const) : (['heard', 'device'] as const);
      detector.push(way, frameMessage(captured(name), { carries, from }));
    }
    expect([...detector.dialects].toSorted()).toEqual(received);
  }
});

const trackOf = (digits: string): string => `;${digits}=3112201000000000?`;
/** Hidden digits are zeros or stars. */
const masks: readonly [says: string, heard: readonly MmsDialect[], ...numbers: string[]][] = [
  ['one card, whose fifth and sixth digits could be zeros', [], '4200000000000000', '4200000000000018'],
  ['two of them', ['masks-four'], '4200000000000000', '4761000000000010'],
  ['two of them, and one with another digit there', [], '4200000000000000', '4761000000000010', '4761730000000010'],
  ['one with another digit before them', [], '4761730000000010', '4200000000000000', '5413000000001513'],
  ['stars behind four digits', ['masks-four'], '4761********0010'],
  ['stars behind six', [], '476173******0010', '420000******0000', '541300******1513'],
  ['a number that is not masked', [], '4761730001010010', '4761001001010010', '5413009000001513'],
];

test.each(masks)('masks: %s: %j', (_, received, ...numbers) => {
  const detector = mmsDialectDetector({ carries: 'reports', known: [] });
  for (const digits of numbers) {
    const body = [tlv('70', [tlv('DFDF4D', Buffer.from(trackOf(digits), 'latin1'))])];
    const parts = { serial: fromHex('4236313337384100'), macKsn: fromHex('FFFF9876543210E00010'), macType: 0x82 };
    const block = encodeBlock({ ...parts, body, mac: () => fromHex('11223344') });
    const payload = payloadOf('0101', encodeTlv([tlv('84', block)]));
    const notification = { kind: 'notification', id: '0101', detail: '10080202', payload } as const;
    detector.push('heard', encodeFramed(notification, { carries: 'reports', from: 'device' }));
  }
  expect([...detector.dialects]).toEqual(received);
});

test('ignores bytes that are not messages', () => {
  for (const carries of ways) {
    const detector = mmsDialectDetector({ carries, known: [] });
    for (const direction of ['said', 'heard'] as const) {
      for (const hex of ['00', 'FF'.repeat(300), 'C000000002AA00C0', '0002AA00'.padEnd(128, '0')]) {
        detector.push(direction, fromHex(hex));
      }
    }
    expect([...detector.dialects]).toEqual([]);
  }
});
