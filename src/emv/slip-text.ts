/** Card numbers in texts that were made for paper, where other long numbers must stay readable. */

/** Digits in groups, as slips print them. */
const RUN = /\d(?:[ -]?\d){11,}/g;

/** No card number begins with six zeros; identifiers of applications and merchants do. Longer ones may hide one. */
const isHarmless = (digits: string): boolean => digits.startsWith('000000') && digits.length <= 17;

/** The text with every digit starred, but the last four, of whatever looks like a whole card number. Length stays. */
export const starCardNumbers = (text: string): string =>
  text.replace(RUN, (run) => {
    const digits = run.replace(/\D/g, '');
    if (isHarmless(digits)) return run;
    let left = digits.length - 4;
    return run.replace(/\d/g, (digit) => (left-- > 0 ? '*' : digit));
  });
