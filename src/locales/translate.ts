/**
 * How a sale ended and what went wrong, in the reader's language. The till says both in English; a code that a language
 * has no words for keeps those.
 */
import type { Problem } from '../api/ports/problem.ts';
import type { Result } from '../api/ports/selling.ts';
import type { FaultCode } from '../base/faults.ts';
import type { WantCode, WrongField } from '../base/field-wants.ts';
import {
  type Fact,
  factsOf,
  gatewayFact,
  isLocalizedMessage,
  type LocalizedMessage,
  withMoments,
} from '../base/localized-message.ts';
import { decimalMark, withMark } from '../base/money.ts';
import { fill } from '../base/placeholders.ts';
import type { ExplanationName } from '../reconciliation/settlement-words.ts';
import type { OfflineRefusal } from '../till/machine/offline-facts.ts';
import { rightToLeft } from './formats.ts';
import type { AuditCode, ClosingCode, ItemCode, ReplayCode } from './messages/en/books.ts';
import type { FactWords } from './messages/en/facts.ts';
import type { CheckCode, GoingLiveCode, LineCode } from './messages/en/machine.ts';
import type { ClaimCode, DeclineCode, EvidenceCode, OpenCode, OutcomeCode } from './messages/en/sales.ts';
import { limitValue, wholeLimitName } from './names.ts';
import type { Language, Translation, Words } from './screens.ts';
import type { SaidRow } from './translation.ts';

export type SaidTables = {
  reasons: Partial<Readonly<Record<Result['reason'], SaidRow>>>;
  /** `till.away` is the page's own: the till did not answer at all. */
  faults: Partial<Readonly<Record<FaultCode | 'till.away', SaidRow>>>;
  /** By the English; what a language has no words for stays as it was said. */
  facts?: FactWords;
  /** By room and code; what a language has no words for keeps the till's. */
  told?: MessageTables;
};

/** All words of one language. */
export type Table = { words: Words; said: SaidTables };
/** Those of another language, before `load` gives them the types of the English ones. */
export type TranslatedTable = { words: Translation; said: SaidTables };

export type MessageTables = Readonly<{ [Room in keyof MessageCodes]: Readonly<Record<MessageCodes[Room], string>> }>;

/** The reader's words, and how a moment is written. */
export type Telling = {
  said: SaidTables;
  words: Pick<Words, 'manager' | 'signIn'>;
  language: Language;
  dateTime(at: number): string;
};

type Facts = Readonly<Record<string, string | number>>;

const filled = ({ says, money, next }: SaidRow, facts: Facts): SaidRow => ({
  says: fill(says, facts),
  money: fill(money, facts),
  next: fill(next, facts),
});

/** The row of a sale's ending; that of the till, in English, where the language has none. */
export const reasonSaid = ({ reasons, facts }: SaidTables, result: Result): SaidRow => {
  const row = reasons[result.reason];
  return row === undefined ? result : filled(row, { why: inWords(facts, gatewayFact(result.why ?? '')) });
};

/** The row of a refusal or failure; that of the till, in English, where the language has none. */
export const problemSaid = ({ faults, facts }: SaidTables, problem: Problem, language: Language = 'en'): SaidRow => {
  const row = own(faults, problem.code);
  const told = Object.entries(problem.facts ?? {}).map(([name, fact]) => [name, apart(language, inWords(facts, fact))]);
  return row === undefined ? problem : filled(row, Object.fromEntries(told));
};

/** For what names the fields of forms, too. */
type FormTelling = Telling & { words: Pick<Words, 'shared'> };

/** As `problemSaid`, with wrong fields by their labels, and what somebody may not do, in the reader's language. */
export const refusalSaid = (reader: FormTelling, problem: Problem): SaidRow => {
  const { fields = [], facts = {} } = problem;
  const may = own(reader.words.manager.permissions, String(facts['permission'] ?? ''));
  // A key that is undefined would take the place of what the refusal itself says.
  const inOwnWords = {
    ...(fields.length > 0 && { why: fields.map((field) => wrongFieldSaid(reader, field)).join('; ') }),
    ...(may !== undefined && { what: may }),
  };
  return problemSaid(reader.said, { ...problem, facts: { ...facts, ...inOwnWords } }, reader.language);
};

/** `PIN: must be 4 to 12 digits` */
export const wrongFieldSaid = (reader: FormTelling, { name, says, told: want }: WrongField): string =>
  `${labelOf(reader, name)}: ${want === undefined ? says : translate(reader, want)}`;

/** A field that no form has keeps its name in the request. */
const labelOf = ({ words }: FormTelling, name: string): string =>
  own(words.shared.fields, name) ?? own(words.shared.fields, name.split('.').at(-1) ?? '') ?? name;

/** Told words as one text, in the reader's language; several one after the other. */
export const translate = (reader: Telling, what: LocalizedMessage | readonly LocalizedMessage[]): string =>
  [what]
    .flat()
    .map((one) => (isLocalizedMessage(one) ? translateOne(reader, one) : ''))
    .join(' ');

const translateOne = (reader: Telling, one: LocalizedMessage): string => {
  const limit = /^limitValue\.(.+)$/.exec(one.code)?.[1];
  if (limit !== undefined) return limitValueSaid(reader, limit, factsOf(one)['json']);
  const text = textOf(reader, one.code);
  if (text === undefined) return withMoments(one, reader.dateTime);
  return fill(text, factsOf(one), (fact) => written(reader, fact));
};

/** An amount in it is written as the language writes amounts. */
const limitValueSaid = ({ words, language }: Telling, key: string, json: Fact | undefined): string =>
  apart(language, limitValue(key, typeof json === 'string' ? json : undefined, words.manager));

/** The text of a code; undefined where the language has none, or where it is English: the till says that itself. */
const textOf = ({ said, words }: Telling, code: string): string | undefined => {
  const [room = '', ...rest] = code.split('.');
  const name = rest.join('.');
  if (room === 'reason') return partOf(own(said.reasons, rest[0] ?? ''), rest[1] ?? '');
  if (room === 'fault') return own(said.faults, name)?.says;
  if (room === 'faultNext') return own(said.faults, name)?.next;
  if (room === 'permission') return own(words.manager.permissions, name);
  if (room === 'limit') return wholeLimitName(name, words.manager);
  if (room === 'choice') return own(words.manager.reconcile.choices, name);
  if (room === 'role') return own(words.signIn.roles, name);
  return own(own(said.told ?? {}, room) ?? {}, name);
};

const own = <T>(table: Readonly<Record<string, T>> | Readonly<Partial<Record<string, T>>>, name: string) =>
  Object.hasOwn(table, name) ? table[name] : undefined;

const partOf = (row: SaidRow | undefined, part: string): string | undefined =>
  row !== undefined && (part === 'says' || part === 'money' || part === 'next') ? row[part] : undefined;

const written = (reader: Telling, fact: Fact): string => {
  if (typeof fact === 'object') return isLocalizedMessage(fact) ? translateOne(reader, fact) : reader.dateTime(fact.at);
  return apart(reader.language, inWords(reader.said.facts, fact));
};

/** A reason in the reader's language; names, numbers and what others said stay, a code in brackets behind it too. */
export const inWords = <T extends string | number>(facts: FactWords | undefined, fact: T): T | string => {
  if (typeof fact !== 'string') return fact;
  const [, reason = fact, code = ''] = /^(.+)( \(\d+\))$/.exec(fact) ?? [];
  const known = own<string>(facts ?? {}, reason);
  return known === undefined ? fact : `${known}${code}`;
};

/** Amounts as the language writes them; where text runs from right to left names and numbers keep their direction. */
const apart = (language: Language, fact: string | number): string => {
  const text = withMark(String(fact), decimalMark(language));
  return rightToLeft.includes(language) && text !== '' ? `\u2068${text}\u2069` : text;
};

/** A sale's ending; that of a till which does not tell its words by code, by its reason. */
export const endingSaid = (reader: Telling, result: Result): SaidRow =>
  result.told === undefined
    ? reasonSaid(reader.said, result)
    : {
        says: translate(reader, result.told.says),
        money: translate(reader, result.told.money),
        next: translate(reader, result.told.next),
      };

/** The codes of everything that is told, by room: each has words in the reader’s language. */

type MessageCodes = {
  outcome: OutcomeCode;
  decline: DeclineCode;
  offline: OfflineRefusal;
  claim: ClaimCode;
  evidence: EvidenceCode;
  open: OpenCode;
  item: ItemCode;
  closing: ClosingCode;
  settlement: ExplanationName;
  settlementNext: ExplanationName;
  replay: ReplayCode;
  audit: AuditCode;
  check: CheckCode;
  line: LineCode;
  goingLive: GoingLiveCode;
  want: WantCode;
};
