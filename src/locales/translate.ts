/**
 * How a sale ended and what went wrong, in the reader's language. The till says both in English; a code that a language
 * has no text for keeps that.
 */
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
import { formatList, formatMessage } from '../base/placeholders.ts';
import { rightToLeft } from './formats.ts';
import type { FactWords } from './messages/de/facts.ts';
import type { AuditCode, ClosingCode, ItemCode, ReplayCode } from './messages/en/books.ts';
import type { CheckCode, GoingLiveCode, LineCode } from './messages/en/machine.ts';
import type { CommonMoney, Reason } from './messages/en/reasons.ts';
import type {
  ClaimCode,
  DeclineCode,
  EvidenceCode,
  OfflineRefusal,
  OpenCode,
  OutcomeCode,
} from './messages/en/sales.ts';
import type { ExplanationName } from './messages/en/settlement.ts';
import { limitValue, textFor, wholeLimitName } from './names.ts';
import type { Language, Translation, Words } from './screens.ts';
import type { MessageParts, MessageRow } from './translation.ts';

export type MessageCatalogue = {
  reasons: Partial<Readonly<Record<Reason, MessageRow>>>;
  /** `till.away` is the page's own: the till did not answer at all. */
  faults: Partial<Readonly<Record<FaultCode | 'till.away', MessageRow>>>;
  /** What many of them mean for the money, by the English. */
  money?: Readonly<Partial<Record<CommonMoney, string>>>;
  /** By the English; what a language has no words for stays as it was said. */
  facts?: FactWords;
  /** By room and code; what a language has no words for keeps the till's. */
  texts?: MessageTables;
};

export type Catalogue = { words: Words; messages: MessageCatalogue };
/** Those of another language, before `load` gives them the types of the English ones. */
export type TranslatedCatalogue = { words: Translation; messages: MessageCatalogue };

export type MessageTables = Readonly<{ [Room in keyof MessageCodes]: Readonly<Record<MessageCodes[Room], string>> }>;

/** The reader's words, and how a moment is written. */
export type MessageReader = {
  messages: MessageCatalogue;
  words: Pick<Words, 'manager' | 'shared'>;
  language: Language;
  dateTime(at: number): string;
};

/** A refusal or failure, as the local API tells it. */
type Problem = MessageParts & { code: string; facts?: Facts; fields?: readonly WrongField[] };
/** The ending of a sale, as the local API tells it. */
type Ending = MessageParts & {
  reason: string;
  why?: string;
  told?: { says: LocalizedMessage; money: LocalizedMessage; next: LocalizedMessage };
};

type Facts = Readonly<Record<string, string | number>>;

type LanguageReader = Pick<MessageReader, 'messages' | 'language'>;

/** A row with its facts; what it leaves out is as `own` has it. */
const filled = (
  { messages, language }: LanguageReader,
  { row: { says, money, next }, own }: { row: MessageRow; own: MessageParts },
  facts: Facts,
): MessageParts => {
  const format = formatMessage(language);
  const written = (fact: string | number): string => apart(language, translateFact(messages.facts, fact));
  return {
    says: says === undefined ? own.says : format(says, facts, written),
    money: money === undefined ? commonMoney(messages, own.money) : format(money, facts, written),
    next: format(next, facts, written),
  };
};

const commonMoney = ({ money = {} }: Partial<MessageCatalogue>, english: string): string =>
  textFor(money, english) ?? english;

/** The row of a sale's ending; that of the till, in English, where the language has none. */
export const translateReason = (reader: LanguageReader, result: Ending): MessageParts => {
  const row = textFor(reader.messages.reasons, result.reason);
  return row === undefined ? result : filled(reader, { row, own: result }, { why: gatewayFact(result.why ?? '') });
};

/** The row of a refusal or failure; that of the till, in English, where the language has none. */
export const translateFault = (reader: LanguageReader, problem: Problem): MessageParts => {
  const row = textFor(reader.messages.faults, problem.code);
  return row === undefined ? problem : filled(reader, { row, own: problem }, problem.facts ?? {});
};

/** For what names the fields of forms, too. */
type FormReader = MessageReader & { words: Pick<Words, 'shared'> };

/** As `translateFault`, with wrong fields by their labels, and what somebody may not do, in the reader's language. */
export const translateProblem = (reader: FormReader, problem: Problem): MessageParts => {
  const { fields = [], facts = {} } = problem;
  const may = textFor(reader.words.manager.permissions, String(facts['permission'] ?? ''));
  // A key that is undefined would take the place of what the refusal itself says.
  const inOwnWords = {
    ...(fields.length > 0 && { why: fields.map((field) => translateWrongField(reader, field)).join('; ') }),
    ...(may !== undefined && { what: may }),
  };
  return translateFault(reader, { ...problem, facts: { ...facts, ...inOwnWords } });
};

/** `PIN: must be 4 to 12 digits` */
export const translateWrongField = (reader: FormReader, { name, says, told: want }: WrongField): string =>
  `${labelOf(reader, name)}: ${want === undefined ? says : translate(reader, want)}`;

/** A field that no form has keeps its name in the request. */
const labelOf = ({ words }: FormReader, name: string): string =>
  textFor(words.shared.fields, name) ?? textFor(words.shared.fields, name.split('.').at(-1) ?? '') ?? name;

/** Told words as one text, in the reader's language; several one after the other. */
export const translate = (reader: MessageReader, what: LocalizedMessage | readonly LocalizedMessage[]): string =>
  [what]
    .flat()
    .map((one) => (isLocalizedMessage(one) ? translateOne(reader, one) : ''))
    .join(' ');

const translateOne = (reader: MessageReader, one: LocalizedMessage): string => {
  const limit = /^limitValue\.(.+)$/.exec(one.code)?.[1];
  if (limit !== undefined) return translateLimitValue(reader, limit, factsOf(one)['json']);
  const text = textOf(reader, one);
  if (text === undefined) return withMoments(one, reader.dateTime);
  return formatMessage(reader.language)(text, factsOf(one), (fact) => written(reader, fact));
};

/** An amount in it is written as the language writes amounts. */
const translateLimitValue = ({ words, language }: MessageReader, key: string, json: Fact | undefined): string =>
  apart(language, limitValue(key, typeof json === 'string' ? json : undefined, { names: words.manager, language }));

/** The text of a code; undefined where the language has none, or where it is English: the till says that itself. */
const textOf = ({ messages, words }: MessageReader, { code, says }: LocalizedMessage): string | undefined => {
  const [room = '', ...rest] = code.split('.');
  const name = rest.join('.');
  if (room === 'reason')
    return (
      partOf(textFor(messages.reasons, rest[0] ?? ''), rest[1] ?? '') ?? textFor<string>(messages.money ?? {}, says)
    );
  if (room === 'fault') return textFor(messages.faults, name)?.says;
  if (room === 'faultNext') return textFor(messages.faults, name)?.next;
  if (room === 'permission') return textFor(words.manager.permissions, name);
  if (room === 'limit') return wholeLimitName(name, words.manager);
  if (room === 'choice') return textFor(words.manager.reconcile.choices, name);
  if (room === 'role') return textFor(words.shared.roles, name);
  return textFor(textFor(messages.texts ?? {}, room) ?? {}, name);
};

const partOf = (row: MessageRow | undefined, part: string): string | undefined =>
  row !== undefined && (part === 'says' || part === 'money' || part === 'next') ? row[part] : undefined;

const written = (reader: MessageReader, fact: Fact): string => {
  if (typeof fact !== 'object') return apart(reader.language, translateFact(reader.messages.facts, fact));
  if ('list' in fact) return formatList(reader.language)(fact.list.map((one) => written(reader, one)));
  return isLocalizedMessage(fact) ? translateOne(reader, fact) : reader.dateTime(fact.at);
};

/** A reason in the reader's language; names, numbers and what others said stay, a code in brackets behind it too. */
export const translateFact = <T extends string | number>(facts: FactWords | undefined, fact: T): T | string => {
  if (typeof fact !== 'string') return fact;
  const [, reason = fact, code = ''] = /^(.+)( \(\d+\))$/.exec(fact) ?? [];
  const known = textFor<string>(facts ?? {}, reason);
  return known === undefined ? fact : `${known}${code}`;
};

/** Amounts as the language writes them; where text runs from right to left names and numbers keep their direction. */
const apart = (language: Language, fact: string | number): string => {
  const text = withMark(String(fact), decimalMark(language));
  return rightToLeft.includes(language) && text !== '' ? `\u2068${text}\u2069` : text;
};

/** A sale's ending; that of a till which does not tell its words by code, by its reason. */
export const translateEnding = (reader: MessageReader, result: Ending): MessageParts =>
  result.told === undefined
    ? translateReason(reader, result)
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
