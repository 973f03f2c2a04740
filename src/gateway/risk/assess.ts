/** Screens one payment before the acquirer is asked (spec 2.27): allow list, deny lists, amount, velocity, score. */
import { codes } from '../../base/result-codes.ts';
import type { Sighting } from '../store/store.ts';
import { minorOf, type RiskFacts, type RiskRequest, riskFactsOf } from './facts.ts';
import { listsOf } from './lists.ts';
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
