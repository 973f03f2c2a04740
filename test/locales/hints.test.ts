/** A form accepts the examples in the hints under its fields, in every language. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { completePrinterAddress, parsePrinterAddress, readAddress } from '../../drivers/address.ts';
import { wantWords } from '../../src/base/field-wants.ts';
import { isGatewayAddress } from '../../src/base/gateway-address.ts';
import { load } from '../../src/locales/load.ts';
import { languages } from '../../src/locales/screens.ts';
import { exampleOf, parseLimit } from '../../src/ui/manager/limits/scale.ts';
import { examplesIn } from '../support/screens/examples.ts';

type Tag = keyof typeof languages;
const tags = Object.keys(languages) as Tag[];

/** Hints with examples to type: how many each has, and the function that reads them. */
const hintedFields: Readonly<Record<string, { count: number; read(text: string): unknown }>> = {
  'technician.byHandHint': { count: 4, read: readAddress },
  'technician.printerAddressHint': { count: 3, read: parsePrinterAddress },
};

/** Hints that only say what a field is for. */
const tablePaths = [
  ...['technician.nameIntro', 'technician.aloneWhy', 'technician.filterHint', 'technician.dropHint'],
  ...['manager.openItems.evidenceHint', 'manager.staff.pinHint', 'manager.closing.overrideReasonHint'],
  ...['manager.reconcile.noteHint', 'manager.reconcile.dropHint', 'manager.limits.noLimit'],
  ...['manager.goingLive.gateway.hints', 'signIn.typedWhy'],
];

const readTable = async (tag: Tag, path: string): Promise<unknown> => {
  const { words: table } = await load[tag]();
  return path.split('.').reduce<unknown>((tree, name) => (tree as Record<string, unknown>)[name], table);
};

test.each(Object.keys(hintedFields))('%s is accepted as it is written, in every language', async (path) => {
  const { count, read } = hintedFields[path] ?? { count: 0, read: () => undefined };
  for (const tag of tags) {
    const examples = examplesIn(String(await readTable(tag, path)));
    expect([tag, examples.length]).toEqual([tag, count]);
    for (const example of examples) expect(() => read(example), `${tag} ${example}`).not.toThrow();
  }
});

test.each(tablePaths)('%s contains nothing that could be typed', async (path) => {
  for (const tag of tags) {
    const table = await readTable(tag, path);
    expect(table).toBeDefined();
    expect([tag, examplesIn(JSON.stringify(table))]).toEqual([tag, []]);
  }
});

test('every hint and placeholder of a form is among these', () => {
  const files = globSync('src/ui/**/*.tsx').map((file) => [file, readFileSync(file, 'utf8')] as const);
  const hints = files.flatMap(([file, text]) =>
    [...text.matchAll(/\b(?:description|placeholder|hint)(?:=\{|: )([^\n]*?\bt\.[\w.]+|words\.hints)/g)].map(
      ([, code = '']) => [file, code.replace(/^.*\bt\./, '').replace(/^words\./, 'goingLive.gateway.')] as const,
    ),
  );
  const isFigure = (file: string): boolean => /today|reconciliation\.tsx/.test(file);
  const known = [...Object.keys(hintedFields), ...tablePaths];
  const unknown = hints.filter(
    ([file, path]) => !isFigure(file) && !known.some((one) => one.split('.').slice(1).join('.') === path),
  );
  expect(hints.length).toBeGreaterThan(10);
  expect(unknown).toEqual([]);
});

test.each(['amount', 'count', 'hours', 'list', 'switch'] as const)('a limit is written as its example: %s', (kind) => {
  const setting = { key: 'x', kind, value: 'none' };
  expect(parseLimit(setting, exampleOf(setting))).toBe(exampleOf(setting));
});

test('the example for a refused field is accepted when it is typed', () => {
  expect(parsePrinterAddress(examplesIn(wantWords.printerAddress)[0] ?? '')).toBeDefined();
  const addresses = examplesIn(wantWords.terminalAddress);
  expect(addresses.length).toBe(2);
  for (const address of addresses) expect(readAddress(address).driver).toBeDefined();
  expect(isGatewayAddress(/https:\S+/.exec(wantWords.url)?.[0] ?? '')).toBe(true);
});

test.each([
  ['tcp://192.168.1.30:9100', 'escpos+tcp://192.168.1.30:9100'],
  ['192.168.1.30', 'escpos+tcp://192.168.1.30:9100'],
  ['tcp://[fe80::1]:9100', 'escpos+tcp://[fe80::1]:9100'],
  ['serial:/dev/ttyUSB0', 'escpos+serial:/dev/ttyUSB0'],
  ['serial:COM3@19200', 'escpos+serial:COM3@19200'],
  ['COM3@19200', 'escpos+serial:COM3@19200'],
  ['usb:/dev/usb/lp0', 'escpos+usb:/dev/usb/lp0'],
  ['/dev/usb/lp0', 'escpos+usb:/dev/usb/lp0'],
])('%s is kept as %s, which every version reads', (text, whole) => {
  expect(completePrinterAddress(text)).toBe(whole);
  expect(completePrinterAddress(whole)).toBe(whole);
});
