/** What the till asks an MPI device, in words. */
import { toHex } from '../../../src/base/hex.ts';
import { printable } from '../../../src/base/mask.ts';
import { printMoney } from '../../../src/base/money.ts';
import { find, findAll } from '../../../src/emv/tlv.ts';
import { cardStatusBits, decodeRequest, type MpiAsk } from './commands.ts';
import { maskOfText } from './masked.ts';

/** Commands that other programs send, and this driver does not. Source: the vendor's public SDK (CommandType). */
const others: Readonly<Record<string, string>> = {
  D001: 'CONFIGURATION?',
  D002: 'WHAT CAN THE DEVICE DO?',
  D061: 'TELL OF KEYS PRESSED',
  D0C0: 'LEAVE THE USB SERIAL MODE',
  D204: 'TAKE A NUMBER FROM THE CUSTOMER',
  D205: 'TAKE A TIP FROM THE CUSTOMER',
  DE01: 'HASH OF THE EMV CONFIGURATION?',
};

/** A command body in words. Throws the Fault of a body that is no command. */
export const commandWords = (body: Uint8Array): string => {
  const request = decodeRequest(body);
  if (request === undefined) {
    const code = toHex(body.subarray(0, 2));
    return others[code] ?? `command ${code} with ${body.length} bytes, unknown here`;
  }
  switch (request.name) {
    case 'reset':
      return 'RESET';
    case 'battery':
      return 'BATTERY?';
    case 'clock':
      return 'CLOCK?';
    case 'keys':
      return 'KEYS?';
    case 'abort':
      return 'ABORT';
    case 'manualEntry':
      return `TAKE A CARD NUMBER BY HAND${request.ask.seconds === undefined ? '' : ` in ${request.ask.seconds} s`}`;
    case 'cardStatus':
      return `TELL OF CARDS: ${cardStatusWords(request.ask.tell)}`;
    case 'askSlot':
      return `HOW IS THE SLOT? TELL OF CARDS: ${cardStatusWords(request.ask.tell)}`;
    case 'display':
      return `DISPLAY "${printable(request.ask.text.replaceAll('\n', ' / '))}"`;
    case 'startContact':
      return `START CHIP ${startWords(request.ask)}`;
    case 'startContactless':
      return `START TAP ${startWords(request.ask)}`;
    case 'onlinePin':
      return pinWords(request.ask);
    case 'continueContact':
      return hostWords(request.ask);
  }
};

const cardStatusWords = (tell: number): string => {
  const names = { unsolicited: 'changes', answerToReset: 'answer to reset', track1: '1', track2: '2', track3: '3' };
  const told = Object.entries(cardStatusBits).filter(([, bit]) => (tell & bit) !== 0);
  const words = told.map(([name]) => names[name as keyof typeof cardStatusBits]);
  const tracks = words.filter((word) => /^\d$/.test(word));
  const rest = words.filter((word) => !/^\d$/.test(word));
  const all = [...rest, ...(tracks.length === 0 ? [] : [`tracks ${tracks.join(' ')}`])];
  return all.length === 0 ? 'nothing' : all.join(', ');
};

const types: Readonly<Record<string, string>> = { '00': 'purchase', '20': 'refund' };

const startWords = (ask: MpiAsk<'startContact'> | MpiAsk<'startContactless'>): string => {
  const amount = printMoney({ minor: ask.amountMinor, currency: ask.currency });
  const at = [...(ask.date.match(/../g) ?? [])].join('-');
  const clock = [...(ask.time.match(/../g) ?? [])].join(':');
  return `${types[ask.type] ?? `type ${ask.type}`} ${amount}, 20${at} ${clock}`;
};

const pinWords = ({ amountMinor, currency, maskedTrack2 }: MpiAsk<'onlinePin'>): string => {
  const card = maskOfText(maskedTrack2)?.maskedPan ?? 'a card';
  return `TAKE A PIN FOR THE HOST ${printMoney({ minor: amountMinor, currency })}, ${card}`;
};

const hostWords = ({ tlvs }: MpiAsk<'continueContact'>): string => {
  const code = find(tlvs, '8A')?.value;
  const scripts = findAll(tlvs, '71').length + findAll(tlvs, '72').length;
  const parts = [
    code === undefined ? 'no response code' : `response code ${printable(Buffer.from(code).toString('latin1'), 8)}`,
    ...(find(tlvs, '91') === undefined ? [] : ['issuer authentication data']),
    ...(scripts === 0 ? [] : [`${scripts} script${scripts === 1 ? '' : 's'}`]),
  ];
  return `THE HOST’S WORD FOR THE CHIP: ${parts.join(', ')}`;
};
