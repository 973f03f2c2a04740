/** Reading a chip without the tap reader: the PIN, and what chips and customers do meanwhile. */
import { test } from 'vitest';
import { fromHex } from '../../../src/base/hex.ts';
import { cardAnswer, onlinePin } from './cards.ts';
import { beginning, inserted, pulled, startChip } from './mpi-tape.ts';
import { card, chipOnly, notRead, playRow, type Row } from './read-rows.ts';

const maskedText = Buffer.from(';476173******0119=1512201**********?').toString('hex');
const pinAsked = `> DED6010045 E043 9F0206000000001000 5F2A020978 500B5649534120435245444954 DFAE2224 ${maskedText}`;

const rows: Row[] = [
  {
    says: 'a chip without tap, the card already in the slot',
    accept: chipOnly,
    messages: `${beginning('INSERT').replace('< 9000', `< 9000\n! ${inserted}`)}
      > ${startChip}
      < ${cardAnswer('E4', { kind: 'ARQC' })}`,
    expected: { kind: 'goOnline', card: card({ entryMode: 'ICC', label: 'VISA CREDIT', panSequence: '01' }) },
  },
  {
    says: 'a chip that requires an online PIN',
    accept: chipOnly,
    messages: `${beginning('INSERT')}
      ! ${inserted}
      > ${startChip}
      < ${cardAnswer('E4', { kind: 'ARQC', cvm: onlinePin })}
      ${pinAsked}
      < E11A DFAE04080011223344556677 DFAE050AFFFF9876543210E00002 9000`,
    expected: {
      kind: 'goOnline',
      card: card({
        verification: 'onlinePin',
        pin: { data: fromHex('0011223344556677'), ksn: 'FFFF9876543210E00002' },
      }),
    },
    events: ['presentCard', 'cardInserted', 'reading', 'enterPin', 'pinEntered'],
  },
  ...['08', '0C'].map((code) => ({
    says: `a missing PIN (${code}) also ends the chip transaction`,
    accept: chipOnly,
    messages: `${beginning('INSERT')}
      ! ${inserted}
      > ${startChip}
      < ${cardAnswer('E4', { kind: 'ARQC', cvm: onlinePin })}
      ${pinAsked}
      < ${code} 9000
      > D0FF0000
      < 9000`,
    expected: notRead('pinCancelled'),
  })),
  {
    says: 'an unsupported chip without a stripe reader',
    accept: chipOnly,
    messages: `${beginning('INSERT')}
      ! ${inserted}
      > ${startChip}
      < 9F28`,
    expected: notRead('cardUnsupported'),
  },
  {
    says: 'the customer cancels while the chip is read',
    accept: chipOnly,
    messages: `${beginning('INSERT')}
      ! ${inserted}
      > ${startChip}
      < 9F41`,
    expected: notRead('cancelledByCustomer'),
  },
  {
    says: 'a card that is gone before its chip is read',
    accept: chipOnly,
    messages: `${beginning('INSERT')}
      ! ${inserted}
      > ${startChip}
      ! ${pulled}
      < 9F23`,
    expected: notRead('cardRemoved'),
  },
];

test.each(rows)('$says', playRow);
