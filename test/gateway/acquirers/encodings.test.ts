/** Whichever terminal read the card, the issuer sees the same transaction. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toHex } from '../../../src/base/hex.ts';
import { testKeys } from '../../../src/emv/test-cards.ts';
import { decodeTlv, encodeTlv, tlv } from '../../../src/emv/tlv.ts';
import { openHsm } from '../../../src/gateway/acquirers/simulator/hsm.ts';
import { readRequest } from '../../../src/gateway/acquirers/simulator/request.ts';
import { simulatorAcquirer } from '../../../src/gateway/acquirers/simulator/simulator.ts';
import {
  type Encoding,
  mms,
  mpi,
  neo2,
  neo2StripeBlock,
  type Pos,
  type Read,
  readChip,
  readStripe,
  requestOf,
} from './encodings.ts';
import { acquirer, counters, memory, NOW, seal, seededRandom } from './shop-counter.ts';

const hsm = openHsm(testKeys);
const code = async (pos: Pos, issuer = acquirer()) =>
  (await issuer.authorise(requestOf(pos))).details['AcquirerResponse'];

const chipEncodings: [string, Encoding][] = [
  ['ID TECH, Triple DES', neo2('tdes')],
  ['ID TECH, AES', neo2('aes')],
  ['MagTek, Triple DES', mms('tdesDukpt')],
  ['MagTek, AES-128', mms('aes128Dukpt')],
  ['MagTek, AES-256', mms('aes256Dukpt')],
  ['MagTek, the chip’s data in clear as well', mms('tdesDukpt', { alsoInClear: true })],
];

/** The account that the issuer sees in a request, and the issuer's answer. Only some containers include the holder. */
const accountSeenByIssuer = async (encoding: Encoding, read: Read) => {
  const request = requestOf(encoding(read), 'pay1');
  const reading = readRequest(hsm, request);
  if ('refused' in reading) throw new Error(`refused with ${reading.refused}`);
  const { pan, expiry, serviceCode, discretionary } = reading.card;
  const { account, ...answer } = await acquirer({ random: seededRandom() }).authorise(request);
  const { holder: _, ...shown } = account ?? {};
  return {
    card: { pan, expiry, serviceCode, discretionary },
    tags: read.icc.map(({ tag }) => `${tag} ${toHex(reading.tags(tag) ?? new Uint8Array(0))}`),
    pin: reading.pin === undefined ? 'none' : hsm.checkPin(reading.pin, { pan, pin: '1234' }),
    answer: { ...answer, account: shown },
  };
};

describe.each<[string, () => Read, string]>([
  ['a chip with its PIN', () => readChip('visa-credit', { pin: '1234' }), '00'],
  ['a chip with a wrong PIN', () => readChip('mastercard-credit', { pin: '9999' }), '55'],
  ['a chip without one', () => readChip('visa-signature'), '00'],
  ['a stolen chip, which gets the command to block itself', () => readChip('visa-stolen'), '43'],
  ['a tap', () => readChip('mastercard-tap', { via: 'tap' }), '00'],
])('%s', (_, read, expected) => {
  test.each(chipEncodings)('%s', async (_name, encoding) => {
    const view = await accountSeenByIssuer(encoding, read());
    expect(view).toEqual(await accountSeenByIssuer(mpi, read()));
    expect(view.answer.details['AcquirerResponse']).toBe(expected);
  });
});

describe('a stripe', () => {
  test.each<[string, Encoding]>([
    ['ID TECH, Triple DES', neo2('tdes')],
    ['ID TECH, AES', neo2('aes')],
    ['ID TECH, all tracks in one tag', neo2StripeBlock],
    ['MagTek, Triple DES', mms('tdesDukpt')],
    ['MagTek, AES-128', mms('aes128Dukpt')],
    ['MagTek, AES-256', mms('aes256Dukpt')],
    ['MagTek, tracks without a key of their own', mms('tdesDukpt', { stripeInClear: true })],
  ])('%s', async (_, encoding) => {
    const view = await accountSeenByIssuer(encoding, readStripe('visa-stripe', '1234'));
    expect(view).toEqual(await accountSeenByIssuer(mpi, readStripe('visa-stripe', '1234')));
    expect(view).toMatchObject({ pin: 'right', answer: { details: { AcquirerResponse: '00' } } });
  });
});

describe('each serial number in a container is accepted once', () => {
  const pinEncodings = [mms('tdesDukpt'), mms('aes128Dukpt')] as const;
  test.each(pinEncodings)('those of account data and PIN', async (encoding) => {
    const issuer = simulatorAcquirer({
      memory: memory(),
      clock: { now: () => NOW, monotonic: () => 0, after: () => () => undefined },
      random: seededRandom(),
    });
    const pos = encoding(readStripe('visa-stripe', '1234'));
    expect(await code(pos, issuer)).toBe('00');
    expect(await code(pos, issuer)).toBe('63');
    // Only the container's PIN, sent with other account data.
    const reading = readRequest(hsm, requestOf(pos));
    const pin = 'refused' in reading ? undefined : reading.pin;
    if (pin === undefined) throw new Error('the container has no PIN');
    const other = seal(
      encodeTlv([tlv('5F22', Buffer.from(';4200000000000000=31121010000000000?'))]),
      counters().nextKsn(),
    );
    const stripeRequest: Pos = { entryMode: 'MAGSTRIPE', terminalId: '1', encryptedSred: other, encryptedPin: pin };
    expect(await code(stripeRequest, issuer)).toBe('63');
    expect(await code(stripeRequest)).toBe('00');
  });

  test('the container, its tracks and its PIN have three different serial numbers', () => {
    const reading = readRequest(hsm, requestOf(mms('tdesDukpt')(readStripe('visa-stripe', '1234'))));
    if ('refused' in reading) throw new Error('refused');
    expect(new Set(reading.serials.map(({ id, use }) => `${id} ${use}`)).size).toBe(3);
  });
});

describe('data sent twice', () => {
  const pos = mms('tdesDukpt', { alsoInClear: true })(readChip('visa-credit', { pin: '1234' }));
  const decodedTags = decodeTlv(Buffer.from(pos.iccDataRequest ?? '', 'hex'));
  const withTag = (tag: string, value: string): Pos => ({
    ...pos,
    iccDataRequest: toHex(encodeTlv(decodedTags.map((each) => (each.tag === tag ? tlv(tag, value) : each)))),
  });

  test.each([
    ['the amount', '9F02', '000000000100'],
    ['the cryptogram', '9F26', '0011223344556677'],
    ['the kind of cryptogram', '9F27', '40'],
    ['the country', '9F1A', '0840'],
  ])('%s must agree', async (_, tag, value) => {
    expect(await code(withTag(tag, value))).toBe('30');
  });

  test('other plain tags are accepted, even without a plain cryptogram', async () => {
    const iccDataRequest = toHex(encodeTlv([tlv('9F39', '05'), tlv('9F02', '000000009900')]));
    expect(await code({ ...pos, iccDataRequest })).toBe('00');
  });

  test('the same PIN may come twice, two different PINs may not', async () => {
    const reading = readRequest(hsm, requestOf(pos));
    const pin = 'refused' in reading ? undefined : reading.pin;
    if (pin === undefined) throw new Error('the container has no PIN');
    const lowerCasePin = { data: pin.data.toLowerCase(), ksn: pin.ksn.toLowerCase() };
    expect(await code({ ...pos, encryptedPin: lowerCasePin })).toBe('00');
    expect(await code({ ...pos, encryptedPin: { ...pin, data: '0011223344556677' } })).toBe('30');
  });
});

test('declines a container whose PIN cannot be decrypted, and asks for no other account', async () => {
  const read = readChip('visa-credit', { pin: '1234' });
  const stranger = { ...read, pan: '4761739001010119' };
  const reading = readRequest(hsm, requestOf(mms('aes128Dukpt')(stranger)));
  expect(reading).toMatchObject({ card: { pan: '4761739001010010' } });
  expect(await code(mms('aes128Dukpt')(stranger))).not.toBe('00');
});

test('the wrong cipher is never taken for the right one', () => {
  const ksns = [counters('FFFF0102000007').nextKsn(), Buffer.from('123456780200000100000001', 'hex')];
  fc.assert(
    fc.property(fc.constantFrom(...ksns), fc.uint8Array({ minLength: 1, maxLength: 8 }), (ksn, seed) => {
      const noise = Uint8Array.from(
        { length: 48 },
        (_, index) => (seed[index % seed.length] ?? 0) * (index + 1) + index,
      );
      expect(hsm.openSred({ data: toHex(noise), ksn: toHex(ksn) })).toBe('unreadable');
    }),
    { numRuns: 500 },
  );
});

test('accepts no extra bytes after the account data', () => {
  const track = tlv('57', '4761739001010010D31122010000000000');
  const ksn = counters('FFFF0102000006').nextKsn();
  const openSred = (plain: Uint8Array) => hsm.openSred(seal(plain, ksn));
  expect(openSred(encodeTlv([track]))).toMatchObject({ card: { pan: '4761739001010010' } });
  const openWithTail = (...bytes: number[]) => openSred(Uint8Array.of(...encodeTlv([track]), ...bytes));
  expect(openWithTail(0, 0, 0, 0)).toMatchObject({ card: { pan: '4761739001010010' } });
  expect(openWithTail(0x0f)).toBe('unreadable');
  expect(openWithTail(0xd1, 0x01, 0x00)).toBe('unreadable');
  expect(openSred(Buffer.from(';4761739001010010=31122010000000000?'))).toMatchObject({ card: { expiry: '3112' } });
  expect(openSred(Buffer.from(';4761739001010010=31122010000000000?9rubbish'))).toBe('unreadable');
});
