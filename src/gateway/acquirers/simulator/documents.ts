/**
 * The documents of the simulator's ledger, and how to read each of them back. This program wrote whatever the store
 * contains; a document of any other shape is still refused, so that an amount is never misread.
 */

import type { AcquirerAnswer } from '../../spec/acquirer-answer.ts';
import type { PurseMove } from './purse.ts';
import { GRAINS_PER_THOUSANDTH } from './worth.ts';

/** Which numbers up to the highest were used: hex, one bit each. */
export type SeenWindow = { highest: number; used: string };

export type AccountState = {
  /** In grains (`worth.ts`). */
  available: bigint;
  /** Wrong PINs in a row, and the time of the last, ms. */
  pin: { wrong: number; at: number };
  /** Transaction counters seen, by PAN sequence number: each card of an account has its own chip. */
  counters: Record<string, SeenWindow>;
  /** Approved payments of one UTC day. */
  day: { date: string; payments: number };
};

/** Money of an account that is not a card, in grains: a gift card, a bank account. */
export type PurseState = { available: bigint };

export type OperationOutcome = {
  /** `closed`: nothing was done under this id, and nothing ever will be. */
  operation: (typeof operations)[number];
  minor: bigint;
  currency: string;
  /** The id of the payment that a follow-up refers to. */
  of?: string;
  /** The document that holds the money, once known, if it is a card's account. */
  account?: string;
  /** The same, if it is a purse. */
  purse?: string;
  /** Waits for the shopper: the answer has a pending code and a redirect. */
  pending?: true;
  /** Only for a closed id: the operation that closed it. */
  closedBy?: 'reversal' | 'inquiry';
  answer: AcquirerAnswer;
  /** Only for an approved authorisation or rebill. */
  moved?: PurseMove;
};

const operations = [
  'PA',
  'DB',
  'CD',
  'capture',
  'reverse',
  'refund',
  'increase',
  'rebill',
  'receipt',
  'chargeback',
  'chargebackReversal',
  'closed',
] as const;

type Documents = {
  outcome: OperationOutcome;
  account: AccountState;
  purse: PurseState;
  key: SeenWindow;
  /**
   * Wrong PINs in a row for a gift card. Kept apart from the card's money, so that no movement of its purse changes it.
   */
  tries: { wrong: number };
  /**
   * A shopper sent to the simulated bank: the return address, and the shop's name as the shopper knows it. Stored by
   * the payment's id.
   */
  visit: { returnTo: string; shop: string };
};
export type DocumentKind = keyof Documents;
export type Document<K extends DocumentKind> = Documents[K];

export type DocumentChange = { [K in DocumentKind]: { kind: K; name: string; document: Document<K> } }[DocumentKind];

type Fields = Readonly<Record<string, unknown>>;

/** The document of this kind in a JSON value, or undefined if the value is none. Amounts are digits in JSON. */
export const documentOf = <K extends DocumentKind>(kind: K, json: unknown): Document<K> | undefined => {
  if (!isFields(json)) return undefined;
  try {
    return readers[kind](json) as Document<K>;
  } catch (error) {
    if (error instanceof InvalidDocument) return undefined;
    throw error;
  }
};

/** The document as JSON: amounts are digits. Keys have a fixed order, so that equal documents have equal bytes. */
export const jsonFormOf = (change: DocumentChange): object => {
  const { kind, document } = change;
  if (kind === 'account' || kind === 'purse') return { ...document, ...digitsOfGrains(document.available) };
  if (kind !== 'outcome') return document;
  const { minor, moved } = document;
  return { ...document, minor: minor.toString(), moved: moved && digitsOf(moved) };
};

/**
 * Thousandths of a euro, followed by the remaining grains if there are any: earlier versions wrote and read
 * thousandths.
 */
const digitsOfGrains = (available: bigint) => {
  const rest = ((available % GRAINS_PER_THOUSANDTH) + GRAINS_PER_THOUSANDTH) % GRAINS_PER_THOUSANDTH;
  const thousandths = ((available - rest) / GRAINS_PER_THOUSANDTH).toString();
  return { available: thousandths, rest: rest === 0n ? undefined : rest.toString() };
};

const grainsOf = ({ available, rest = '0' }: Fields): bigint =>
  parseWhole(available) * GRAINS_PER_THOUSANDTH + parseWhole(rest);

const digitsOf = (moved: PurseMove) => ({
  ...moved,
  authorised: moved.authorised.toString(),
  captured: moved.captured.toString(),
  reversed: moved.reversed.toString(),
  refunded: moved.refunded.toString(),
  chargedBack: moved.chargedBack.toString(),
  chargebackReversed: moved.chargebackReversed.toString(),
});

class InvalidDocument extends Error {}

const outcome = ({ moved, ...fields }: Fields): OperationOutcome => {
  const { operation, minor, currency, answer } = fields;
  const { resultCode, details } = parseGroup(answer);
  const operationName = operations.find((name) => name === operation);
  if (operationName === undefined) throw new InvalidDocument();
  parseText(resultCode);
  parseGroup(details);
  return {
    ...(fields as Pick<OperationOutcome, 'of' | 'account' | 'purse' | 'pending' | 'closedBy'>),
    operation: operationName,
    minor: parseWhole(minor),
    currency: parseText(currency),
    answer: answer as AcquirerAnswer,
    moved: moved === undefined ? undefined : purseMoveOf(parseGroup(moved)),
  };
};

const purseMoveOf = ({ type, currency, ...amounts }: Fields): PurseMove => {
  if (type !== 'PA' && type !== 'DB' && type !== 'CD') throw new InvalidDocument();
  const { authorised, captured, reversed, refunded, chargedBack = '0', chargebackReversed = '0' } = amounts;
  return {
    type,
    currency: parseText(currency),
    authorised: parseWhole(authorised),
    captured: parseWhole(captured),
    reversed: parseWhole(reversed),
    refunded: parseWhole(refunded),
    // Documents of the first version have neither field.
    chargedBack: parseWhole(chargedBack),
    chargebackReversed: parseWhole(chargebackReversed),
  };
};

const account = ({ pin, counters, day, ...amounts }: Fields): AccountState => {
  const { wrong, at } = parseGroup(pin);
  const { date, payments } = parseGroup(day);
  if (typeof at !== 'number') throw new InvalidDocument();
  const windows = Object.entries(parseGroup(counters)).map(
    ([psn, window]) => [psn, seenWindowOf(parseGroup(window))] as const,
  );
  return {
    available: grainsOf(amounts),
    pin: { wrong: count(wrong), at },
    counters: Object.fromEntries(windows),
    day: { date: parseText(date), payments: count(payments) },
  };
};

const seenWindowOf = ({ highest, used }: Fields): SeenWindow => {
  if (!/^[0-9A-F]+$/.test(parseText(used))) throw new InvalidDocument();
  return { highest: count(highest), used: parseText(used) };
};

const readers: { [K in DocumentKind]: (fields: Fields) => Document<K> } = {
  outcome,
  account,
  purse: (fields) => ({ available: grainsOf(fields) }),
  key: seenWindowOf,
  tries: ({ wrong }) => ({ wrong: count(wrong) }),
  visit: ({ returnTo, shop }) => ({ returnTo: parseText(returnTo), shop: parseText(shop) }),
};

const isFields = (json: unknown): json is Fields => typeof json === 'object' && json !== null && !Array.isArray(json);

const parseGroup = (json: unknown): Fields => {
  if (!isFields(json)) throw new InvalidDocument();
  return json;
};

const parseText = (json: unknown): string => {
  if (typeof json !== 'string') throw new InvalidDocument();
  return json;
};

const parseWhole = (json: unknown): bigint => {
  if (!/^-?\d{1,30}$/.test(parseText(json))) throw new InvalidDocument();
  return BigInt(parseText(json));
};

const count = (json: unknown): number => {
  if (typeof json !== 'number' || !Number.isSafeInteger(json) || json < 0) throw new InvalidDocument();
  return json;
};
