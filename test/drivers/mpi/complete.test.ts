/** The host's answer for the chip, the removal of the card, and the small calls. */
import { expect, test } from 'vitest';
import type { HostVerdict } from '../../../drivers/terminal.ts';
import { cardAnswer, swipe } from './cards.ts';
import { beginning, bench, inserted, pulled, sale, showText, startChip } from './mpi-tape.ts';

const chipRead = `${beginning('INSERT')}
  ! ${inserted}
  > ${startChip}
  < ${cardAnswer('E4', { kind: 'ARQC' })}`;

const harmless = { icc: expect.stringMatching(/^5F340101/), tvr: '0000008000', tsi: 'E800' };
const cryptogram = (kind: 'TC' | 'AAC') => ({ kind, value: '0102030405060708' });
const approved = { kind: 'approved', ...harmless, cryptogram: cryptogram('TC') };
const declined = { kind: 'declined', ...harmless, cryptogram: cryptogram('AAC') };

type Row = {
  says: string;
  verdict: HostVerdict;
  sends: string;
  answers: string;
  expected: unknown;
  unsolicited?: string[];
};
const tc = cardAnswer('E3', { kind: 'TC' });
const aac = cardAnswer('E5', { kind: 'AAC' });

const rows: Row[] = [
  {
    says: 'an approval with issuer data, as documented',
    verdict: { kind: 'approved', icc: '910A11223344556677883030', arc: '00' },
    sends: 'DED2000012 E010 8A023030 910A11223344556677883030',
    answers: tc,
    expected: approved,
  },
  {
    says: 'a decline',
    verdict: { kind: 'declined' },
    sends: 'DED2000006 E004 8A023035',
    answers: aac,
    expected: declined,
  },
  {
    says: 'the host’s own response code takes precedence, scripts come last, other tags are left out',
    verdict: { kind: 'declined', icc: '720686048424000057020102 8A023531 710486020000'.replaceAll(' ', ''), arc: '05' },
    sends: 'DED2000014 E012 8A023531 710486020000 7206860484240000',
    answers: aac,
    expected: declined,
  },
  {
    says: 'the host was not reached, and the chip approves',
    verdict: { kind: 'unableToGoOnline' },
    sends: 'DED2000006 E004 8A025933',
    answers: tc,
    expected: approved,
  },
  {
    says: 'the host approved and the chip declines',
    verdict: { kind: 'approved' },
    sends: 'DED2000006 E004 8A023030',
    answers: aac,
    expected: declined,
  },
  {
    says: 'an approving template with a declining cryptogram is a decline',
    verdict: { kind: 'approved' },
    sends: 'DED2000006 E004 8A023030',
    answers: cardAnswer('E3', { kind: 'AAC' }),
    expected: declined,
  },
  ...['9F23', '9F25', '9F41', '9F22', '6F00'].map((status) => ({
    says: `${status} counts as the card having left`,
    verdict: { kind: 'approved' } as const,
    sends: 'DED2000006 E004 8A023030',
    answers: status,
    expected: { kind: 'gone' },
    unsolicited: ['terminal.refused'],
  })),
  {
    says: 'issuer data that is not TLV is left out and reported',
    verdict: { kind: 'approved', icc: '9F' },
    sends: 'DED2000006 E004 8A023030',
    answers: tc,
    expected: approved,
    unsolicited: ['tlv.malformed'],
  },
  {
    says: 'a script too long for one command is left out and reported',
    verdict: { kind: 'approved', icc: `7281F9${'86'.padEnd(2, '0')}81F6${'00'.repeat(246)}` },
    sends: 'DED2000006 E004 8A023030',
    answers: tc,
    expected: approved,
    unsolicited: ['emv.malformed'],
  },
];

test.each(rows)('$says', async ({ verdict, sends, answers, expected, unsolicited = [] }) => {
  const { terminal, clock, read, link, unsolicited: faults } = await bench(`${chipRead}\n> ${sends}\n< ${answers}`);
  expect(await read(['chip'])).toMatchObject({ kind: 'goOnline' });
  const outcome = await clock.until(terminal.complete(verdict));
  expect(link.left()).toEqual([]);
  expect(outcome).toEqual(expected);
  expect(faults.map(({ code }) => code)).toEqual(unsolicited);
  expect(JSON.stringify(outcome)).not.toContain('4761739001010119');
});

test('a stripe does not receive the host’s answer', async () => {
  const { terminal, clock, read, link } = await bench(`${beginning('SWIPE')}\n! ${swipe('101')}`);
  await read(['swipe']);
  expect(await clock.until(terminal.complete({ kind: 'approved' }))).toEqual({ kind: 'none' });
  expect(link.left()).toEqual([]);
});

test('without a card there is nothing to complete', async () => {
  const { terminal } = await bench('');
  await expect(terminal.complete({ kind: 'approved' })).rejects.toMatchObject({ code: 'terminal.refused' });
});

test('a new read drops a chip that was never completed', async () => {
  const { read, link } = await bench(`${chipRead}
    > D0FF0000
    < 9000
    ${beginning('SWIPE')}
    ! ${swipe('101')}`);
  await read(['chip']);
  expect(await read(['swipe'])).toMatchObject({ kind: 'goOnline', card: { entryMode: 'MAGSTRIPE' } });
  expect(link.left()).toEqual([]);
});

test('asks the customer to remove the card, and waits for it', async () => {
  const { terminal, clock, read, link } = await bench(`${chipRead}
    > ${showText('REMOVE CARD')}
    < 9000
    ! ${pulled}`);
  await read(['chip']);
  expect(await clock.until(terminal.waitForRemoval(30_000))).toBe(true);
  expect(await clock.until(terminal.waitForRemoval(30_000))).toBe(true);
  expect(link.left()).toEqual([]);
});

test('reports a card that stays in the slot', async () => {
  const { terminal, clock, read } = await bench(`${chipRead}
    > ${showText('REMOVE CARD')}
    < 9000`);
  await read(['chip']);
  expect(await clock.until(terminal.waitForRemoval(30_000))).toBe(false);
  expect(clock.monotonic()).toBe(30_000);
  expect(clock.waiting()).toBe(0);
});

test('keys, health, words on the display', async () => {
  const { terminal, clock, link } = await bench(`
    > EEE00000
    < E105 DFAE010107 9000
    > D0620000
    < E10ADFA2090100DFA20A0157 9000
    > ${showText('APPROVED')}
    < 9000
    > EEE00000
    < E105 DFAE010107 9000
    > D0100000
    < 9F26`);
  // Calls made all at once queue: health's second question comes after the display text in between.
  const [keys, health] = await clock.until(
    Promise.all([terminal.keys(), terminal.health(), terminal.show('approved')]),
  );
  expect(keys).toEqual([
    { use: 'sred', ready: true },
    { use: 'pin', ready: true },
  ]);
  expect(health).toEqual({ ok: true, problems: [], batteryPercent: 87 });
  expect(link.left()).toEqual([]);
});

test.each([
  ['DFAE010103', 'it has no key for card data'],
  ['DFAE010106', 'it says that it is not ready'],
])('a terminal without keys (%s) requests no card', async (state, reason) => {
  const { terminal, clock, link } = await bench(`> EEE00000\n< E105 ${state} 9000\n> D0FF0000\n< 9000`);
  await expect(clock.until(terminal.read(sale, () => {}))).rejects.toMatchObject({
    code: 'terminal.unready',
    facts: { why: reason },
  });
  expect(link.left()).toEqual([]);
});
