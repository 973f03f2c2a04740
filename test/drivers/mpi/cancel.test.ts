/** Cancelling at every moment: it overtakes, it is acknowledged first, and the running call ends by itself. */
import { expect, test } from 'vitest';
import type { Fault } from '../../../src/base/fault.ts';
import { cardAnswer, onlinePin } from './cards.ts';
import { beginning, bench, inserted, sale, startChip, startTap } from './mpi-tape.ts';

const cancelledByTill = { kind: 'notRead', why: 'cancelledByTill' };

test.each([
  ['acknowledged, then ended', '< 9000\n< 9F41', cancelledByTill],
  ['ended by itself just before', '< 9F42\n< 9000', cancelledByTill],
  ['a tap just before', `< ${cardAnswer('E4', { kind: 'ARQC' })}\n< 9000\n> D0FF0000\n< 9000`, cancelledByTill],
  [
    'an offline approval just before: money has moved',
    `< ${cardAnswer('E3', { kind: 'TC' })}\n< 9000`,
    expect.objectContaining({ kind: 'approvedOffline' }),
  ],
  ['an insertion just before', `! ${inserted}\n< 9F43\n< 9000`, cancelledByTill],
  ['acknowledged, with a notice in between', `< 9000\n! ${inserted}\n< 9F41`, cancelledByTill],
])('during the wait for a tap: %s', async (_, answers, expected) => {
  const { terminal, clock, link, unsolicited } = await bench(`${beginning()}
    > ${startTap}
    > D0FF0000
    ${answers}`);
  const reading = terminal.read(sale, () => {});
  await clock.settle();
  await clock.until(terminal.cancel());
  expect(await clock.until(reading)).toEqual(expected);
  await clock.settle();
  expect(link.left()).toEqual([]);
  expect(unsolicited).toEqual([]);
  expect(clock.waiting()).toBe(0);
});

test('a cancel while the driver only watches the slot sends nothing', async () => {
  const { terminal, clock, link } = await bench(beginning('INSERT'));
  const reading = terminal.read({ ...sale, accept: ['chip'] }, () => {});
  await clock.settle();
  await clock.until(terminal.cancel());
  expect(await clock.until(reading)).toEqual(cancelledByTill);
  expect(link.left()).toEqual([]);
});

test('a cancel before the first command is answered', async () => {
  const { terminal, clock } = await bench('> EEE00000\n< E105 DFAE010107 9000');
  const reading = terminal.read(sale, () => {});
  await clock.until(terminal.cancel());
  expect(await clock.until(reading)).toEqual(cancelledByTill);
});

test('a cancel during PIN entry gives up the chip transaction as well', async () => {
  const track = Buffer.from(';476173******0119=1512201**********?').toString('hex');
  const { terminal, clock, link } = await bench(`${beginning('INSERT')}
    ! ${inserted}
    > ${startChip}
    < ${cardAnswer('E4', { kind: 'ARQC', cvm: onlinePin })}
    > DED6010045 E043 9F0206000000001000 5F2A020978 500B5649534120435245444954 DFAE2224 ${track}
    > D0FF0000
    < 9000
    < 9F41
    > D0FF0000
    < 9000`);
  const reading = terminal.read({ ...sale, accept: ['chip'] }, () => {});
  await clock.settle();
  await clock.until(terminal.cancel());
  expect(await clock.until(reading)).toEqual(cancelledByTill);
  expect(link.left()).toEqual([]);
});

test('two cancels at once are sent as one', async () => {
  const { terminal, clock, link } = await bench(`${beginning()}
    > ${startTap}
    > D0FF0000
    < 9000
    < 9F41`);
  const reading = terminal.read(sale, () => {});
  await clock.settle();
  await clock.until(Promise.all([terminal.cancel(), terminal.cancel()]));
  expect(await clock.until(reading)).toEqual(cancelledByTill);
  expect(link.left()).toEqual([]);
});

test('the end of the customer’s time ends the wait the same way', async () => {
  const { read, clock, link } = await bench(`${beginning()}
    > ${startTap}
    > D0FF0000
    < 9000
    < 9F41`);
  expect(await read()).toEqual({ kind: 'notRead', why: 'timedOut' });
  expect(clock.monotonic()).toBe(60_000);
  expect(link.left()).toEqual([]);
});

test('a cancel between the first cryptogram and the host’s answer', async () => {
  const { terminal, clock, read, link } = await bench(`${beginning('INSERT')}
    ! ${inserted}
    > ${startChip}
    < ${cardAnswer('E4', { kind: 'ARQC' })}
    > D0FF0000
    < 9000`);
  await read(['chip']);
  await clock.until(terminal.cancel());
  expect(link.left()).toEqual([]);
  await expect(terminal.complete({ kind: 'approved' })).rejects.toMatchObject({ code: 'terminal.refused' });
});

/** A cryptogram that a card gave before it was stopped, and that arrives only now. */
const lateData = `< ${cardAnswer('E3', { kind: 'TC' })}`;

const waitsForHost = `${beginning('INSERT')}
    ! ${inserted}
    > ${startChip}
    < ${cardAnswer('E4', { kind: 'ARQC' })}`;

test('card data that arrives while only an abort is open is not its answer, and is reported', async () => {
  const { terminal, clock, read, link, unsolicited } = await bench(`${waitsForHost}
    > D0FF0000
    ${lateData}
    < 9000`);
  await read(['chip']);
  await clock.until(terminal.cancel());
  expect(link.left()).toEqual([]);
  expect(unsolicited).toMatchObject([
    { code: 'terminal.stray', facts: { bytes: lateData.replace(/\W/g, '').length / 2 } },
  ]);
});

test('an abort answered only with card data is not acknowledged: the terminal counts as silent', async () => {
  const { terminal, clock, read } = await bench(`${waitsForHost}
    > D0FF0000
    ${lateData}`);
  await read(['chip']);
  await expect(clock.until(terminal.cancel())).rejects.toMatchObject({ code: 'terminal.silent' });
});

test('after an abort is answered but the command never ends, the terminal counts as silent', async () => {
  const { terminal, clock } = await bench(`${beginning()}
    > ${startTap}
    > D0FF0000
    < 9000`);
  const reading = terminal.read(sale, () => {});
  await clock.settle();
  await clock.until(terminal.cancel());
  const startedAt = clock.monotonic();
  await expect(clock.until(reading)).rejects.toMatchObject({ code: 'terminal.silent' });
  expect(clock.monotonic() - startedAt).toBe(10_000);
});

test('a cancel with nothing to cancel', async () => {
  const { terminal, clock, link } = await bench('');
  await clock.until(terminal.cancel());
  expect(link.left()).toEqual([]);
});

test.each([
  ['the chip is stopped', '< 9000\n< 9F41', { kind: 'gone' }],
  [
    'the chip was quicker',
    `< ${cardAnswer('E3', { kind: 'TC' })}\n< 9000`,
    expect.objectContaining({ kind: 'approved' }),
  ],
])('while the chip receives the host’s answer: %s', async (_, answers, expected) => {
  const { terminal, clock, read, link } = await bench(`${beginning('INSERT')}
    ! ${inserted}
    > ${startChip}
    < ${cardAnswer('E4', { kind: 'ARQC' })}
    > DED2000006 E004 8A023030
    > D0FF0000
    ${answers}`);
  await read(['chip']);
  const completing = terminal.complete({ kind: 'approved' });
  await clock.settle();
  await clock.until(terminal.cancel());
  expect(await clock.until(completing)).toEqual(expected);
  expect(link.left()).toEqual([]);
});

test('a close ends the running call, and every later one, with a lost link', async () => {
  const { terminal, clock, link } = await bench(`${beginning()}\n> ${startTap}`);
  const reading = terminal.read(sale, () => {}).catch((fault: Fault) => fault.code);
  await clock.settle();
  await Promise.all([terminal.close(), terminal.close()]);
  expect(await reading).toBe('link.lost');
  await expect(terminal.show('welcome')).rejects.toMatchObject({ code: 'link.lost' });
  expect(link.left()).toEqual([]);
  expect(clock.waiting()).toBe(0);
});
