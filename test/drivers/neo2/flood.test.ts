/** A hundred thousand bytes and more into every NEO 2 reader: time grows linearly, and little is held. */
import { expect, test } from 'vitest';
import { cutter } from '../../../drivers/framing/framer.ts';
import {
  encodeNeo2Frame,
  neo2FrameMax,
  neo2Framer,
  neo2ReportsOf,
  neo2Unpacker,
} from '../../../drivers/framing/neo2-frame.ts';
import { neo2 } from '../../../drivers/neo2/driver/driver.ts';
import { resultCodec } from '../../../drivers/neo2/protocol/answers.ts';
import {
  cardDataOf,
  entryModeOf,
  maskedTrackOf,
  printHarmless,
  sredOf,
} from '../../../drivers/neo2/protocol/card-data.ts';
import { commandNames, decodeAnswer, decodeRequest, fromReader } from '../../../drivers/neo2/protocol/commands.ts';
import { decodeMsrBlock } from '../../../drivers/neo2/protocol/msr-block.ts';
import { decodeNeo2Tlv, findNeo2 } from '../../../drivers/neo2/protocol/tlv.ts';
import { maskedMsrBlock } from '../../../drivers/neo2/protocol/trace.ts';
import { decodeUpcall, upcallReply } from '../../../drivers/neo2/protocol/upcalls.ts';
import { seededRandom } from '../../../drivers/simulation/cardholder.ts';
import { concat, fromHex } from '../../../src/base/hex.ts';
import { flood, mutated, onlyFaults, readTimes } from '../../support/devices/flood.ts';
import { byNight } from '../../support/night/night.ts';
import { frames } from './captures.ts';

const seed = 20_260_104;
const random = seededRandom(seed);
const sent = frames.map(({ hex }) => fromHex(hex));
const pickFrame = (): Uint8Array => sent[(random(1)[0] ?? 0) % sent.length] ?? random(9);
const repeatHex = (hex: string, times: number): Uint8Array => fromHex(hex.repeat(times));

/** A frame with a correct checksum and arbitrary data. */
const intactFrame = (data: Uint8Array): Uint8Array => {
  const [command = 0x02, status = 0] = [0x02, 0x03, 0x60, 0x61, 0x62, 0x81, 0x83].slice((random(1)[0] ?? 0) % 7);
  return encodeNeo2Frame({ header: 'ViVOtech2', command, status: status & 0, data }, fromReader);
};
const intactFrames = (): Uint8Array =>
  concat(...Array.from({ length: 8 }, () => intactFrame(mutated(pickFrame().slice(14, -2), random))));
const reportsOf = (frame: Uint8Array): Uint8Array => concat(...neo2ReportsOf(frame));

/** The driver's cutter for reports. */
const createReportReader = () => {
  const unpacker = neo2Unpacker('reader');
  const frame = cutter(neo2Framer(fromReader), neo2FrameMax);
  return { push: (bytes: Uint8Array) => unpacker.push(bytes).flatMap((part) => frame.push(part)), size: frame.size };
};

test.each([
  ['at random', 'stream', () => random(4_096)],
  ['of damaged frames', 'stream', () => mutated(pickFrame(), random)],
  ['of valid frames with arbitrary data', 'stream', intactFrames],
  ['of first letters', 'stream', () => repeatHex('56', 4_096)],
  ['of headers that claim the most', 'stream', () => repeatHex('5669564F746563683200020020', 64)],
  ['of a reader’s requests', 'stream', () => repeatHex('5669564F7465636832006102FF1F', 64)],
  ['at random', 'reports', () => random(4_096)],
  [
    'of valid frames with arbitrary data',
    'reports',
    () => reportsOf(intactFrame(mutated(pickFrame().slice(14, -2), random))),
  ],
  ['of first reports', 'reports', () => repeatHex(`02${'56'.repeat(63)}`, 16)],
  ['of next reports', 'reports', () => repeatHex(`03${'56'.repeat(63)}`, 16)],
] as const)(`bytes %s, %s (seed ${seed})`, (_, carries, portion) => {
  const reader = carries === 'stream' ? cutter(neo2Framer(fromReader), neo2FrameMax) : createReportReader();
  flood({
    driver: neo2,
    carries,
    reader,
    heldMax: neo2FrameMax,
    portion,
    bytes: byNight({ day: 50_000, night: 250_000 }),
  });
});

test(`every reader of bytes ends with a value or a Fault (seed ${seed})`, () => {
  const count = onlyFaults(
    {
      tlv: (bytes) => decodeNeo2Tlv(bytes),
      card(bytes) {
        const result = resultCodec.decode(bytes);
        return [
          printHarmless(result.tlvs),
          sredOf(result.tlvs),
          maskedTrackOf(result.tlvs),
          cardDataOf(result, entryModeOf(result) ?? 'ICC'),
        ];
      },
      stripe(bytes) {
        const block = findNeo2(decodeNeo2Tlv(bytes), 'DFEE23')?.value ?? bytes;
        return [decodeMsrBlock(block), maskedMsrBlock(block, 0)];
      },
      upcall(data) {
        for (const status of [1, 2, 3]) {
          const upcall = decodeUpcall({ header: 'ViVOtech2', command: 0x61, status, data });
          if (upcall !== undefined) upcallReply(upcall);
        }
      },
      ...Object.fromEntries(
        commandNames.flatMap((name) => [
          [
            `answer of ${name}`,
            (data: Uint8Array) => decodeAnswer(name, { header: 'ViVOtech2', command: 0x02, status: 0, data }),
          ],
        ]),
      ),
      request: (data) => decodeRequest({ header: 'ViVOtech2', command: 0x02, sub: 0x40, data }),
    },
    { input: () => mutated(pickFrame().slice(14, -2), random), times: readTimes },
  );
  expect(count.read).toBeGreaterThan(readTimes / 4);
  expect(count.refused).toBeGreaterThan(readTimes / 4);
});
