/** The till's screens: their reaction time, their loading time, their size, long lists, and memory over a day. */
import { buildUi, builtUi, isUiFresh } from '../../build/ui.ts';
import { type DayMemory, dayWithoutPages, dayWithPages } from './day.ts';
import { type FirstScreen, measureFirstScreens, SLOWDOWN } from './first-screen.ts';
import { type List, measureLists } from './lists.ts';
import { measureReaction } from './reaction.ts';

const SALES = 20;
const ROUNDS = 7;
const ROWS = 100_000;
const DAY = 800;

const expected = {
  firstByteMs: 50,
  pixelMs: 100,
  bundleBytes: 350_000,
  firstScreenMs: 1000,
  frameMs: 33,
  blankMs: 200,
  memoryMb: 200,
} as const;

type PrintLine = (line: string) => void;

const verdict = (isMet: boolean): string => (isMet ? 'ok' : 'MISSED');
const line = (label: string, figures: string): string => `${label.padEnd(31)}${figures}`;
const oneDecimal = (ms: number): string => ms.toFixed(1);

const reportReaction = async (print: PrintLine): Promise<boolean> => {
  print(`\nthe screens: ${SALES} sales by key, Chromium, a till process and a simulated terminal …`);
  const { toRequest, toDurable, toFirstByte, firstByteMost, toPixel, pixelMost } = await measureReaction(SALES);
  const isQuick = toFirstByte < expected.firstByteMs;
  const isShown = toPixel < expected.pixelMs;
  print(
    line(
      'key press to first byte',
      `median ${oneDecimal(toFirstByte)} ms, slowest ${oneDecimal(firstByteMost)} ms (wanted: under 50)  ${verdict(isQuick)}`,
    ),
  );
  print(line('  to the request at the till', `${oneDecimal(toRequest)} ms`));
  print(line('  to the intent on the disk', `${oneDecimal(toDurable)} ms`));
  print(
    line(
      'terminal’s bytes to pixel',
      `median ${oneDecimal(toPixel)} ms, slowest ${oneDecimal(pixelMost)} ms (wanted: under 100)  ${verdict(isShown)}`,
    ),
  );
  return isQuick && isShown;
};

const reportSize = async (print: PrintLine): Promise<boolean> => {
  const { first, areas } = isUiFresh() ? (builtUi() ?? (await buildUi())) : await buildUi();
  const gzipped = areas['cashier']?.gzipped ?? Number.POSITIVE_INFINITY;
  const isSmall = gzipped < expected.bundleBytes;
  const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1);
  print(
    line(
      'cashier’s screen, gzipped',
      `${kilobytes(gzipped)} kB, before any ${kilobytes(first.gzipped)} (wanted: under 350)  ${verdict(isSmall)}`,
    ),
  );
  return isSmall;
};

const reportFirstScreens = async (print: PrintLine): Promise<boolean> => {
  print(`\nthe first screen, with a processor ${SLOWDOWN} times slower; in brackets with an empty cache …`);
  const { signIn, cashier, floor } = await measureFirstScreens(ROUNDS);
  const isMet = signIn.warm < expected.firstScreenMs;
  const bothText = ({ warm, cold }: FirstScreen): string => `${warm} ms (${cold})`;
  const ratio = (signIn.warm / floor.warm).toFixed(2);
  print(line('sign-in accepts a key', `${bothText(signIn)} (wanted: under 1000)  ${verdict(isMet)}`));
  print(line('cashier’s keypad accepts a key', bothText(cashier)));
  print(line('React and Mantine, one field', `${bothText(floor)}; sign-in is ${ratio} times as long`));
  return isMet;
};

const reportList = (print: PrintLine, name: string, { scrolled, paged: pageFigures }: List): boolean => {
  const { frames, medianMs, p95Ms, worstMs, blankMs } = scrolled;
  const isSmooth = p95Ms < expected.frameMs && blankMs <= expected.blankMs;
  const wantedText = '(wanted: p95 under 33, blank at most 200)';
  const times = `median ${medianMs} ms, p95 ${p95Ms}, worst ${worstMs}; blank ${blankMs} ms`;
  print(line(`${name}, ${frames} frames`, `${times} ${wantedText}  ${verdict(isSmooth)}`));
  print(line(`  a page of ${pageFigures.rows} rows`, `median ${pageFigures.medianMs} ms, p99 ${pageFigures.p99Ms} ms`));
  return isSmooth;
};

const reportLists = async (print: PrintLine): Promise<boolean> => {
  print(`\nlists over ${ROWS} sales, scrolled by wheel, keys and jumps …`);
  const { sales, audit } = await measureLists(ROWS);
  const areSmooth = [reportList(print, 'sales', sales), reportList(print, 'audit', audit)];
  return areSmooth.every(Boolean);
};

const reportMemory = async (print: PrintLine): Promise<boolean> => {
  print(`\na day of ${DAY} sales, MB after the start, after each eighth of it, and the most at any moment …`);
  const days = { 'with two pages open': await dayWithPages(DAY), 'without a page': await dayWithoutPages(DAY) };
  const holds = Object.entries(days).map(([name, { started, eighths, highestMb: most }]: [string, DayMemory]) => {
    const isSmall = Math.max(started, ...eighths) < expected.memoryMb;
    print(line(name, `${started}, ${eighths.join(' ')}, ${most} (wanted: under 200)  ${verdict(isSmall)}`));
    return isSmall;
  });
  return holds.every(Boolean);
};

/** Prints each line; returns whether all targets were reached. Needs Chromium, and Linux for the memory. */
export const reportScreens = async (print: PrintLine): Promise<boolean> => {
  const parts = [reportReaction, reportSize, reportFirstScreens, reportLists, reportMemory];
  const partsMet: boolean[] = [];
  for (const part of parts) partsMet.push(await part(print));
  return partsMet.every(Boolean);
};
