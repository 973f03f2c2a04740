/** Makes foreign text safe for paper: a printer acts on control characters, and people keep receipts. */
import { lastFour } from '../base/mask.ts';
import { starCardNumbers } from '../emv/card-text.ts';

/** pos.statusText is the longest text of all, 2048 characters (specification 2.34). */
const TEXT_MAX = 2048;
const PAN_MAX = 19;

/**
 * One printable line. White space becomes one space; zero-width, direction and other format characters are removed;
 * what has no glyph (controls, private use, unassigned, half a surrogate pair) becomes `?`.
 */
export const safeText = (text: string): string =>
  text
    .slice(0, TEXT_MAX)
    .normalize('NFC')
    .replace(/\p{Cf}|\p{Variation_Selector}/gu, '')
    .replace(/\s+/gu, ' ')
    .replace(/\p{C}/gu, '?')
    .trim();

/**
 * The same for free text from host, chip or operator: 12 or more digits may be a card number, of which only the last
 * four are kept.
 */
export const safeFreeText = (text: string): string =>
  safeText(text).replace(/\p{Nd}(?:[ -]?\p{Nd}){11,}/gu, (run) => cardNumber(run));

/**
 * Each line of a free text, without empty ones. Masked before it is split, since a line may end inside a card number.
 */
export const safeLines = (text: string): string[] => {
  const bounded = text.slice(0, TEXT_MAX);
  const lines = bounded.split(/\r\n|[\n\r\u2028\u2029]/).map(safeFreeText);
  const asOne = safeFreeText(bounded);
  const whole = lines.join(' ').replace(/\s+/g, ' ').trim() === asOne;
  return (whole ? lines : [asOne]).filter((line) => line !== '');
};

/** The most lines of another machine's receipt, and the most columns. */
const SLIP_LINES_MAX = 150;
const SLIP_COLUMNS_MAX = 80;

/** Each line with its spaces, without control characters and card numbers; no lines if all are blank. */
export const slipLines = (lines: readonly string[]): string[] => {
  const safe = lines.slice(0, SLIP_LINES_MAX).map(slipLine);
  return safe.some((line) => line !== '') ? safe : [];
};

const slipLine = (line: string): string => starCardNumbers(layOutLine(line));

/** A line of our own reports with its spaces, without control characters. */
export const layOutLine = (line: string): string =>
  line
    .slice(0, SLIP_COLUMNS_MAX)
    .normalize('NFC')
    .replace(/\p{Cf}|\p{Variation_Selector}/gu, '')
    .replace(/\s/gu, ' ')
    .replace(/\p{C}/gu, '?')
    .trimEnd();

/** A card number as receipts show it, `************4321`, from any masking and grouping. */
export const cardNumber = (text: string): string => lastFour(text.replace(/[^\p{Nd}*]/gu, '').slice(-PAN_MAX));

/** Letters of Arabic, Hebrew and similar scripts. */
export const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
