/** The ways in which a card's data arrive: chip, stripe, text, typed; complete, foreign, damaged. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toHex } from '../../../src/base/hex.ts';
import { type TestCardName, testKeys } from '../../../src/emv/test-cards.ts';
import { encodeTlv, tlv } from '../../../src/emv/tlv.ts';
import { printTag57 } from '../../../src/emv/tracks.ts';
import { openHsm } from '../../../src/gateway/acquirers/simulator/hsm.ts';
import type { Authorisation } from '../../../src/gateway/payments/acquirer.ts';
import {
  acquirer,
  cardOf,
  chipTags,
  counters,
  discretionary,
  type Presented,
  present,
  seal,
  testCardOf,
} from './shop-counter.ts';

const code = async (request: Authorisation) => (await acquirer().authorise(request)).details['AcquirerResponse'];
const ascii = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
/** The card that the HSM finds in this plain text. */
const readCard = (plainBytes: Uint8Array) => {
  const opened = openHsm(testKeys).openSred(seal(plainBytes, counters('FFFF0102000008').nextKsn()));
  return typeof opened === 'string' ? opened : opened.card;
};
const presented = (name: TestCardName, options: Presented) => present(name, { ...options, from: counters() });

const manualEntry = (plainBytes: Uint8Array): Authorisation => {
  const base = presented('visa-stripe', { by: 'swipe' });
  return {
    ...base,
    pos: {
      entryMode: 'MANUAL',
      terminalId: '1',
      encryptedSred: seal(plainBytes, counters('FFFF0102000009').nextKsn()),
    },
  };
};

describe('stripes', () => {
  const iccValue = discretionary(testCardOf('visa-credit'), '999');
  test.each<[string, TestCardName, Presented, string]>([
    ['swiped', 'visa-stripe', { by: 'swipe' }, '00'],
    ['swiped after the chip failed', 'visa-broken-chip', { by: 'fallback' }, '00'],
    ['tapped as a stripe', 'visa-tap-stripe', { by: 'tapStripe' }, '00'],
    ['made from a chip’s data', 'visa-credit', { by: 'swipe', stripeText: iccValue }, '82'],
    ['with a guessed value', 'visa-stripe', { by: 'swipe', stripeText: '11234000' }, '82'],
    ['with no values on it', 'visa-stripe', { by: 'swipe', stripeText: '' }, '00'],
    ['with zeros for values', 'visa-stripe', { by: 'swipe', stripeText: '000000000' }, '00'],
    ['expired', 'visa-expired', { by: 'swipe' }, '54'],
  ])('%s', async (_, name, options, expected) => {
    expect(await code(presented(name, options))).toBe(expected);
  });
});

test('the holder is returned, the whole number is not', async () => {
  const answer = await acquirer().authorise(presented('visa-stripe', { by: 'swipe' }));
  expect(answer.account).toEqual({
    brand: 'VISA',
    bin: '420000',
    last4Digits: '0000',
    holder: 'CARDHOLDER/TEST',
    expiryMonth: '12',
    expiryYear: '2031',
  });
  expect(JSON.stringify(answer)).not.toContain('4200000000000000');
});

test('a damaged track 1 does not spoil a good track 2', () => {
  const tracks = [tlv('5F21', ascii('%E?')), tlv('5F22', ascii(';4200000000000000=31121010000000000?'))];
  expect(readCard(encodeTlv(tracks))).toEqual({
    pan: '4200000000000000',
    expiry: '3112',
    serviceCode: '101',
    discretionary: '0000000000',
    tags: [],
  });
});

describe('other layouts of account data', () => {
  const track2 = ';4200000000000000=31121010000000000?';
  const track1 = '%B4200000000000000^CARDHOLDER/TEST^31121010000000000?';
  test.each<[string, Uint8Array]>([
    ['track 2 alone with its check character', ascii(`${track2}5`)],
    ['bare track 1', ascii(track1)],
    ['track 1 alone in its tag', encodeTlv([tlv('5F21', ascii(track1))])],
    ['track 2 in its tag without sentinels', encodeTlv([tlv('5F22', ascii(track2.slice(1, -1)))])],
    ['number and date', encodeTlv([tlv('5A', '4200000000000000'), tlv('5F24', '311231')])],
    ['track equivalent inside a template', encodeTlv([tlv('70', [tlv('57', '4200000000000000D31121010000000000')])])],
    ['of a tapped stripe', encodeTlv([tlv('9F6B', '4200000000000000D31121010000000000')])],
  ])('%s', async (_, plainBytes) => {
    expect(readCard(plainBytes)).toMatchObject({ pan: '4200000000000000', expiry: '3112' });
    expect(await code(manualEntry(plainBytes))).toBe('00');
  });

  test('the chip’s data may be encrypted together with the account data', async () => {
    const options = { from: counters() };
    const card = testCardOf('visa-credit');
    const { pan, expiry, serviceCode } = card;
    const track = tlv('57', printTag57({ pan, expiry, serviceCode, discretionary: discretionary(card, '999') }));
    const request = presented('visa-credit', {});
    const { iccDataRequest: _, ...pos } = request.pos ?? { entryMode: 'ICC' as const, terminalId: '1' };
    const encryptedSred = seal(encodeTlv([tlv('FC', [track, ...chipTags(card, options)])]), counters().nextKsn());
    const answer = await acquirer().authorise({ ...request, pos: { ...pos, encryptedSred } });
    expect(answer.details['AcquirerResponse']).toBe('00');
    expect(answer.iccDataResponse).toMatch(/^8A023030910[0-9A-F]+$/);
  });

  test('accepts a number typed at the terminal without a date if the request has the date', async () => {
    const plainBytes = encodeTlv([tlv('5A', '4200000000000000')]);
    const card = { number: '', expiryMonth: '07', expiryYear: '2029' };
    const answer = await acquirer().authorise({ ...manualEntry(plainBytes), card });
    expect(answer.account).toMatchObject({ last4Digits: '0000', expiryMonth: '07', expiryYear: '2029' });
  });
});

describe('broken account data is declined', () => {
  test.each<[string, Uint8Array]>([
    ['no card in it', encodeTlv([tlv('5F20', ascii('NOBODY'))])],
    ['zeros only', new Uint8Array(16)],
    ['cut short', encodeTlv([tlv('57', '4200000000000000D31121010000000000')]).subarray(0, 12)],
    ['track without a separator', ascii(';4200000000000000?')],
    ['letters for digits', encodeTlv([tlv('57', 'ABCDD3112101')])],
  ])('%s', async (_, plainBytes) => {
    expect(await code(manualEntry(plainBytes))).toBe('30');
  });

  test('declines data encrypted under another key, or not encrypted at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), async (noise) => {
        const request = presented('visa-stripe', { by: 'swipe' });
        const encryptedSred = { data: toHex(noise), ksn: 'FFFF0102000001000001' };
        const answer = await acquirer().authorise({
          ...request,
          pos: { entryMode: 'MAGSTRIPE', terminalId: '1', encryptedSred },
        });
        expect(answer.details['AcquirerResponse']).toBe('30');
      }),
      { numRuns: 200 },
    );
  });

  test('declines a request without a card', async () => {
    const { card: _, ...withoutCard } = cardOf('4111111111111111');
    expect(await code(withoutCard)).toBe('30');
  });
});

describe('typed card numbers', () => {
  test.each([
    ['4200000000000000', 'VISA'],
    ['4111111111111111', 'VISA'],
    ['5454545454545454', 'MASTER'],
    ['377777777777770', 'AMEX'],
    ['30082246403846', 'DINERS'],
  ])('%s is a number of brand %s', async (number, brand) => {
    const answer = await acquirer().authorise(cardOf(number));
    expect(answer).toMatchObject({
      resultCode: '000.100.110',
      cvvResponse: 'M',
      account: { brand, holder: 'Jane Jones' },
    });
    expect(answer.iccDataResponse).toBeUndefined();
  });

  test.each([
    ['a wrong check digit', cardOf('4200000000000001'), '100.100.101'],
    ['too short', cardOf('42'), '100.100.101'],
    ['an unknown brand', cardOf('9999999999999995'), '800.100.151'],
    ['expired last month', cardOf('4111111111111111', { month: '05', year: '2026' }), '800.100.157'],
    ['expiring this month', cardOf('4111111111111111', { month: '06', year: '2026' }), '000.100.110'],
    ['expired last century', cardOf('4111111111111111', { month: '06', year: '1999' }), '800.100.157'],
    ['a security code of zeros', cardOf('4111111111111111', { cvv: '000' }), '800.100.153'],
    ['no security code', cardOf('4111111111111111', { cvv: '' }), '000.100.110'],
    ['a stolen card', cardOf('4761739001010176'), '800.100.159'],
    ['more than the usual limit', cardOf('4111111111111111', { minor: 2_500_001n }), '800.100.162'],
    ['less than nothing', cardOf('4111111111111111', { minor: -1n }), '100.550.300'],
  ])('%s', async (_, request, resultCode) => {
    expect((await acquirer().authorise(request)).resultCode).toBe(resultCode);
  });
});

describe('messages recorded from terminals or published by their makers, under the published test key', () => {
  const captures: { protocol: string; name: string; hex: string }[] = JSON.parse(
    readFileSync(new URL('../../vectors/terminal-captures.json', import.meta.url), 'utf8'),
  );
  /** The value of the first occurrence of a tag in the message, whatever surrounds it. */
  const valueIn = (hex: string, tag: string): string => {
    const match = new RegExp(`${tag}(?:82(.{4})|81(..)|(..))`).exec(hex);
    const length = Number.parseInt(match?.[1] ?? match?.[2] ?? match?.[3] ?? '0', 16);
    const from = (match?.index ?? 0) + (match?.[0].length ?? 0);
    return hex.slice(from, from + 2 * length);
  };

  test.each([
    ['miura-mpi', 'card.msr.unsolicited.block1/1', 'DFAE', '4761739001010010', '1512', 'VISA ACQUIRER TEST CARD 05'],
    ['miura-mpi', 'arqc.contactless.visa.sred.tlv', 'DFAE', '4761739001010012234', '1512', undefined],
    ['magtek-mms', 'notif.arqc.contact.pin', 'DFDF', '5413339000001513', '1412', undefined],
    // The track equivalent of this published example has month 14, so number and date are used instead.
    ['magtek-dynapro-block', 'batch.block.accept', 'DFDF', '5413339000001513', '1401', undefined],
  ])('%s %s', (protocol, name, vendor, pan, expiry, holder) => {
    const hex = captures.find((capture) => capture.protocol === protocol && capture.name === name)?.hex ?? '';
    const [data, ksn] = vendor === 'DFAE' ? ['DFAE02', 'DFAE03'] : ['DFDF59', 'DFDF56'];
    const opened = openHsm(testKeys).openSred({ data: valueIn(hex, data), ksn: valueIn(hex, ksn) });
    expect(opened).toMatchObject({ card: { pan, expiry, holder: holder || undefined } });
  });

  /** ID TECH: the tag is followed by C1 or 81 and a length; 81 also marks the masked value, so the last one counts. */
  const idtech = (name: string, from: string): string => {
    const hex = captures.find((capture) => capture.name === name)?.hex ?? '';
    const index = hex.lastIndexOf(from) + from.length;
    return hex.slice(index + 2, index + 2 + 2 * Number.parseInt(hex.slice(index, index + 2), 16));
  };

  test.each([
    ['v3.contact.02-06.encAES.pinISO4.resp', '57C1', 'DFEE12', '4761739001010010', '2012'],
    ['ctls.mchip.resp.tlvs', '57C1', 'DFEE12', '5413339000001513', '2012'],
    ['contact.rawdata.tlvs', '5781', 'FFEE12', '4761739001010119', '2212'],
  ])('idtech %s', (name, data, ksn, pan, expiry) => {
    const opened = openHsm(testKeys).openSred({ data: idtech(name, data), ksn: idtech(name, ksn) });
    expect(opened).toMatchObject({ card: { pan, expiry } });
  });

  test('reads ID TECH’s number alone, and its PIN in ISO format 4 under the Triple DES serial number', () => {
    const name = 'v3.contact.02-06.encAES.pinISO4.resp';
    const hsm = openHsm(testKeys);
    const ksn = idtech(name, 'DFEE12');
    expect(hsm.openSred({ data: idtech(name, '5AC1'), ksn })).toMatchObject({ card: { pan: '4761739001010010' } });
    const block = idtech(name, '99').slice(0, 32);
    const serial = idtech(name, '99').slice(32);
    const account = { pan: '4761739001010010', pin: '1234' };
    expect([block.length, serial.length]).toEqual([32, 20]);
    expect(hsm.checkPin({ data: block, ksn: serial }, account)).toBe('right');
    expect(hsm.checkPin({ data: block, ksn: serial }, { ...account, pin: '4321' })).toBe('wrong');
    expect(hsm.checkPin({ data: block, ksn: serial }, { ...account, pan: '4761739001010119' })).toBe('unreadable');
  });

  test('reads MagTek’s PIN inside the container of a published layout', () => {
    const hex = captures.find(({ name }) => name === 'notif.arqc.contact.pin')?.hex ?? '';
    const opened = openHsm(testKeys).openSred({ data: valueIn(hex, 'DFDF59'), ksn: valueIn(hex, 'DFDF56') });
    expect(opened).toMatchObject({ pin: { data: 'D9CD6636A79EEA73', ksn: 'FFFF9876543210E00011' } });
    const tags = typeof opened === 'string' ? [] : opened.card.tags.map(({ tag }) => tag);
    expect(tags).toEqual(expect.arrayContaining(['9F26', '9F27', '9F10', '9F36', '95', '9A', '9C', '9F02']));
    expect(tags).not.toContain('57');
    expect(tags).not.toContain('99');
  });
});
