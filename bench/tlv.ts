/** Decoding a chip's authorisation data, compared with @tomkp/ber-tlv, the fastest npm package for it. */
import { readFileSync } from 'node:fs';
import { parse } from '@tomkp/ber-tlv';
import { fromHex, toHex } from '../src/base/hex.ts';
import { decodeTlv, type Tlv } from '../src/emv/tlv.ts';
import { type BenchResult, benchLine, measure } from './result.ts';

const BLOB_BYTES = 243;
const BLOB_OBJECTS = 31;

type Vector = { name: string; inputs: { hex: string } };

/** The data of a published Visa authorisation: 243 bytes, 31 objects. */
const authorisationData = (): Uint8Array => {
  const file = new URL('../test/vectors/tlv.json', import.meta.url);
  const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vector[];
  const vector = vectors.find(({ name }) => name === 'evs-visa-auth');
  if (vector === undefined) throw new Error('the vector evs-visa-auth is missing');
  return fromHex(vector.inputs.hex);
};

const count = (list: readonly Tlv[]): number => list.reduce((sum, { children }) => sum + 1 + count(children ?? []), 0);

/** Speed without correctness is worth nothing: both must see the same 31 objects with the same values. */
const checkSame = (blob: Uint8Array): void => {
  const ourObjects = decodeTlv(blob);
  const peerObjects = parse(blob);
  if (blob.length !== BLOB_BYTES || count(ourObjects) !== BLOB_OBJECTS) {
    throw new Error(`the input has ${blob.length} bytes and ${count(ourObjects)} objects`);
  }
  const same = ourObjects.every(({ tag, value }, index) => {
    const other = peerObjects[index];
    return (
      other !== undefined &&
      tag === toHex(other.tag.bytes ?? new Uint8Array()) &&
      toHex(value) === toHex(other.value ?? new Uint8Array())
    );
  });
  if (!same || ourObjects.length !== peerObjects.length) throw new Error('ours and the package disagree on the input');
};

export const benchTlv = (): BenchResult[] => {
  const blob = authorisationData();
  checkSame(blob);
  // The sum keeps the compiler from dropping work whose result is not used.
  let byteSum = 0;
  const rates = measure(
    () => {
      byteSum += decodeTlv(blob).length;
    },
    () => {
      byteSum += parse(blob).length;
    },
  );
  if (byteSum === 0) throw new Error('nothing was decoded');
  return [
    {
      name: `TLV decode, ${BLOB_BYTES} bytes, ${BLOB_OBJECTS} objects`,
      ...rates,
      peerName: '@tomkp/ber-tlv',
      expected: 2,
    },
  ];
};

if (import.meta.main) process.stdout.write(`${benchTlv().map(benchLine).join('\n')}\n`);
