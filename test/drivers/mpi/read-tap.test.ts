/** Waiting for a card with the tap reader on: one tape for each way the wait can end. */
import { test } from 'vitest';
import { cardAnswer, swipe } from './cards.ts';
import { beginning, inserted, startChip, startTap } from './mpi-tape.ts';
import { card, notRead, playRow, promptFor, type Row } from './read-rows.ts';

const useText = promptFor('INSERT OR SWIPE');
const tapText = promptFor('TAP');

const rows: Row[] = [
  {
    says: 'a tap that goes online',
    messages: `${beginning()}
      > ${startTap}
      < ${cardAnswer('E4', { kind: 'ARQC', more: 'DF30020301' })}`,
    expected: { kind: 'goOnline', card: card({ entryMode: 'NFC_ICC', verification: 'none', aid: 'A0000000031010' }) },
    events: ['presentCard', 'cardTapped'],
  },
  {
    says: 'a tap with stripe data',
    messages: `${beginning()}
      > ${startTap}
      < ${cardAnswer('E4', { kind: 'ARQC', more: 'DF30020302' })}`,
    expected: { kind: 'goOnline', card: card({ entryMode: 'NFC_MAGSTRIPE' }) },
  },
  {
    says: 'a tap that both templates decline',
    messages: `${beginning()}
      > ${startTap}
      < ${cardAnswer('E5', { kind: 'AAC' })}`,
    expected: { kind: 'declinedOffline', card: card({ cryptogram: { kind: 'AAC', value: '0102030405060708' } }) },
  },
  {
    says: 'an insertion ends the wait for a tap',
    messages: `${beginning()}
      > ${startTap}
      ! ${inserted}
      < 9F43
      > ${startChip}
      < ${cardAnswer('E4', { kind: 'ARQC' })}`,
    expected: { kind: 'goOnline', card: card({ entryMode: 'ICC', maskedPan: '476173******0119' }) },
    events: ['presentCard', 'cardInserted', 'reading'],
  },
  {
    says: 'an insertion that the tap reader does not notice stops it',
    messages: `${beginning()}
      > ${startTap}
      ! ${inserted}
      > D0FF0000
      < 9000
      < 9F41
      > ${startChip}
      < ${cardAnswer('E4', { kind: 'ARQC' })}`,
    expected: { kind: 'goOnline', card: card({ entryMode: 'ICC' }) },
    events: ['presentCard', 'cardInserted', 'reading'],
  },
  {
    says: 'a card that was in the slot before the reader was on is read, although the reader expected up',
    messages: `${beginning()}
      > ${startTap}
      ! ${inserted}
      < 9F42
      > ${startChip}
      < ${cardAnswer('E4', { kind: 'ARQC' })}`,
    expected: { kind: 'goOnline', card: card({ entryMode: 'ICC' }) },
    events: ['presentCard', 'cardInserted', 'reading'],
  },
  {
    says: 'a swipe that the tap reader does not notice stops it',
    messages: `${beginning()}
      > ${startTap}
      ! ${swipe('101')}
      > D0FF0000
      < 9000
      < 9F41`,
    expected: { kind: 'goOnline', card: card({ entryMode: 'MAGSTRIPE' }) },
  },
  {
    says: 'a swipe ends the wait for a tap, and its data follows',
    messages: `${beginning()}
      > ${startTap}
      < 9F44
      ! ${swipe('101')}`,
    expected: {
      kind: 'goOnline',
      card: card({ entryMode: 'MAGSTRIPE', maskedPan: '476173******0010', verification: 'signature' }),
    },
    events: ['presentCard', 'cardSwiped'],
  },
  {
    says: 'a tap reader that cannot take this card sends it to the chip',
    messages: `${beginning()}
      > ${startTap}
      < 9FC1
      ${useText}
      ! ${inserted}
      > ${startChip}
      < ${cardAnswer('E3', { kind: 'TC' })}`,
    expected: { kind: 'approvedOffline', card: card({ cryptogram: { kind: 'TC', value: '0102030405060708' } }) },
    events: ['presentCard', 'useChip', 'cardInserted', 'reading'],
  },
  {
    says: 'the customer cancels on the device',
    messages: `${beginning()}
      > ${startTap}
      < 9F41`,
    expected: notRead('cancelledByCustomer'),
  },
  {
    says: 'a tap reader that expected up at once has failed and is not asked for ever',
    messages: `${beginning()}
      > ${startTap}
      < 9F42`,
    expected: notRead('timedOut'),
  },
  {
    says: 'a swipe when only taps are accepted',
    accept: ['tap'],
    messages: `${beginning('TAP')}
      > ${startTap}
      < 9F44
      ! ${swipe('101')}
      ${tapText}
      > ${startTap}
      < ${cardAnswer('E4', { kind: 'ARQC' })}`,
    expected: { kind: 'goOnline', card: card({ entryMode: 'NFC_ICC' }) },
  },
];

test.each(rows)('$says', playRow);
