/** A hundred thousand bytes and more into every MMS reader: time grows linearly, and little is held. */
import { expect, test } from 'vitest';
import { encodeMmsReports } from '../../../drivers/framing/mms-frame.ts';
import { mms } from '../../../drivers/mms/driver/driver.ts';
import { cardDataOf, decodeBlock, entryModeOf, printHarmless } from '../../../drivers/mms/protocol/card-data.ts';
import {
  commandNamed,
  commands,
  decodeAnswer,
  decodeRequest,
  type MmsCommandName,
} from '../../../drivers/mms/protocol/commands.ts';
import {
  contentOf,
  decodeMessage,
  frameMessage,
  messageMax,
  messageReader,
} from '../../../drivers/mms/protocol/messages.ts';
import { decodeNotice, displayLinesOf } from '../../../drivers/mms/protocol/notices.ts';
import { seededRandom } from '../../../drivers/simulation/cardholder.ts';
import { concat, fromHex } from '../../../src/base/hex.ts';
import { find } from '../../../src/emv/tlv.ts';
import { flood, floodBytes, mutated, onlyFaults, readTimes } from '../../support/devices/flood.ts';
import { captures } from './captures.ts';

const seed = 20_260_103;
const random = seededRandom(seed);
const messages = captures('magtek-mms').map(({ hex }) => fromHex(hex));
const pickMessage = (): Uint8Array =>
  messages[((random(1)[0] ?? 0) * 256 + (random(1)[0] ?? 0)) % messages.length] ?? random(9);
const repeatHex = (hex: string, times: number): Uint8Array => fromHex(hex.repeat(times));
const report = (hex: string): Uint8Array => fromHex(hex.padEnd(128, '0'));
const createMutants = (carries: 'stream' | 'reports') => () =>
  concat(
    ...Array.from({ length: 8 }, () => {
      const message = mutated(pickMessage(), random);
      return message.length === 0 ? report('00') : frameMessage(message, { carries, from: 'device' });
    }),
  );

test.each([
  ['at random', 'stream', () => random(4_096)],
  ['of damaged frames', 'stream', createMutants('stream')],
  ['of empty frames', 'stream', () => repeatHex('C0', 4_096)],
  ['of a frame without end', 'stream', () => repeatHex('C00200004000', 1)],
  ['of bytes that are all escaped', 'stream', () => concat(repeatHex('C00200001000', 1), repeatHex('DBDC', 2_048))],
  ['at random', 'reports', () => random(4_096)],
  ['of damaged messages', 'reports', createMutants('reports')],
  ['of heads', 'reports', () => report('0100004000')],
  ['of a message of the greatest length', 'reports', () => encodeMmsReports(new Uint8Array(messageMax))],
  ['of messages too long', 'reports', () => encodeMmsReports(new Uint8Array(messageMax + 1))],
  ['of middles', 'reports', () => report('020001')],
] as const)(`bytes %s, %s (seed ${seed})`, (_, carries, portion) => {
  const heldMax = 2 * (messageMax + 5) + 2 + 4_096;
  flood({ driver: mms, carries, reader: messageReader(carries), heldMax, portion, bytes: floodBytes });
});

test(`every reader of bytes ends with a value or a Fault (seed ${seed})`, () => {
  const names = Object.keys(commands) as MmsCommandName[];
  const notificationReader =
    (use: (payload: Uint8Array | undefined, message: Parameters<typeof decodeNotice>[0]) => unknown) =>
    (bytes: Uint8Array) => {
      const message = decodeMessage(bytes);
      return message.kind === 'notification' ? use(message.payload, message) : undefined;
    };
  const count = onlyFaults(
    {
      message: decodeMessage,
      request(bytes) {
        const message = decodeMessage(bytes);
        return message.kind === 'request' ? decodeRequest(message.id, message.payload) : undefined;
      },
      response(bytes) {
        const message = decodeMessage(bytes);
        if (message.kind !== 'response') return undefined;
        return decodeAnswer(commandNamed(message.id) ?? 'echo', message);
      },
      notice: notificationReader((payload, message) => [decodeNotice(message), displayLinesOf(payload)]),
      block: notificationReader((payload) => {
        const block = decodeBlock(find(contentOf('0101', payload), '84')?.value ?? new Uint8Array(0));
        return [printHarmless(block), cardDataOf(block, entryModeOf(block, true) ?? 'ICC')];
      }),
      ...Object.fromEntries(
        names.map((name) => [
          `answer of ${name}`,
          (payload: Uint8Array) => decodeAnswer(name, { status: '00000000', payload }),
        ]),
      ),
    },
    { input: () => mutated(pickMessage(), random), times: readTimes },
  );
  expect(count.read).toBeGreaterThan(readTimes / 4);
  expect(count.refused).toBeGreaterThan(readTimes / 4);
});
