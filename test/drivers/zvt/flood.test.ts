/** A hundred thousand bytes and more into every ZVT reader: time grows linearly, and little is held. */
import { expect, test } from 'vitest';
import { cutter } from '../../../drivers/framing/framer.ts';
import {
  decodeZvtApdu,
  encodeZvtApdu,
  encodeZvtFrame,
  zvtApduFramer,
  zvtApduMax,
  zvtFrameMax,
  zvtSerialFramer,
} from '../../../drivers/framing/zvt-frame.ts';
import { seededRandom } from '../../../drivers/simulation/cardholder.ts';
import { zvt } from '../../../drivers/zvt/driver/driver.ts';
import { Receipts } from '../../../drivers/zvt/driver/outcome.ts';
import { decodeRequest } from '../../../drivers/zvt/protocol/commands.ts';
import { containerOf, decodeBmps } from '../../../drivers/zvt/protocol/fields.ts';
import { problemsOf, readAbout } from '../../../drivers/zvt/protocol/health.ts';
import { decodeMessage, readResult } from '../../../drivers/zvt/protocol/messages.ts';
import { mask } from '../../../drivers/zvt/protocol/trace.ts';
import { concat, fromHex } from '../../../src/base/hex.ts';
import { flood, floodBytes, mutated, onlyFaults, readTimes } from '../../support/devices/flood.ts';
import { apduCaptures } from './captures.ts';

const seed = 20_260_105;
const random = seededRandom(seed);
const apdus = apduCaptures
  .map(({ hex }) => fromHex(hex))
  .filter((bytes) => zvtApduFramer(bytes)?.size === bytes.length);
const pickApdu = (): Uint8Array => apdus[(random(1)[0] ?? 0) % apdus.length] ?? random(9);
const repeatHex = (hex: string, times: number): Uint8Array => fromHex(hex.repeat(times));

/** An APDU with correct lengths and arbitrary data. */
const intactApdu = () => {
  const bytes = pickApdu();
  const { code, data } = decodeZvtApdu(bytes);
  return { code, data: mutated(data, random) };
};
const repeatEight = (make: () => Uint8Array) => () => concat(...Array.from({ length: 8 }, make));

test.each([
  ['at random', 'serial', () => random(4_096)],
  ['of damaged frames', 'serial', repeatEight(() => mutated(encodeZvtFrame(intactApdu()), random))],
  ['of valid frames with arbitrary data', 'serial', repeatEight(() => encodeZvtFrame(intactApdu()))],
  ['of DLEs', 'serial', () => repeatHex('10', 4_096)],
  ['of a frame without end', 'serial', () => concat(repeatHex('1002', 1), repeatHex('41', 4_096))],
  ['of starts', 'serial', () => repeatHex('1002', 2_048)],
  ['of NAKs', 'serial', () => repeatHex('15', 4_096)],
  ['at random', 'apdu', () => concat(fromHex('800000'), random(4_096))],
  ['of damaged APDUs', 'apdu', repeatEight(() => mutated(pickApdu(), random))],
  ['of valid APDUs with arbitrary data', 'apdu', repeatEight(() => encodeZvtApdu(intactApdu()))],
  ['of the longest APDUs', 'apdu', () => encodeZvtApdu({ code: '06D3', data: random(16_384) })],
  ['of APDUs too long', 'apdu', () => repeatHex('06D3FFFFFF', 512)],
] as const)(`bytes %s, %s (seed ${seed})`, (_, form, portion) => {
  const reader = form === 'serial' ? cutter(zvtSerialFramer, zvtFrameMax) : cutter(zvtApduFramer, zvtApduMax);
  flood({ driver: zvt, carries: 'stream', reader, heldMax: zvtFrameMax, portion, bytes: floodBytes });
});

test(`every reader of bytes ends with a value or a Fault (seed ${seed})`, () => {
  const codes = ['040F', '04FF', '06D1', '06D3', '060F', '061E', '0601', '0600', '0630', '0631'];
  const each = (use: (apdu: { code: string; data: Uint8Array }) => unknown) => (data: Uint8Array) =>
    codes.map((code) => use({ code, data }));
  const count = onlyFaults(
    {
      apdu: decodeZvtApdu,
      bitmaps: (data) => containerOf(decodeBmps(data)),
      ...Object.fromEntries(
        codes.map((code) => [`message ${code}`, (data: Uint8Array) => decodeMessage({ code, data })]),
      ),
      requests: each((apdu) => decodeRequest(apdu)),
      masks: each((apdu) => mask(apdu, { byte: 0, digit: '0' })),
      about: (data) => problemsOf(readAbout(data)),
      result(data) {
        const message = decodeMessage({ code: '040F', data });
        return message?.kind === 'result' ? readResult(message) : undefined;
      },
      receipts(data) {
        const receipts = new Receipts();
        const message = decodeMessage({ code: '06D3', data });
        if (message?.kind === 'print') receipts.add(message);
        return receipts.sortByReceipt();
      },
    },
    { input: () => mutated(pickApdu().slice(3), random), times: readTimes },
  );
  expect(count.read).toBeGreaterThan(readTimes / 4);
  expect(count.refused).toBeGreaterThan(readTimes / 4);
});
