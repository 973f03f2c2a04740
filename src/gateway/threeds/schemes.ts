/** Card schemes as 3-D Secure tells them apart, and what each writes into the electronic commerce indicator. */
import { type Brand, brandOfPan } from '../../emv/brands.ts';
import type { AuthenticationRequest, AuthenticationResponse, ResultsRequest } from './messages.ts';

/** The keys of threeDSecure.v2.<scheme> (spec 2.29), and UnionPay, which has none there. */
export type Scheme = 'visa' | 'mastercard' | 'amex' | 'diners' | 'jcb' | 'cartebancaire' | 'unionpay';

/** The protocol versions that are spoken here, the newest last. */
export const versions = ['2.1.0', '2.2.0'] as const;
export type Version = (typeof versions)[number];

type Row = {
  /** Authenticated; attempted; neither, or an exemption was only announced; asked by the merchant alone (3RI). */
  eci: Readonly<Record<'authenticated' | 'attempted' | 'none', string>>;
  /** By which its directory server knows itself: the registered application provider (EMV 3-D Secure, sdk). */
  rid: string;
};

const upper = { authenticated: '05', attempted: '06', none: '07' } as const;
const lower = { authenticated: '02', attempted: '01', none: '00' } as const;

export const schemes: Readonly<Record<Scheme, Row>> = {
  visa: { eci: upper, rid: 'A000000003' },
  mastercard: { eci: lower, rid: 'A000000004' },
  amex: { eci: upper, rid: 'A000000025' },
  diners: { eci: upper, rid: 'A000000152' },
  jcb: { eci: upper, rid: 'A000000065' },
  cartebancaire: { eci: upper, rid: 'A000000042' },
  unionpay: { eci: lower, rid: 'A000000333' },
};

/** Interac takes no part. */
const ofBrand: Readonly<Partial<Record<Brand, Scheme>>> = {
  VISA: 'visa',
  MASTER: 'mastercard',
  MAESTRO: 'mastercard',
  AMEX: 'amex',
  DINERS: 'diners',
  DISCOVER: 'diners',
  JCB: 'jcb',
  CARTEBLEUE: 'cartebancaire',
  UNIONPAY: 'unionpay',
};

/** The brand that the merchant chose counts for a card with two; else the number. */
export const schemeOf = ({ paymentBrand, number }: { paymentBrand?: string; number: string }): Scheme | undefined => {
  if (paymentBrand === 'CARTEBLEUE') return 'cartebancaire';
  if (paymentBrand === 'MAESTRO') return 'mastercard';
  const brand = brandOfPan(number);
  return brand === undefined ? undefined : ofBrand[brand];
};

/** The indicator by EMV 3-D Secure's transaction status; none where there was no answer to speak of. */
export const eciOf = (scheme: Scheme, status: string): string => {
  const { eci } = schemes[scheme];
  if (status === 'Y') return eci.authenticated;
  return status === 'A' ? eci.attempted : eci.none;
};

// A scheme's directory server, as a 3-D Secure server sees it. The built-in one is simulated.

/** What a directory's preparation response (PRes) says of a card's range. */
export type CardRange = {
  /** The protocol versions that its issuer and the directory take. */
  versions: readonly Version[];
  /** Where the issuer would like to look at the browser first. */
  threeDSMethodUrl?: string;
};

export interface DirectoryServer {
  /**
   * The range that the card is in: `unlisted` when the scheme has none for it, `absent` when its issuer takes no part.
   * `origin` is where the gateway was reached, `enrolled` whether a test asks to take any card as enrolled.
   */
  rangeOf(card: Card): Promise<CardRange | 'unlisted' | 'absent'>;
  /** Asked again with the same threeDSServerTransID it answers the same. Throws when there is no answer. */
  authenticate(request: AuthenticationRequest, about: About): Promise<AuthenticationResponse>;
  /** What came of a challenge or of asking elsewhere; undefined while nothing has. */
  resultOf(threeDSServerTransID: string): Promise<ResultsRequest | undefined>;
}

export type Card = { scheme: Scheme; number: string; origin: string; custom: Readonly<Record<string, string>> };

/** What is no part of the message: where the gateway stands, and what a test asks for (customParameters). */
type About = { scheme: Scheme; origin: string; custom: Readonly<Record<string, string>> };
