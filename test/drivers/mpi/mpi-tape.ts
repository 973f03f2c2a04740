/** Tapes of MPI messages instead of bytes: `>` a command's body, `<` an answer's, `!` an unsolicited message. */

import { mpi } from '../../../drivers/mpi/driver/driver.ts';
import { encodeMessage } from '../../../drivers/mpi/protocol/messages.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { encodeTlv, tlv } from '../../../src/emv/tlv.ts';
import { openedOnTape, type TapeBench, tapeSale } from '../../support/devices/driver-tape.ts';

/** The bytes of a tape of messages, still one line per message. */
export const bytesOf = (messages: string): string =>
  messages
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .map((line) => {
      const body = fromHex(line.slice(1).replace(/\s+/g, '').replace(/^x$/, ''));
      if (line === '' || line === 'x') return line;
      const bytes = toHex(encodeMessage(body, { unsolicited: line.startsWith('!') }));
      return `${line.startsWith('!') ? '<' : line.charAt(0)} ${bytes}`;
    })
    .join('\n');

/** A template of raw TLV hex. */
export const template = (tag: string, hex: string): string => toHex(encodeTlv([tlv(tag, fromHex(hex))]));

export const showText = (text: string): string => {
  const data = Buffer.from(text, 'latin1');
  return `D2010101${data.length.toString(16).padStart(2, '0')}${data.toString('hex')}`;
};

export const hello = `
  > D0000000
  < E11F 9F1E083137303030303031 EF12 DF0D084D3032302D4D5049 DF7F04312D3538 9000
  > EEE00000
  < E105 DFAE010107 9000
`;

export const sale = tapeSale;

/** What begins every read, with the text on the display. */
export const beginning = (interfaces = 'TAP, INSERT OR SWIPE'): string => `
  > EEE00000
  < E105 DFAE010107 9000
  > D0601F00
  < 9000
  > ${showText(`10.00 EUR\n${interfaces}`)}
  < 9000
`;

export const startTap = 'DEC100001E E01C 9C0100 9F0206000000001000 9A03260101 9F2103120000 5F2A020978';
export const startChip =
  'DED1000028 E026 9C0100 9F0206000000001000 9A03260101 9F2103120000 DFA2040101 DFA2030100 5F2A020978';

export const inserted = 'E104 48020300 9000';
export const pulled = 'E104 48020000 9000';

/** A terminal opened over a tape of messages, preceded by the hello. */
export const bench = (messages: string): Promise<TapeBench> =>
  openedOnTape({ driver: mpi, bytes: bytesOf(hello + messages) });
