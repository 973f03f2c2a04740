import { describe, expect, test } from 'vitest';
import { mms } from '../../../drivers/mms/driver/driver.ts';
import type { Fault } from '../../../src/base/fault.ts';
import { openedOnTape } from '../../support/devices/driver-tape.ts';
import { captured } from './captures.ts';
import { bench, bytesOf, hello, notice, ready, receivedLine, start, started, startsAt } from './mms-tape.ts';

const arqc = receivedLine(captured('notif.arqc.contact.pin'));
const batch = receivedLine(captured('notif.batch.contact'));
const inserted = notice('0101', '10010200');
const removed = notice('0101', '10010300');
const approved = notice('0105', '10020600');
const declined = notice('0105', '10028000');

/** The host's answer: 8A 00, with the serial number of the ARQC block. */
const resume = (arc: string, answer: string) => `
  > AA00 8104 01rr1004 841E 1004 810100 8417 FF7414 DFDF25084236313337384100 FA06 7004 8A02${arc}
  < AA00 8104 82rr1004 8204 ${answer}
`;

const chip = ready + start + started + inserted + arqc;

test('reads the device’s information', async () => {
  const { terminal, link } = await bench('');
  expect(await terminal.info()).toEqual({
    model: 'DynaFlex Pro',
    serial: 'B61378A',
    firmware: '1000007183-A1-PCI',
    hasPinPad: true,
  });
  expect(link.left()).toEqual([]);
});

describe('a chip', () => {
  test('asks for the host, byte for byte as documented', async () => {
    const { read, events, link, unsolicited } = await bench(chip);
    expect(await read()).toMatchObject({
      kind: 'goOnline',
      card: { entryMode: 'ICC', sred: [{ ksn: 'FFFF9876543210E00010' }], verification: 'none' },
    });
    expect(events).toEqual(['presentCard', 'cardInserted', 'reading']);
    expect(link.left()).toEqual([]);
    expect(unsolicited).toEqual([]);
  });

  test.each<[string, string, string, number]>([
    ['batch data, then the end', batch + approved, 'approved', 0],
    ['the end, then batch data', approved + batch, 'approved', 0],
    ['the end before and after', approved + batch + approved, 'approved', 0],
    ['no batch data at all', approved, 'approved', 0],
    ['declined', declined, 'declined', 0],
    ['a pulled card', removed + notice('0105', '10020A00'), 'gone', 0],
    ['Quick Chip after all', notice('0105', '10020700'), 'none', 0],
    ['the request again, before the end', arqc + arqc + batch + approved, 'approved', 0],
    ['an unknown notification in between', notice('7F7F', '00000000') + batch + approved, 'approved', 1],
  ])('%s', async (_, output, kind, strayCount) => {
    const { read, terminal, clock, link, unsolicited } = await bench(chip + resume('3030', '00000000') + output);
    await read();
    expect((await clock.until(terminal.complete({ kind: 'approved' }))).kind).toBe(kind);
    await clock.settle();
    expect(link.left()).toEqual([]);
    expect(unsolicited).toHaveLength(strayCount);
  });

  test('batch data that says declined beats an end that says approved', async () => {
    // DFDF1A 01 in the vendor's block.
    const denied = batch.replace('DFDF1A0100', 'DFDF1A0101');
    expect(denied).not.toBe(batch);
    const { read, terminal, clock } = await bench(chip + resume('3030', '00000000') + denied + approved);
    await read();
    expect((await clock.until(terminal.complete({ kind: 'approved' }))).kind).toBe('declined');
  });

  test('without further messages the session ends', async () => {
    const { read, terminal, clock } = await bench(chip + resume('3030', '00000000'));
    await read();
    const ended = terminal.complete({ kind: 'approved' }).catch((fault: Fault) => fault.code);
    expect(await clock.until(ended)).toBe('terminal.silent');
  });

  test.each<[string, string, 'approved' | 'declined', string]>([
    ['declined', declined, 'approved', 'declined'],
    ['the device approved alone, and the host approves', batch + approved, 'approved', 'approved'],
    ['the device approved alone, the host declines', batch + approved, 'declined', 'gone'],
  ])('the device did not wait for the host: %s', async (_, output, host, kind) => {
    const lateSale = chip + output + resume(host === 'approved' ? '3030' : '3035', '80020304');
    const { read, terminal, clock } = await bench(lateSale);
    await read();
    expect((await clock.until(terminal.complete({ kind: host }))).kind).toBe(kind);
  });

  test('unable to go online is Z3', async () => {
    const { read, terminal, clock, link } = await bench(chip + resume('5A33', '00000000') + declined);
    await read();
    expect((await clock.until(terminal.complete({ kind: 'unableToGoOnline' }))).kind).toBe('declined');
    expect(link.left()).toEqual([]);
  });
});

describe('endings without a card', () => {
  test.each<[string, string, string]>([
    ['nobody came', notice('0105', '00010000'), 'timedOut'],
    ['the cancel key', notice('0105', '00030200'), 'cancelledByCustomer'],
    ['the cancel key at the PIN', `${inserted}${notice('0105', '10020A00')}`, 'pinCancelled'],
    ['a pulled chip', inserted + removed + notice('0105', '10020002'), 'cardRemoved'],
    ['an unproved approval', `${inserted}${notice('0105', '10020200')}`, 'cardUnreadable'],
  ])('%s', async (_, output, reason) => {
    const { read, link } = await bench(ready + start + started + output);
    expect(await read()).toEqual({ kind: 'notRead', why: reason });
    expect(link.left()).toEqual([]);
  });

  test('ignores events of an earlier transaction', async () => {
    const { read } = await bench(ready + start + approved + batch + started + notice('0105', '00010000'));
    expect(await read()).toEqual({ kind: 'notRead', why: 'timedOut' });
  });
});

describe('refusals', () => {
  const offline = ready.split('\n').slice(1, 3).join('\n').replace('C10102', 'C10101');
  const reason = `
  > AA00 8104 01rrD101 840F D101 850102 870403010201 8902C200
  < AA00 8104 82rrD101 8204 00000000 84820010 D101 850102 870403010201 8903C20101
`;
  test.each<[string, string, string, RegExp]>([
    ['offline', offline + reason, 'terminal.unready', /opened/],
    ['an exhausted key', ready.replace('810402201081', '810403201081'), 'terminal.unready', /used up/],
    [
      'a battery that is nearly empty',
      ready + start + started.replace('01000000', '80020316'),
      'terminal.unready',
      /battery/,
    ],
    ['a running transaction', ready + start + started.replace('01000000', '80020308'), 'terminal.busy', /transaction/],
    ['a wrong parameter', ready + start + started.replace('01000000', '80020102'), 'terminal.refused', /parameter/],
    ['a restart in the middle', ready + start + started + notice('1001', '00000000'), 'link.lost', /restarted/],
    [
      'an unreadable block',
      `${ready}${start}${started}\n< AA00 8104 83000101 8204 10080202 8405 0101 840112`,
      'terminal.garbled',
      /bytes/,
    ],
    [
      'a PIN that cannot be encrypted',
      `${ready}${start}${started}${notice('0101', '10020602')}
      > AA00 8104 01rr1008 8402 1008
      < AA00 8104 82rr1008 8204 00000000${notice('0105', '00030100')}`,
      'terminal.unready',
      /encrypt/,
    ],
  ])('%s', async (_, output, code, pattern) => {
    const { terminal, clock, read } = await bench(output);
    const ended = read().then(
      () => undefined,
      (fault: Fault) => fault,
    );
    const fault = await ended;
    expect(fault?.code).toBe(code);
    expect(fault?.message).toMatch(pattern);
    await terminal.close();
    expect(clock.waiting()).toBe(0);
  });
});

test('answers the choice of a unit without a display with the first entry', async () => {
  const choice = '\n< AA00 8104 83001803 8204 02020000 840E 1803 81013C 820101 830456495341\n';
  const chosen = `
  > AA00 8104 01rr1802 8408 1802 810100 820100
  < AA00 8104 82rr1802 8204 01000000
`;
  const { read, link } = await bench(ready + start + started + inserted + choice + chosen + arqc);
  expect((await read()).kind).toBe('goOnline');
  expect(link.left()).toEqual([]);
});

test('an answer with another number or command matches no question', async () => {
  const wrongAnswers = '\n< AA00 8104 82001001 8204 80020102\n< AA00 8104 82rr1004 8204 80020102\n';
  const { read, unsolicited } = await bench(ready + start + wrongAnswers + started + notice('0105', '00010000'));
  expect(await read()).toEqual({ kind: 'notRead', why: 'timedOut' });
  expect(unsolicited.map(({ code }) => code)).toEqual(['terminal.stray', 'terminal.stray']);
});

test.each([
  ['nothing at all', ''],
  ['the command’s number alone', '8402DF01'],
])('accepts an echo of %s', async (_, payload) => {
  const [request = '', answer = '', ...rest] = hello.trim().split('\n');
  const bare = `${answer.slice(0, answer.indexOf(' 840D'))} ${payload}`;
  const { terminal } = await openedOnTape({
    ...{ driver: mms, startsAt },
    bytes: bytesOf([request, bare, ...rest].join('\n')),
  });
  expect(await terminal.info()).toMatchObject({ serial: 'B61378A' });
});

test('an echo of an earlier session, with the number of this session, does not open the terminal', async () => {
  const [request = '', answer = ''] = hello.trim().split('\n');
  const earlier = answer.replace(/..$/, (last) => (last === '00' ? '01' : '00'));
  expect(earlier).not.toBe(answer);
  const openOnLines = (lines: string[]) => openedOnTape({ driver: mms, bytes: bytesOf(lines.join('\n')), startsAt });
  await expect(openOnLines([request, earlier])).rejects.toMatchObject({ code: 'terminal.silent' });
  const { terminal } = await openOnLines([request, earlier, answer, ...hello.trim().split('\n').slice(2)]);
  expect(await terminal.info()).toMatchObject({ serial: 'B61378A' });
});
