import { describe, expect, test } from 'vitest';
import { virtualCard } from '../../../drivers/simulation/card.ts';
import { recordsOf } from '../../../drivers/simulation/card-profile.ts';
import { firstCryptogram, secondCryptogram, tapCryptogram } from '../../../drivers/simulation/kernel.ts';
import { terminalConfig } from '../../../drivers/simulation/terminal-config.ts';
import { openTransaction, type Transaction } from '../../../drivers/simulation/transaction.ts';
import { verifier } from '../../../drivers/simulation/verification.ts';
import { concat, fromHex, toHex } from '../../../src/base/hex.ts';
import {
  cardKeys,
  cryptogramOf,
  cvnOfIad,
  issuerAuthentication,
  scriptMacOf,
} from '../../../src/emv/cryptogram-versions.ts';
import { cvv } from '../../../src/emv/cvv.ts';
import { type TestCardName, testCard, testCards } from '../../../src/emv/test-cards.ts';
import { testKeys } from '../../../src/emv/test-keys.ts';
import { find, tlv } from '../../../src/emv/tlv.ts';
import { parseTag57 } from '../../../src/emv/tracks.ts';

const names = Object.keys(testCards) as TestCardName[];
const chips = names.filter((name) => testCard(name).chip === 'good' && testCard(name).cvn !== 'none');

type Setup = { amountMinor?: bigint; via?: 'chip' | 'tap'; date?: string; card?: ReturnType<typeof virtualCard> };

const begin = (name: TestCardName, { amountMinor = 9_900n, via = 'chip', date = '260102', card }: Setup = {}) => {
  const transaction = openTransaction({
    via,
    card: card ?? virtualCard(testCard(name)),
    request: { amountMinor, currency: 'EUR', type: '00', date, time: '120000' },
    config: terminalConfig,
    unpredictable: fromHex('11223344'),
    sequence: 7,
  });
  if (transaction === undefined) throw new Error('the card does not answer');
  return transaction;
};

/** Goes through verification, typing this PIN whenever one is asked for; gives how often it was. */
const verify = (transaction: Transaction, pin: string): string[] => {
  const asked: string[] = [];
  const verifying = verifier(transaction);
  for (let need = verifying.needs(); need !== undefined; need = verifying.needs()) {
    asked.push(need);
    verifying.typed(pin);
  }
  return asked;
};

const hexOf = (transaction: Transaction, tag: string): string =>
  toHex(
    tag === '95'
      ? transaction.tvr
      : tag === '9B'
        ? transaction.tsi
        : (transaction.values.get(tag) ?? new Uint8Array(0)),
  );

/** The issuer's side: keys and version from the card number and the message alone. */
const issuer = (transaction: Transaction) => {
  const { pan, psn, brand } = transaction.card.facts;
  const { imkAc, imkSmi, imkSmc } = testKeys;
  const keys = cardKeys({ imkAc, imkSmi, imkSmc, pan, psn });
  const iad = transaction.values.get('9F10') ?? new Uint8Array(0);
  const cvn = cvnOfIad(brand, iad);
  if (cvn === undefined) throw new Error('unknown cryptogram version');
  const frozen = new Map([...transaction.values, ['95', transaction.tvr.slice()] as const]);
  return { keys, cvn, tags: (tag: string) => frozen.get(tag) };
};

const answerOf = (transaction: Transaction, approve: boolean): Uint8Array => {
  const { keys, cvn, tags } = issuer(transaction);
  const cryptogram = transaction.values.get('9F26') ?? new Uint8Array(0);
  return issuerAuthentication(cvn, keys, { tags, cryptogram, approve, arc: approve ? '00' : '05' });
};

const word = (arc: string, issuerData?: Uint8Array) => ({
  arc,
  ...(issuerData === undefined ? {} : { issuerData }),
  before: [],
  after: [],
});

describe('first cryptogram', () => {
  test.each(chips)('%s: the issuer finds the ARQC genuine', (name) => {
    const transaction = begin(name);
    verify(transaction, testCard(name).pin);
    expect(firstCryptogram(transaction)).toBe('ARQC');
    const { keys, cvn, tags } = issuer(transaction);
    expect(cvn).toBe(testCard(name).cvn);
    expect(toHex(cryptogramOf(cvn, keys, tags))).toBe(hexOf(transaction, '9F26'));
    // One changed bit of the amount makes another cryptogram.
    const other = (tag: string) => (tag === '9F02' ? fromHex('000000009901') : tags(tag));
    expect(toHex(cryptogramOf(cvn, keys, other))).not.toBe(hexOf(transaction, '9F26'));
  });

  test.each([
    [2_500n, 'TC'],
    [2_501n, 'ARQC'],
    [4_999n, 'ARQC'],
    [5_000n, 'ARQC'],
  ] as const)('a chip that approves small amounts: %s minor units give %s', (amountMinor, kind) => {
    const transaction = begin('visa-no-cvm', { amountMinor });
    verify(transaction, '1234');
    expect(firstCryptogram(transaction)).toBe(kind);
    const { keys, cvn, tags } = issuer(transaction);
    expect(toHex(cryptogramOf(cvn, keys, tags))).toBe(hexOf(transaction, '9F26'));
    expect(hexOf(transaction, '9F27')).toBe(kind === 'TC' ? '40' : '80');
    // Byte 4 bit 8 of the verification results: floor limit.
    expect(hexOf(transaction, '95')).toBe(amountMinor >= 5_000n ? '8000008000' : '8000000000');
  });

  test('the transaction counter goes on from sale to sale', () => {
    const card = virtualCard(testCard('visa-credit'), { lastAtc: 0x00fe });
    const counters = [0, 1, 2].map(() => {
      const transaction = begin('visa-credit', { card });
      firstCryptogram(transaction);
      return hexOf(transaction, '9F36');
    });
    expect(counters).toEqual(['00FF', '0100', '0101']);
  });

  test.each([
    ['visa-expired', '260102', '8040008000'],
    ['visa-no-cvm', '260102', '8000008000'],
    // The last day of the month printed on the card still counts.
    ['visa-expired', '231231', '8000008000'],
    ['visa-expired', '240101', '8040008000'],
  ] as const)('%s on %s has verification results %s', (name, date, tvr) => {
    const transaction = begin(name, { date });
    verify(transaction, '1234');
    firstCryptogram(transaction);
    expect(hexOf(transaction, '95')).toBe(tvr);
  });

  test('a broken chip and a card without one do not answer', () => {
    expect(virtualCard(testCard('visa-broken-chip')).select('chip')).toBeUndefined();
    expect(virtualCard(testCard('visa-broken-chip')).select('tap')).toBeDefined();
    expect(virtualCard(testCard('visa-stripe')).select('chip')).toBeUndefined();
    expect(virtualCard(testCard('visa-stripe')).select('tap')).toBeUndefined();
  });
});

describe('cardholder verification', () => {
  test.each([
    ['visa-credit', '1234', ['onlinePin'], '420300', '8000048000'],
    ['visa-signature', '', [], '5E0300', '8000008000'],
    ['visa-no-cvm', '', [], '1F0002', '8000008000'],
    ['visa-offline-pin', '1234', ['offlinePin'], '410302', '8000008000'],
    ['visa-offline-pin', '9999', ['offlinePin', 'offlinePin', 'offlinePin'], '1F0002', '8000208000'],
  ] as const)('%s typing "%s"', (name, pin, asked, results, tvr) => {
    const transaction = begin(name);
    expect(verify(transaction, pin)).toEqual(asked);
    firstCryptogram(transaction);
    expect(hexOf(transaction, '9F34')).toBe(results);
    expect(hexOf(transaction, '95')).toBe(tvr);
    expect(hexOf(transaction, '9B')).toBe('6800');
  });

  test('PIN tries last beyond a sale; a right PIN restores them', () => {
    const card = virtualCard(testCard('visa-offline-pin'));
    expect(card.verifyPin('0000')).toBe('wrong');
    expect(card.pinTriesLeft()).toBe(2);
    expect(card.verifyPin('1234')).toBe('right');
    expect(card.pinTriesLeft()).toBe(3);
    for (const _ of [1, 2, 3]) card.verifyPin('0000');
    expect(card.verifyPin('1234')).toBe('blocked');
  });

  test('the issuer reads in the card’s own results what happened to its PIN', () => {
    const wrong = begin('visa-offline-pin');
    verify(wrong, '9999');
    firstCryptogram(wrong);
    // 06 key 12 | 03, first ARQC and second not asked for with PIN done and failed, tries used up.
    expect(hexOf(wrong, '9F10')).toBe('06011203A64000');
  });
});

describe('second cryptogram', () => {
  const asked = (name: TestCardName) => {
    const transaction = begin(name);
    verify(transaction, testCard(name).pin);
    firstCryptogram(transaction);
    return transaction;
  };
  const contact = chips.filter((name) => testCard(name).secondCryptogram === 'agrees');

  test.each(contact)('%s: TC after a genuine approval, and the issuer can check it', (name) => {
    const transaction = asked(name);
    expect(secondCryptogram(transaction, word('00', answerOf(transaction, true)))).toBe('TC');
    const { keys, cvn, tags } = issuer(transaction);
    expect(toHex(cryptogramOf(cvn, keys, tags))).toBe(hexOf(transaction, '9F26'));
    expect(hexOf(transaction, '9F27')).toBe('40');
  });

  test.each([
    // Visa authenticates the issuer by a command, so the terminal notices; Mastercard inside the second GENERATE AC.
    ['visa-credit', '8000048040', '7800'],
    ['visa-debit', '8000048040', '7800'],
    ['mastercard-credit', '8000048000', '6800'],
    ['mastercard-m10', '8000008000', '6800'],
  ] as const)('%s: AAC when the issuer is not genuine', (name, tvr, tsi) => {
    const transaction = asked(name);
    const forged = answerOf(transaction, true);
    forged[0] = (forged[0] ?? 0) ^ 1;
    expect(secondCryptogram(transaction, word('00', forged))).toBe('AAC');
    expect(hexOf(transaction, '95')).toBe(tvr);
    expect(hexOf(transaction, '9B')).toBe(tsi);
  });

  test.each([
    ['visa-credit', '05', false, 'AAC'],
    // The response code approves, the issuer's own data does not: the chip believes its issuer.
    ['visa-credit', '00', false, 'AAC'],
    ['mastercard-credit', '00', false, 'AAC'],
    ['visa-refusing-chip', '00', true, 'AAC'],
    ['mastercard-credit', '05', true, 'AAC'],
  ] as const)('%s with %s, issuer approves %s: %s', (name, arc, approve, kind) => {
    const transaction = asked(name);
    expect(secondCryptogram(transaction, word(arc, answerOf(transaction, approve)))).toBe(kind);
  });

  test.each([
    ['visa-no-cvm', 'TC', 'Y3'],
    ['mastercard-credit', 'TC', 'Y3'],
    ['visa-strict', 'AAC', 'Z3'],
  ] as const)('%s when nobody could be asked: %s, %s', (name, kind, arc) => {
    const transaction = asked(name);
    expect(secondCryptogram(transaction, word('Y3'))).toBe(kind);
    expect(Buffer.from(transaction.values.get('8A') ?? []).toString()).toBe(arc);
  });

  test('without issuer data an approval stands, and the card notes that nobody was authenticated', () => {
    const transaction = asked('visa-no-cvm');
    expect(secondCryptogram(transaction, word('00'))).toBe('TC');
    expect(hexOf(transaction, '9F10')).toBe('0601120360 0400'.replace(' ', ''));
  });

  test('there is no third cryptogram', () => {
    const transaction = asked('visa-no-cvm');
    secondCryptogram(transaction, word('00'));
    expect(secondCryptogram(transaction, word('00'))).toBeUndefined();
  });
});

describe('issuer scripts', () => {
  const scripted = (name: TestCardName, header: string, spoil = 0) => {
    const transaction = begin(name);
    verify(transaction, '0000');
    firstCryptogram(transaction);
    const { keys, cvn, tags } = issuer(transaction);
    const cryptogram = transaction.values.get('9F26') ?? new Uint8Array(0);
    const command = fromHex(`${header}08`);
    const mac = scriptMacOf(cvn, keys, { tags, cryptogram, command });
    mac[7] = (mac[7] ?? 0) ^ spoil;
    const script = [tlv('9F18', '0000000A'), tlv('86', concat(command, mac))];
    return { transaction, issuerData: answerOf(transaction, true), script };
  };

  test.each(['visa-offline-pin', 'mastercard-credit', 'visa-debit', 'mastercard-m10'] as const)(
    '%s: a genuine PIN unblock after the last cryptogram restores the tries',
    (name) => {
      const { transaction, issuerData, script } = scripted(name, '84240000');
      const kind = secondCryptogram(transaction, { ...word('00', issuerData), after: [tlv('72', script)] });
      expect(kind).toBe('TC');
      expect(transaction.card.pinTriesLeft()).toBe(3);
      expect(hexOf(transaction, '9F5B')).toBe('200000000A');
      expect(toHex(transaction.tsi.subarray(0, 1))).toMatch(/[7F6E]C/);
    },
  );

  test('a script with a wrong MAC changes nothing and is told', () => {
    const { transaction, issuerData, script } = scripted('visa-offline-pin', '84240000', 1);
    secondCryptogram(transaction, { ...word('00', issuerData), after: [tlv('72', script)] });
    expect(transaction.card.pinTriesLeft()).toBe(0);
    expect(hexOf(transaction, '9F5B')).toBe('110000000A');
    // Byte 5 bit 5: failed after the final cryptogram.
    expect(transaction.tvr[4]).toBe(0x10);
  });

  test('a blocked application gives AAC and then answers no more', () => {
    const { transaction, issuerData, script } = scripted('visa-no-cvm', '841E0000');
    const kind = secondCryptogram(transaction, { ...word('00', issuerData), before: [tlv('71', script)] });
    expect(kind).toBe('AAC');
    expect(transaction.card.select('chip')).toBeUndefined();
    expect(transaction.card.select('tap')).toBeUndefined();
  });

  test('a failing command stops the script before the next one', () => {
    const { transaction, issuerData, script } = scripted('visa-offline-pin', '84240000', 1);
    const good = scripted('visa-offline-pin', '84240000').script;
    const both = [...script, ...good.filter(({ tag }) => tag === '86')];
    secondCryptogram(transaction, { ...word('00', issuerData), before: [tlv('71', both)] });
    expect(hexOf(transaction, '9F5B')).toBe('110000000A');
    expect(transaction.tvr[4]).toBe(0x20);
  });
});

describe('a tap', () => {
  test.each([
    ['visa-credit', 5_000n, '1F0002', '0000000000'],
    ['visa-credit', 5_001n, '420300', '0000000000'],
    ['visa-signature', 5_001n, '1E0300', '0000000000'],
    ['visa-no-cvm', 5_001n, '1F0002', '0000000000'],
    ['mastercard-credit', 5_001n, '420300', '8000040000'],
    ['mastercard-tap', 5_001n, '1F0002', '8000000000'],
  ] as const)('%s with %s minor units', (name, amountMinor, results, tvr) => {
    const transaction = begin(name, { via: 'tap', amountMinor });
    expect(tapCryptogram(transaction)).toBe('ARQC');
    expect(hexOf(transaction, '9F34')).toBe(results);
    expect(hexOf(transaction, '95')).toBe(tvr);
    const { keys, cvn, tags } = issuer(transaction);
    expect(toHex(cryptogramOf(cvn, keys, tags))).toBe(hexOf(transaction, '9F26'));
  });
});

test.each(chips)('%s: the chip’s track carries an iCVV, not the stripe’s CVV', (name) => {
  const card = testCard(name);
  const { pan, expiry } = card;
  const track = parseTag57(find(recordsOf(card), '57')?.value ?? new Uint8Array(0));
  expect(track).toMatchObject({ pan, expiry, serviceCode: card.serviceCode });
  expect(track.discretionary.slice(5)).toBe(cvv({ cvk: testKeys.cvk, pan, expiry, serviceCode: '999' }));
});
