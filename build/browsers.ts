/**
 * The oldest browsers in which the payment widget and the till's screens run. Both are built for these; the documents
 * name them, and `test/system/bundles.test.ts` holds every bundle to them.
 */

/** Safari on telephones too, and whatever else is made of Chromium or of its web view. */
export const oldestBrowsers = { safari: '16.4', firefox: '121', chrome: '111' } as const;

const { safari, firefox, chrome } = oldestBrowsers;

/** As documents name them. */
export const oldestInWords = `Safari ${safari}, Firefox ${firefox} and Chromium ${chrome}`;

/** As Rolldown and Vite are told, of scripts and stylesheets. */
export const targets: string[] = Object.entries(oldestBrowsers).map(([name, version]) => `${name}${version}`);

/** Lightning CSS counts a version as a number of its bytes: major, minor, patch. */
const packed = (version: string): number => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return (major << 16) | (minor << 8);
};

/** As Lightning CSS is told. */
export const cssTargets = {
  safari: packed(safari),
  ios_saf: packed(safari),
  firefox: packed(firefox),
  chrome: packed(chrome),
};
