/** Describes an MMS conversation, one line per message: the request and its meaning, never card data. */
import { toHex } from '../../../src/base/hex.ts';
import { printable } from '../../../src/base/mask.ts';
import { printMoney } from '../../../src/base/money.ts';
import { formatEnglish } from '../../../src/base/placeholders.ts';
import { find, findDeep } from '../../../src/emv/tlv.ts';
import type { Narrator } from '../../driver.ts';
import type { Link } from '../../links/link.ts';
import type { MessagePiece } from '../../session.ts';
import { cardTypeOf, cardTypes, decodeBlock, maskOf } from './card-data.ts';
import {
  commandNamed,
  decodeAnswer,
  decodeRequest,
  type MmsAsk,
  type MmsCommandName,
  type MmsRequest,
  texts,
} from './commands.ts';
import {
  contentOf,
  isSuccess,
  type MmsMessage,
  messageReader,
  type ReceivedMmsMessage,
  statusRow,
} from './messages.ts';
import { decodeNotice, displayLinesOf, type NoticeName, type Technology } from './notices.ts';
import { type PropertyName, type PropertyValue, properties, propertyNamed } from './properties.ts';

/** A narrator of one conversation. An unreadable message is described by its size and the rule it breaks. */
export const mmsNarrator = (carries: Link['carries']): Narrator => {
  const readers = { said: messageReader(carries), heard: messageReader(carries) };
  return { push: (direction, bytes) => readers[direction].push(bytes).map(describePiece) };
};

const describePiece = (piece: MessagePiece<ReceivedMmsMessage>): string => {
  if (piece.kind === 'noise') return `${piece.bytes.length} unreadable bytes: ${piece.why}`;
  const { message } = piece;
  switch (message.kind) {
    case 'tooLong':
      return `takes messages of at most ${message.most} bytes`;
    case 'other':
      return `a part of a file, ${message.size} bytes`;
    case 'request':
      return describeRequest(message);
    case 'response':
      return describeResponse(message);
    case 'notification':
      return `unasked: ${describeNotice(message)}`;
  }
};

const describeRequest = ({ id, payload }: Extract<MmsMessage, { kind: 'request' }>): string => {
  try {
    const request = decodeRequest(id, payload);
    return request === undefined ? `command ${id}, unknown here` : describeCommand(request);
  } catch {
    // A malformed request is described by its id.
    return `command ${id}, whose ${payload?.length ?? 0} bytes cannot be read`;
  }
};

const describeResponse = ({ id, status, payload }: Extract<MmsMessage, { kind: 'response' }>): string => {
  const name = commandNamed(id);
  const title = name === undefined ? `command ${id}` : titles[name];
  if (!isSuccess(status)) return `${title} refused: ${statusRow(status).says} (${status})`;
  if (name === 'keyInfo') return describeKey(payload);
  if (name === 'getProperty') return describeValue(payload);
  return `${title}: ${status.startsWith('01') || status.startsWith('41') ? 'started' : 'done'}`;
};

const describeKey = (payload: Uint8Array | undefined): string => {
  try {
    const { answer } = decodeAnswer('keyInfo', { status: '00000000', payload });
    const states = ['empty', 'loaded', 'active', 'used up', 'expired'];
    return `KEY IN SLOT ${answer?.slot}: ${states[answer?.status ?? 0] ?? 'of no known state'}, ${answer?.ksn ?? '-'}`;
  } catch {
    return 'key information that cannot be read';
  }
};

const describeValue = (payload: Uint8Array | undefined): string => {
  try {
    const { answer } = decodeAnswer('getProperty', { status: '00000000', payload });
    if (answer === undefined) return 'nothing';
    const name = propertyNamed(answer.oid);
    const value = name === undefined ? toHex(answer.value) : properties[name].holds.decode(answer.value);
    return `${describeProperty(answer.oid)}: ${printable(textOf(value), 60)}`;
  } catch {
    return 'a property that cannot be read';
  }
};

const textOf = (value: PropertyValue<PropertyName> | string): string => {
  if (value instanceof Uint8Array) return toHex(value);
  if (typeof value !== 'object') return `${value}`;
  return Object.entries(value)
    .map(([what, content]) => `${what} ${content}`)
    .join(', ');
};

/** The name of each command in the line about its answer. */
const titles: Readonly<Record<MmsCommandName, string>> = {
  start: 'START TRANSACTION',
  resume: 'HOST SAYS',
  cancel: 'CANCEL TRANSACTION',
  choose: 'THE CUSTOMER’S CHOICE',
  display: 'DISPLAY',
  subscribe: 'SUBSCRIBE',
  getProperty: 'PROPERTY',
  setProperty: 'SET PROPERTY',
  echo: 'ECHO',
  keyInfo: 'KEY',
  restart: 'RESTART',
};

/** Describes a request. Throws the Fault of unreadable issuer data. */
const describeCommand = (request: MmsRequest): string => {
  switch (request.name) {
    case 'start':
      return describeStart(request.ask);
    case 'resume':
      return describeResume(request.ask);
    case 'cancel':
      return 'CANCEL TRANSACTION';
    case 'choose':
      return `THE CUSTOMER CHOSE ${(request.ask.index ?? 0) + 1}`;
    case 'display':
      return `DISPLAY "${describeText(request.ask.text ?? texts.welcome)}"`;
    case 'subscribe':
      return `${request.ask.on === 0 ? 'UNSUBSCRIBE' : 'SUBSCRIBE'} ${request.ask.ids ?? 'all notifications'}`;
    case 'getProperty':
      return `${describeProperty(request.ask.oid)}?`;
    case 'setProperty':
      return `SET ${describeProperty(request.ask.oid)} = ${toHex(request.ask.value)}`;
    case 'echo':
      return `ECHO, ${request.ask.data.length / 2} bytes`;
    case 'keyInfo':
      return `KEY IN SLOT ${request.ask.slot}?`;
    case 'restart':
      return request.ask.powerOff === 1 ? 'POWER OFF' : 'RESTART';
  }
};

const describeStart = ({ sale, readers, options, seconds }: MmsAsk<'start'>): string => {
  const type = ({ '00': 'purchase', '20': 'refund' } as const)[sale.type] ?? `type ${sale.type}`;
  const currency = sale.currency;
  const amount = currency === undefined ? `${sale.amountMinor}` : printMoney({ minor: sale.amountMinor, currency });
  const ways = (['chip', 'tap', 'swipe'] as const).filter((each) => readers === undefined || (readers[each] ?? 1) > 0);
  const by = readers?.manual === undefined ? ways.join(', ') : 'typed';
  const quick = Number.parseInt(options ?? '0003', 16) % 2 === 1 ? ', quick chip' : '';
  return `START TRANSACTION ${type} ${amount}, ${by}, ${seconds === 0 ? 'no time limit' : `${seconds} s`}${quick}`;
};

const describeResume = ({ arpc }: MmsAsk<'resume'>): string => {
  const list = contentOf('1004', arpc);
  const arc = Buffer.from(findDeep(list, '8A')?.value ?? []).toString('latin1');
  const more = [
    ...(findDeep(list, '91') === undefined ? [] : ['issuer data']),
    ...(findDeep(list, '71') === undefined && findDeep(list, '72') === undefined ? [] : ['scripts']),
  ];
  return `HOST SAYS ${printable(arc, 2)}${more.length === 0 ? '' : ` with ${more.join(' and ')}`}`;
};

const describeText = (id: number): string => {
  const name = Object.entries(texts).find(([, each]) => each === id)?.[0];
  return name === undefined ? `text ${id}` : name.replace(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase();
};

const describeProperty = (oid: string): string => {
  const name = propertyNamed(oid);
  return name === undefined ? `PROPERTY ${oid}` : `PROPERTY ${oid}, ${properties[name].says}`;
};

const words: Readonly<Partial<Record<NoticeName, string>>> = {
  presented: 'a card was swiped or typed',
  inserted: 'a card is in the slot',
  removed: 'the card was taken out',
  tapped: 'a card was tapped',
  collision: 'two cards at once',
  pinPadFailed: 'the PIN pad failed',
  pinNotEncrypted: 'the PIN cannot be encrypted',
  timedOut: 'no card in time',
  cancelledByHost: 'cancelled by the till',
  cancelledByUser: 'cancelled by the customer',
  deferred: 'Quick Chip: the card does not wait for the host',
  stripeInstead: 'the chip does not fit, the stripe may be used',
  chipFailed: 'the chip cannot be read',
  approvedOffline: 'APPROVED by the card alone',
  declinedOffline: 'DECLINED by the card alone',
  otherInterface: 'the card needs another interface',
  tryAgain: 'the card must be presented again',
  done: 'the number was typed',
  readError: 'the card cannot be read',
  clearDisplay: 'the display should be cleared',
  displayDone: 'the text was shown',
};

/** Describes a notification; an unknown one by its numbers. */
const describeNotice = (message: Extract<MmsMessage, { kind: 'notification' }>): string => {
  const notice = decodeNotice(message);
  switch (notice.kind) {
    case 'unknown':
      return `notification ${message.id} ${message.detail}, unknown here`;
    case 'aside':
      return `notification ${message.id}, not used here`;
    case 'pin':
      return 'a PIN entry ended';
    case 'restarted':
      return 'it restarted';
    case 'restartSoon':
      return formatEnglish('it restarts in {minutes, plural, one {# minute} other {# minutes}}', notice);
    case 'battery':
      return `the battery is ${notice.says}, ${notice.percent} %`;
    case 'temperature':
      return `it is at ${notice.celsius} degrees`;
    case 'arqc':
    case 'batch':
      return describeBlock(notice.kind, notice.technology, notice.payload);
    case 'showText':
    case 'showTextWithCancel':
    case 'select':
      return `${notice.kind === 'select' ? 'CHOOSE' : 'SHOW'} "${displayLinesOf(notice.payload).join(' / ')}"`;
    default:
      return `${notice.technology === 'none' ? '' : `${notice.technology}: `}${words[notice.kind] ?? notice.kind.toUpperCase()}`;
  }
};

const describeBlock = (kind: 'arqc' | 'batch', technology: Technology, payload: Uint8Array | undefined): string => {
  try {
    const block = decodeBlock(find(contentOf('0101', payload), '84')?.value ?? new Uint8Array(0));
    const type = Object.entries(cardTypes).find(([, each]) => each === cardTypeOf(block))?.[0] ?? technology;
    const card = `${maskOf(block)}, ${block.sealed?.data.length ?? 0} bytes sealed under ${block.sealed?.ksn ?? '-'}`;
    return kind === 'arqc' ? `GO ONLINE ${type} ${card}` : `RESULT ${block.decision ?? 'unknown'} ${card}`;
  } catch {
    return `${kind === 'arqc' ? 'GO ONLINE' : 'RESULT'}, a block that cannot be read`;
  }
};
