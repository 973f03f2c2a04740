/** Moments as the store's wall has them. */

/** `2026-11-21 14:02:11`, on the store's wall; of the machine's zone where none is set. */
export const wallTimes = (timeZone: string | undefined): ((at: number) => string) => {
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...(timeZone !== undefined && { timeZone }),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  let second: number | undefined;
  let text = '';
  return (at) => {
    // Rows of a table follow each other in time, several of them in a second.
    const its = Math.floor(at / 1_000);
    if (its !== second) text = format.format(at);
    second = its;
    return text;
  };
};

/** Of `yyyy-MM-dd HH:mm:ss`, UTC, as X and Z reports keep their times, ms. */
export const momentOf = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);
