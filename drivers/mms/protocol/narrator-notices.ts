/** What an MMS device says unasked, in words. */
import { find } from '../../../src/emv/tlv.ts';
import { decodeBlock } from './blocks.ts';
import { cardTypeOf, cardTypes, maskOf } from './card-data.ts';
import { contentOf, type MmsMessage } from './message.ts';
import { decodeNotice, displayLinesOf, type NoticeName, type Technology } from './notices.ts';

const words: Readonly<Partial<Record<NoticeName, string>>> = {
  presented: 'a card was swiped or typed',
  inserted: 'a card is in the slot',
  removed: 'the card was taken out',
  tapped: 'a card was tapped',
  collision: 'two cards at once',
  pinPadFailed: 'the PIN pad failed',
  pinNotEncrypted: 'the PIN cannot be encrypted',
  timedOut: 'nobody came in time',
  cancelledByHost: 'cancelled by the till',
  cancelledByUser: 'cancelled by the customer',
  deferred: 'Quick Chip: the card does not wait for the host',
  stripeInstead: 'the chip does not fit, the stripe may be used',
  chipFailed: 'the chip cannot be read',
  approvedOffline: 'APPROVED by the card alone',
  declinedOffline: 'DECLINED by the card alone',
  otherInterface: 'another interface is wanted',
  tryAgain: 'it is to be tried again',
  done: 'the number was typed',
  readError: 'the card cannot be read',
  clearDisplay: 'the display is to be cleared',
  displayDone: 'the text was shown',
};

/** A notification in words; one that nobody knows by its numbers. */
export const noticeWords = (message: Extract<MmsMessage, { kind: 'notification' }>): string => {
  const notice = decodeNotice(message);
  switch (notice.kind) {
    case 'unknown':
      return `notification ${message.id} ${message.detail}, unknown here`;
    case 'aside':
      return `notification ${message.id}, of no use here`;
    case 'pin':
      return 'a PIN entry ended';
    case 'restarted':
      return 'it restarted';
    case 'restartSoon':
      return `it restarts in ${notice.minutes} minutes`;
    case 'battery':
      return `the battery is ${notice.says}, ${notice.percent} %`;
    case 'temperature':
      return `it is at ${notice.celsius} degrees`;
    case 'arqc':
    case 'batch':
      return blockWords(notice.kind, notice.technology, notice.payload);
    case 'showText':
    case 'showTextWithCancel':
    case 'select':
      return `${notice.kind === 'select' ? 'CHOOSE' : 'SHOW'} "${displayLinesOf(notice.payload).join(' / ')}"`;
    default:
      return `${notice.technology === 'none' ? '' : `${notice.technology}: `}${words[notice.kind] ?? notice.kind.toUpperCase()}`;
  }
};

const blockWords = (kind: 'arqc' | 'batch', technology: Technology, payload: Uint8Array | undefined): string => {
  try {
    const block = decodeBlock(find(contentOf('0101', payload), '84')?.value ?? new Uint8Array(0));
    const type = Object.entries(cardTypes).find(([, each]) => each === cardTypeOf(block))?.[0] ?? technology;
    const card = `${maskOf(block)}, ${block.sealed?.data.length ?? 0} bytes sealed under ${block.sealed?.ksn ?? '-'}`;
    return kind === 'arqc' ? `GO ONLINE ${type} ${card}` : `RESULT ${block.decision ?? 'unknown'} ${card}`;
  } catch {
    return `${kind === 'arqc' ? 'GO ONLINE' : 'RESULT'}, a block that cannot be read`;
  }
};
