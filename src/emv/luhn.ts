/** The check digit of card numbers (ISO/IEC 7812-1 Annex B). Some issued numbers fail it: it refuses no read card. */
import { Fault } from '../base/fault.ts';

/** Sum of the digits, each second one from the right doubled, beginning with the one at `doubleFrom` from the right. */
const sum = (digits: string, doubleFrom: 0 | 1): number => {
  let total = 0;
  for (let back = 0; back < digits.length; back += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - back) - 48;
    const weighed = back % 2 === doubleFrom ? digit * 2 : digit;
    total += weighed > 9 ? weighed - 9 : weighed;
  }
  return total;
};

/** Whether the last digit checks the others. False for anything but two or more digits. */
export const luhnIsValid = (pan: string): boolean => /^\d{2,}$/.test(pan) && sum(pan, 1) % 10 === 0;

/** The digit to append to a number without check digit. Throws `emv.malformed` if there are other characters. */
export const luhnDigit = (partial: string): string => {
  if (!/^\d+$/.test(partial)) {
    throw new Fault('emv.malformed', { what: 'The card number', why: 'it must consist of digits' });
  }
  return String((10 - (sum(partial, 0) % 10)) % 10);
};
