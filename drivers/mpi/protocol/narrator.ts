/** Describes an MPI conversation, one line per message: the request and its meaning, never card data. */
import { toHex } from '../../../src/base/hex.ts';
import { hidden, printable } from '../../../src/base/mask.ts';
import { printMoney } from '../../../src/base/money.ts';
import { formatEnglish } from '../../../src/base/placeholders.ts';
import { decodeTlv, find, findAll, type Tlv } from '../../../src/emv/tlv.ts';
import { cryptogramOf } from '../../card-facts.ts';
import type { Narrator, TraceDirection } from '../../driver.ts';
import { clearIn, flattenTlvs, maskedNumberOf, maskOfText } from './card-data.ts';
import { cardStatusBits, decodeRequest, type MpiAsk } from './commands.ts';
import { type MpiPiece, mpiReader } from './messages.ts';
import { type DeviceNotice, decodeNotice, deviceCodes, statusRow } from './notices.ts';

/** A narrator of one conversation. An unreadable message is described by its size and the rule it breaks. */
export const mpiNarrator = (): Narrator => {
  const readers = { said: mpiReader(), heard: mpiReader() };
  return { push: (direction, bytes) => readers[direction].push(bytes).map((piece) => describePiece(direction, piece)) };
};

const describePiece = (direction: TraceDirection, piece: MpiPiece): string => {
  if (piece.kind === 'noise') return `${piece.bytes.length} unreadable bytes: ${piece.why}`;
  const { body, unsolicited, nad } = piece;
  const printer = nad === 2 ? 'printer: ' : '';
  try {
    if (unsolicited) return `${printer}unasked: ${describeNotice(body)}`;
    return `${printer}${direction === 'said' ? describeCommand(body) : describeAnswer(body)}`;
  } catch {
    // A malformed body is described by its first two bytes: a command's code or a template's tag.
    return `${printer}${body.length} bytes that cannot be read, beginning ${toHex(body.subarray(0, 2))}`;
  }
};

// Describes what the till sends to an MPI device.

/** Commands that other programs use, and this driver does not. Source: the vendor's public SDK (CommandType). */
const others: Readonly<Record<string, string>> = {
  D001: 'CONFIGURATION?',
  D002: 'WHAT CAN THE DEVICE DO?',
  D061: 'TELL OF KEYS PRESSED',
  D0C0: 'LEAVE THE USB SERIAL MODE',
  D204: 'TAKE A NUMBER FROM THE CUSTOMER',
  D205: 'TAKE A TIP FROM THE CUSTOMER',
  DE01: 'HASH OF THE EMV CONFIGURATION?',
};

/** Describes a command body. Throws the Fault of a body that is not a command. */
const describeCommand = (body: Uint8Array): string => {
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
      return `TELL OF CARDS: ${describeCardStatus(request.ask.tell)}`;
    case 'askSlot':
      return `HOW IS THE SLOT? TELL OF CARDS: ${describeCardStatus(request.ask.tell)}`;
    case 'display':
      return `DISPLAY "${printable(request.ask.text.replaceAll('\n', ' / '))}"`;
    case 'startContact':
      return `START CHIP ${describeStart(request.ask)}`;
    case 'startContactless':
      return `START TAP ${describeStart(request.ask)}`;
    case 'onlinePin':
      return describePin(request.ask);
    case 'continueContact':
      return describeHostAnswer(request.ask);
  }
};

const describeCardStatus = (tell: number): string => {
  const names = { unsolicited: 'changes', answerToReset: 'answer to reset', track1: '1', track2: '2', track3: '3' };
  const reports = Object.entries(cardStatusBits).filter(([, bit]) => (tell & bit) !== 0);
  const words = reports.map(([name]) => names[name as keyof typeof cardStatusBits]);
  const tracks = words.filter((word) => /^\d$/.test(word));
  const rest = words.filter((word) => !/^\d$/.test(word));
  const all = [...rest, ...(tracks.length === 0 ? [] : [`tracks ${tracks.join(' ')}`])];
  return all.length === 0 ? 'nothing' : all.join(', ');
};

const types: Readonly<Record<string, string>> = { '00': 'purchase', '20': 'refund' };

const describeStart = (ask: MpiAsk<'startContact'> | MpiAsk<'startContactless'>): string => {
  const amount = printMoney({ minor: ask.amountMinor, currency: ask.currency });
  const at = [...(ask.date.match(/../g) ?? [])].join('-');
  const clock = [...(ask.time.match(/../g) ?? [])].join(':');
  return `${types[ask.type] ?? `type ${ask.type}`} ${amount}, 20${at} ${clock}`;
};

const describePin = ({ amountMinor, currency, maskedTrack2 }: MpiAsk<'onlinePin'>): string => {
  const card = maskOfText(maskedTrack2)?.maskedPan ?? 'a card';
  return `TAKE A PIN FOR THE HOST ${printMoney({ minor: amountMinor, currency })}, ${card}`;
};

const describeHostAnswer = ({ tlvs }: MpiAsk<'continueContact'>): string => {
  const code = find(tlvs, '8A')?.value;
  const scripts = findAll(tlvs, '71').length + findAll(tlvs, '72').length;
  const parts = [
    code === undefined ? 'no response code' : `response code ${printable(Buffer.from(code).toString('latin1'), 8)}`,
    ...(find(tlvs, '91') === undefined ? [] : ['issuer authentication data']),
    ...(scripts === 0 ? [] : [formatEnglish('{scripts, plural, one {# script} other {# scripts}}', { scripts })]),
  ];
  return `THE HOST’S WORD FOR THE CHIP: ${parts.join(', ')}`;
};

// Describes the unsolicited messages of an MPI device.

/** Describes the body of a notice. Throws the Fault of a body that is not TLV. */
const describeNotice = (body: Uint8Array): string => {
  const notice = decodeNotice(body);
  switch (notice.kind) {
    case 'card': {
      const slot = notice.present ? `a card is in the slot${notice.chip ? ', with a chip' : ''}` : 'the slot is empty';
      if (!notice.swiped) return slot;
      const tracks = notice.tracks.length === 0 ? 'nothing could be read' : `tracks ${notice.tracks.join(' ')}`;
      return [`a card was swiped, ${tracks}`, ...factsOf(notice.tlvs), slot].join(', ');
    }
    case 'device':
      return describeDevice(notice);
    case 'other':
      return `a notice of another kind, tags ${notice.tags.slice(0, 8).join(' ')}`;
  }
};

const codeWords: Readonly<Record<number, string>> = {
  [deviceCodes.poweredOn]: 'powered on',
  [deviceCodes.pinEntry]: 'a key was pressed at PIN entry',
  [deviceCodes.applicationSelection]: 'the customer chooses an application',
  [deviceCodes.poweringOff]: 'SWITCHING OFF',
  [deviceCodes.rebooting]: 'REBOOTING',
  [deviceCodes.restarting]: 'RESTARTING',
  [deviceCodes.seePhone]: 'the customer should look at the phone',
  [deviceCodes.successBeep]: 'it beeps for a tap that was read',
  [deviceCodes.errorBeep]: 'it beeps for a tap that failed',
};

const describeDevice = ({ code, text }: DeviceNotice): string => {
  const message = codeWords[code] ?? `status ${code.toString(16).padStart(2, '0')}`;
  return `device: ${message}${text === '' ? '' : ` "${printable(text, 40)}"`}`;
};

// Describes the answers of an MPI device. About a card only what may be shown.

const templates: Readonly<Record<string, string>> = {
  E1: 'data',
  E2: 'a decision is needed',
  E3: 'APPROVED by the card',
  E4: 'GO ONLINE',
  E5: 'DECLINED by the card',
};

const pinCodes: Readonly<Record<number, string>> = {
  8: 'the PIN was cancelled or took too long',
  9: 'the PIN pad failed',
  12: 'the PIN was skipped',
};

/** Describes an answer's body. Throws the Fault of data that is not TLV. */
export const describeAnswer = (body: Uint8Array): string => {
  const status = toHex(body.subarray(-2));
  const data = body.subarray(0, -2);
  const { says } = statusRow(status);
  const end = status === '9000' ? says : `${status} ${says}`;
  if (data.length === 0) return end;
  if (data.length === 1) return pinCodes[data[0] ?? 0] ?? `PIN entry ended with code ${toHex(data)}`;
  const list = decodeTlv(data);
  const [first] = list;
  const about = factsOf(list);
  const title = templates[first?.tag ?? ''] ?? `template ${first?.tag ?? '?'}`;
  const whole = about.length === 0 ? title : `${title}: ${about.join(', ')}`;
  return status === '9000' ? whole : `${whole}; ${end}`;
};

/** Facts in the order of this table, as far as the answer has them. */
const factsOf = (list: readonly Tlv[]): string[] => {
  const tlvs = flattenTlvs(list);
  return [
    ...deviceFacts(list),
    ...cardFacts(tlvs),
    ...keySerials(tlvs, 'DFAE03').map((ksn) => `card data sealed under ${ksn}`),
    ...keySerials(tlvs, 'DFAE05').map((ksn) => `PIN sealed under ${ksn}`),
  ];
};

const deviceFacts = (list: readonly Tlv[]): string[] => {
  const tlvs = flattenTlvs(list);
  const programs = list.flatMap(({ children = [] }) => findAll(children, 'EF')).map(({ children = [] }) => children);
  const keys = find(tlvs, 'DFAE01')?.value[0];
  const slot = find(tlvs, '48')?.value[0];
  const percent = find(tlvs, 'DFA20A')?.value[0];
  const [date, time] = [hexOfSize(tlvs, '9A', 3), hexOfSize(tlvs, '9F21', 3)];
  const isClock = date !== undefined && time !== undefined && tlvs.length === 2;
  return [
    ...(programs.length === 0 ? [] : [`serial number ${text(tlvs, '9F1E')}`]),
    ...programs.map((program) => `${text(program, 'DF0D')} ${text(program, 'DF7F')}`.trim()),
    ...(keys === undefined ? [] : [describeKeys(keys)]),
    ...(slot === undefined ? [] : [(slot & 1) === 0 ? 'the slot is empty' : 'a card is in the slot']),
    ...(percent === undefined
      ? []
      : [`battery ${percent} %${find(tlvs, 'DFA209')?.value[0] === 1 ? ', charging' : ''}`]),
    ...(isClock ? [`date ${date}, time ${time}`] : []),
  ];
};

const describeKeys = (bits: number): string => {
  const parts = [
    (bits & 1) !== 0 ? 'ready' : 'NOT ready',
    (bits & 4) !== 0 ? 'card data key' : 'NO card data key',
    (bits & 2) !== 0 ? 'PIN key' : 'NO PIN key',
  ];
  return parts.join(', ');
};

const cardFacts = (tlvs: readonly Tlv[]): string[] => {
  const masked = maskedNumberOf(tlvs);
  const label = text(tlvs, '50');
  const cryptogram = cryptogramOf(clearIn(tlvs));
  const cvm = hexOfSize(tlvs, '9F34', 3);
  const tvr = hexOfSize(tlvs, '95', 5);
  return [
    ...(masked === undefined || masked === hidden ? [] : [masked]),
    ...(label === '' ? [] : [label]),
    ...(cryptogram === undefined ? [] : [`${cryptogram.kind} ${cryptogram.value}`]),
    ...(cvm === undefined ? [] : [`CVM ${cvm}`]),
    ...(tvr === undefined ? [] : [`TVR ${tvr}`]),
  ];
};

/** Ten bytes, or twelve under AES. */
const keySerials = (tlvs: readonly Tlv[], tag: string): string[] =>
  findAll(tlvs, tag).flatMap(({ value }) => (value.length === 10 || value.length === 12 ? [toHex(value)] : []));

/** The value in hex if it has the right length: otherwise it is not what its tag says, and is not shown. */
const hexOfSize = (tlvs: readonly Tlv[], tag: string, bytes: number): string | undefined => {
  const value = find(tlvs, tag)?.value;
  return value?.length === bytes ? toHex(value) : undefined;
};

const text = (tlvs: readonly Tlv[], tag: string): string =>
  printable(Buffer.from(find(tlvs, tag)?.value ?? []).toString('latin1'), 32).trim();
