import { expect, test } from 'vitest';
import { limitParts } from '../../src/locales/names.ts';
import { difference, differingPieces, isNothing, ordered } from '../../src/ui/manager/cents.ts';
import { dayOf, endOf, monthOf, startOf } from '../../src/ui/manager/days.ts';
import { pinFault } from '../../src/ui/manager/form-checks.ts';
import { allOff, changesOf, parseLimit, scaleOf, valueAt } from '../../src/ui/manager/limits/scale.ts';
import { byUrgency } from '../../src/ui/manager/open-items/urgency.ts';
import { sectionOfKeys, sectionOfPath, sections } from '../../src/ui/manager/sections.ts';
import { limitSettings } from '../support/screens/scripted/bakery-limits.ts';
import { openItems } from '../support/screens/scripted/bakery-open.ts';
import { differences } from '../support/screens/scripted/bakery-settlements.ts';

const of = (amount: string, currency = 'EUR') => ({ amount, currency });

test.each([
  ['8.41', '8.40', '0.01'],
  ['-12.60', '12.60', '-25.20'],
  ['0.00', '0.01', '-0.01'],
  ['9007199254740993.01', '9007199254740993.00', '0.01'],
  ['1250', '1249', '1'],
  ['1.005', '1.004', '0.001'],
  ['12', '11.50', '0.50'],
])('%s minus %s is %s, to the last minor unit', (amount, from, less) => {
  expect(difference(of(amount), of(from))).toEqual(of(less));
});

test('amounts of two currencies have no difference', () => {
  expect(difference(of('1.00'), of('1.00', 'USD'))).toBeUndefined();
});

test.each([
  ['0.00', true],
  ['-0.00', true],
  ['0', true],
  ['0.01', false],
  ['-0.01', false],
])('%s is nothing: %s', (amount, isZero) => expect(isNothing(of(amount))).toBe(isZero));

test.each([
  ['8.41 EUR', '8.40 EUR', '8.4[1] EUR'],
  ['8.40 EUR', '8.40 EUR', '8.40 EUR'],
  ['128.00 EUR', '64.00 EUR', '[128].00 EUR'],
  ['-12.60 EUR', '12.60 EUR', '[-]12.60 EUR'],
  ['10.00 EUR', '11.20 EUR', '1[0.0]0 EUR'],
])('in %s the digits that differ from %s are highlighted: %s', (text, against, marked) => {
  expect(
    differingPieces(text, against)
      .map((piece) => (piece.differs ? `[${piece.text}]` : piece.text))
      .join(''),
  ).toBe(marked);
});

test.each([
  ['2026-11-20', 'Europe/Berlin', '2026-11-19T23:00:00Z', '2026-11-20T23:00:00Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
  ['2026-11-20', 'Asia/Kolkata', '2026-11-19T18:30:00Z', '2026-11-20T18:30:00Z'],
  ['2026-11-20', 'America/New_York', '2026-11-20T05:00:00Z', '2026-11-21T05:00:00Z'],
])('%s in %s begins and ends by the store’s clock', (day, zone, start, end) => {
  expect(startOf(day, zone)).toBe(Date.parse(start));
  expect(endOf(day, zone)).toBe(Date.parse(end));
  expect(dayOf(Date.parse(start), zone)).toBe(day);
  expect(dayOf(Date.parse(end) - 1, zone)).toBe(day);
});

test('an invalid day has no beginning', () => {
  expect([startOf('', 'UTC'), startOf('2026-13-01', 'UTC'), endOf('x', 'UTC')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(monthOf('2026-11-20')).toBe('2026-11-01');
});

const alt = (code: string, fields: object = {}) =>
  sectionOfKeys({ code, altKey: true, ctrlKey: false, metaKey: false, shiftKey: false, ...fields })?.name;

test('Alt and a digit lead to a section, by the key’s position', () => {
  expect(sections.map(({ key }) => alt(`Digit${key}`))).toEqual(sections.map(({ name }) => name));
  expect([alt('Numpad4'), alt('KeyA'), alt('Digit9')]).toEqual(['openItems', undefined, undefined]);
  expect([alt('Digit1', { altKey: false }), alt('Digit1', { ctrlKey: true })]).toEqual([undefined, undefined]);
});

test.each([
  ['/manager', 'today'],
  ['/manager/batches/31', 'batches'],
  ['/manager/open-items/17417', 'openItems'],
  ['/manager/close', 'closing'],
  ['/manager/nowhere', 'today'],
])('%s is the section %s', (path, name) => expect(sectionOfPath(path).name).toBe(name));

test('contradictions and unknown endings come first, automatic items last', () => {
  const items = openItems();
  expect(byUrgency(items).map(({ kind }) => kind)).toEqual([
    ...['differs', 'unknown', 'person', 'parked', 'terminal', 'task', 'waiting', 'behind'],
  ]);
  expect(items.map(({ kind }) => kind)).toEqual(openItems().map(({ kind }) => kind));
});

test('the largest difference comes first, and resolved ones last', () => {
  const [first, ...rest] = differences().findings;
  if (first === undefined) throw new Error('the bakery has differences');
  const resolved = { ...first, settled: of('9999.00'), resolution: { choice: 'accept', note: '', at: 0 } };
  expect(ordered([resolved, ...rest]).map(({ receipt }) => receipt)).toEqual([
    ...[17188, 17261, 17231, 17252, 17266, 17240, 17207],
  ]);
});

test.each([
  ['amount', '50', '50.00'],
  ['amount', '12,50', '12.50'],
  ['amount', '１２.５０', '12.50'],
  ['amount', '1.234,56', undefined],
  ['amount', '-1', undefined],
  ['amount', '', undefined],
  ['amount', '12.5', undefined],
  ['amount', 'none', 'none'],
  ['count', '12', '12'],
  ['count', '1.5', undefined],
  ['hours', '0,5', '0.5'],
  ['list', 'sale,void', 'sale,void'],
  ['list', '<script>', undefined],
] as const)('a limit of the kind %s typed as "%s" is %s', (kind, typed, text) => {
  expect(parseLimit({ kind }, typed)).toBe(text);
});

test('only differing values are changed, and unreadable ones are named', () => {
  const typed = { 'chip.upTo': '50', 'chip.total': '400', 'chip.count': 'many' };
  expect(changesOf(limitSettings(), typed)).toEqual({ changes: { 'chip.total': '400.00' }, wrong: ['chip.count'] });
});

test('every limit fits on its slider, and every slider position can be written', () => {
  for (const setting of limitSettings()) {
    const { max: most, step } = scaleOf(setting);
    expect(most).toBeGreaterThanOrEqual(Number(setting.value) || 0);
    if (['amount', 'count', 'hours'].includes(setting.kind))
      expect(parseLimit(setting, valueAt(setting.kind, step * 3))).toBe(valueAt(setting.kind, step * 3));
  }
});

test('switching off changes only the kinds that are on', () => {
  expect(allOff(limitSettings())).toEqual({ 'chip.upTo': '0.00', 'deferred.upTo': '0.00' });
});

test('a limit’s label says first what it counts, then for whom', () => {
  expect(limitParts('chip.perCard.total')).toEqual({ group: 'chip', words: ['total', 'perCard'] });
  expect(limitParts('total')).toEqual({ group: 'together', words: ['total'] });
});

test.each([
  ['', '', 'short'],
  ['472', '472', 'short'],
  ['4729', '', 'unfinished'],
  ['4729', '47', 'unfinished'],
  ['4729', '48', 'differs'],
  ['4729', '4728', 'differs'],
  ['4729', '4729', undefined],
] as const)('the PINs "%s" and "%s": %s', (pin, again, fault) => expect(pinFault({ pin, again })).toBe(fault));
