/**
 * How often, and with how much money, the same card, e-mail, IP address or customer was seen lately. Each is kept as
 * a keyed hash: the table of sightings names nobody.
 */
import { codes as resultCodes } from '../../base/result-codes.ts';
import type { Session, Sighting } from '../store/store.ts';
import { minorOf, type RiskFacts } from './facts.ts';
import type { RiskRefusal, RiskRules, Subject } from './rules.ts';

/** A keyed hash of a text, the same in all processes of one gateway. */
export type Hash = (text: string) => string;

export type Sightings = Pick<Session, 'sightings'>;

/** One payment, as the rules that look back see it. */
export type Looked = { rules: RiskRules; facts: RiskFacts; entityId: string; at: number; hash: Hash };

type Rule = NonNullable<RiskRules['velocity']>[number];

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Attempts count in any currency, money in its own: two keys of one subject. */
const attemptsKey = (subject: Subject, text: string): string => JSON.stringify(['attempts', subject, text]);
const moneyKey = (subject: Subject, text: string, currency: string): string =>
  JSON.stringify(['money', subject, text, currency]);

/**
 * In the catalogue's public words: maximum number, or total volume, of transactions per account, email, ip; and for
 * customers "maximum number of transactions or total volume for configured MIDs or CIs exceeded".
 */
const codes: Readonly<Record<Subject, { most: string; total: string }>> = {
  card: { most: resultCodes.tooManyOfCard, total: resultCodes.tooMuchOfCard },
  ip: { most: resultCodes.tooManyOfIp, total: resultCodes.tooMuchOfIp },
  email: { most: resultCodes.tooManyOfEmail, total: resultCodes.tooMuchOfEmail },
  customer: { most: resultCodes.tooMuchOfCustomer, total: resultCodes.tooMuchOfCustomer },
};

/** The first rule that this payment would break. One as old as the window is outside of it. */
export const tooOften = async (session: Sightings, looked: Looked): Promise<RiskRefusal | undefined> => {
  for (const rule of looked.rules.velocity ?? []) {
    const refused = await broken(session, looked, rule);
    if (refused !== undefined) return refused;
  }
  return undefined;
};

const broken = async (session: Sightings, looked: Looked, rule: Rule): Promise<RiskRefusal | undefined> => {
  const { facts, entityId, at, hash } = looked;
  const { per, withinMinutes, most, total } = rule;
  const text = facts.subjects[per];
  if (text === undefined) return undefined;
  const since = at - withinMinutes * MINUTE_MS + 1;
  const seen = (key: string) => session.sightings({ entityId, subject: hash(key), since });
  const time = `within ${withinMinutes} minutes`;
  if (most !== undefined && (await seen(attemptsKey(per, text))).count >= most) {
    return { resultCode: codes[per].most, why: `More than ${most} payments per ${per} ${time}` };
  }
  if (total === undefined) return undefined;
  const { minor } = await seen(moneyKey(per, text, facts.currency));
  return minor + facts.minor <= minorOf(total, facts.currency)
    ? undefined
    : { resultCode: codes[per].total, why: `More than ${total} ${facts.currency} per ${per} ${time}` };
};

/** How many cards the payment's IP address used within a day, this one included, and what to keep of that. */
export const cardsOnIp = async (
  session: Sightings,
  { facts, entityId, at, hash }: Looked,
): Promise<{ count: number; sightings: Sighting[] }> => {
  const { card, ip } = facts.subjects;
  if (card === undefined || ip === undefined) return { count: 0, sightings: [] };
  const since = at - DAY_MS + 1;
  const all = hash(JSON.stringify(['cardsOnIp', ip]));
  const thisCard = hash(JSON.stringify(['cardOnIp', ip, card]));
  const { count } = await session.sightings({ entityId, subject: all, since });
  // A card counts again once a day: what is kept grows with the cards, not with the payments.
  const known = (await session.sightings({ entityId, subject: thisCard, since })).count > 0;
  if (known) return { count, sightings: [] };
  return { count: count + 1, sightings: [all, thisCard].map((subject) => ({ entityId, subject, at, minor: 0n })) };
};

/** What to keep of this payment for the rules as they are. A refused one was tried, but is no money. */
export const sightingsOf = (
  { rules, facts, entityId, at, hash }: Looked,
  isRefused: 'refused' | undefined,
): Sighting[] =>
  ruledSubjects(rules).flatMap((subject) => {
    const text = facts.subjects[subject];
    if (text === undefined) return [];
    const attempt = { entityId, subject: hash(attemptsKey(subject, text)), at, minor: 0n };
    if (isRefused !== undefined) return [attempt];
    return [attempt, { entityId, subject: hash(moneyKey(subject, text, facts.currency)), at, minor: facts.minor }];
  });

/** One name for each subject that a rule counts: works that count the same must not run at the same time. */
export const namesOf = ({ rules, facts, entityId, hash }: Omit<Looked, 'at'>): string[] =>
  ruledSubjects(rules).flatMap((subject) => {
    const text = facts.subjects[subject];
    return text === undefined ? [] : [`risk ${entityId} ${hash(attemptsKey(subject, text))}`];
  });

const ruledSubjects = ({ velocity = [] }: RiskRules): Subject[] => [...new Set(velocity.map(({ per }) => per))];
