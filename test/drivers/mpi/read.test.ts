/** Reading a card: one tape for each way it can go. */
import { expect, test } from 'vitest';
import type { CardInterface, ReadOutcome, TerminalEvent } from '../../../drivers/terminal.ts';
import { cardAnswer, onlinePin, sealed, swipe } from './cards.ts';
import { begins, bench, inserted, pulled, startChip, startTap } from './mpi-tape.ts';

const all: readonly CardInterface[] = ['chip', 'tap', 'swipe'];
const chipOnly: readonly CardInterface[] = ['chip'];
const stripeToo: readonly CardInterface[] = ['chip', 'swipe'];

type Row = {
  says: string;
  accept?: readonly CardInterface[];
  messages: string;
  gives: unknown;
  events?: readonly TerminalEvent[];
};

const card = (more: Record<string, unknown>) => expect.objectContaining({ sred: sealed, ...more });
const notRead = (why: string) => ({ kind: 'notRead', why });
const useText = begins('INSERT OR SWIPE').split('\n').slice(3).join('\n');
const tapText = begins('TAP').split('\n').slice(3).join('\n');
const maskedText = Buffer.from(';476173******0119=1512201**********?').toString('hex');
const pinAsked = `> DED6010045 E043 9F0206000000001000 5F2A020978 500B5649534120435245444954 DFAE2224 ${maskedText}`;

const rows: Row[] = [
  {
    says: 'a tap that goes online',
    messages: `${begins()}
      > ${startTap}
      < ${cardAnswer('E4', { kind: 'ARQC', more: 'DF30020301' })}`,
    gives: { kind: 'goOnline', card: card({ entryMode: 'NFC_ICC', verification: 'none', aid: 'A0000000031010' }) },
    events: ['presentCard', 'cardTapped'],
  },
  {
    says: 'a tap with stripe data',
    messages: `${begins()}
      > ${startTap}
      < ${cardAnswer('E4', { kind: 'ARQC', more: 'DF30020302' })}`,
    gives: { kind: 'goOnline', card: card({ entryMode: 'NFC_MAGSTRIPE' }) },
  },
  {
    says: 'a tap that both templates agree is refused',
    messages: `${begins()}
      > ${startTap}
      < ${cardAnswer('E5', { kind: 'AAC' })}`,
    gives: { kind: 'declinedOffline', card: card({ cryptogram: { kind: 'AAC', value: '0102030405060708' } }) },
  },
  {
    says: 'an insertion ends the wait for a tap',
    messages: `${begins()}
      > ${startTap}
      ! ${inserted}
      < 9F43
      > ${startChip}
      < ${cardAnswer('E4', { kind: 'ARQC' })}`,
    gives: { kind: 'goOnline', card: card({ entryMode: 'ICC', maskedPan: '476173******0119' }) },
    events: ['presentCard', 'cardInserted', 'reading'],
  },
  {
    says: 'an insertion that the tap reader does not notice stops it',
    messages: `${begins()}
      > ${startTap}
      ! ${inserted}
      > D0FF0000
      < 9000
      < 9F41
      > ${startChip}
      < ${cardAnswer('E4', { kind: 'ARQC' })}`,
    gives: { kind: 'goOnline', card: card({ entryMode: 'ICC' }) },
    events: ['presentCard', 'cardInserted', 'reading'],
  },
  {
    says: 'a swipe that the tap reader does not notice stops it',
    messages: `${begins()}
      > ${startTap}
      ! ${swipe('101')}
      > D0FF0000
      < 9000
      < 9F41`,
    gives: { kind: 'goOnline', card: card({ entryMode: 'MAGSTRIPE' }) },
  },
  {
    says: 'a swipe ends the wait for a tap, its data comes after',
    messages: `${begins()}
      > ${startTap}
      < 9F44
      ! ${swipe('101')}`,
    gives: {
      kind: 'goOnline',
      card: card({ entryMode: 'MAGSTRIPE', maskedPan: '476173******0010', verification: 'signature' }),
    },
    events: ['presentCard', 'cardSwiped'],
  },
  {
    says: 'a tap reader that cannot take this card sends it to the chip',
    messages: `${begins()}
      > ${startTap}
      < 9FC1
      ${useText}
      ! ${inserted}
      > ${startChip}
      < ${cardAnswer('E3', { kind: 'TC' })}`,
    gives: { kind: 'approvedOffline', card: card({ cryptogram: { kind: 'TC', value: '0102030405060708' } }) },
    events: ['presentCard', 'useChip', 'cardInserted', 'reading'],
  },
  {
    says: 'a chip without tap, the card already in the slot',
    accept: chipOnly,
    messages: `${begins('INSERT').replace('< 9000', `< 9000\n! ${inserted}`)}
      > ${startChip}
      < ${cardAnswer('E4', { kind: 'ARQC' })}`,
    gives: { kind: 'goOnline', card: card({ entryMode: 'ICC', label: 'VISA CREDIT', panSequence: '01' }) },
  },
  {
    says: 'a chip that wants an online PIN',
    accept: chipOnly,
    messages: `${begins('INSERT')}
      ! ${inserted}
      > ${startChip}
      < ${cardAnswer('E4', { kind: 'ARQC', cvm: onlinePin })}
      ${pinAsked}
      < E11A DFAE04080011223344556677 DFAE050AFFFF9876543210E00002 9000`,
    gives: {
      kind: 'goOnline',
      card: card({ verification: 'onlinePin', pin: { data: '0011223344556677', ksn: 'FFFF9876543210E00002' } }),
    },
    events: ['presentCard', 'cardInserted', 'reading', 'enterPin', 'pinEntered'],
  },
  ...['08', '0C'].map((code) => ({
    says: `a PIN that is not given (${code}) ends the chip transaction too`,
    accept: chipOnly,
    messages: `${begins('INSERT')}
      ! ${inserted}
      > ${startChip}
      < ${cardAnswer('E4', { kind: 'ARQC', cvm: onlinePin })}
      ${pinAsked}
      < ${code} 9000
      > D0FF0000
      < 9000`,
    gives: notRead('pinCancelled'),
  })),
  ...['9F28', '9F30'].map((status) => ({
    says: `a chip that cannot be used (${status}) falls back to its stripe`,
    messages: `${begins('TAP, INSERT OR SWIPE')}
      > ${startTap}
      ! ${inserted}
      < 9F43
      > ${startChip}
      < ${status}
      ${useText}
      ! ${pulled}
      ! ${swipe('201')}`,
    gives: { kind: 'goOnline', card: card({ entryMode: 'MAGSTRIPE_AS_FALLBACK' }) },
    events: ['presentCard', 'cardInserted', 'reading', 'useStripe', 'cardSwiped'] as const,
  })),
  {
    says: 'a broken card (9F25) gets no fallback',
    accept: stripeToo,
    messages: `${begins('INSERT OR SWIPE')}
      ! ${inserted}
      > ${startChip}
      < 9F25`,
    gives: notRead('cardUnreadable'),
  },
  {
    says: 'a declining chip gets no fallback',
    accept: stripeToo,
    messages: `${begins('INSERT OR SWIPE')}
      ! ${inserted}
      > ${startChip}
      < ${cardAnswer('E5', { kind: 'AAC' })}
      ! ${swipe('201')}`,
    gives: { kind: 'declinedOffline', card: card({}) },
  },
  {
    says: 'a card pulled while it is read gets no fallback',
    accept: stripeToo,
    messages: `${begins('INSERT OR SWIPE')}
      ! ${inserted}
      > ${startChip}
      ! ${pulled}
      < 9F30`,
    gives: notRead('cardRemoved'),
  },
  {
    says: 'an unsupported chip without a stripe reader',
    accept: chipOnly,
    messages: `${begins('INSERT')}
      ! ${inserted}
      > ${startChip}
      < 9F28`,
    gives: notRead('cardUnsupported'),
  },
  {
    says: 'a swiped chip card is sent to its chip',
    accept: stripeToo,
    messages: `${begins('INSERT OR SWIPE')}
      ! ${swipe('201')}
      ${useText}
      ! ${inserted}
      > ${startChip}
      < ${cardAnswer('E4', { kind: 'ARQC' })}`,
    gives: { kind: 'goOnline', card: card({ entryMode: 'ICC' }) },
    events: ['presentCard', 'cardSwiped', 'useChip', 'cardInserted', 'reading'],
  },
  {
    says: 'a swipe of which nothing could be read is asked for again',
    accept: stripeToo,
    messages: `${begins('INSERT OR SWIPE')}
      ! E104 48020001 9000
      ${useText}
      ! ${swipe('101')}`,
    gives: { kind: 'goOnline', card: card({ entryMode: 'MAGSTRIPE' }) },
    events: ['presentCard', 'presentCard', 'cardSwiped'],
  },
  {
    says: 'after a failed chip, another card without a chip is a plain swipe',
    accept: stripeToo,
    messages: `${begins('INSERT OR SWIPE')}
      ! ${inserted}
      > ${startChip}
      < 9F30
      ${useText}
      ! ${pulled}
      ! ${swipe('101')}`,
    gives: { kind: 'goOnline', card: card({ entryMode: 'MAGSTRIPE' }) },
  },
  {
    says: 'a stripe whose service code wants a PIN',
    accept: ['swipe'],
    messages: `${begins('SWIPE')}
      ! ${swipe('106')}
      > DED6010039 E037 9F0206000000001000 5F2A020978 DFAE2225 ${Buffer.from(';476173******0010=15121061*********?*').toString('hex')}
      < E11A DFAE04080011223344556677 DFAE050AFFFF9876543210E00002 9000`,
    gives: {
      kind: 'goOnline',
      card: card({ verification: 'onlinePin', pin: { data: '0011223344556677', ksn: 'FFFF9876543210E00002' } }),
    },
  },
  {
    says: 'a number entered by hand',
    accept: ['manual'],
    messages: `
      > D0601F00
      < 9000
      > D25A0000
      < E126 DFAE5A08476173FFFFFF0119 DFAE02081122334455667788 DFAE030AFFFF9876543210E00001 9000`,
    gives: { kind: 'goOnline', card: card({ entryMode: 'MANUAL', maskedPan: '476173******0119' }) },
  },
  {
    says: 'the customer cancels on the device',
    messages: `${begins()}
      > ${startTap}
      < 9F41`,
    gives: notRead('cancelledByCustomer'),
  },
  {
    says: 'the customer cancels while the chip is read',
    accept: chipOnly,
    messages: `${begins('INSERT')}
      ! ${inserted}
      > ${startChip}
      < 9F41`,
    gives: notRead('cancelledByCustomer'),
  },
  {
    says: 'a card that is gone when the chip is to be read',
    accept: chipOnly,
    messages: `${begins('INSERT')}
      ! ${inserted}
      > ${startChip}
      ! ${pulled}
      < 9F23`,
    gives: notRead('cardRemoved'),
  },
  {
    says: 'a tap reader that gives up at once has a fault and is not asked for ever',
    messages: `${begins()}
      > ${startTap}
      < 9F42`,
    gives: notRead('timedOut'),
  },
  {
    says: 'a swipe where only taps are taken',
    accept: ['tap'],
    messages: `${begins('TAP')}
      > ${startTap}
      < 9F44
      ! ${swipe('101')}
      ${tapText}
      > ${startTap}
      < ${cardAnswer('E4', { kind: 'ARQC' })}`,
    gives: { kind: 'goOnline', card: card({ entryMode: 'NFC_ICC' }) },
  },
];

test.each(rows)('$says', async ({ accept, messages, gives, events }) => {
  const { read, link, strays, clock, terminal, events: told } = await bench(messages);
  const outcome: ReadOutcome = await read(accept ?? all);
  expect(link.left()).toEqual([]);
  expect(outcome).toEqual(gives);
  if (events !== undefined) expect(told).toEqual(events);
  expect(strays).toEqual([]);
  expect(JSON.stringify(outcome)).not.toMatch(/4761739001010119|D1512|412F42/);
  await terminal.close();
  expect(clock.waiting()).toBe(0);
});
