/** The day of a terminal's receipt numbers: it takes back payments of today only. */

/** When this moment's day began, wall time in ms. */
export const startOfDay = (ms: number): number => {
  const date = new Date(ms);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
};
