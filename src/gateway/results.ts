/** Result codes: what each means for the money, by ordered prefix; and its words, from the catalogue. */
import catalogue from './result-codes.json' with { type: 'json' };

/**
 * approved: it is done. declined: it is certainly not done, by someone's decision. pending: it is under way.
 * refused: the request was wrong and was not carried out. later: it was not looked at, send it again. unknown: ask.
 */
export type Meaning = 'approved' | 'declined' | 'pending' | 'refused' | 'later' | 'unknown';

type Row = readonly [prefix: string, means: Meaning];

/**
 * First match wins. Declined and refused need positive evidence: a prefix listed here. Whatever speaks of lost
 * communication or broken systems, and whatever nobody has listed, is unknown.
 */
export const meanings: readonly Row[] = [
  ['000.000.', 'approved'],
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
  ['100.39', 'declined'],
  ['100.400.500', 'pending'],
  ['100.400.', 'declined'],
  ['100.', 'refused'],
  ['200.', 'refused'],
  // The bank asks for the cardholder: with a PIN or a chip the same sale may pass.
  ['300.100.', 'declined'],
  ['500.', 'refused'],
  ['600.2', 'refused'],
  ['600.3', 'refused'],
  ['700.6', 'declined'],
  ['700.', 'refused'],
  ['800.100.', 'declined'],
  // A duplicate: this request was not carried out, but the one that it repeats may have been. Asking tells.
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
  // It timed out and was reversed; it was never sent. Two certain endings among uncertain ones.
  ['900.100.301', 'declined'],
  ['900.100.310', 'declined'],
  ['', 'unknown'],
];

const known = new Map<string, Meaning>();
const KNOWN_MAX = 2000;

/** What the code means for the money of the request that it answers. Anything unlisted or malformed is unknown. */
export const meaningOf = (code: string): Meaning => {
  const before = known.get(code);
  if (before !== undefined) return before;
  const isCode = /^\d{3}\.\d{3}\.\d{3}$/.test(code);
  const means = (isCode ? meanings.find(([prefix]) => code.startsWith(prefix))?.[1] : undefined) ?? 'unknown';
  if (known.size < KNOWN_MAX) known.set(code, means);
  return means;
};

const byCode = new Map(catalogue.resultCodes.map(({ code, status, description }) => [code, { status, description }]));

/** The whole catalogue, for GET /v1/resultcodes. */
export const resultCodes: readonly { code: string; description: string }[] = catalogue.resultCodes.map(
  ({ code, description }) => ({ code, description }),
);

/** The words of a code, up to 255 characters (spec 2.35). */
export const describe = (code: string): string => byCode.get(code)?.description ?? 'unlisted result code';

/** HTTP status of a body with this code (spec 7): 200 success or pending, 400 declined or wrong. */
export const statusOf = (code: string): number => {
  const listed = byCode.get(code)?.status;
  if (listed !== undefined) return listed;
  return ['approved', 'pending'].includes(meaningOf(code)) ? 200 : 400;
};
