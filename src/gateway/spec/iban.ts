/** International bank account numbers of the SEPA countries (ISO 13616): their lengths and check digits. */

/** Total length by country, from the IBAN registry, for the countries and territories of SEPA. */
const lengths: Readonly<Record<string, number>> = {
  AD: 24,
  AL: 28,
  AT: 20,
  BE: 16,
  BG: 22,
  CH: 21,
  CY: 28,
  CZ: 24,
  DE: 22,
  DK: 18,
  EE: 20,
  ES: 24,
  FI: 18,
  FR: 27,
  GB: 22,
  GI: 23,
  GR: 27,
  HR: 21,
  HU: 28,
  IE: 22,
  IS: 26,
  IT: 27,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MT: 31,
  NL: 18,
  NO: 15,
  PL: 28,
  PT: 25,
  RO: 24,
  RS: 22,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  VA: 22,
};

/**
 * Whether the text is an IBAN of a SEPA country: its country's length, only letters and digits, and valid check digits
 * (ISO/IEC 7064 MOD 97-10). Capital letters and no spaces, as transmitted. Does not check the bank.
 */
export const ibanIsValid = (iban: string): boolean =>
  /^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(iban) && lengths[iban.slice(0, 2)] === iban.length && checkDigitsAgree(iban);

/**
 * The check digits are 98 minus the remainder; so the whole, with the first four characters last and A as 10, leaves 1.
 */
const checkDigitsAgree = (iban: string): boolean => {
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
};

/** The position of the national bank code and its length, from the IBAN registry. */
const bankCodes: Readonly<Record<string, readonly [from: number, digits: number]>> = {
  AT: [0, 5],
  BE: [0, 3],
  CH: [0, 5],
  CZ: [0, 4],
  DE: [0, 8],
  DK: [0, 4],
  ES: [0, 4],
  FR: [0, 5],
  GB: [0, 4],
  IE: [0, 4],
  IT: [1, 5],
  LI: [0, 5],
  LU: [0, 3],
  NL: [0, 4],
  NO: [0, 4],
  PT: [0, 4],
  SE: [0, 3],
  SK: [0, 4],
};

/** The national bank code in an IBAN, or undefined if its position is not known here. */
export const bankCodeOf = (iban: string): string | undefined => {
  const bankCodePlace = bankCodes[iban.slice(0, 2)];
  return bankCodePlace === undefined
    ? undefined
    : iban.slice(4 + bankCodePlace[0], 4 + bankCodePlace[0] + bankCodePlace[1]);
};
