/**
 * Messages that every reader gets in their own language: a code, the facts of the case, and the English text for
 * readers of an unknown code. A table has the English texts of one area; command line and local API use the same one.
 */
import { dateTime } from './clock.ts';
import { formatEnglish, formatList, type Placeholders, type PlaceholderValues } from './placeholders.ts';

/** Data stays unchanged; a time, ms, is shown in the reader's zone; lists are joined and messages translated. */
export type Fact = string | number | { readonly at: number } | { readonly list: readonly string[] } | LocalizedMessage;
export type Facts = Readonly<Record<string, Fact>>;

/** `code` is `scope.name`. `factsOf` reads the facts: a recursive type does not pass through the API's typed client. */
export type LocalizedMessage = { readonly code: string; readonly says: string; readonly facts?: object };

export const factsOf = ({ facts = {} }: LocalizedMessage): Facts => facts as Facts;

/** The names of a table's texts without placeholders. */
export type PlainName<Table extends Readonly<Record<string, string>>> = {
  [Name in keyof Table]: [Placeholders<Table[Name]>] extends [never] ? Name : never;
}[keyof Table];

/** A text without placeholders takes no facts. */
type FactsFor<Text extends string> = [Placeholders<Text>] extends [never]
  ? [facts?: Facts]
  : [facts: PlaceholderValues<Text, Fact>];

/** `tell('left', { count: 3 })` from a table of `{ left: '{count} are left' }`. */
export const messageFactory =
  <const Table extends Readonly<Record<string, string>>>(scope: string, table: Table) =>
  <Name extends keyof Table & string>(name: Name, ...[facts]: FactsFor<Table[Name]>): LocalizedMessage => ({
    code: `${scope}.${name}`,
    says: formatEnglish<string, Fact>(table[name] ?? '', facts ?? {}, englishText),
    facts,
  });

const englishText = (fact: Fact): string => {
  if (typeof fact !== 'object') return String(fact);
  if ('list' in fact) return listInEnglish(fact.list);
  return 'at' in fact ? utcMoment(fact.at) : fact.says;
};

const listInEnglish = formatList('en');

/** `2026-07-01 10:05:00 UTC`: the English form of a time, ms. */
const utcMoment = (at: number): string => `${dateTime(at)} UTC`;

/** The English text, with its times in the reader's form. */
export const withMoments = (one: LocalizedMessage, formatTime: (at: number) => string): string =>
  momentsIn(one).reduce((text, i) => text.replaceAll(utcMoment(i), formatTime(i)), one.says);

const momentsIn = (one: LocalizedMessage): number[] =>
  Object.values(factsOf(one)).flatMap((fact) => {
    if (typeof fact !== 'object') return [];
    if (isLocalizedMessage(fact)) return momentsIn(fact);
    return 'at' in fact ? [fact.at] : [];
  });

/** The same message; each text among its facts is cleaned for display. */
export const withTexts = (message: LocalizedMessage, clean: (text: string) => string): LocalizedMessage => ({
  ...message,
  says: clean(message.says),
  facts:
    message.facts &&
    Object.fromEntries(Object.entries(factsOf(message)).map(([name, fact]) => [name, fitFact(fact, clean)])),
});

const fitFact = (fact: Fact, clean: (text: string) => string): Fact => {
  if (typeof fact !== 'object') return typeof fact === 'string' ? clean(fact) : fact;
  if ('list' in fact) return { list: fact.list.map(clean) };
  return isLocalizedMessage(fact) ? withTexts(fact, clean) : fact;
};

/** Whether a fact is a nested message, not data or a time. */
export const isLocalizedMessage = (fact: Fact | readonly LocalizedMessage[]): fact is LocalizedMessage =>
  typeof fact === 'object' && 'code' in fact;

/** A gateway's "transaction declined (reason)" repeats what the message already says. */
export const gatewayFact = (reason: string): string => /^transaction declined \((.+)\)$/.exec(reason)?.[1] ?? reason;
