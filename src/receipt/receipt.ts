/** A finished operation as the rows of its receipt: scheme rules of what must, may and may not stand there. */
import { entryModeWords } from '../emv/entry-mode.ts';
import type { CardFacts, ReceiptFacts } from './facts.ts';
import { localTime, moneyRows } from './money-rows.ts';
import { blank, centre, fields, large, pair, type Row, rule } from './rows.ts';
import { cardNumber, safeFreeText, safeLines, safeText, slipLines } from './safe-text.ts';
import { copies, offlineResults, offlineWords, operations, verificationWords } from './words.ts';

export type Copy = keyof typeof copies;

/**
 * The receipt of one operation. `duplicate` marks a reprint, on top and at the bottom.
 *
 * Both copies carry what all schemes ask for; TVR, TSI and issuer application data, which only an acquirer reads, stand
 * on the merchant's. Throws `currency.unknown` if the amount's currency is none.
 */
export const receiptOf = (facts: ReceiptFacts, { copy, duplicate }: { copy: Copy; duplicate?: boolean }): Row[] => {
  const again: Row[] = duplicate === true ? [centre('DUPLICATE')] : [];
  const slip = slipLines(facts.slip?.[copy] ?? []).map((text) => ({ kind: 'plain', text }) as const);
  return [
    ...again,
    ...heading(facts),
    rule,
    ...identity(facts),
    rule,
    ...moneyRows(facts),
    ...(slip.length > 0 ? [rule, ...slip] : details(facts, copy)),
    rule,
    ...result(facts),
    ...(slip.some(({ text }) => SIGNATURE_LINE.test(text)) ? [] : signature(facts, copy)),
    blank,
    centre(copies[copy]),
    ...again,
  ];
};

const heading = ({ merchant }: ReceiptFacts): Row[] => {
  const vat = safeText(merchant.vat ?? '');
  return [
    large(safeText(merchant.name)),
    ...merchant.address.map((line) => centre(safeText(line))),
    ...(vat === '' ? [] : [centre(`VAT ${vat}`)]),
  ];
};

const identity = (facts: ReceiptFacts): Row[] => [
  ...fields(['TERMINAL', facts.terminalId], ['RECEIPT', facts.receiptNumber]),
  ...fields(['MERCHANT', facts.merchant.id], ['BATCH', facts.batch]),
  ...fields(['CASHIER', safeFreeText(facts.cashier ?? '')], ['', undefined]),
  pair(...localTime(facts, facts.at)),
];

/** What a terminal prints where somebody is to sign. */
const SIGNATURE_LINE = /_{6,}|\.{12,}|signature|unterschrift/i;

const details = (facts: ReceiptFacts, copy: Copy): Row[] => [
  ...(facts.card === undefined ? [] : cardRows(facts.card, facts, copy)),
  ...authorisation(facts),
];

const cardRows = (card: CardFacts, { ending }: ReceiptFacts, copy: Copy): Row[] => [
  pair(safeFreeText(card.label ?? '') || safeFreeText(card.brand ?? '') || 'CARD', cardNumber(card.maskedPan)),
  ...(card.entryMode === undefined
    ? []
    : [pair(entryModeWords[card.entryMode], verificationWords(card.verification, ending))]),
  ...fields(['AID', card.aid], ['', undefined]),
  ...fields([`AC ${card.cryptogram?.kind}`, card.cryptogram?.value], ['', undefined]),
  ...(copy === 'merchant' ? fields(['TVR', card.tvr], ['TSI', card.tsi]) : []),
  ...(copy === 'merchant' ? fields(['IAD', card.iad], ['', undefined]) : []),
];

/** A code only where an issuer gave one and it still holds: never on what was taken offline, declined or taken back. */
const authorisation = (facts: ReceiptFacts): Row[] => {
  const holds = facts.ending === 'approved' && facts.reversed !== true;
  const trace: [string, string | undefined] = ['TRACE', facts.traceNumber];
  if (!holds) return fields(trace, ['', undefined]);
  if (facts.offline === undefined) return fields(['AUTH', facts.authorisationCode], trace);
  return [...fields(trace, ['', undefined]), centre(offlineWords[facts.offline])];
};

/** Who finds out what became of it. */
const asks = {
  bank: 'THE BANK IS BEING ASKED',
  terminal: 'THE TERMINAL IS BEING ASKED',
  store: 'THE STORE IS LOOKING INTO IT',
} as const;

const result = (facts: ReceiptFacts): Row[] => {
  const { ending, offline, reversed, operation } = facts;
  const { failed, unknown, done } = operations[operation];
  const status = safeLines(facts.statusText ?? '').map(large);
  const stated = (plain: string): Row[] => (status.length > 0 ? status : [large(plain)]);
  const reason = safeLines(facts.reason ?? '').map(centre);

  if (ending === 'declined') return [...stated('DECLINED'), centre(failed), ...reason];
  if (reversed === true) return [large('REVERSED'), centre(failed), ...reason];
  if (ending === 'notSent') return [large(failed), ...reason];
  if (ending === 'unknown')
    return [large('RESULT UNKNOWN'), large(unknown), centre(asks[facts.asks ?? 'bank']), ...reason];
  if (facts.neverSent === true) return [large('VOIDED'), centre('NEVER SENT TO THE BANK')];
  if (offline !== undefined) return [large(offlineResults[offline])];
  const part = facts.asked === undefined ? [] : [centre('A PART OF WHAT WAS ASKED FOR')];
  return [...stated('APPROVED'), ...part, ...(done === undefined ? [] : [centre(done)])];
};

const signature = ({ card, ending, reversed }: ReceiptFacts, copy: Copy): Row[] =>
  copy === 'merchant' && card?.verification === 'signature' && ending === 'approved' && reversed !== true
    ? [blank, { kind: 'signature', label: 'SIGNATURE' }]
    : [];
