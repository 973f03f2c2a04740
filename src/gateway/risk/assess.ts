/** Checks one payment before the acquirer is asked (spec 2.27): allow list, deny lists, amount, velocity, score. */
import { DAY_MS, MINUTE_MS } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { codes } from '../../base/result-codes.ts';
import type { Session, Sighting } from '../store/store.ts';
import {
  minorOf,
  type RiskFacts,
  type RiskRefusal,
  type RiskRequest,
  type RiskRules,
  riskFactsOf,
  type Subject,
} from './facts.ts';
import { binOf, binRangeOf, createRangeTest, type Range, rangeOf } from './ranges.ts';
import { scoreOf } from './score.ts';

type ScreeningInput = {
  rules: RiskRules;
  request: RiskRequest;
  entityId: string;
  /** A keyed hash; the same text must give the same hash in all processes. */
  hash: Hash;
};

export type Assessment = {
  /** -99999 to 99999, for every checked payment. */
  score: number;
  /** Absent: the payment may continue. `why` is a sentence for the merchant; it contains no value of the request. */
  refused?: RiskRefusal;
  /** To be written in the same transaction as the reads. */
  sightings: Sighting[];
};

/**
 * Judges a payment with valid parameters. The allow list overrides all other rules; of those the first broken one is
 * returned. The amounts of the rules are in the payment's currency, whichever it is. A refused payment counts as an
 * attempt of its card, e-mail, IP address and customer, not as money.
 *
 * Call it inside `store.transact` with the names of `screeningNames`, and add the sightings there. `at` is wall time,
 * ms. Throws `config.malformed` for rules that the schema would have refused.
 */
export const assess = async (screened: ScreeningInput & { session: Sightings; at: number }): Promise<Assessment> => {
  const { rules, session } = screened;
  const facts = riskFactsOf(screened.request);
  const velocityInput = { ...screened, facts };
  const allowed = listsOf(rules).isAllowed(facts);
  const cards = await cardsOnIpCount(session, velocityInput);
  const score = scoreOf({ facts, rules, allowed, cardsOnIp: cards.count });
  const refusal = allowed
    ? undefined
    : (listsOf(rules).refuse(facts) ??
      refuseAmount(rules, facts) ??
      (await checkVelocity(session, velocityInput)) ??
      refuseScore(rules, score));
  const sightings = [...cards.sightings, ...sightingsOf(velocityInput, refusal === undefined ? undefined : 'refused')];
  return { score, refused: refusal, sightings };
};

/** The names for `store.transact`, so that two simultaneous payments cannot both be the last that a rule allows. */
export const screeningNames = (screened: ScreeningInput): string[] =>
  namesOf({ ...screened, facts: riskFactsOf(screened.request) });

/** Public text of 100.550.312: amount is outside allowed ticket size boundaries; of .601: risk amount too large. */
const refuseAmount = (
  { amountMax }: RiskRules,
  { minor, currency, judgedParameter: judged }: RiskFacts,
): RiskRefusal | undefined => {
  if (amountMax === undefined || minor <= minorOf(amountMax, currency)) return undefined;
  return {
    resultCode: judged === 'amount' ? codes.amountOutsideBounds : codes.amountTooRisky,
    why: `${judged} is above the channel’s limit of ${amountMax} ${currency}`,
  };
};

/** Public text of 100.400.002: transaction declined, insufficient credibility score. */
const refuseScore = ({ score: rule }: RiskRules, score: number): RiskRefusal | undefined =>
  rule === undefined || score < rule.refuseFrom
    ? undefined
    : { resultCode: codes.riskScoreTooHigh, why: `The risk score reaches the channel’s limit of ${rule.refuseFrom}` };

// The allow and deny lists of a channel, prepared once and then used for each payment.

export type Lists = {
  isAllowed(facts: RiskFacts): boolean;
  /** The first list that contains the payment, in the order BINs, e-mails, IP addresses, countries. */
  refuse(facts: RiskFacts): RiskRefusal | undefined;
};

const preparedLists = new WeakMap<RiskRules, Lists>();

/** The lists of these rules. Throws `config.malformed` for an entry that no payment could ever match. */
const listsOf = (rules: RiskRules): Lists => {
  const cachedLists = preparedLists.get(rules);
  if (cachedLists !== undefined) return cachedLists;
  const lists = read(rules);
  preparedLists.set(rules, lists);
  return lists;
};

const read = ({ allow = {}, deny = {} }: RiskRules): Lists => {
  const allowedEmails = lowerCaseSet(allow.emails);
  const allowedCustomers = new Set(allow.customers);
  const allowedIps = createRangeTest(parseRanges(allow.ips, rangeOf));
  const deniedBins = createRangeTest(parseRanges(deny.bins, binRangeOf));
  const deniedEmails = lowerCaseSet(deny.emails);
  const deniedIps = createRangeTest(parseRanges(deny.ips, rangeOf));
  const deniedCountries = new Set(deny.countries);
  return {
    isAllowed: ({ subjects: { email, customer }, address }) =>
      (email !== undefined && allowedEmails.has(email)) ||
      (customer !== undefined && allowedCustomers.has(customer)) ||
      (address !== undefined && allowedIps(address)),
    refuse({ request, subjects: { email }, address }) {
      const country = request['billing.country']?.toUpperCase();
      const bin = binOf(request['card.number'] ?? '');
      if (bin !== undefined && deniedBins(bin)) return denied.bins;
      if (email !== undefined && (deniedEmails.has(email) || deniedEmails.has(domainOf(email)))) return denied.emails;
      if (address !== undefined && deniedIps(address)) return denied.ips;
      return country !== undefined && deniedCountries.has(country) ? denied.countries : undefined;
    },
  };
};

/** With the catalogue's public meanings: bin, email, ip, country blacklisted. */
const denied: Readonly<Record<keyof NonNullable<RiskRules['deny']>, RiskRefusal>> = {
  bins: { resultCode: codes.binDenied, why: 'The first digits of card.number are on the deny list' },
  emails: { resultCode: codes.emailDenied, why: 'customer.email is on the deny list' },
  ips: { resultCode: codes.ipDenied, why: 'customer.ip is on the deny list' },
  countries: { resultCode: codes.countryDenied, why: 'billing.country is on the deny list' },
};

const lowerCaseSet = (texts: readonly string[] = []): ReadonlySet<string> =>
  new Set(texts.map((text) => text.toLowerCase()));

const domainOf = (email: string): string => email.slice(Math.max(email.lastIndexOf('@'), 0));

const parseRanges = (texts: readonly string[] = [], rangeOf: (text: string) => Range | undefined): Range[] =>
  texts.map((text) => {
    const range = rangeOf(text);
    if (range === undefined)
      throw new Fault('config.malformed', { file: 'risk rules', why: `"${text}" is not a range` });
    return range;
  });

// How often, and with how much money, the same card, e-mail, IP address or customer was seen recently. Each is stored
// as a keyed hash: the table of sightings identifies nobody.

/** A keyed hash of a text, the same in all processes of one gateway. */
type Hash = (text: string) => string;

type Sightings = Pick<Session, 'sightings'>;

/** One payment, as the velocity rules see it. */
export type VelocityInput = { rules: RiskRules; facts: RiskFacts; entityId: string; at: number; hash: Hash };

type Rule = NonNullable<RiskRules['velocity']>[number];

/** Attempts count in any currency, money in its own: two keys for each subject. */
const attemptsKey = (subject: Subject, text: string): string => JSON.stringify(['attempts', subject, text]);
const moneyKey = (subject: Subject, text: string, currency: string): string =>
  JSON.stringify(['money', subject, text, currency]);

/**
 * With the catalogue's public meanings: maximum number, or total volume, of transactions per account, email, ip; and
 * for customers "maximum number of transactions or total volume for configured MIDs or CIs exceeded".
 */
const limitCodes: Readonly<Record<Subject, { most: string; total: string }>> = {
  card: { most: codes.tooManyOfCard, total: codes.tooMuchOfCard },
  ip: { most: codes.tooManyOfIp, total: codes.tooMuchOfIp },
  email: { most: codes.tooManyOfEmail, total: codes.tooMuchOfEmail },
  customer: { most: codes.tooMuchOfCustomer, total: codes.tooMuchOfCustomer },
};

/** The first rule that this payment would break. A sighting exactly as old as the window is outside of it. */
const checkVelocity = async (session: Sightings, velocityInput: VelocityInput): Promise<RiskRefusal | undefined> => {
  for (const rule of velocityInput.rules.velocity ?? []) {
    const refusal = await checkRule(session, velocityInput, rule);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
};

const checkRule = async (
  session: Sightings,
  velocityInput: VelocityInput,
  rule: Rule,
): Promise<RiskRefusal | undefined> => {
  const { facts, entityId, at, hash } = velocityInput;
  const { per, withinMinutes, most, total } = rule;
  const text = facts.subjects[per];
  if (text === undefined) return undefined;
  const since = at - withinMinutes * MINUTE_MS + 1;
  const readSightings = (key: string) => session.sightings({ entityId, subject: hash(key), since });
  const time = `within ${withinMinutes} minutes`;
  if (most !== undefined && (await readSightings(attemptsKey(per, text))).count >= most) {
    return { resultCode: limitCodes[per].most, why: `More than ${most} payments per ${per} ${time}` };
  }
  if (total === undefined) return undefined;
  const { minor } = await readSightings(moneyKey(per, text, facts.currency));
  return minor + facts.minor <= minorOf(total, facts.currency)
    ? undefined
    : { resultCode: limitCodes[per].total, why: `More than ${total} ${facts.currency} per ${per} ${time}` };
};

/** How many cards the payment's IP address used within a day, including this one, and the sightings to add. */
const cardsOnIpCount = async (
  session: Sightings,
  { facts, entityId, at, hash }: VelocityInput,
): Promise<{ count: number; sightings: Sighting[] }> => {
  const { card, ip } = facts.subjects;
  if (card === undefined || ip === undefined) return { count: 0, sightings: [] };
  const since = at - DAY_MS + 1;
  const subjectHash = hash(JSON.stringify(['cardsOnIp', ip]));
  const thisCard = hash(JSON.stringify(['cardOnIp', ip, card]));
  const { count } = await session.sightings({ entityId, subject: subjectHash, since });
  // A card counts again once a day: the stored data grow with the cards, not with the payments.
  const cachedLists = (await session.sightings({ entityId, subject: thisCard, since })).count > 0;
  if (cachedLists) return { count, sightings: [] };
  return {
    count: count + 1,
    sightings: [subjectHash, thisCard].map((subject) => ({ entityId, subject, at, minor: 0n })),
  };
};

/** The sightings of this payment for the current rules. A refused payment counts as an attempt, but not as money. */
const sightingsOf = (
  { rules, facts, entityId, at, hash }: VelocityInput,
  isRefused: 'refused' | undefined,
): Sighting[] =>
  subjectsOfRules(rules).flatMap((subject) => {
    const text = facts.subjects[subject];
    if (text === undefined) return [];
    const attempt = { entityId, subject: hash(attemptsKey(subject, text)), at, minor: 0n };
    if (isRefused !== undefined) return [attempt];
    return [attempt, { entityId, subject: hash(moneyKey(subject, text, facts.currency)), at, minor: facts.minor }];
  });

/**
 * One name for each subject that a rule counts: transactions that count the same subject must not run at the same time.
 */
const namesOf = ({ rules, facts, entityId, hash }: Omit<VelocityInput, 'at'>): string[] =>
  subjectsOfRules(rules).flatMap((subject) => {
    const text = facts.subjects[subject];
    return text === undefined ? [] : [`risk ${entityId} ${hash(attemptsKey(subject, text))}`];
  });

const subjectsOfRules = ({ velocity = [] }: RiskRules): Subject[] => [...new Set(velocity.map(({ per }) => per))];
