/** Masking that shows only what is known to be harmless. Everything else is hidden. */

/** First six and last four of a card number, stars between; anything else becomes stars only. */
export const maskPan = (pan: string): string =>
  /^\d{12,19}$/.test(pan) ? `${pan.slice(0, 6)}${'*'.repeat(pan.length - 10)}${pan.slice(-4)}` : hidden;

/** The last four digits after stars, as receipts show a card: `************4321`. */
export const lastFour = (maskedPan: string): string => {
  const digits = /(\d{4})$/.exec(maskedPan)?.[1];
  return digits === undefined ? hidden : `${'*'.repeat(Math.max(maskedPan.length - 4, 8))}${digits}`;
};

export const hidden = '****';

/** A card number, also in groups or broken up by control characters, with the rest of a track after it. */
const CARD_NUMBER = /\d(?:[ \-\p{C}]{0,2}\d){11,}(?:[=Dd][\dFf]*)?/gu;

/**
 * Untrusted text, made safe to print: card numbers are masked, tracks and longer digit runs hidden, control characters
 * become dots. Masked before it is cut to `maxLength` characters, so that the cut cannot leave a part of a number.
 */
export const printable = (text: string, maxLength = 200): string =>
  text
    .replace(CARD_NUMBER, (run) => maskPan(run.replace(/[ \-\p{C}]/gu, '')))
    .replace(/\p{C}/gu, '.')
    .slice(0, maxLength)
    // Half of a surrogate pair.
    .replace(/\p{Cs}$/u, '');

/** A separate number as long as a card number, also in groups, with the rest of a track after it. */
const LONE_NUMBER = /(?<![0-9A-Za-z])\d(?:[ -]?\d){11,}(?:[=Dd][\dFf]*)?(?![0-9A-Za-z])/g;

/** Our own text with a person's input in it: possible card numbers are masked, ids and line breaks stay. */
export const withoutNumbers = (text: string): string =>
  text.replace(LONE_NUMBER, (run) => maskPan(run.replace(/[ -]/g, '')));
