/** The card and the issuer agree on every cryptogram version, and reject anyone else's data. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHex, toHex } from '../../src/base/hex.ts';
import { type CvnName, cryptogramVersions } from '../../src/emv/cryptogram-table.ts';
import {
  cardKeys,
  checkIssuerAuthentication,
  cryptogramOf,
  cvnOfIad,
  issuerAuthentication,
  pinChangeCommand,
  scriptMacOf,
} from '../../src/emv/cryptogram-versions.ts';
import { testKeys } from '../../src/emv/test-cards.ts';
import { isRefusal } from './vectors.ts';

const shortIad = (cvn: string) => `0601${cvn}03A0B800`;
const long = `1F2201${'03A0B80000'}${'00'.repeat(24)}`;
const mChip = (cvn: string) => `01${cvn}A00003220000DAC1${'0000000000000322'}`;
const interac = '1501850440B100000000B00000000000000000000000';
const common = `0FA501${'A000000000'}${'00'.repeat(8)}0F${'00'.repeat(15)}`;

/** Issuer application data of every version, and the brand of the cards that carry it. */
const iads: Readonly<Record<CvnName, { brand: 'VISA' | 'MASTER' | 'JCB' | 'INTERAC'; iad: string }>> = {
  visa10: { brand: 'VISA', iad: shortIad('0A') },
  visa17: { brand: 'VISA', iad: shortIad('11') },
  visa18: { brand: 'VISA', iad: shortIad('12') },
  visa22: { brand: 'VISA', iad: long },
  mchip10: { brand: 'MASTER', iad: mChip('10') },
  mchip11: { brand: 'MASTER', iad: mChip('11') },
  mchip14: { brand: 'MASTER', iad: mChip('14') },
  mchip15: { brand: 'MASTER', iad: mChip('15') },
  ccdA5: { brand: 'JCB', iad: common },
  interac133: { brand: 'INTERAC', iad: interac },
};

const values: Readonly<Record<string, string>> = {
  '9F02': '000000001250',
  '9F03': '000000000000',
  '9F1A': '0276',
  '95': '0000008000',
  '5F2A': '0978',
  '9A': '260314',
  '9C': '00',
  '9F37': '1A2B3C4D',
  '82': '3900',
  '9F36': '0042',
};

const tagsWith = (cvn: CvnName, other: Record<string, string | undefined> = {}) => {
  const all: Record<string, string | undefined> = { ...values, '9F10': iads[cvn].iad, ...other };
  return (tag: string): Uint8Array | undefined => (all[tag] === undefined ? undefined : fromHex(all[tag]));
};

const keys = cardKeys({ ...testKeys, pan: '4761739001010010', psn: '01' });
const stranger = cardKeys({ ...testKeys, pan: '4761739001010010', psn: '02' });
const names = Object.keys(cryptogramVersions) as CvnName[];

/** The tags that the cryptogram covers; quick Visa omits most of them. */
const coveredTags = (cvn: CvnName): string[] => (cvn === 'visa17' ? ['9F02', '9F37', '9F36'] : Object.keys(values));

describe.each(names)('%s', (cvn) => {
  const tags = tagsWith(cvn);
  const cryptogram = cryptogramOf(cvn, keys, tags);
  const transaction = { tags, cryptogram };
  const answer = (approve: boolean) =>
    issuerAuthentication(cvn, keys, { ...transaction, approve, arc: approve ? '00' : '05' });

  test('follows from the issuer application data', () => {
    expect(cvnOfIad(iads[cvn].brand, fromHex(iads[cvn].iad))).toBe(cvn);
  });

  test('every covered tag changes the cryptogram, and so does the card', () => {
    expect(cryptogram.length).toBe(8);
    expect(cryptogramOf(cvn, stranger, tags)).not.toEqual(cryptogram);
    for (const tag of coveredTags(cvn)) {
      const changed = values[tag]?.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
      expect(toHex(cryptogramOf(cvn, keys, tagsWith(cvn, { [tag]: changed })))).not.toBe(toHex(cryptogram));
    }
  });

  test('a missing tag or a wrong length is refused; an absent “amount, other” is zero', () => {
    expect(cryptogramOf(cvn, keys, tagsWith(cvn, { '9F03': undefined }))).toEqual(cryptogram);
    const needed = coveredTags(cvn).filter((tag) => tag !== '9F03');
    for (const tag of [...needed, '9F10']) {
      for (const value of [undefined, '', '00'.repeat(33)]) {
        const run = () => cryptogramOf(cvn, keys, tagsWith(cvn, { [tag]: value }));
        expect(run).toThrow(expect.toSatisfy(isRefusal));
      }
    }
  });

  test.each([true, false])('the card accepts its issuer’s answer: approves %s', (approve) => {
    const data = answer(approve);
    expect(checkIssuerAuthentication(cvn, keys, { ...transaction, data })).toEqual({
      genuine: true,
      approves: approve,
    });
  });

  test('the card accepts nothing else', () => {
    const genuine = answer(true);
    fc.assert(
      fc.property(fc.nat(genuine.length * 8 - 1), (bit) => {
        const data = Uint8Array.from(genuine);
        data[bit >> 3] = (data[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const found = checkIssuerAuthentication(cvn, keys, { ...transaction, data });
        expect(found).toEqual({ genuine: false, approves: false });
      }),
    );
    const other = { tags: tagsWith(cvn, { '9F36': '0043' }), cryptogram: cryptogram.map((byte) => byte ^ 1) };
    expect(checkIssuerAuthentication(cvn, keys, { ...other, data: genuine }).genuine).toBe(false);
    expect(checkIssuerAuthentication(cvn, stranger, { ...transaction, data: genuine }).genuine).toBe(false);
    for (const data of [new Uint8Array(), genuine.slice(1), Uint8Array.from([...genuine, ...genuine])]) {
      expect(checkIssuerAuthentication(cvn, keys, { ...transaction, data }).genuine).toBe(false);
    }
  });

  test('a script MAC covers header, data and transaction', () => {
    const command = fromHex('8424000008');
    const mac = scriptMacOf(cvn, keys, { ...transaction, command });
    expect(mac.length).toBe(8);
    const another = { tags: tagsWith(cvn, { '9F36': '0043' }), cryptogram: cryptogram.map((byte) => byte ^ 1) };
    const others = [
      scriptMacOf(cvn, keys, { ...transaction, command: fromHex('8416000008') }),
      scriptMacOf(cvn, keys, { ...another, command }),
      scriptMacOf(cvn, stranger, { ...transaction, command }),
    ];
    for (const other of others) expect(other).not.toEqual(mac);
    const cut = scriptMacOf(cvn, keys, { ...transaction, command: fromHex('8424000006AABB') });
    expect(cut.length).toBe(4);
  });

  test.each(['', '84240000', '8424000003', '8424000009', '8424000004AABB'])('refuses the script command %s', (hex) => {
    const run = () => scriptMacOf(cvn, keys, { ...transaction, command: fromHex(hex) });
    expect(run).toThrow(expect.toSatisfy(isRefusal));
  });

  test('a PIN change includes its length and depends on the PIN', () => {
    const change = (pin: string) => pinChangeCommand(cvn, keys, { ...transaction, pin });
    expect(change('1234')[4]).toBe(change('1234').length - 5);
    expect(change('1234')).not.toEqual(change('1235'));
    expect(() => change('123')).toThrow(expect.toSatisfy(isRefusal));
  });
});

test('only Visa’s versions take the current PIN', () => {
  for (const cvn of names) {
    const tags = tagsWith(cvn);
    const change = { tags, cryptogram: cryptogramOf(cvn, keys, tags), pin: '1234', currentPin: '4321' };
    const run = () => pinChangeCommand(cvn, keys, change);
    if (cvn.startsWith('visa')) expect(run()[3]).toBe(1);
    else expect(run).toThrow(expect.toSatisfy(isRefusal));
  }
});

test.each([
  { approve: false, arc: '00' },
  { approve: true, arc: '05' },
  { approve: true, arc: '0' },
  { approve: false, arc: '€1' },
])('a response code that contradicts the decision is refused if the version sends it: $approve $arc', (decision) => {
  const tags = tagsWith('visa10');
  const run = () => issuerAuthentication('visa10', keys, { tags, cryptogram: new Uint8Array(8), ...decision });
  expect(run).toThrow(expect.toSatisfy(isRefusal));
});

test('foreign versions and malformed data give no version', () => {
  const none: [Parameters<typeof cvnOfIad>[0], string][] = [
    ['VISA', mChip('10')],
    ['MASTER', shortIad('0A')],
    ['VISA', shortIad('0C')],
    ['MASTER', mChip('12')],
    ['AMEX', shortIad('0A')],
    ['VISA', ''],
    ['VISA', '0601'],
    ['JCB', common.replace('0FA5', '0FA6')],
    ['MASTER', '00'.repeat(33)],
    ['VISA', interac],
    ['INTERAC', interac.replace('150185', '150186')],
    ['INTERAC', shortIad('0A')],
  ];
  for (const [brand, iad] of none) expect(cvnOfIad(brand, fromHex(iad))).toBeUndefined();
  expect(cvnOfIad('MAESTRO', fromHex(mChip('14')))).toBe('mchip14');
});
