/**
 * The oldest browsers in which the payment widget and the till's screens run. Both are built for these; the documents
 * name them, and `test/system/bundles.test.ts` checks every bundle against them.
 */

/** Including Safari on telephones, and everything else based on Chromium or its web view. */
export const oldestBrowsers = { safari: '16.4', firefox: '121', chrome: '111' } as const;

const { safari, firefox, chrome } = oldestBrowsers;

/** The browsers as documents name them. */
export const oldestBrowserText = `Safari ${safari}, Firefox ${firefox} and Chromium ${chrome}`;

/** The browsers in the format of Rolldown and Vite, for scripts and stylesheets. */
export const targets: string[] = Object.entries(oldestBrowsers).map(([name, version]) => `${name}${version}`);

/** Lightning CSS encodes a version as a number of its bytes: major, minor, patch. */
const packVersion = (version: string): number => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return (major << 16) | (minor << 8);
};

/** The browsers in the format of Lightning CSS. */
export const cssTargets = {
  safari: packVersion(safari),
  ios_saf: packVersion(safari),
  firefox: packVersion(firefox),
  chrome: packVersion(chrome),
};
