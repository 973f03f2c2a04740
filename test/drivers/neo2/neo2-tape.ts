/** Tapes of NEO 2 frames instead of bytes: `>` a command's numbers and data, `<` an answer's. */

import { encodeNeo2Frame } from '../../../drivers/framing/neo2-frame.ts';
import { neo2 } from '../../../drivers/neo2/driver/driver.ts';
import { fromHost, fromReader } from '../../../drivers/neo2/protocol/commands.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { openedOnTape, type TapeBench, tapeSale } from '../../support/devices/driver-tape.ts';

/** The bytes of a tape of frames, still one line per frame. */
export const bytesOf = (frames: string): string =>
  frames
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .map((line) => {
      if (line === '' || line === 'x') return line;
      const [command = 0, second = 0, ...data] = fromHex(line.slice(1).replace(/\s+/g, ''));
      const framing = line.startsWith('>') ? fromHost : fromReader;
      // A typed number under the header whose answers name their sub-command is written as 84.
      const isV3 = command === 0x84;
      const header = isV3 ? 'ViVOpayV3' : 'ViVOtech2';
      const sub = isV3 && framing === fromReader ? 0x41 : second;
      const code = isV3 ? 0x83 : command;
      const frame = { header, command: code, sub, status: second, data: Uint8Array.from(data) } as const;
      return `${line.charAt(0)} ${toHex(encodeNeo2Frame(frame, framing))}`;
    })
    .join('\n');

const ascii = (text: string): string => Buffer.from(text, 'latin1').toString('hex');

const keysAsked = `
  > 810B 02 0000
  < 8100 01 FFFF9876543210E00001
  > 810B 01 0000
  < 8100 01 FFFF9876543210E00001
  > 810B 05 0000
  < 8100 FF
`;

/** The question how the data key is used: most readers do not know this command. */
export const modeAsked = `
  > C7A3 01 00
  < C703
`;

export const hello = `
  > 0501
  < 0500
  > 1801
  < 1800
  > 1201
  < 1200 ${ascii('630Z000001')}0000000000
  > 2900
  < 2900 ${ascii('VP3350 FW v1.00.2')}
  > 0903
  < 0900 DF6204 ${ascii('1.0')}00
  > 0101 01
  < 0100
  > 0400 DFEE7E0100
  < 0400
  > 1401 02
  < 1403          # an older reader does not know this
  ${keysAsked}
  ${modeAsked}`;

export const sale = tapeSale;

const amountTlvs = '9C0100 9F0206000000001000 9F0306000000000000 5F2A020978';

/** What begins every read: the keys, then the wait for a card on these interfaces (07 all, 01 stripe, 05 no tap). */
export const beginning = (interfaces = '07'): string => `${keysAsked}\n${waitForCard(interfaces)}`;
export const waitForCard = (interfaces = '07'): string =>
  `> 0240 3C ${amountTlvs} DFEF3701${interfaces} DFEF3C03010078`;

export const started = '< 0200 C0 DFEE25020010 9F390105 FFEE0105DFEE300101';
export const authenticates = '> 6011 00 0078\n< 6063';

/** A terminal opened over a tape of frames, preceded by the hello. */
export const bench = (frames: string, greeting = hello): Promise<TapeBench> =>
  openedOnTape({ driver: neo2, bytes: bytesOf(greeting + frames) });
