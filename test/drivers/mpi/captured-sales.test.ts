/** The captured answers of real units, read by the driver as parts of a sale. */
import { expect, test } from 'vitest';
import type { Fault } from '../../../src/base/fault.ts';
import { toHex } from '../../../src/base/hex.ts';
import { openTdesSred as openSred } from '../../support/devices/driver-hsm.ts';
import { captured } from './captures.ts';
import { beginning, bench, inserted, startChip, startTap, template } from './mpi-tape.ts';

/** A captured block without its head and checksum. */
const bodyOf = (name: string): string => toHex(captured(name).subarray(3, -1));
const inTemplate = (tag: string, name: string): string => `${template(tag, toHex(captured(name)))}9000`;

const secrets = /47617390010100(10|12)|4761739001010119|D1512201|VISA ACQUIRER|564953412041435155/i;

test('a tap of a Visa card: two ciphertexts under different keys with the same plain text', async () => {
  const { read, link, unsolicited, terminal } = await bench(`${beginning()}
    > ${startTap}
    < ${inTemplate('E4', 'arqc.contactless.visa.sred.tlv')}`);
  const outcome = await read();
  expect(outcome).toMatchObject({
    kind: 'goOnline',
    card: {
      entryMode: 'NFC_ICC',
      maskedPan: '476173*********2234',
      label: 'VISA ELECTRON',
      cryptogram: { kind: 'ARQC', value: '52A5A96394EDA96D' },
    },
  });
  const sred = outcome.kind === 'goOnline' ? outcome.card.sred : [];
  expect(sred.map(({ ksn }) => ksn)).toEqual(['FFFF0102628D1100005E', 'FFFF0102628D1100005F']);
  for (const pair of sred) expect(openSred(pair)).toBe(`57124761739001010012234D151220114524040F${'00'.repeat(4)}`);
  expect(JSON.stringify(outcome)).not.toMatch(secrets);
  expect([link.left(), unsolicited]).toEqual([[], []]);
  expect(await terminal.complete({ kind: 'approved' })).toEqual({ kind: 'none' });
});

test('a swipe: encrypted tracks, and the masked ones that the device shows', async () => {
  const { read, link, unsolicited } = await bench(`${beginning('INSERT OR SWIPE')}
    ! ${bodyOf('card.msr.unsolicited.block1/1')}
    > ${`D201010119 ${Buffer.from('10.00 EUR\nINSERT OR SWIPE').toString('hex')}`}
    < 9000
    ! ${inserted}
    > ${startChip}
    < 9F41`);
  // Its service code says that the card has a chip, so the customer is told to insert it.
  expect(await read(['chip', 'swipe'])).toEqual({ kind: 'notRead', why: 'cancelledByCustomer' });
  expect([link.left(), unsolicited]).toEqual([[], []]);
  const stripeOnly = await bench(`${beginning('SWIPE')}
    ! ${bodyOf('card.msr.unsolicited.block1/1')}`);
  const outcome = await stripeOnly.read(['swipe']);
  expect(outcome).toMatchObject({ kind: 'goOnline', card: { entryMode: 'MAGSTRIPE', maskedPan: '476173******0010' } });
  expect(JSON.stringify(outcome)).not.toMatch(secrets);
});

test.each([
  ['whole', inTemplate('E4', 'arqc.contact.visa.tlv')],
  ['of two blocks', `${bodyOf('startTxn.resp.e4.block1/2')}${bodyOf('startTxn.resp.e4.block2/2')}`],
])(
  'a chip of a test unit, %s, that encrypts nothing: no host is asked, and its clear card data stays here',
  async (_, answer) => {
    const { read, link, unsolicited } = await bench(`${beginning('INSERT')}
    ! ${inserted}
    > ${startChip}
    < ${answer}
    > D0FF0000
    < 9000`);
    const fault = await read(['chip']).then(
      (outcome) => Promise.reject(new Error(JSON.stringify(outcome))),
      (fault: Fault) => fault,
    );
    expect([fault.code, String(fault.facts['why'])]).toEqual(['terminal.unready', 'it gave no encrypted card data']);
    expect(JSON.stringify([fault.message, unsolicited.map(String)])).not.toMatch(secrets);
    expect(link.left()).toEqual([]);
  },
);

test.each([
  ['startTxn.resp.aborted', 'cancelledByCustomer'],
  ['startTxn.resp.fallback', 'cardUnreadable'],
])('%s ends the reading of a chip: %s', async (name, reason) => {
  const { read, link } = await bench(`${beginning('INSERT')}
    ! ${inserted}
    > ${startChip}
    < ${bodyOf(name)}`);
  expect(await read(['chip'])).toEqual({ kind: 'notRead', why: reason });
  expect(link.left()).toEqual([]);
});
