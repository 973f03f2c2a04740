/**
 * Tapes of MMS messages instead of bytes: `>` a request, `<` a message of the device, hex without a frame. Requests get
 * the reference numbers of a new driver; `rr` in an answer is that of the request before it.
 */
import { mms } from '../../../drivers/mms/driver/driver.ts';
import { echoData, frameMessage } from '../../../drivers/mms/protocol/messages.ts';
import { fromHex, toHex } from '../../../src/base/hex.ts';
import { openedOnTape, tapeSale } from '../../support/devices/driver-tape.ts';

/** The clock of every tape: it determines the first reference number and the bytes of the echo. */
export const startsAt = Date.UTC(2026, 0, 2, 12, 0, 0);

/** The bytes of a tape of messages, still one line per message. */
export const bytesOf = (messages: string): string => {
  let ref = Math.floor(startsAt / 1_000) & 0xff;
  const lines = messages.split('\n').map((line) => line.replace(/#.*/, '').replace(/\s+/g, ''));
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      if (line === 'x') return line;
      if (line.startsWith('>')) ref = (ref + 1) & 0xff;
      const hex = line.slice(1).replaceAll('rr', ref.toString(16).padStart(2, '0'));
      const from = line.startsWith('>') ? 'host' : 'device';
      return `${line.charAt(0)} ${toHex(frameMessage(fromHex(hex), { carries: 'stream', from }))}`;
    })
    .join('\n');
};

const echoed = echoData(startsAt, Math.floor(startsAt / 1_000) & 0xff);

const done = '82 04 00000000';

/** Echo, cancel, acknowledgement, subscription, model, serial number, firmware. */
export const hello = `
  > AA00 8104 01rrDF01 840D DF01 8109${echoed}
  < AA00 8104 82rrDF01 ${done} 840D DF01 8109${echoed}
  > AA00 8104 01rr1008 8402 1008
  < AA00 8104 82rr1008 82 04 80020304
  > AA00 8104 01rrD111 8410 D111 850101 870402070101 8903C20101
  < AA00 8104 82rrD111 ${done} 84820010 D111 850101 870402070101 8903C20101
  > AA00 8104 01rr1F02 8402 1F02
  < AA00 8104 82rr1F02 ${done} 8402 1F02
  > AA00 8104 01rrD101 841A D101 81072B06010401F609 850102 890AE108E206E204E202C100
  < AA00 8104 82rrD101 ${done} 84820027 D101 81072B06010401F609 850102 8917E115E213E211E20FC10D44796E61466C65782050726F00
  > AA00 8104 01rrD101 8418 D101 81072B06010401F609 850102 870402010101 8902C100
  < AA00 8104 82rrD101 ${done} 8482001C D101 81072B06010401F609 850102 870402010101 8906C104B61378A0
  > AA00 8104 01rrD101 841A D101 81072B06010401F609 850102 890AE108E206E204E202C200
  < AA00 8104 82rrD101 ${done} 8482002D D101 81072B06010401F609 850102
    `.replace(/\n\s*$/, ' 891DE11BE219E217E215C213313030303030373138332D41312D50434900 00\n');

/** The device is online, and slot 2007 has a key for card data. */
export const ready = `
  > AA00 8104 01rrD101 840F D101 850102 870403010201 8902C100
  < AA00 8104 82rrD101 ${done} 84820010 D101 850102 870403010201 8903C10102
  > AA00 8104 01rrD101 841A D101 81072B06010401F609 850101 890AE108E206E404E102C200
  < AA00 8104 82rrD101 ${done} 8482001D D101 81072B06010401F609 850101 890DE10BE209E407E105C203200704
  > AA00 8104 01rrEF11 8406 EF11 81022007
  < AA00 8104 82rrEF11 ${done} 8434 A232 810402201081 8206544231545803 840AFFFF9876543210300000 A604810200
    `.replace(/\n\s*$/, '3F 8910 3230323030393032543135353830325A\n');

/** A sale of 10.00 USD, any card. */
export const start = `
  > AA00 8104 01rr1001 843D 1001 82013C A309 810101 820101 830101 84020002
    `.replace(/\n\s*$/, ' 8627 9C0100 9F0206000000001000 9F0306000000000000 5F2A020840 5F360102 9F15020000 9F530100\n');

export const started = '\n  < AA00 8104 82rr1001 82 04 01000000\n';
export const notice = (id: string, detail: string): string => `\n  < AA00 8104 8300${id} 8204 ${detail}\n`;
export const receivedLine = (message: Uint8Array): string => `\n  < ${toHex(message)}\n`;

const sale = { ...tapeSale, amount: { minor: 1_000n, currency: 'USD' }, at: startsAt };

/** A terminal opened over a tape of messages, preceded by the hello. */
export const bench = (messages: string) =>
  openedOnTape({ driver: mms, bytes: bytesOf(hello + messages), sale, startsAt });
