/** Days and times as the spec writes them (2.0: DATE, DATETIME), and whether there is such a day. */

/** Whether there is such a day, yyyy-MM-dd. */
export const isDate = (text: string): boolean => {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
};

/** Whether there is such a second, yyyy-MM-dd HH:mm:ss. */
export const isDateTime = (text: string): boolean => !Number.isNaN(momentOf(text)) && isDate(text.slice(0, 10));

/** Whether there is such a second; what follows it, a zone's offset, is not looked at. */
export const isMoment = (text: string): boolean => isDateTime(text.slice(0, 19));

/** Wall time in ms of yyyy-MM-dd HH:mm:ss, UTC; NaN if there is no such time. */
export const momentOf = (text: string): number =>
  text.slice(11, 13) < '24' ? Date.parse(`${text.replace(' ', 'T')}Z`) : Number.NaN;
