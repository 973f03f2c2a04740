/** The card schemes of 3-D Secure, and their values of the electronic commerce indicator. */
import { type Brand, brandOfPan } from '../../emv/brands.ts';
import type { AuthenticationRequest, AuthenticationResponse, ResultsRequest } from './messages.ts';

/** The keys of threeDSecure.v2.<scheme> (spec 2.29), and UnionPay, which has none there. */
export type Scheme = 'visa' | 'mastercard' | 'amex' | 'diners' | 'jcb' | 'cartebancaire' | 'unionpay';

/** The supported protocol versions, the newest last. */
export const versions = ['2.1.0', '2.2.0'] as const;
export type Version = (typeof versions)[number];

type Row = {
  /**
   * Authenticated; attempted; neither, or an exemption was only announced; requested by the merchant without the
   * cardholder (3RI).
   */
  eci: Readonly<Record<'authenticated' | 'attempted' | 'none', string>>;
  /** The id of its directory server: the registered application provider (EMV 3-D Secure, sdk). */
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

/** Interac does not participate. */
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

/** For a card with two brands the one that the merchant chose; otherwise the number's. */
export const schemeOf = ({ paymentBrand, number }: { paymentBrand?: string; number: string }): Scheme | undefined => {
  if (paymentBrand === 'CARTEBLEUE') return 'cartebancaire';
  if (paymentBrand === 'MAESTRO') return 'mastercard';
  const brand = brandOfPan(number);
  return brand === undefined ? undefined : ofBrand[brand];
};

/** The indicator for EMV 3-D Secure's transaction status; none if there was no valid answer. */
export const eciOf = (scheme: Scheme, status: string): string => {
  const { eci } = schemes[scheme];
  if (status === 'Y') return eci.authenticated;
  return status === 'A' ? eci.attempted : eci.none;
};

// A scheme's directory server, as a 3-D Secure server sees it. The built-in one is simulated.

/** The card range in a directory server's preparation response (PRes). */
export type CardRange = {
  /** The protocol versions that its issuer and the directory server support. */
  versions: readonly Version[];
  /** The address of the issuer's method step, if it has one. */
  threeDSMethodUrl?: string;
};

export interface DirectoryServer {
  /**
   * The card's range: `unlisted` if the scheme has none for it, `absent` if its issuer does not participate. `origin`
   * is the gateway's external address, `enrolled` whether a test asks to treat any card as enrolled.
   */
  rangeOf(card: Card): Promise<CardRange | 'unlisted' | 'absent'>;
  /** A repeated request with the same threeDSServerTransID gets the same answer. Throws if there is no answer. */
  authenticate(request: AuthenticationRequest, context: About): Promise<AuthenticationResponse>;
  /** The result of a challenge or a decoupled authentication; undefined while there is none. */
  resultOf(threeDSServerTransID: string): Promise<ResultsRequest | undefined>;
}

export type Card = { scheme: Scheme; number: string; origin: string; custom: Readonly<Record<string, string>> };

/** Data outside of the message: the gateway's address, and test triggers (customParameters). */
type About = { scheme: Scheme; origin: string; custom: Readonly<Record<string, string>> };
