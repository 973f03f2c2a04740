/** Reading a stripe, by choice or because its chip cannot be used, and a number entered by hand. */
import { test } from 'vitest';
import { fromHex } from '../../../src/base/hex.ts';
import { cardAnswer, swipe } from './cards.ts';
import { beginning, inserted, pulled, startChip, startTap } from './mpi-tape.ts';
import { card, notRead, playRow, promptFor, type Row, stripeToo } from './read-rows.ts';

const useText = promptFor('INSERT OR SWIPE');

const rows: Row[] = [
  ...['9F28', '9F30'].map((status) => ({
    says: `a chip that cannot be used (${status}) falls back to its stripe`,
    messages: `${beginning('TAP, INSERT OR SWIPE')}
      > ${startTap}
      ! ${inserted}
      < 9F43
      > ${startChip}
      < ${status}
      ${useText}
      ! ${pulled}
      ! ${swipe('201')}`,
    expected: { kind: 'goOnline', card: card({ entryMode: 'MAGSTRIPE_AS_FALLBACK' }) },
    events: ['presentCard', 'cardInserted', 'reading', 'useStripe', 'cardSwiped'] as const,
  })),
  {
    says: 'a broken card (9F25) gets no fallback',
    accept: stripeToo,
    messages: `${beginning('INSERT OR SWIPE')}
      ! ${inserted}
      > ${startChip}
      < 9F25`,
    expected: notRead('cardUnreadable'),
  },
  {
    says: 'a declining chip gets no fallback',
    accept: stripeToo,
    messages: `${beginning('INSERT OR SWIPE')}
      ! ${inserted}
      > ${startChip}
      < ${cardAnswer('E5', { kind: 'AAC' })}
      ! ${swipe('201')}`,
    expected: { kind: 'declinedOffline', card: card({}) },
  },
  {
    says: 'a card pulled while it is read gets no fallback',
    accept: stripeToo,
    messages: `${beginning('INSERT OR SWIPE')}
      ! ${inserted}
      > ${startChip}
      ! ${pulled}
      < 9F30`,
    expected: notRead('cardRemoved'),
  },
  {
    says: 'a swiped chip card is sent to its chip',
    accept: stripeToo,
    messages: `${beginning('INSERT OR SWIPE')}
      ! ${swipe('201')}
      ${useText}
      ! ${inserted}
      > ${startChip}
      < ${cardAnswer('E4', { kind: 'ARQC' })}`,
    expected: { kind: 'goOnline', card: card({ entryMode: 'ICC' }) },
    events: ['presentCard', 'cardSwiped', 'useChip', 'cardInserted', 'reading'],
  },
  {
    says: 'asks again for an unreadable swipe',
    accept: stripeToo,
    messages: `${beginning('INSERT OR SWIPE')}
      ! E104 48020001 9000
      ${useText}
      ! ${swipe('101')}`,
    expected: { kind: 'goOnline', card: card({ entryMode: 'MAGSTRIPE' }) },
    events: ['presentCard', 'presentCard', 'cardSwiped'],
  },
  {
    says: 'after a failed chip, another card without a chip is an ordinary swipe',
    accept: stripeToo,
    messages: `${beginning('INSERT OR SWIPE')}
      ! ${inserted}
      > ${startChip}
      < 9F30
      ${useText}
      ! ${pulled}
      ! ${swipe('101')}`,
    expected: { kind: 'goOnline', card: card({ entryMode: 'MAGSTRIPE' }) },
  },
  {
    says: 'a stripe whose service code requires a PIN',
    accept: ['swipe'],
    messages: `${beginning('SWIPE')}
      ! ${swipe('106')}
      > DED6010039 E037 9F0206000000001000 5F2A020978 DFAE2225 ${Buffer.from(';476173******0010=15121061*********?*').toString('hex')}
      < E11A DFAE04080011223344556677 DFAE050AFFFF9876543210E00002 9000`,
    expected: {
      kind: 'goOnline',
      card: card({
        verification: 'onlinePin',
        pin: { data: fromHex('0011223344556677'), ksn: 'FFFF9876543210E00002' },
      }),
    },
  },
];

test.each(rows)('$says', playRow);
