/** Each dialect of MPI devices is detected during two sales, and no other dialect is. */
import { expect, test } from 'vitest';
import { observe } from '../../../drivers/links/link.ts';
import { mpi } from '../../../drivers/mpi/driver/driver.ts';
import { mpiDialectDetector, undetectableDialects } from '../../../drivers/mpi/protocol/dialect-detection.ts';
import { type MpiDialect, mpiDialects } from '../../../drivers/mpi/protocol/dialects.ts';
import { encodeMessage } from '../../../drivers/mpi/protocol/messages.ts';
import { fromHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { openedOn } from '../../support/devices/driver-bench.ts';
import { bench } from './simulator-bench.ts';

/**
 * The dialects detected in three sales, by chip with a PIN, by tap, and one that the till cancels, and in a look at
 * keys and health.
 */
const detectedIn = async (dialects: readonly string[]): Promise<string[]> => {
  const card = testCard('visa-credit');
  const presentations = (['chip', 'chip', 'tap'] as const).map((by) => ({ card, by }));
  const rig = bench({ dialects, presentations: [...presentations, { card, by: 'chip', never: true }] });
  const detector = mpiDialectDetector({ line: 'serial:/dev/ttyACM0' });
  const till = await openedOn({ ...rig, hostLink: observe(rig.hostLink, detector) }, mpi);
  for (const _ of presentations) {
    await till.read();
    await till.complete({ kind: 'approved' });
    await rig.clock.until(till.terminal.waitForRemoval(30_000));
  }
  await till.cancelledAfter(1_000);
  await rig.clock.until(till.terminal.keys());
  await rig.clock.until(till.terminal.health());
  await rig.clock.until(till.terminal.echo());
  return [...detector.dialects];
};

/** The dialects to detect. A new row of the table is not tested until it is listed here. */
const detectable: readonly MpiDialect[] = [
  ...(['card-status-answered', 'card-status-answered-late', 'card-status-silent', 'card-status-asked'] as const),
  ...(['long-commands', 'system-first'] as const),
  ...(['card-before-chip', 'tap-track-apart', 'abort-answered-last', 'device-events', 'powered-on-told'] as const),
];

test('each row is either detected or marked as undetectable', () => {
  expect([...detectable, ...Object.keys(undetectableDialects)].toSorted()).toEqual(Object.keys(mpiDialects).toSorted());
});

test('detects nothing at the strictest device', async () => {
  expect(await detectedIn([])).toEqual([]);
});

test.each(detectable)('%s', async (dialect) => {
  expect(await detectedIn([dialect])).toEqual([dialect]);
});

const ABORT = ['said', 'D0FF000000'] as const;
const TAP = ['said', 'DEC1000000'] as const;
type Said = readonly [way: 'said' | 'heard' | 'notice', body: string];
const rows: readonly [dialect: MpiDialect | undefined, ...said: Said[]][] = [
  ['abort-answered-last', TAP, ABORT, ['heard', '9F41'], ['heard', '9000']],
  [undefined, TAP, ABORT, ['heard', '9000'], ['heard', '9F41']],
  // A card was inserted just then, and ended the command.
  [undefined, TAP, ABORT, ['heard', '9F43'], ['heard', '9000']],
  // No command was running.
  [undefined, ABORT, ['heard', '9F41'], ['heard', '9000']],
  ['card-before-chip', ['notice', 'E10448020100' + '9000'], ['notice', 'E10448020300' + '9000']],
  // The card was inserted without an answer of its chip, and then turned around.
  [
    undefined,
    ['notice', 'E10448020100' + '9000'],
    ['notice', 'E10448020000' + '9000'],
    ['notice', 'E10448020300' + '9000'],
  ],
  ['powered-on-told', ['notice', 'E608C30101C4034F4E219000']],
  // The device was switched off and on again meanwhile.
  [undefined, ['heard', '9000'], ['notice', 'E608C30101C4034F4E219000']],
  ['device-events', ['notice', 'E608C30102C403' + '50494E' + '9000']],
];

test.each(rows)('%s, by its messages', (dialect, ...messages) => {
  const detector = mpiDialectDetector({ line: 'serial:/dev/ttyACM0' });
  for (const [direction, body] of messages)
    detector.push(
      direction === 'said' ? 'said' : 'heard',
      encodeMessage(fromHex(body), { unsolicited: direction === 'notice' }),
    );
  expect([...detector.dialects]).toEqual(dialect === undefined ? [] : [dialect]);
});

test('over TCP each device reports that it was switched on: that is not a dialect', () => {
  const detector = mpiDialectDetector({ line: 'tcp://192.168.1.20:6543' });
  detector.push('heard', encodeMessage(fromHex('E608C30101C4034F4E219000'), { unsolicited: true }));
  expect([...detector.dialects]).toEqual([]);
});

test('ignores bytes that are not MPI messages', () => {
  const detector = mpiDialectDetector({ line: 'serial:/dev/ttyACM0' });
  const odd = ['00', 'FF'.repeat(300), '01000102', '9000', 'E1009000'];
  for (const direction of ['said', 'heard'] as const) {
    for (const hex of odd) detector.push(direction, fromHex(hex));
    for (const hex of odd) detector.push(direction, encodeMessage(fromHex(`${hex}00`)));
  }
  expect([...detector.dialects]).toEqual([]);
});
