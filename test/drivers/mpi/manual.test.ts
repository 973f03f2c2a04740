/** A card number typed on the device: the request, and each way in which it can end. */
import { expect, test } from 'vitest';
import type { Fault } from '../../../src/base/fault.ts';
import { bench } from './mpi-tape.ts';
import { card, notRead, playRow } from './read-rows.ts';

const exchange = `
  > EEE00000
  < E105 DFAE010107 9000
  > D0601F00
  < 9000
  > D25A000115 E013 DFA2060400040000 DFFF020100 DFFF0102003C`;

const sealed = 'DFAE02081122334455667788 DFAE030AFFFF9876543210E00001';
const text = (text: string): string => Buffer.from(text, 'latin1').toString('hex');
const enter = (display: string): string => {
  const masked = `DFA208${display.length.toString(16).padStart(2, '0')}${text(display)}`;
  const length = (masked.length + sealed.replace(' ', '').length) / 2;
  return `E1${length.toString(16).padStart(2, '0')} ${masked} ${sealed} 9000`;
};

test.each([
  ['476173******0119', '476173******0119'],
  ['4761 73** **** 0119', '476173******0119'],
  ['XXXXXXXXXXXX0119', '************0119'],
  ['4761739001010119', '476173******0119'],
  ['0119', '****'],
])('for a device that shows %s of the number the till shows %s', (text, maskedPan) =>
  playRow({
    says: '',
    accept: ['manual'],
    messages: `${exchange}
      < ${enter(text)}`,
    expected: { kind: 'goOnline', card: card({ entryMode: 'MANUAL', maskedPan, verification: 'signature' }) },
  }),
);

test.each([
  ['9F41', 'cancelledByCustomer'],
  ['9F42', 'timedOut'],
])('%s is %s', (status, reason) =>
  playRow({
    says: '',
    accept: ['manual'],
    messages: `${exchange}
      < ${status}`,
    expected: notRead(reason),
  }),
);

// After a refusal the driver stops whatever may be running.
test.each([
  ['9FE0', 'terminal.unready', /no key for this/],
  ['9FE4', 'terminal.unready', /cannot load its key/],
  ['9F88', 'terminal.refused', /must be there is missing/],
  ['9F14', 'terminal.refused', /wrong format/],
  ['6A88', 'terminal.refused', /no such data/],
  ['9FED', 'terminal.refused', /access is denied/],
])('%s is the fault %s, in words', async (status, code, pattern) => {
  const { read } = await bench(`${exchange}
    < ${status}
    > D0FF0000
    < 9000`);
  const fault = await read(['manual']).then(
    (outcome) => Promise.reject(new Error(JSON.stringify(outcome))),
    (fault: Fault) => fault,
  );
  expect([fault.code, JSON.stringify(fault.facts)]).toEqual([code, expect.stringMatching(pattern)]);
});

test('refuses a number without encrypted data', async () => {
  const { read } = await bench(`${exchange}
    < E114 DFA20810 ${text('476173******0119')} 9000
    > D0FF0000
    < 9000`);
  await expect(read(['manual'])).rejects.toMatchObject({ code: 'terminal.unready' });
});
