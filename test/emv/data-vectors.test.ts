/** Every published vector for EMV data objects, tracks, bit fields and issuer application data. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../src/base/hex.ts';
import { bitsOf, isBitField } from '../../src/emv/bits.ts';
import { parseCvmList, parseCvmResults } from '../../src/emv/cvm.ts';
import { buildDol, dolLength, parseDol } from '../../src/emv/dol.ts';
import { parseIad } from '../../src/emv/iad.ts';
import { luhnDigit, luhnIsValid } from '../../src/emv/luhn.ts';
import { decodeTlv, encodeTlv, type Tlv, tlv } from '../../src/emv/tlv.ts';
import { parseTag57, parseTrack1, parseTrack2 } from '../../src/emv/tracks.ts';

type Vector = {
  name: string;
  op: string;
  inputs: Record<string, string>;
  expected: Record<string, unknown> & { error?: string };
};
type Node = { tag: string; length: number; value?: string; children?: Node[] };

const load = (file: string): Vector[] =>
  JSON.parse(readFileSync(new URL(`../vectors/${file}`, import.meta.url), 'utf8')) as Vector[];

const nodesOf = (list: readonly Tlv[]): Node[] =>
  list.map(({ tag, value, children }) =>
    children === undefined
      ? { tag, length: value.length, value: toHex(value) }
      : { tag, length: value.length, children: nodesOf(children) },
  );

const buildTlv = ({ tag, value = '', children }: Node): Tlv => tlv(tag, children?.map(buildTlv) ?? value);

/** All bytes in a result, in hex as in the vectors. */
const inHex = (parts: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, part instanceof Uint8Array ? toHex(part) : part]),
  );

const text = (inputs: Record<string, string>, name: string): string => {
  const value = inputs[name];
  if (value === undefined) throw new Error(`the vector has no ${name}`);
  return value;
};

/** Our result for a vector's inputs, in the vector's form. */
const operations: Record<string, (inputs: Record<string, string>) => object> = {
  'tlv.decode': (inputs) => ({ tree: nodesOf(decodeTlv(fromHex(text(inputs, 'hex')))) }),
  'tlv.encode': (inputs) => ({ hex: toHex(encodeTlv((inputs.tree as unknown as Node[]).map(buildTlv))) }),
  'dol.parse': (inputs) => ({ entries: parseDol(fromHex(text(inputs, 'hex'))) }),
  'dol.dataLength': (inputs) => ({ length: dolLength(fromHex(text(inputs, 'hex'))) }),
  'dol.build': (inputs) => {
    const values = inputs.values as unknown as Record<string, string>;
    const valueFor = (tag: string) => (values[tag] === undefined ? undefined : fromHex(values[tag]));
    return { data: toHex(buildDol(fromHex(text(inputs, 'dol')), valueFor)) };
  },
  'track2.parse': (inputs) => parseTrack2(text(inputs, 'track')),
  'track2.parseTag57': (inputs) => parseTag57(fromHex(text(inputs, 'hex'))),
  'track1.parse': (inputs) => parseTrack1(text(inputs, 'track')),
  'luhn.check': (inputs) => ({ valid: luhnIsValid(text(inputs, 'pan')) }),
  'luhn.digit': (inputs) => ({ digit: luhnDigit(text(inputs, 'partial')) }),
  'fields.bits': (inputs) => {
    const tag = text(inputs, 'tag');
    if (!isBitField(tag)) throw new Error(`no table for ${tag}`);
    const bits = bitsOf(tag, fromHex(text(inputs, 'value')));
    return { bits: Object.fromEntries(bits.map(({ at, says }) => [at, says])) };
  },
  'cvmList.parse': (inputs) => {
    const { x, y, rules } = parseCvmList(fromHex(text(inputs, 'hex')));
    return { x: Number(x), y: Number(y), rules };
  },
  'cvmResults.parse': (inputs) => parseCvmResults(fromHex(text(inputs, 'hex'))),
  'emv.iad': (inputs) => inHex(parseIad(fromHex(text(inputs, 'iad')))),
};

/** Our texts use today's specification: they must contain the source's words, whatever we add. */
const assertSameWords = (actual: Record<string, string>, expected: Record<string, string>): void => {
  expect(Object.keys(actual)).toEqual(Object.keys(expected));
  for (const [at, text] of Object.entries(expected)) expect(actual[at]?.toLowerCase()).toContain(text.toLowerCase());
};

const check = ({ op, inputs, expected }: Vector): void => {
  const run = operations[op];
  if (run === undefined) throw new Error(`no test knows the operation ${op}`);
  if (expected.error !== undefined) {
    expect(() => run(inputs)).toThrow(expect.objectContaining({ name: 'Fault' }));
    return;
  }
  const actual = run(inputs) as Record<string, unknown>;
  if (op === 'fields.bits') {
    assertSameWords(actual.bits as Record<string, string>, expected.bits as Record<string, string>);
    return;
  }
  for (const [name, value] of Object.entries(expected)) expect(actual[name], name).toEqual(value);
};

const files: Record<string, Vector[]> = {
  'tlv.json': load('tlv.json'),
  'track2.json': load('track2.json'),
  'emv-fields.json': load('emv-fields.json'),
  'arqc-arpc.json': load('arqc-arpc.json').filter(({ op }) => op === 'emv.iad'),
};

for (const [file, vectors] of Object.entries(files)) {
  describe(file, () => {
    test.each(vectors.map((vector) => [vector.op, vector.name, vector] as const))('%s %s', (_, __, vector) => {
      check(vector);
    });
  });
}

test('every operation in these files is run, and no operation is without a vector', () => {
  const used = new Set(Object.values(files).flatMap((vectors) => vectors.map(({ op }) => op)));
  expect(Object.keys(operations).toSorted()).toEqual([...used].toSorted());
});
