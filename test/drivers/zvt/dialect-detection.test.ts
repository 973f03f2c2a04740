/** Each dialect is detected during a day at a simulated terminal that speaks it, and no other dialect is. */
import { expect, test } from 'vitest';
import { encodeZvtFrame, zvtAck } from '../../../drivers/framing/zvt-frame.ts';
import { observe } from '../../../drivers/links/link.ts';
import type { Presentation } from '../../../drivers/simulation/simulator.ts';
import { zvtDriver } from '../../../drivers/zvt/driver/driver.ts';
import { undetectableDialects, zvtDialectDetector } from '../../../drivers/zvt/protocol/dialect-detection.ts';
import { type ZvtDialect, zvtDialects } from '../../../drivers/zvt/protocol/dialects.ts';
import type { ZvtFraming } from '../../../drivers/zvt/protocol/trace.ts';
import { zvtSimulatorOf } from '../../../drivers/zvt/simulator/simulator.ts';
import { fromHex } from '../../../src/base/hex.ts';
import { testCard } from '../../../src/emv/test-cards.ts';
import { customer, euro, type Integrated, openShop, sale, settled } from '../../contract/integrated-terminal.ts';

const pinned: Presentation = { card: testCard('visa-credit'), by: 'chip' };
const poor: Presentation = { card: testCard('visa-poor'), by: 'chip' };

const DAY_MS = 86_400_000;

/**
 * The dialects detected in a day: two payments, one that is refused, a void, a refund, each also asked for with 0620;
 * on the next day one more payment, and a close.
 */
const detectedIn = async (form: ZvtFraming, dialects: readonly string[]): Promise<string[]> => {
  const detector = zvtDialectDetector();
  const driver = zvtDriver({ form });
  const kind: Integrated = {
    driver: { ...driver, open: (link, tools) => driver.open(observe(link, detector), tools) },
    ...{ model: zvtSimulatorOf({ form }), modelName: 'SIMULATED ZVT', hello: 2, dialects },
    ...{ saleMessages: [], codes: {} as Integrated['codes'] },
  };
  const { clock, ...shopParts } = openShop(kind, [customer, pinned, poor, customer, customer]);
  const terminal = await shopParts.open();
  const askLast = () => clock.until(settled(terminal.lastOutcome()));
  for (let n = 0; n < 2; n += 1) await clock.until(settled(terminal.pay(sale, () => {})));
  await askLast();
  await clock.until(settled(terminal.pay(sale, () => {})));
  await askLast();
  await clock.until(settled(terminal.reverse({ receiptNumber: '0001', amount: euro(1_250n) }, () => {})));
  await askLast();
  await clock.until(settled(terminal.refund({ amount: euro(300n), withinMs: 90_000 }, () => {})));
  await clock.advance(DAY_MS);
  await clock.until(settled(terminal.pay(sale, () => {})));
  await clock.until(settled(terminal.endOfDay()));
  await clock.until(terminal.close());
  return [...detector.dialects];
};

/** Dialects that need another kind of day: see the tests below. */
const otherDays: readonly string[] = [
  ...['containers-always', 'unheard-reversed'],
  ...['repeat-acknowledged', 'totals-none', 'totals-sum'],
];
/** The dialects to detect. A new row of the table is not tested until it is listed here. */
const detectable: readonly ZvtDialect[] = [
  ...(['version-always', 'version-long', 'status-bare', 'status-plain', 'status-times', 'endings-told'] as const),
  ...(['result-last', 'result-again', 'result-twice', 'bitmap-unknown', 'pan-filled'] as const),
  ...(['reversal-as-credit', 'reversal-same-number', 'day-by-itself'] as const),
  ...(['prints-first', 'prints-lines', 'prints-styled', 'prints-split'] as const),
  ...(['repeat-bare', 'repeat-none', 'repeat-before', 'repeat-approved', 'repeat-busy'] as const),
  ...(['texts-latin', 'texts-unicode', 'texts-latin-named', 'texts-unicode-named', 'texts-seven-bits'] as const),
  ...(['locked-day', 'locked-diagnosis', 'locked-initialisation', 'locked-clock'] as const),
];

test('each row is either detected or marked as undetectable', () => {
  const names = [...detectable, ...otherDays, ...Object.keys(undetectableDialects)];
  expect(names.toSorted()).toEqual(Object.keys(zvtDialects).toSorted());
});

test.each<ZvtFraming>(['apdu', 'serial'])('detects nothing at the strictest terminal, on %s', async (form) => {
  expect(await detectedIn(form, [])).toEqual([]);
});

test.each(detectable)('%s', async (dialect) => {
  expect(await detectedIn('apdu', [dialect])).toEqual([dialect]);
});

test('detects several at once', async () => {
  const several = ['version-always', 'result-last', 'prints-styled', 'status-times'];
  expect((await detectedIn('serial', several)).toSorted()).toEqual(several.toSorted());
});

test('a result repeated on a serial line because its ACK was lost is not a dialect', async () => {
  const detector = zvtDialectDetector();
  const result = { code: '040F', data: fromHex('270087000104000000001250') };
  const frame = (code: string, data = '') => encodeZvtFrame({ code, data: fromHex(data) });
  detector.push('said', frame('0601', '040000000012504909' + '78'));
  for (const received of [zvtAck, frame('8000'), encodeZvtFrame(result), encodeZvtFrame(result)])
    detector.push('heard', received);
  expect([...detector.dialects]).toEqual([]);
  detector.push('heard', zvtAck);
  detector.push('heard', encodeZvtFrame(result));
  expect([...detector.dialects]).toEqual(['result-twice']);
});

type Said = readonly [said: string, ...heard: string[]];
const pay: Said = ['06010A04000000001250490978', '800000', '040F052700870001', '060F00'];
/** The first message determines which form a line has, and 06 10 cannot begin one. */
const hello: Said = ['060200', '800000'];
const totals = '061003000000';
const sum = (data: string): string => `040F${(data.length / 2).toString(16).padStart(2, '0')}${data}`;
const singleSums = (askLast: string): string => `60F0F5F30001${askLast}${'00'.repeat(49)}`;
const rows: readonly [dialect: string | undefined, ...said: Said[]][] = [
  // The terminal is asked for its state before any registration, as an unknown device is.
  ['containers-always', ['05010500000003' + '06', '800000', '060F05' + '00' + '0602E400']],
  [undefined, ['05010500000003' + '06', '800000', '060F01' + '00']],
  ['unheard-reversed', pay, ['0620050000000301', '800000', '040F05276C870001', '060F00']],
  [undefined, pay, ['0620050000000301', '800000', '040F052700870001', '060F00']],
  ['totals-none', hello, [totals, '848300']],
  ['totals-sum', hello, [totals, '800000', sum('270004000000001250'), '060F00']],
  [undefined, hello, [totals, '800000', sum(`270004000000001250${singleSums('0001')}`), '060F00']],
  // The terminal repeats payment 1, although it has booked number 2.
  [
    'repeat-acknowledged',
    ['0620050000000301', '800000', '040F052700870001', '060F00'],
    [totals, '800000', sum(`2700${singleSums('0002')}`), '060F00'],
  ],
  [
    undefined,
    ['0620050000000301', '800000', '040F052700870001', '060F00'],
    [totals, '800000', sum(`2700${singleSums('0001')}`), '060F00'],
  ],
  // The original's trace number may follow a bitmap of unknown length.
  ['bitmap-unknown', ['0630060000008700' + '01', '800000', sum('270087000215013701'), '060F00']],
  // Asked without a service byte, a terminal knows the state or not: that is no dialect of the service byte.
  [undefined, ['050103000000', '848300']],
  // A PIN typed wrong twice, and then right.
  ['result-again', [pay[0], '800000', '040F022737', '040F022737', ...pay.slice(2)]],
  // A number of nineteen digits is padded with one F.
  [undefined, [pay[0], '800000', '040F12270087000122F1F0EEEEEEEEEEEEEEE1234F', '060F00']],
];

test.each(rows)('%s, by its messages', (dialect, ...messages) => {
  const detector = zvtDialectDetector();
  for (const [command, ...answers] of messages) {
    detector.push('said', fromHex(command));
    for (const answer of answers) detector.push('heard', fromHex(answer));
  }
  expect([...detector.dialects]).toEqual(dialect === undefined ? [] : [dialect]);
});

test('ignores bytes that are not ZVT messages', () => {
  const detector = zvtDialectDetector();
  for (const direction of ['said', 'heard'] as const) {
    for (const hex of ['00', 'FF'.repeat(300), '10020601', '040FFF', '060F', '56694F7465636832']) {
      detector.push(direction, fromHex(hex));
    }
  }
  expect([...detector.dialects]).toEqual([]);
});
