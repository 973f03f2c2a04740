/**
 * How a test card's chip is personalised: interchange profile, data object lists, records. Pure data, after EMV Book 3.
 */
import { concat } from '../../src/base/hex.ts';
import type { CvnName } from '../../src/emv/cryptogram-versions.ts';
import { cvv } from '../../src/emv/cvv.ts';
import { pvv } from '../../src/emv/pin-verification.ts';
import { type TestCard, testKeys } from '../../src/emv/test-cards.ts';
import { type Tlv, tlv } from '../../src/emv/tlv.ts';
import { printTag57 } from '../../src/emv/tracks.ts';
import { tlvText } from '../codec.ts';

export type Via = 'chip' | 'tap';

export type Profile = {
  /** Application interchange profile, tag 82. */
  aip: Readonly<Record<Via, string>>;
  /** The data the chip needs for its first cryptogram: CDOL1, or on a Visa tap the PDOL. */
  first: string;
  /** CDOL2. */
  second: string;
  /** Application version number, tag 9F08. */
  version: string;
  /** Whether issuer authentication is a separate command or part of CDOL2. */
  authenticatesBy: 'command' | 'cdol2';
};

const transaction = '9F02069F03069F1A0295055F2A029A039C019F3704';

const visa: Profile = {
  // Cardholder verification, terminal risk management, issuer authentication by command; a tap has no such command.
  aip: { chip: '1C00', tap: '1800' },
  first: transaction,
  second: `8A02${transaction}`,
  version: '0096',
  authenticatesBy: 'command',
};

const mastercard: Profile = {
  // Byte 2 bit 8 of a tap's interchange profile: contactless EMV mode is supported.
  aip: { chip: '1800', tap: '1880' },
  first: `${transaction}9F35019F3403`,
  second: '910A8A0295059F3704',
  version: '0002',
  authenticatesBy: 'cdol2',
};

export const profileOf = (card: TestCard): Profile => (card.cvn.startsWith('mchip') ? mastercard : visa);

export const cvnOf = (card: TestCard): CvnName | undefined => (card.cvn === 'none' ? undefined : card.cvn);

/**
 * CVM codes; bit 7 (40) lets the terminal try the next rule. Condition 03: if the terminal supports it (Book 3 Annex
 * C3).
 */
const methods = { onlinePin: 0x02, offlinePin: 0x01, signature: 0x1e, noCvm: 0x1f } as const;

/** Tag 8E: two amounts of zero, then a rule for each method, the last one final. */
export const cvmList = ({ cvms }: TestCard): Uint8Array => {
  const rules = cvms.map((method, index) =>
    Uint8Array.of(methods[method] | (index < cvms.length - 1 ? 0x40 : 0), method === 'noCvm' ? 0x00 : 0x03),
  );
  return concat(new Uint8Array(8), ...rules);
};

/** The last day of the month of a YYMM expiry, as tag 5F24 has it: YYMMDD. */
const expiryDate = (expiry: string): string => {
  const days = new Date(Date.UTC(2000 + Number(expiry.slice(0, 2)), Number(expiry.slice(2)), 0)).getUTCDate();
  return `${expiry}${days.toString().padStart(2, '0')}`;
};

const evenF = (digits: string): string => (digits.length % 2 === 0 ? digits : `${digits}F`);

/** The chip's records, as READ RECORD returns them. */
export const recordsOf = (card: TestCard): readonly Tlv[] => {
  const { pan, psn, expiry, serviceCode, holder } = card;
  const { first, second, version } = profileOf(card);
  return [
    tlv('57', printTag57({ pan, expiry, serviceCode, discretionary: chipDiscretionary(card) })),
    tlv('5A', evenF(pan)),
    tlv('5F34', psn),
    tlv('5F20', tlvText(holder)),
    tlv('5F24', expiryDate(expiry)),
    tlv('5F28', '0276'),
    tlv('5F30', `0${serviceCode}`),
    tlv('8C', first),
    tlv('8D', second),
    tlv('8E', cvmList(card)),
    tlv('9F07', 'FFC0'),
    tlv('9F08', version),
    // Denial: never. Online: expired, verification failed, PIN tries exceeded, online PIN, floor limit, forced online.
    tlv('9F0E', '0000000000'),
    tlv('9F0F', '0040A48800'),
  ];
};

/** The answer to SELECT: name, label, language. */
export const selectionOf = ({ aid, label }: TestCard): readonly Tlv[] => [
  tlv('84', aid),
  tlv('50', tlvText(label)),
  tlv('5F2D', tlvText('en')),
];

// A test card's stripe, and the track 2 equivalent on its chip, with the verification values of its issuer.

/** Tracks with their sentinels, without a check character. */
export type Tracks = { track1: string; track2: string };

/** After the service code: PIN verification key index, PIN verification value, card verification value. */
const discretionary = (card: TestCard, serviceCode: string): string => {
  const { pan, expiry, pin } = card;
  const value = cvv({ cvk: testKeys.cvk, pan, expiry, serviceCode });
  return testKeys.pvki + pvv({ pvk: testKeys.pvk, pvki: testKeys.pvki, pin, pan }) + value;
};

/** Discretionary data of the chip's track: an iCVV, made with service code 999, so that it is useless on a stripe. */
const chipDiscretionary = (card: TestCard): string => discretionary(card, '999');

/** The stripe as encoded: ISO 7813 tracks 1 (format B) and 2 with the CVV. */
export const stripeOf = (card: TestCard): Tracks => {
  const { pan, expiry, serviceCode, holder } = card;
  const rest = `${expiry}${serviceCode}${discretionary(card, serviceCode)}`;
  return { track1: `%B${pan}^${holder}^${rest}?`, track2: `;${pan}=${rest}?` };
};

/** The check character that a reader sends after track 2: the XOR of all characters' values, as a character. */
export const track2Check = (track2: string): string =>
  String.fromCharCode([...track2].reduce((sum, each) => sum ^ (each.charCodeAt(0) - 0x30), 0) + 0x30);

/** Track 2 with the account hidden: first six, last four, expiry, service code and key index stay. */
export const maskTrack2 = (track2: string): string =>
  track2.replace(/(?<=^;\d{6})\d+(?=\d{4}=)|(?<==\d{8})\d*(?=\?$)/g, (hidden) => '*'.repeat(hidden.length));
