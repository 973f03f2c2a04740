/**
 * The cards of the simulated world: numbers from public test ranges, chip data for the card's side, account data for
 * the issuer's side. Simulated terminals present them; the simulator acquirer's issuer has the same accounts.
 */
import { fromHex } from '../base/hex.ts';
import type { Brand } from './brands.ts';

export type TestCard = {
  /** What it demonstrates, for people choosing a card. */
  says: string;
  pan: string;
  /** Application PAN sequence number, two digits. */
  psn: string;
  /** YYMM. */
  expiry: string;
  serviceCode: string;
  holder: string;
  brand: Brand;
  /** Hex. */
  aid: string;
  label: string;
  /** The scheme's cryptogram version, by which the chip computes its cryptogram. `none` is a card without a chip. */
  cvn: 'visa10' | 'visa18' | 'mchip10' | 'mchip14' | 'interac133' | 'none';
  /** The methods in the card's CVM list on a contact chip, first choice first. */
  cvms: readonly ('onlinePin' | 'offlinePin' | 'signature' | 'noCvm')[];
  pin: string;
  contactless: 'emv' | 'magstripe' | 'none';
  /** `broken` answers no ISO command: leads to a fallback swipe. */
  chip: 'good' | 'broken' | 'none';
  /** The chip approves by itself, without going online, up to this many minor units. 0 never. */
  offlineUpToMinor: bigint;
  /** When the terminal could not go online: whether the chip then approves (Y3) or declines (Z3). */
  unableToGoOnline: 'approves' | 'declines';
  /** The chip's decision after a host approval. `refuses` answers AAC: the host approved, the card declines. */
  secondCryptogram: 'agrees' | 'refuses';
  account: 'open' | 'lost' | 'stolen' | 'restricted';
  /** What the account can still spend, minor units. */
  availableMinor: bigint;
  /** The account never runs out. */
  endless: boolean;
};

const common = {
  psn: '01',
  expiry: '3112',
  serviceCode: '201',
  holder: 'CARDHOLDER/TEST',
  cvms: ['onlinePin', 'signature', 'noCvm'],
  pin: '1234',
  contactless: 'emv',
  chip: 'good',
  offlineUpToMinor: 0n,
  unableToGoOnline: 'approves',
  secondCryptogram: 'agrees',
  account: 'open',
  availableMinor: 500_000n,
  endless: false,
} as const;

const visa = { brand: 'VISA', aid: 'A0000000031010', label: 'VISA CREDIT', cvn: 'visa18' } as const;
const mastercard = { brand: 'MASTER', aid: 'A0000000041010', label: 'MASTERCARD', cvn: 'mchip14' } as const;

export const testCards = {
  'visa-credit': { ...common, ...visa, says: 'Approves, online PIN', pan: '4761739001010010' },
  'visa-debit': {
    ...common,
    ...visa,
    says: 'Approves, online PIN, cryptogram version 10',
    pan: '4761739001010119',
    label: 'VISA DEBIT',
    cvn: 'visa10',
  },
  'visa-signature': {
    ...common,
    ...visa,
    says: 'Approves, asks for a signature',
    pan: '4761739001010135',
    cvms: ['signature', 'noCvm'],
  },
  'visa-no-cvm': {
    ...common,
    ...visa,
    says: 'Approves, no verification; approves 25.00 and less by itself',
    pan: '4761739001010143',
    cvms: ['noCvm'],
    offlineUpToMinor: 2_500n,
  },
  'visa-offline-pin': {
    ...common,
    ...visa,
    says: 'Approves, PIN checked by the chip',
    pan: '4761739001010150',
    cvms: ['offlinePin', 'noCvm'],
  },
  'visa-poor': {
    ...common,
    ...visa,
    says: 'Has only 10.00 left',
    pan: '4761739001010168',
    cvms: ['noCvm'],
    availableMinor: 1_000n,
  },
  'visa-stolen': {
    ...common,
    ...visa,
    says: 'Reported stolen: declined, picked up',
    pan: '4761739001010176',
    cvms: ['noCvm'],
    account: 'stolen',
  },
  'visa-expired': { ...common, ...visa, says: 'Expired', pan: '4761739001010184', cvms: ['noCvm'], expiry: '2312' },
  'visa-refusing-chip': {
    ...common,
    ...visa,
    says: 'The host approves, then the chip declines',
    pan: '4761739001010192',
    cvms: ['noCvm'],
    secondCryptogram: 'refuses',
  },
  'visa-strict': {
    ...common,
    ...visa,
    says: 'The chip declines when the terminal cannot go online',
    pan: '4761739001010200',
    cvms: ['noCvm'],
    unableToGoOnline: 'declines',
  },
  'visa-broken-chip': {
    ...common,
    ...visa,
    says: 'Chip cannot be read: fallback to the stripe',
    pan: '4761739001010218',
    cvms: ['signature', 'noCvm'],
    chip: 'broken',
  },
  'visa-stripe': {
    ...common,
    ...visa,
    says: 'Stripe only, never runs dry',
    pan: '4200000000000000',
    endless: true,
    serviceCode: '101',
    cvn: 'none',
    chip: 'none',
    contactless: 'none',
    cvms: ['signature'],
  },
  'visa-tap-stripe': {
    ...common,
    ...visa,
    says: 'Taps with stripe data only',
    pan: '4761739001010226',
    contactless: 'magstripe',
    cvms: ['noCvm'],
  },
  'mastercard-credit': { ...common, ...mastercard, says: 'Approves, online PIN', pan: '5413330089604111' },
  'mastercard-tap': {
    ...common,
    ...mastercard,
    says: 'Taps without verification',
    pan: '5413330089600010',
    cvms: ['noCvm'],
  },
  'mastercard-m10': {
    ...common,
    ...mastercard,
    says: 'Approves, cryptogram version 10',
    pan: '5413330089600119',
    cvn: 'mchip10',
    cvms: ['noCvm'],
  },
  'mastercard-stripe': {
    ...common,
    ...mastercard,
    says: 'Stripe only',
    pan: '5454545454545454',
    serviceCode: '101',
    cvn: 'none',
    chip: 'none',
    contactless: 'none',
    cvms: ['signature'],
  },
  'interac-debit': {
    ...common,
    says: 'Approves, online PIN, Interac',
    brand: 'INTERAC',
    aid: 'A0000002771010',
    label: 'INTERAC',
    cvn: 'interac133',
    pan: '4506445006931933',
    serviceCode: '220',
    cvms: ['onlinePin'],
  },
} as const satisfies Record<string, TestCard>;

export type TestCardName = keyof typeof testCards;

export const testCard = (name: TestCardName): TestCard => testCards[name];

// The keys of the simulated world. All are published test keys or made from such patterns; none may be used with a real
// card. Simulated terminals and cards encrypt under them; the simulator acquirer's HSM has the same ones.

export const testKeys = {
  /** Base derivation key of Triple DES DUKPT: ANSI X9.24-1 Annex A. */
  bdk: fromHex('0123456789ABCDEFFEDCBA9876543210'),
  /** Base derivation keys of AES DUKPT: that of the test vectors of ANSI X9.24-3, and its repetition for 256 bits. */
  bdkAes128: fromHex('FEDCBA9876543210F1F1F1F1F1F1F1F1'),
  bdkAes256: fromHex('FEDCBA9876543210F1F1F1F1F1F1F1F1FEDCBA9876543210F1F1F1F1F1F1F1F1'),
  /** Issuer master key for application cryptograms. */
  imkAc: fromHex('0123456789ABCDEFFEDCBA9876543210'),
  /** Issuer master key for script MACs (secure messaging, integrity). */
  imkSmi: fromHex('FEDCBA98765432100123456789ABCDEF'),
  /** Issuer master key for script encryption (secure messaging, confidentiality). */
  imkSmc: fromHex('89ABCDEF0123456776543210FEDCBA98'),
  /** PIN verification key and its index. */
  pvk: fromHex('0123456789ABCDEFFEDCBA9876543210'),
  pvki: '1',
  /** Card verification key pair for CVV, iCVV and CVV2. */
  cvk: fromHex('0123456789ABCDEFFEDCBA9876543210'),
} as const;
