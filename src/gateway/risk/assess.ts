/** Screens one payment before the acquirer is asked (spec 2.27): allow list, deny lists, amount, velocity, score. */

import { Fault } from '../../base/fault.ts';
import { codes } from '../../base/result-codes.ts';
import type { Sighting } from '../store/store.ts';
import { minorOf, type RiskFacts, type RiskRequest, riskFactsOf } from './facts.ts';
import { binOf, binRangeOf, type Range, rangeOf, within } from './ranges.ts';
import type { RiskRefusal, RiskRules } from './rules.ts';
import { scoreOf } from './score.ts';
import { cardsOnIp, type Hash, namesOf, type Sightings, sightingsOf, tooOften } from './velocity.ts';

type Screened = {
  rules: RiskRules;
  request: RiskRequest;
  entityId: string;
  /** A keyed hash; the same text must give the same in all processes. */
  hash: Hash;
};

export type Assessed = {
  /** -99999 to 99999, of every screened payment. */
  score: number;
  /** Absent: the payment may go on. `why` is a sentence for the merchant; it holds no value of the request. */
  refused?: RiskRefusal;
  /** To be kept in the transaction that was read from. */
  sightings: Sighting[];
};

/**
 * Judges a payment whose parameters were checked. The allow list beats all other rules; of those the first that is
 * broken is told. Amounts of the rules are in the payment's currency, whichever it is. A refused payment counts as an
 * attempt of its card, e-mail, IP address and customer, not as money.
 *
 * Call it inside `store.atomically` with the names of `screeningNames`, and add the sightings there. `at` is
 * wall time, ms. Throws `config.malformed` for rules that the schema would have refused.
 */
export const assess = async (screened: Screened & { session: Sightings; at: number }): Promise<Assessed> => {
  const { rules, session } = screened;
  const facts = riskFactsOf(screened.request);
  const looked = { ...screened, facts };
  const allowed = listsOf(rules).allows(facts);
  const cards = await cardsOnIp(session, looked);
  const score = scoreOf({ facts, rules, allowed, cardsOnIp: cards.count });
  const refused = allowed
    ? undefined
    : (listsOf(rules).denies(facts) ??
      tooMuch(rules, facts) ??
      (await tooOften(session, looked)) ??
      tooRisky(rules, score));
  const sightings = [...cards.sightings, ...sightingsOf(looked, refused === undefined ? undefined : 'refused')];
  return { score, ...(refused === undefined ? {} : { refused }), sightings };
};

/** What `store.atomically` is to be given, lest two payments at once both be the last that a rule lets pass. */
export const screeningNames = (screened: Screened): string[] =>
  namesOf({ ...screened, facts: riskFactsOf(screened.request) });

/** Public words of 100.550.312: amount is outside allowed ticket size boundaries; of .601: risk amount too large. */
const tooMuch = ({ amountMax }: RiskRules, { minor, currency, judged }: RiskFacts): RiskRefusal | undefined => {
  if (amountMax === undefined || minor <= minorOf(amountMax, currency)) return undefined;
  return {
    resultCode: judged === 'amount' ? codes.amountOutsideBounds : codes.amountTooRisky,
    why: `${judged} is above the channel’s limit of ${amountMax} ${currency}`,
  };
};

/** Public words of 100.400.002: transaction declined, insufficient credibility score. */
const tooRisky = ({ score: rule }: RiskRules, score: number): RiskRefusal | undefined =>
  rule === undefined || score < rule.refuseFrom
    ? undefined
    : { resultCode: codes.riskScoreTooHigh, why: `The risk score reaches the channel’s limit of ${rule.refuseFrom}` };

// The allow and deny lists of a channel, made ready once and then asked for each payment.

export type Lists = {
  allows(facts: RiskFacts): boolean;
  /** The first list that names the payment, in the order bins, e-mails, IP addresses, countries. */
  denies(facts: RiskFacts): RiskRefusal | undefined;
};

const ready = new WeakMap<RiskRules, Lists>();

/** The lists of these rules. Throws `config.malformed` for an entry that no payment could ever fit. */
const listsOf = (rules: RiskRules): Lists => {
  const known = ready.get(rules);
  if (known !== undefined) return known;
  const lists = read(rules);
  ready.set(rules, lists);
  return lists;
};

const read = ({ allow = {}, deny = {} }: RiskRules): Lists => {
  const allowedEmails = lowerCase(allow.emails);
  const allowedCustomers = new Set(allow.customers);
  const allowedIps = within(each(allow.ips, rangeOf));
  const deniedBins = within(each(deny.bins, binRangeOf));
  const deniedEmails = lowerCase(deny.emails);
  const deniedIps = within(each(deny.ips, rangeOf));
  const deniedCountries = new Set(deny.countries);
  return {
    allows: ({ subjects: { email, customer }, address }) =>
      (email !== undefined && allowedEmails.has(email)) ||
      (customer !== undefined && allowedCustomers.has(customer)) ||
      (address !== undefined && allowedIps(address)),
    denies({ request, subjects: { email }, address }) {
      const country = request['billing.country']?.toUpperCase();
      const bin = binOf(request['card.number'] ?? '');
      if (bin !== undefined && deniedBins(bin)) return denied.bins;
      if (email !== undefined && (deniedEmails.has(email) || deniedEmails.has(domainOf(email)))) return denied.emails;
      if (address !== undefined && deniedIps(address)) return denied.ips;
      return country !== undefined && deniedCountries.has(country) ? denied.countries : undefined;
    },
  };
};

/** In the catalogue's public words: bin, email, ip, country blacklisted. */
const denied: Readonly<Record<keyof NonNullable<RiskRules['deny']>, RiskRefusal>> = {
  bins: { resultCode: codes.binDenied, why: 'The first digits of card.number are on the deny list' },
  emails: { resultCode: codes.emailDenied, why: 'customer.email is on the deny list' },
  ips: { resultCode: codes.ipDenied, why: 'customer.ip is on the deny list' },
  countries: { resultCode: codes.countryDenied, why: 'billing.country is on the deny list' },
};

const lowerCase = (texts: readonly string[] = []): ReadonlySet<string> =>
  new Set(texts.map((text) => text.toLowerCase()));

const domainOf = (email: string): string => email.slice(Math.max(email.lastIndexOf('@'), 0));

const each = (texts: readonly string[] = [], rangeOf: (text: string) => Range | undefined): Range[] =>
  texts.map((text) => {
    const range = rangeOf(text);
    if (range === undefined) throw new Fault('config.malformed', { file: 'risk rules', why: `"${text}" is no range` });
    return range;
  });
