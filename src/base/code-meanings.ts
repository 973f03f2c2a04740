/**
 * What each result code of the host API means (its section 7) for the money, and for a shopper, by its first digits:
 * decided only here. It imports nothing, so that a payment page can use it too.
 */

/**
 * approved: done. declined: certainly not done, by someone's decision. pending: in progress. refused: the request was
 * wrong and not carried out. later: it was not processed, send it again. unknown: inquire.
 */
export type CodeMeaning = 'approved' | 'declined' | 'pending' | 'refused' | 'later' | 'unknown';

/**
 * First match wins. Declined and refused need positive evidence: a prefix listed here. Codes for lost communication or
 * broken systems, and all unlisted codes, are unknown.
 */
export const codeStarts = [
  ['000.000.000', 'approved'],
  ['000.000.', 'approved'],
  ['000.100.110', 'approved'],
  ['000.100.111', 'approved'],
  ['000.100.112', 'approved'],
  ['000.100.1', 'approved'],
  ['000.200.', 'pending'],
  ['000.300.', 'approved'],
  ['000.310.', 'approved'],
  // The automatic reversal failed: part of the money may have moved.
  ['000.400.03', 'unknown'],
  // Done, but somebody should look at it.
  ['000.400.0', 'approved'],
  ['000.400.100', 'approved'],
  ['000.400.110', 'approved'],
  ['000.400.120', 'approved'],
  ['000.400.1', 'declined'],
  ['000.400.2', 'declined'],
  ['000.600.', 'approved'],
  ['100.100.701', 'declined'],
  ['100.370.100', 'declined'],
  ['100.370.11', 'declined'],
  ['100.380.1', 'declined'],
  ['100.380.4', 'declined'],
  ['100.380.5', 'declined'],
  // Timed out before anyone decided: no money moved, but no issuer declined either.
  ['100.396.103', 'declined'],
  ['100.39', 'declined'],
  ['100.400.500', 'pending'],
  ['100.400.', 'declined'],
  ['100.55', 'refused'],
  ['100.600', 'refused'],
  ['100.7', 'refused'],
  ['100.', 'refused'],
  ['200.300.405', 'refused'],
  ['200.300.406', 'refused'],
  ['200.300.407', 'refused'],
  ['200.', 'refused'],
  // The bank wants the cardholder verified: with a PIN or a chip the same sale can succeed.
  ['300.100.', 'declined'],
  ['500.', 'refused'],
  ['600.2', 'refused'],
  ['600.3', 'refused'],
  ['700.6', 'declined'],
  ['700.400.570', 'refused'],
  ['700.100.', 'refused'],
  ['700.300.', 'refused'],
  ['700.400.', 'refused'],
  ['700.', 'refused'],
  // The issuer was unavailable.
  ['800.100.176', 'declined'],
  ['800.100.', 'declined'],
  // A duplicate: this request was not carried out, but the one it repeats may have been. An inquiry shows which.
  ['800.110.', 'unknown'],
  ['800.120.100', 'later'],
  ['800.121.', 'refused'],
  ['800.1', 'declined'],
  ['800.2', 'declined'],
  ['800.3', 'declined'],
  ['800.400.5', 'pending'],
  ['800.400.', 'declined'],
  ['800.700.', 'declined'],
  ['800.800.1', 'declined'],
  ['800.800.2', 'declined'],
  ['800.800.3', 'declined'],
  ['800.900.', 'refused'],
  // It timed out and was reversed; it was never sent. Two certain outcomes among uncertain ones.
  ['900.100.301', 'declined'],
  ['900.100.310', 'declined'],
  ['', 'unknown'],
] as const satisfies readonly (readonly [start: string, CodeMeaning])[];

export type CodeStart = (typeof codeStarts)[number][0];

const pattern = /^\d{3}\.\d{3}\.\d{3}$/;

/** Whether the text has the form of a code, listed or not. */
export const isResultCode = (text: string): boolean => pattern.test(text);

const unlisted = ['', 'unknown'] as const;
type Start = (typeof codeStarts)[number];
const rowsByCode = new Map<string, Start>();
const KNOWN_MAX = 2000;

const rowOf = (code: string): Start => {
  const cached = rowsByCode.get(code);
  if (cached !== undefined) return cached;
  const found = (pattern.test(code) && codeStarts.find(([start]) => code.startsWith(start))) || unlisted;
  if (rowsByCode.size < KNOWN_MAX) rowsByCode.set(code, found);
  return found;
};

export const startOf = (code: string): CodeStart => rowOf(code)[0];

/** What the code means for the money of the request that it answers. */
export const meaningOf = (code: string): CodeMeaning => rowOf(code)[1];

/** The request certainly moved no money, and another one may follow it. */
export const movedNoMoney = (code: string): boolean => ['declined', 'refused', 'later'].includes(meaningOf(code));

/** The request was carried out, or is in progress. */
export const isAccepted = (code: string): boolean => ['approved', 'pending'].includes(meaningOf(code));

// What a shopper should do after a decline on a payment page, and which field of the card they should correct.

export type ShopperReason =
  | 'declinedFunds'
  | 'declinedExpired'
  | 'declinedCvv'
  | 'declinedSecurity'
  | 'declinedCancelled'
  | 'tryLater'
  | 'declinedDetails'
  | 'declined';

/** Codes by their prefix. The first matching row applies; without one it is `declined`. */
const shopperReasons: readonly (readonly [ShopperReason, readonly string[]])[] = [
  ['declinedFunds', ['800.100.155', '800.100.162', '800.100.163', '800.700.']],
  ['declinedExpired', ['100.100.303', '800.100.157']],
  ['declinedCvv', ['800.100.153', '100.100.60']],
  ['declinedSecurity', ['100.38', '100.390', '300.100.100', '000.400.10', '100.395']],
  ['declinedCancelled', ['100.396']],
  ['tryLater', ['900.', '800.8', '800.120.']],
  ['declinedDetails', ['100.1', '100.2', '100.7', '100.9', '200.', '100.800', '100.55', '800.400.1']],
  ['declinedDetails', ['800.100.151', '800.100.172', '800.100.195']],
];

export const shopperReasonOf = (code: string): ShopperReason =>
  shopperReasons.find(([, starts]) => starts.some((start) => code.startsWith(start)))?.[0] ?? 'declined';

export type CardFieldName = 'number' | 'expiry' | 'cvv';

const cardFields: readonly (readonly [CardFieldName, readonly string[]])[] = [
  ['number', ['100.100.10', '100.100.700']],
  ['expiry', ['100.100.3', '800.100.157']],
  ['cvv', ['100.100.60', '800.100.153']],
];

/** The field that was typed wrongly, if the code says so. */
export const cardFieldOf = (code: string): CardFieldName | undefined =>
  cardFields.find(([, starts]) => starts.some((start) => code.startsWith(start)))?.[0];
