/** Versions of SQLite, which the journal and the gateway's store both run on. */

/** Before this one SQLite can corrupt a write-ahead log when it is reset. */
const oldest = [3, 51, 3] as const;

/** Why this version cannot be trusted with money, or undefined when it can. */
export const whyTooOld = (version: string): string | undefined => {
  const parts = version.split('.').map(Number);
  const difference = oldest.map((wanted, at) => (parts[at] || 0) - wanted).find((each) => each !== 0) ?? 0;
  return difference < 0 ? `SQLite ${version} is older than ${oldest.join('.')}, which mends a loss of data` : undefined;
};
