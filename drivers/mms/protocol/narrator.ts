/** An MMS conversation in words, a line for each message: what was asked, what it means, and never card data. */
import { toHex } from '../../../src/base/hex.ts';
import { printable } from '../../../src/base/mask.ts';
import type { Narrator } from '../../driver.ts';
import type { Link } from '../../links/link.ts';
import type { MessagePiece } from '../../session.ts';
import { commandNamed, decodeAnswer, decodeRequest } from './commands.ts';
import type { MmsMessage } from './message.ts';
import { commandWords, propertyWords, titles } from './narrator-commands.ts';
import { noticeWords } from './narrator-notices.ts';
import { type PropertyName, type PropertyValue, properties, propertyNamed } from './properties.ts';
import { statusRow, succeeded } from './status.ts';
import { messageReader, type ReceivedMmsMessage } from './wire.ts';

/** A narrator of one conversation. What cannot be read is told by its size and the rule that it breaks. */
export const mmsNarrator = (carries: Link['carries']): Narrator => {
  const readers = { said: messageReader(carries), heard: messageReader(carries) };
  return { push: (way, bytes) => readers[way].push(bytes).map(wordsOf) };
};

const wordsOf = (piece: MessagePiece<ReceivedMmsMessage>): string => {
  if (piece.kind === 'noise') return `${piece.bytes.length} unreadable bytes: ${piece.why}`;
  const { message } = piece;
  switch (message.kind) {
    case 'tooLong':
      return `takes messages of at most ${message.most} bytes`;
    case 'other':
      return `a part of a file, ${message.size} bytes`;
    case 'request':
      return requestWords(message);
    case 'response':
      return responseWords(message);
    case 'notification':
      return `unasked: ${noticeWords(message)}`;
  }
};

const requestWords = ({ id, payload }: Extract<MmsMessage, { kind: 'request' }>): string => {
  try {
    const request = decodeRequest(id, payload);
    return request === undefined ? `command ${id}, unknown here` : commandWords(request);
  } catch {
    // A request that breaks its own rules is told by its id.
    return `command ${id}, whose ${payload?.length ?? 0} bytes cannot be read`;
  }
};

const responseWords = ({ id, status, payload }: Extract<MmsMessage, { kind: 'response' }>): string => {
  const name = commandNamed(id);
  const title = name === undefined ? `command ${id}` : titles[name];
  if (!succeeded(status)) return `${title} refused: ${statusRow(status).says} (${status})`;
  if (name === 'keyInfo') return keyWords(payload);
  if (name === 'getProperty') return valueWords(payload);
  return `${title}: ${status.startsWith('01') || status.startsWith('41') ? 'started' : 'done'}`;
};

const keyWords = (payload: Uint8Array | undefined): string => {
  try {
    const { answer } = decodeAnswer('keyInfo', { status: '00000000', ...(payload === undefined ? {} : { payload }) });
    const states = ['empty', 'loaded', 'active', 'used up', 'expired'];
    return `KEY IN SLOT ${answer?.slot}: ${states[answer?.status ?? 0] ?? 'of no known state'}, ${answer?.ksn ?? '-'}`;
  } catch {
    return 'key information that cannot be read';
  }
};

const valueWords = (payload: Uint8Array | undefined): string => {
  try {
    const { answer } = decodeAnswer('getProperty', {
      status: '00000000',
      ...(payload === undefined ? {} : { payload }),
    });
    if (answer === undefined) return 'nothing';
    const name = propertyNamed(answer.oid);
    const value = name === undefined ? toHex(answer.value) : properties[name].holds.decode(answer.value);
    return `${propertyWords(answer.oid)}: ${printable(textOf(value), 60)}`;
  } catch {
    return 'a property that cannot be read';
  }
};

const textOf = (value: PropertyValue<PropertyName> | string): string => {
  if (value instanceof Uint8Array) return toHex(value);
  if (typeof value !== 'object') return `${value}`;
  return Object.entries(value)
    .map(([what, held]) => `${what} ${held}`)
    .join(', ');
};
