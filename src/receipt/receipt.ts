/**
 * A finished operation as the rows of its receipt, following the schemes' rules for what must, may and must not be on
 * it.
 */
import { dateTime } from '../base/clock.ts';
import { type Money, printMoney, subtract } from '../base/money.ts';
import { receipt as english, type ReceiptWords } from '../locales/shopper/en.ts';
import type { ReceiptCard, ReceiptFacts } from './facts.ts';
import { withModeMark } from './mode-mark.ts';
import { blank, centreRow, fieldRows, largeRow, markPairs, pair, type Row, rule } from './rows.ts';
import { cardNumber, safeFreeText, safeLines, safeText, slipLines } from './safe-text.ts';
import {
  asks,
  type Copy,
  copies,
  entryModes,
  offlineResults,
  offlineWords,
  operations,
  verificationKey,
} from './words.ts';

export type { Copy } from './words.ts';

export type ReceiptLook = {
  copy: Copy;
  /** Marks a reprint at the top and the bottom. */
  duplicate?: boolean;
  /** English if absent. Terms that the schemes define in English (AID, AC, TVR and others) stay in English. */
  words?: ReceiptWords;
  /** The decimal mark of amounts; a point if absent. */
  mark?: string;
  logo?: boolean;
  /** The store's own lines, at the top and the bottom. */
  header?: readonly string[];
  footer?: readonly string[];
};

/**
 * The receipt of one operation.
 *
 * Both copies have what all schemes require. TVR, TSI and issuer application data, which only an acquirer reads, are on
 * the merchant's copy. Throws `currency.unknown` for an invalid currency.
 */
export const receiptOf = (facts: ReceiptFacts, look: ReceiptLook): Row[] => {
  const { copy, duplicate, words = english, mark = '.', logo, header = [], footer = [] } = look;
  const marks: Row[] = duplicate === true ? [largeRow(words.duplicate)] : [];
  const slip = slipLines(facts.slip?.[copy] ?? []).map((text) => ({ kind: 'plain', text }) as const);
  const signed = slip.some(({ text }) => SIGNATURE_LINE.test(text));
  const rows: Row[] = [
    ...marks,
    ...(logo === true ? [{ kind: 'logo' } as const] : []),
    ...heading(facts, words),
    ...storeLines(header),
    rule,
    ...identity(facts, words),
    rule,
    ...markPairs(moneyRows(facts, words), mark),
    ...(slip.length > 0 ? [rule, ...slip] : details(facts, copy, words)),
    rule,
    ...result(facts, words),
    ...(signed ? [] : signature(facts, copy, words)),
    ...(footer.length > 0 ? [blank, ...storeLines(footer)] : []),
    ...codeRows(facts, copy, words),
    blank,
    centreRow(words[copies[copy]]),
    centreRow(words.notTaxReceipt),
    ...marks,
  ];
  return withModeMark(rows, facts.mode, words);
};

const storeLines = (lines: readonly string[]): Row[] =>
  lines.map(safeFreeText).map((text) => (text === '' ? blank : centreRow(text)));

const heading = ({ merchant }: ReceiptFacts, words: ReceiptWords): Row[] => {
  const vat = safeText(merchant.vat ?? '');
  return [
    largeRow(safeText(merchant.name)),
    ...merchant.address.map((line) => centreRow(safeText(line))),
    ...(vat === '' ? [] : [centreRow(`${words.vat} ${vat}`)]),
  ];
};

const identity = (facts: ReceiptFacts, words: ReceiptWords): Row[] => [
  ...fieldRows([words.terminal, facts.terminalId], [words.receipt, facts.receiptNumber]),
  ...fieldRows([words.merchant, facts.merchant.id], [words.batch, facts.batch]),
  ...fieldRows([words.cashier, safeFreeText(facts.cashier ?? '')], ['', undefined]),
  pair(...localTime(facts, facts.at)),
];

/** What a terminal prints where the customer signs. */
const SIGNATURE_LINE = /_{6,}|\.{12,}|signature|unterschrift/i;

const details = (facts: ReceiptFacts, copy: Copy, words: ReceiptWords): Row[] => [
  ...(facts.card === undefined ? [] : cardRows(facts.card, facts.ending, words)),
  ...(facts.card === undefined ? [] : chipRows(facts.card, copy)),
  ...authorisation(facts, words),
];

const cardRows = (card: ReceiptCard, ending: ReceiptFacts['ending'], words: ReceiptWords): Row[] => {
  const name = safeFreeText(card.label ?? '') || safeFreeText(card.brand ?? '') || words.card;
  const verified = verificationKey(card.verification, ending);
  return [
    pair(name, cardNumber(card.maskedPan)),
    ...(card.entryMode === undefined
      ? []
      : [pair(words[entryModes[card.entryMode]], verified === undefined ? '' : words[verified])]),
  ];
};

/** In English in every language, because specialists of every country read it. */
const chipRows = (card: ReceiptCard, copy: Copy): Row[] => [
  ...fieldRows(['AID', card.aid], ['', undefined]),
  ...fieldRows([`AC ${card.cryptogram?.kind}`, card.cryptogram?.value], ['', undefined]),
  ...(copy === 'merchant' ? fieldRows(['TVR', card.tvr], ['TSI', card.tsi]) : []),
  ...(copy === 'merchant' ? fieldRows(['IAD', card.iad], ['', undefined]) : []),
];

/** An approval code only if an issuer gave one and it still holds: never on offline, declined or reversed payments. */
const authorisation = (facts: ReceiptFacts, words: ReceiptWords): Row[] => {
  const holds = facts.ending === 'approved' && facts.reversed !== true;
  const trace: [string, string | undefined] = ['TRACE', facts.traceNumber];
  if (!holds) return fieldRows(trace, ['', undefined]);
  if (facts.offline === undefined) return fieldRows(['AUTH', facts.authorisationCode], trace);
  return [...fieldRows(trace, ['', undefined]), centreRow(words[offlineWords[facts.offline]])];
};

/**
 * The host's own text replaces ours; on a receipt in another language it is below a text that its reader understands.
 */
const statusRows = (plain: string, status: readonly string[], words: ReceiptWords): Row[] => {
  if (status.length === 0) return [largeRow(plain)];
  return words === english ? status.map(largeRow) : [largeRow(plain), ...status.map(centreRow)];
};

const result = (facts: ReceiptFacts, words: ReceiptWords): Row[] => {
  const { ending, offline, reversed, operation } = facts;
  const operationWords = operations[operation];
  const failed = words[operationWords.failed];
  const statedRows = (plain: string): Row[] => statusRows(plain, safeLines(facts.statusText ?? ''), words);
  const reason = safeLines(facts.reason ?? '').map(centreRow);

  if (ending === 'declined') return [...statedRows(words.declined), centreRow(failed), ...reason];
  if (reversed === true) return [largeRow(words.reversed), centreRow(failed), ...reason];
  if (ending === 'notSent') return [largeRow(failed), ...reason];
  if (ending === 'unknown')
    return [
      largeRow(words.resultUnknown),
      largeRow(words[operationWords.unknown]),
      centreRow(words[asks[facts.asks ?? 'bank']]),
      ...reason,
    ];
  if (facts.neverSent === true) return [largeRow(words.voided), centreRow(words.neverSent)];
  if (offline !== undefined) return [largeRow(words[offlineResults[offline]])];
  const part = facts.requested === undefined ? [] : [centreRow(words.aPart)];
  return [
    ...statedRows(words.approved),
    ...part,
    ...(operationWords.done === undefined ? [] : [centreRow(words[operationWords.done])]),
  ];
};

const signature = ({ card, ending, reversed }: ReceiptFacts, copy: Copy, words: ReceiptWords): Row[] =>
  copy === 'merchant' && card?.verification === 'signature' && ending === 'approved' && reversed !== true
    ? [blank, { kind: 'signature', label: words.signature }]
    : [];

/** Only a payment can be refunded, and only the customer brings the code back. */
const codeRows = ({ code, operation, ending, reversed }: ReceiptFacts, copy: Copy, words: ReceiptWords): Row[] => {
  const refundable = ending === 'approved' && reversed !== true && (operation === 'sale' || operation === 'completion');
  return code !== undefined && copy === 'customer' && refundable && /^[!-~]{1,200}$/.test(code)
    ? [blank, { kind: 'code', code, caption: words.forRefunds }]
    : [];
};

// The rows about money: amount, tip and total, the requested amount, and what is still to be paid.

/** The approved amount is the large one, with everything else around it. */
export const moneyRows = (facts: ReceiptFacts, words: ReceiptWords): Row[] => {
  const { operation, amount, originalReceiptNumber, requested, tip } = facts;
  const name = words[operations[operation].name];
  return [
    ...(requested === undefined ? [] : [sum(words.askedFor, requested)]),
    ...(tip === undefined ? [] : [sum(name, subtract(amount, tip)), sum(words.tip, tip)]),
    { kind: 'pair', left: tip === undefined ? name : words.total, right: printMoney(amount), large: true },
    ...rowsAfterAmount(facts, words),
    ...fieldRows([words.ofReceipt, originalReceiptNumber], ['', undefined]),
  ];
};

/** Rows after an approval only: the bill, the hold, the gift card balance. */
const rowsAfterAmount = (facts: ReceiptFacts, words: ReceiptWords): Row[] => {
  const { bill, heldInAll, heldUntil, balance } = facts;
  return [
    ...(balance === undefined ? [] : [sum(words.leftOnCard, balance)]),
    ...(facts.ending === 'approved' && facts.reversed !== true
      ? [
          ...(bill === undefined ? [] : billRows(bill, facts, words)),
          ...(heldInAll === undefined ? [] : [sum(words.reservedInAll, heldInAll)]),
          ...(heldUntil === undefined ? [] : [pair(words.reservedUntil, localTime(facts, heldUntil)[0])]),
        ]
      : []),
  ];
};

type Bill = NonNullable<ReceiptFacts['bill']>;

/** A bill total equal to the requested amount is not printed twice. */
const billRows = ({ total, left }: Bill, { requested }: ReceiptFacts, words: ReceiptWords): Row[] => [
  ...(requested?.minor === total.minor ? [] : [sum(words.bill, total)]),
  left.minor > 0n
    ? { kind: 'pair', left: words.stillToPay, right: printMoney(left), large: true }
    : pair(words.stillToPay, words.nothing),
];

const sum = (label: string, amount: Money): Row => pair(label, printMoney(amount));

/** Date and time on the store's clock. */
const localTime = ({ zoneMinutes }: Pick<ReceiptFacts, 'zoneMinutes'>, at: number): [string, string] => {
  const [day = '', time = ''] = dateTime(at + zoneMinutes * 60_000).split(' ');
  return [day, time];
};
