/** Reading as tapes: every byte that the driver sends, and how it reads the answers. */
import { expect, test } from 'vitest';
import type { CardInterface } from '../../../drivers/terminal.ts';
import type { Fault } from '../../../src/base/fault.ts';
import { fromHex } from '../../../src/base/hex.ts';
import { chip, ksn, sred, swiped } from './cards.ts';
import { authenticates, begins, bench, modeAsked, sale, started, waits } from './neo2-tape.ts';

type Row = {
  says: string;
  accept?: readonly CardInterface[];
  frames: string;
  gives: unknown;
  events?: readonly string[];
};

const card = (more: object) => expect.objectContaining(more);
const notRead = (reason: string) => ({ kind: 'notRead', why: reason });

const rows: Row[] = [
  {
    says: 'a chip that goes online',
    frames: `${begins()}\n${started}\n${authenticates}\n< 6000 DFEE25020004 ${chip('80')}`,
    gives: {
      kind: 'goOnline',
      card: card({ entryMode: 'ICC', sred, maskedPan: '4761********0119', label: 'VISA CREDIT', panSequence: '01' }),
    },
    events: ['presentCard', 'cardInserted', 'reading'],
  },
  {
    says: 'a PIN that the reader takes by itself, preceded by a menu and a text that needs no answer',
    frames: `${begins()}
      < 6101 01 0200 1E00 0200 454E 0A00 01 56495341 1C 02 4543 1C 0200 FFFF
      > 6101 01 0100 01
      < 6101 03 0000 0200 454E 0700 01 574149 54 2E 1C 0200 FFFF
      ${started}
      ${authenticates}
      < 6000 DFEE25020004 ${chip('80', '420300')} 9912 1122334455667788 ${ksn}`,
    gives: {
      kind: 'goOnline',
      card: card({ verification: 'onlinePin', pin: { data: fromHex('1122334455667788'), ksn } }),
    },
    events: ['presentCard', 'cardInserted', 'reading', 'pinEntered'],
  },
  {
    says: 'a PIN that the till must request',
    frames: `${begins()}\n${started}\n${authenticates}
      < 6000 DFEE25020004 ${chip('80', '420300')}
      > 6201 01 00 0C 04 00
      < 6200
      < 6200 00 ${Buffer.from(ksn).toString('hex')} ${Buffer.from('1122334455667788').toString('hex')}`,
    gives: { kind: 'goOnline', card: card({ pin: { data: fromHex('1122334455667788'), ksn } }) },
  },
  {
    says: 'a missing PIN also ends the chip’s transaction',
    frames: `${begins()}\n${started}\n${authenticates}
      < 6000 DFEE25020004 ${chip('80', '420300')}
      > 6201 01 00 0C 04 00
      < 6200
      < 620A 01
      > 0501
      < 0500`,
    gives: notRead('pinCancelled'),
  },
  {
    says: 'a chip that approves by itself',
    frames: `${begins()}\n${started}\n${authenticates}\n< 6000 DFEE25020000 ${chip('40')}`,
    gives: { kind: 'approvedOffline', card: card({ cryptogram: { kind: 'TC', value: '0102030405060708' } }) },
  },
  {
    says: 'an AAC is a decline, whatever the result code',
    frames: `${begins()}\n${started}\n${authenticates}\n< 6000 DFEE25020000 ${chip('00')}`,
    gives: { kind: 'declinedOffline', card: card({ entryMode: 'ICC' }) },
  },
  {
    says: 'a chip that declines because the reader got no host answer',
    frames: `${begins()}\n${started}\n${authenticates}\n< 6000 DFEE25020203 ${chip('00')}`,
    gives: { kind: 'declinedOffline', card: card({ entryMode: 'ICC' }) },
  },
  {
    says: 'a tap that goes online',
    frames: `${begins()}\n< 0223 E1 ${chip('80').replace('9F390105', '9F390107')}`,
    gives: { kind: 'goOnline', card: card({ entryMode: 'NFC_ICC', sred }) },
  },
  {
    says: 'a tap that must be inserted: the next wait is without the tap',
    frames: `${begins()}\n< 020A 01 FFEE1F0402000000\n${waits('05')}\n< 0208`,
    gives: notRead('timedOut'),
    events: ['presentCard', 'useChip'],
  },
  {
    says: 'a swipe',
    frames: `${begins()}\n${swiped('0011')}`,
    gives: {
      kind: 'goOnline',
      card: card({ entryMode: 'MAGSTRIPE', maskedPan: '476173******0119', verification: 'signature' }),
    },
  },
  {
    says: 'a swipe that requires a PIN',
    frames: `${begins()}\n${swiped('0011', '120')}
      > 6201 01 00 0C 04 00
      < 6200
      < 6200 00 ${Buffer.from(ksn).toString('hex')} ${Buffer.from('1122334455667788').toString('hex')}`,
    gives: {
      kind: 'goOnline',
      card: card({ verification: 'onlinePin', pin: { data: fromHex('1122334455667788'), ksn } }),
    },
  },
  {
    says: 'a swiped chip card is sent to its chip, again and again',
    frames: `${begins()}
      ${Array.from({ length: 5 }, () => `${swiped('0011', '201')}\n${waits()}`).join('\n')}
      ${swiped('0011', '201')}`,
    gives: notRead('cardUnreadable'),
  },
  {
    says: 'a swipe because the chip failed',
    frames: `${begins()}\n${swiped('0007', '201')}`,
    gives: { kind: 'goOnline', card: card({ entryMode: 'MAGSTRIPE_AS_FALLBACK' }) },
  },
  {
    says: 'a failed chip when the stripe is not accepted',
    accept: ['chip', 'tap'],
    frames: `${begins('06')}\n${swiped('0007', '201')}`,
    gives: notRead('cardUnreadable'),
  },
  {
    says: 'fallback requested without data, then a swipe with only the stripe accepted',
    frames: `${begins()}\n< 0200 C0 DFEE25020007\n${waits('01')}\n${swiped('0011', '201')}`,
    gives: { kind: 'goOnline', card: card({ entryMode: 'MAGSTRIPE_AS_FALLBACK' }) },
    events: ['presentCard', 'useStripe', 'cardSwiped'],
  },
  {
    says: 'a chip that the reader gives up three times without counting',
    frames: `${begins()}
      ${['07', '07', '01'].map((ways) => `< 020A 00 DFEF6102F222\n${waits(ways)}`).join('\n')}
      ${swiped('0011', '201')}`,
    gives: { kind: 'goOnline', card: card({ entryMode: 'MAGSTRIPE_AS_FALLBACK' }) },
  },
  {
    says: 'a card pulled while it is read never allows the stripe',
    frames: `${begins()}\n${started}\n${authenticates}\n< 6000 DFEE25023005`,
    gives: notRead('cardRemoved'),
  },
  {
    says: 'a chip that stops answering never allows the stripe',
    frames: `${begins()}\n${started}\n${authenticates}\n< 600A DFEF6102F250`,
    gives: notRead('cardUnreadable'),
  },
  {
    says: 'a card that is not accepted',
    frames: `${begins()}\n< 0200 C0 DFEE25020006 9F390105`,
    gives: notRead('cardUnsupported'),
  },
  {
    says: 'a card without a known application',
    frames: `${begins()}\n< 0200 20 DFEE25025005`,
    gives: notRead('cardUnsupported'),
  },
  {
    says: 'asks again for an unreadable swipe',
    frames: `${begins()}\n< 0200 28 DFEE25023012\n${waits()}\n< 0208`,
    gives: notRead('timedOut'),
    events: ['presentCard', 'presentCard'],
  },
  {
    says: 'a chip that stops answering in the first step is tried again',
    frames: `${begins()}\n< 0200 08 DFEE25025025\n${waits()}\n< 0208`,
    gives: notRead('timedOut'),
    events: ['presentCard', 'presentCard'],
  },
  {
    says: 'a customer who cancels, with a status of its own',
    frames: `${begins()}\n< 02A3 00 DFEE25020012`,
    gives: notRead('cancelledByCustomer'),
  },
  {
    says: 'the same without data, after the first answer of a reader that sends two',
    frames: `${begins()}\n< 0263\n< 02A3`,
    gives: notRead('cancelledByCustomer'),
  },
  { says: 'a customer who cancels', frames: `${begins()}\n< 0200 DFEE25020012`, gives: notRead('cancelledByCustomer') },
  { says: 'nobody', frames: `${begins()}\n< 0208`, gives: notRead('timedOut') },
];

test.each(rows.map((row) => [row.says, row] as const))('%s', async (_, { accept, frames, gives, events }) => {
  const { read, link, unsolicited, clock, terminal, events: reports } = await bench(frames);
  const outcome = await read(accept);
  expect(link.left()).toEqual([]);
  expect(outcome).toEqual(gives);
  if (events !== undefined) expect(reports).toEqual(events);
  expect(unsolicited).toEqual([]);
  await terminal.close();
  expect(clock.waiting()).toBe(0);
});

test('card data in an answer that says only success is refused without a key serial number', async () => {
  const { read, link } = await bench(`${begins()}\n${started}\n${authenticates}
    < 6000 DFEE25020004 ${chip('80').replace(`DFEE120A${ksn}`, '')}
    > 0501
    < 0500`);
  expect(await read().catch((error: Fault) => error.code)).toBe('terminal.unready');
  expect(link.left()).toEqual([]);
});

test('a reader that asks the till for the PIN is told that there is none, and the sale says why', async () => {
  const { read, link } = await bench(`${begins()}\n${started}\n${authenticates}
    < 6102 01 0000 0000 0200 1E00
    > 6102 00
    < 6000 DFEE25020012
    > 0501
    < 0500`);
  const fault = await read().then(
    () => expect.unreachable(),
    (error: Fault) => error,
  );
  expect(fault).toMatchObject({ code: 'terminal.unready' });
  expect(fault.message).toContain('the till has no PIN pad');
  expect(link.left()).toEqual([]);
});

test.each([
  ['is stopped by its own command, the only one accepted there', '< 6200\n< 620A 02'],
  ['has just ended by itself', '< 620A\n< 620A 02'],
])('the entry of a PIN that the till cancels %s', async (_, frames) => {
  const { terminal, clock, link } = await bench(`${begins()}\n${started}\n${authenticates}
    < 6000 DFEE25020004 ${chip('80', '420300')}
    > 6201 01 00 0C 04 00
    < 6200
    > 6200
    ${frames}
    > 0501
    < 0500`);
  const reading = terminal.read(sale, () => {});
  await clock.advance(100);
  await clock.until(terminal.cancel());
  expect(await clock.until(reading)).toEqual({ kind: 'notRead', why: 'cancelledByTill' });
  expect(link.left()).toEqual([]);
});

test.each([
  ['90', 'it has no key for card data'],
  ['91', 'its key for card data is used up'],
])('status %s at a card: %s, in words, and in the diagnosis until a card is read', async (status, reason) => {
  const request = begins().split('\n> 0240')[0] ?? '';
  const { read, terminal, clock, link } = await bench(
    `${begins()}\n< 02${status}\n> 0501\n< 0500\n${request}\n${modeAsked}\n> 3203\n< 3200`,
  );
  const fault: Fault = await read().then(
    () => expect.unreachable(),
    (error: Fault) => error,
  );
  expect(fault).toMatchObject({ code: 'terminal.unready', facts: { why: reason } });
  const { problems } = await clock.until(terminal.health());
  expect(problems.join().toLowerCase()).toContain(reason);
  expect(link.left()).toEqual([]);
});
