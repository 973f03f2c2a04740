/** The three digits behind the expiry on a stripe: where the card works and how to treat it (ISO/IEC 7813). */

const first: Readonly<Record<string, string>> = {
  '1': 'international',
  '2': 'international, use the chip',
  '5': 'national',
  '6': 'national, use the chip',
  '7': 'private, by agreement',
  '9': 'test card',
};

const second: Readonly<Record<string, string>> = {
  '0': 'normal authorisation',
  '2': 'authorise by issuer',
  '4': 'authorise by issuer unless agreed otherwise',
};

const third: Readonly<Record<string, string>> = {
  '0': 'no restrictions, PIN required',
  '1': 'no restrictions',
  '2': 'goods and services only',
  '3': 'ATM only, PIN required',
  '4': 'cash only',
  '5': 'goods and services only, PIN required',
  '6': 'no restrictions, PIN if there is a PIN pad',
  '7': 'goods and services only, PIN if there is a PIN pad',
};

/** In words. A digit without a meaning says so. */
export const serviceCodeWords = (serviceCode: string): string =>
  [first, second, third].map((words, at) => words[serviceCode.charAt(at)] ?? 'not assigned').join('; ');

/** Whether the card has a chip, so that swiping it at a chip terminal is a fallback. */
export const hasChip = (serviceCode: string): boolean => /^[26]\d\d$/.test(serviceCode);

/** Whether a swipe of this card needs a PIN where a PIN pad is there. */
export const wantsPin = (serviceCode: string): boolean => /^\d\d[03567]$/.test(serviceCode);
