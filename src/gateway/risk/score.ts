/**
 * The risk score: the sum of points for each sign of risk. The table is the documentation; a channel only sets the sum
 * from which it refuses. The points are a rule of thumb: one sign alone stays below 50, and three reach it.
 */
import { minorOf, type RiskFacts, type RiskRules } from './facts.ts';

/** Domains of well-known services that provide temporary e-mail addresses to anyone. A selection. */
const DISPOSABLE_DOMAINS: ReadonlySet<string> = new Set([
  '10minutemail.com',
  'dispostable.com',
  'fakeinbox.com',
  'getnada.com',
  'guerrillamail.com',
  'guerrillamail.net',
  'maildrop.cc',
  'mailinator.com',
  'mailnesia.com',
  'mintemail.com',
  'mohmal.com',
  'sharklasers.com',
  'spamgourmet.com',
  'temp-mail.org',
  'throwawaymail.com',
  'trashmail.com',
  'yopmail.com',
]);

/** The range of risk.score (spec 2.35). */
export const SCORE_MIN = -99_999;
export const SCORE_MAX = 99_999;

export type RiskSigns = {
  facts: RiskFacts;
  rules: RiskRules;
  /** Whether the allow list contains it. */
  allowed: boolean;
  /** How many cards this IP address has used within a day, including this one. */
  cardsOnIp: number;
};

type Sign = { description: string; pointsOf: (signs: RiskSigns) => number };

const CARDS_ON_IP_USUAL = 2;
const POINTS_PER_CARD = 20;
const POINTS_OF_CARDS_MAX = 200;

/** Without a terminal: nobody has seen the card, and everything known was typed by the shopper. */
const isRemote = ({ request }: RiskFacts): boolean => request['pos.entryMode'] === undefined;
/** Started by the merchant under an earlier agreement: the shopper is not present to be asked. */
const isMerchants = ({ request }: RiskFacts): boolean => request['standingInstruction.source'] === 'MIT';
const isTyped = (facts: RiskFacts): boolean => isRemote(facts) && !isMerchants(facts);

const isDifferent = (left: string | undefined, right: string | undefined): boolean =>
  left !== undefined && right !== undefined && left.toUpperCase() !== right.toUpperCase();

const hasName = ({ request }: RiskFacts): boolean =>
  ['card.holder', 'bankAccount.holder', 'customer.surname', 'customer.companyName'].some((name) => request[name]);

/** A device's own number (DPAN) has no security code. */
const lacksCode = ({ request }: RiskFacts): boolean =>
  request['card.number'] !== undefined && request['card.cvv'] === undefined && request['card.numberType'] !== 'DPAN';

const hasDisposableEmail = ({ subjects }: RiskFacts): boolean =>
  subjects.email !== undefined && DISPOSABLE_DOMAINS.has(subjects.email.slice(subjects.email.lastIndexOf('@') + 1));

const isNearLimit = ({ minor, currency }: RiskFacts, { amountMax }: RiskRules): boolean =>
  amountMax !== undefined && minor * 5n >= minorOf(amountMax, currency) * 4n;

const pointsIf = (pointsOf: number, holds: (facts: RiskFacts, rules: RiskRules) => boolean): Sign['pointsOf'] => {
  return ({ facts, rules }) => (holds(facts, rules) ? pointsOf : 0);
};

/** A sign adds its points if it applies. Negative points speak for the payment. */
export const signs: readonly Sign[] = [
  { description: 'the allow list lets it pass', pointsOf: ({ allowed }) => (allowed ? SCORE_MIN : 0) },
  {
    description: 'the goods go to a different country from the bill',
    pointsOf: pointsIf(30, ({ request }) => isDifferent(request['billing.country'], request['shipping.country'])),
  },
  { description: 'a remote payment has no name', pointsOf: pointsIf(10, (facts) => isTyped(facts) && !hasName(facts)) },
  { description: 'the e-mail address is disposable', pointsOf: pointsIf(40, hasDisposableEmail) },
  {
    description: 'customer.ip is not an IP address',
    pointsOf: pointsIf(10, ({ subjects, address }) => subjects.ip !== undefined && address === undefined),
  },
  {
    description: 'a card number was typed without its security code',
    pointsOf: pointsIf(20, (facts) => isTyped(facts) && lacksCode(facts)),
  },
  { description: 'the amount is at least four fifths of the channel’s limit', pointsOf: pointsIf(20, isNearLimit) },
  {
    description: 'the IP address has used more than two cards within a day; for each one more, up to ten',
    pointsOf: ({ cardsOnIp }) =>
      Math.min(Math.max(cardsOnIp - CARDS_ON_IP_USUAL, 0) * POINTS_PER_CARD, POINTS_OF_CARDS_MAX),
  },
  {
    description: 'the customer is new to the merchant',
    pointsOf: pointsIf(10, ({ request }) => request['customer.status'] === 'NEW'),
  },
  {
    description: 'the customer is known to the merchant',
    pointsOf: pointsIf(-10, ({ request }) => request['customer.status'] === 'EXISTING'),
  },
  {
    description: 'the chip was read by a terminal',
    pointsOf: pointsIf(-40, ({ request }) => ['ICC', 'NFC_ICC'].includes(request['pos.entryMode'] ?? '')),
  },
  // Electronic commerce indicators of the schemes: 05 and 02 authenticated, 06 and 01 attempted.
  {
    description: '3D Secure authenticated the shopper',
    pointsOf: pointsIf(-40, ({ request }) => ['05', '02'].includes(request['threeDSecure.eci'] ?? '')),
  },
  {
    description: '3D Secure was tried',
    pointsOf: pointsIf(-20, ({ request }) => ['06', '01'].includes(request['threeDSecure.eci'] ?? '')),
  },
];

/** The sum of all signs that apply, -99999 to 99999 (spec 2.35, risk.score). */
export const scoreOf = (input: RiskSigns): number => {
  const sum = signs.reduce((total, { pointsOf }) => total + pointsOf(input), 0);
  return Math.min(Math.max(sum, SCORE_MIN), SCORE_MAX);
};
