/** Reading as tapes: every byte that the driver sends, and how it reads the answers. */
import { expect, test } from 'vitest';
import type { CardInterface } from '../../../drivers/terminal.ts';
import type { Fault } from '../../../src/base/fault.ts';
import { fromHex } from '../../../src/base/hex.ts';
import { chip, ksn, sred, swipeResult } from './cards.ts';
import { authenticates, beginning, bench, modeAsked, sale, started, waitForCard } from './neo2-tape.ts';

type Row = {
  says: string;
  accept?: readonly CardInterface[];
  frames: string;
  expected: unknown;
  events?: readonly string[];
};

const card = (more: object) => expect.objectContaining(more);
const notRead = (reason: string) => ({ kind: 'notRead', why: reason });

const rows: Row[] = [
  {
    says: 'a chip that goes online',
    frames: `${beginning()}\n${started}\n${authenticates}\n< 6000 DFEE25020004 ${chip('80')}`,
    expected: {
      kind: 'goOnline',
      card: card({ entryMode: 'ICC', sred, maskedPan: '4761********0119', label: 'VISA CREDIT', panSequence: '01' }),
    },
    events: ['presentCard', 'cardInserted', 'reading'],
  },
  {
    says: 'a PIN that the reader takes by itself, preceded by a menu and a text that needs no answer',
    frames: `${beginning()}
      < 6101 01 0200 1E00 0200 454E 0A00 01 56495341 1C 02 4543 1C 0200 FFFF
      > 6101 01 0100 01
      < 6101 03 0000 0200 454E 0700 01 574149 54 2E 1C 0200 FFFF
      ${started}
      ${authenticates}
      < 6000 DFEE25020004 ${chip('80', '420300')} 9912 1122334455667788 ${ksn}`,
    expected: {
      kind: 'goOnline',
      card: card({ verification: 'onlinePin', pin: { data: fromHex('1122334455667788'), ksn } }),
    },
    events: ['presentCard', 'cardInserted', 'reading', 'pinEntered'],
  },
  {
    says: 'a PIN that the till must request',
    frames: `${beginning()}\n${started}\n${authenticates}
      < 6000 DFEE25020004 ${chip('80', '420300')}
      > 6201 01 00 0C 04 00
      < 6200
      < 6200 00 ${Buffer.from(ksn).toString('hex')} ${Buffer.from('1122334455667788').toString('hex')}`,
    expected: { kind: 'goOnline', card: card({ pin: { data: fromHex('1122334455667788'), ksn } }) },
  },
  {
    says: 'a missing PIN also ends the chip’s transaction',
    frames: `${beginning()}\n${started}\n${authenticates}
      < 6000 DFEE25020004 ${chip('80', '420300')}
      > 6201 01 00 0C 04 00
      < 6200
      < 620A 01
      > 0501
      < 0500`,
    expected: notRead('pinCancelled'),
  },
  {
    says: 'a chip that approves by itself',
    frames: `${beginning()}\n${started}\n${authenticates}\n< 6000 DFEE25020000 ${chip('40')}`,
    expected: { kind: 'approvedOffline', card: card({ cryptogram: { kind: 'TC', value: '0102030405060708' } }) },
  },
  {
    says: 'an AAC is a decline, whatever the result code',
    frames: `${beginning()}\n${started}\n${authenticates}\n< 6000 DFEE25020000 ${chip('00')}`,
    expected: { kind: 'declinedOffline', card: card({ entryMode: 'ICC' }) },
  },
  {
    says: 'a chip that declines because the reader got no host answer',
    frames: `${beginning()}\n${started}\n${authenticates}\n< 6000 DFEE25020203 ${chip('00')}`,
    expected: { kind: 'declinedOffline', card: card({ entryMode: 'ICC' }) },
  },
  {
    says: 'a tap that goes online',
    frames: `${beginning()}\n< 0223 E1 ${chip('80').replace('9F390105', '9F390107')}`,
    expected: { kind: 'goOnline', card: card({ entryMode: 'NFC_ICC', sred }) },
  },
  {
    says: 'a tap that must be inserted: the next wait is without the tap',
    frames: `${beginning()}\n< 020A 01 FFEE1F0402000000\n${waitForCard('05')}\n< 0208`,
    expected: notRead('timedOut'),
    events: ['presentCard', 'useChip'],
  },
  {
    says: 'a swipe',
    frames: `${beginning()}\n${swipeResult('0011')}`,
    expected: {
      kind: 'goOnline',
      card: card({ entryMode: 'MAGSTRIPE', maskedPan: '476173******0119', verification: 'signature' }),
    },
  },
  {
    says: 'a swipe that requires a PIN',
    frames: `${beginning()}\n${swipeResult('0011', '120')}
      > 6201 01 00 0C 04 00
      < 6200
      < 6200 00 ${Buffer.from(ksn).toString('hex')} ${Buffer.from('1122334455667788').toString('hex')}`,
    expected: {
      kind: 'goOnline',
      card: card({ verification: 'onlinePin', pin: { data: fromHex('1122334455667788'), ksn } }),
    },
  },
  {
    says: 'a swiped chip card is sent to its chip, again and again',
    frames: `${beginning()}
      ${Array.from({ length: 5 }, () => `${swipeResult('0011', '201')}\n${waitForCard()}`).join('\n')}
      ${swipeResult('0011', '201')}`,
    expected: notRead('cardUnreadable'),
  },
  {
    says: 'a swipe because the chip failed',
    frames: `${beginning()}\n${swipeResult('0007', '201')}`,
    expected: { kind: 'goOnline', card: card({ entryMode: 'MAGSTRIPE_AS_FALLBACK' }) },
  },
  {
    says: 'a failed chip when the stripe is not accepted',
    accept: ['chip', 'tap'],
    frames: `${beginning('06')}\n${swipeResult('0007', '201')}`,
    expected: notRead('cardUnreadable'),
  },
  {
    says: 'fallback requested without data, then a swipe with only the stripe accepted',
    frames: `${beginning()}\n< 0200 C0 DFEE25020007\n${waitForCard('01')}\n${swipeResult('0011', '201')}`,
    expected: { kind: 'goOnline', card: card({ entryMode: 'MAGSTRIPE_AS_FALLBACK' }) },
    events: ['presentCard', 'useStripe', 'cardSwiped'],
  },
  {
    says: 'a chip that the reader expected up three times without counting',
    frames: `${beginning()}
      ${['07', '07', '01'].map((ways) => `< 020A 00 DFEF6102F222\n${waitForCard(ways)}`).join('\n')}
      ${swipeResult('0011', '201')}`,
    expected: { kind: 'goOnline', card: card({ entryMode: 'MAGSTRIPE_AS_FALLBACK' }) },
  },
  {
    says: 'a card pulled while it is read never allows the stripe',
    frames: `${beginning()}\n${started}\n${authenticates}\n< 6000 DFEE25023005`,
    expected: notRead('cardRemoved'),
  },
  {
    says: 'a chip that stops answering never allows the stripe',
    frames: `${beginning()}\n${started}\n${authenticates}\n< 600A DFEF6102F250`,
    expected: notRead('cardUnreadable'),
  },
  {
    says: 'a card that is not accepted',
    frames: `${beginning()}\n< 0200 C0 DFEE25020006 9F390105`,
    expected: notRead('cardUnsupported'),
  },
  {
    says: 'a card without a known application',
    frames: `${beginning()}\n< 0200 20 DFEE25025005`,
    expected: notRead('cardUnsupported'),
  },
  {
    says: 'asks again for an unreadable swipe',
    frames: `${beginning()}\n< 0200 28 DFEE25023012\n${waitForCard()}\n< 0208`,
    expected: notRead('timedOut'),
    events: ['presentCard', 'presentCard'],
  },
  {
    says: 'a chip that stops answering in the first step is tried again',
    frames: `${beginning()}\n< 0200 08 DFEE25025025\n${waitForCard()}\n< 0208`,
    expected: notRead('timedOut'),
    events: ['presentCard', 'presentCard'],
  },
  {
    says: 'a customer who cancels, with a status of its own',
    frames: `${beginning()}\n< 02A3 00 DFEE25020012`,
    expected: notRead('cancelledByCustomer'),
  },
  {
    says: 'the same without data, after the first answer of a reader that sends two',
    frames: `${beginning()}\n< 0263\n< 02A3`,
    expected: notRead('cancelledByCustomer'),
  },
  {
    says: 'a customer who cancels',
    frames: `${beginning()}\n< 0200 DFEE25020012`,
    expected: notRead('cancelledByCustomer'),
  },
  { says: 'nobody', frames: `${beginning()}\n< 0208`, expected: notRead('timedOut') },
];

test.each(rows.map((row) => [row.says, row] as const))('%s', async (_, { accept, frames, expected, events }) => {
  const { read, link, unsolicited, clock, terminal, events: reports } = await bench(frames);
  const outcome = await read(accept);
  expect(link.left()).toEqual([]);
  expect(outcome).toEqual(expected);
  if (events !== undefined) expect(reports).toEqual(events);
  expect(unsolicited).toEqual([]);
  await terminal.close();
  expect(clock.waiting()).toBe(0);
});

test('card data in an answer that says only success is refused without a key serial number', async () => {
  const { read, link } = await bench(`${beginning()}\n${started}\n${authenticates}
    < 6000 DFEE25020004 ${chip('80').replace(`DFEE120A${ksn}`, '')}
    > 0501
    < 0500`);
  expect(await read().catch((error: Fault) => error.code)).toBe('terminal.unready');
  expect(link.left()).toEqual([]);
});

test('a reader that asks the till for the PIN is told that there is none, and the sale says why', async () => {
  const { read, link } = await bench(`${beginning()}\n${started}\n${authenticates}
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
  const { terminal, clock, link } = await bench(`${beginning()}\n${started}\n${authenticates}
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
  const request = beginning().split('\n> 0240')[0] ?? '';
  const { read, terminal, clock, link } = await bench(
    `${beginning()}\n< 02${status}\n> 0501\n< 0500\n${request}\n${modeAsked}\n> 3203\n< 3200`,
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
