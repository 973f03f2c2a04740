/** Moments as the store's wall has them. */

/** `2026-11-21 14:02:11`, on the store's wall; of the machine's zone where none is set. */
export const wallTimes = (timeZone: string | undefined): ((at: number) => string) => {
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...(timeZone !== undefined && { timeZone }),
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  return (at) => format.format(at);
};

/** Of `yyyy-MM-dd HH:mm:ss`, UTC, as X and Z reports keep their times, ms. */
export const momentOf = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);
