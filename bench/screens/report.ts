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

const verdict = (holds: boolean): string => (holds ? 'ok' : 'MISSED');
const line = (what: string, figures: string): string => `${what.padEnd(31)}${figures}`;
const tenth = (ms: number): string => ms.toFixed(1);

const reportReaction = async (print: PrintLine): Promise<boolean> => {
  print(`\nthe screens: ${SALES} sales by key, Chromium, a till process and a simulated terminal …`);
  const { toRequest, toDurable, toFirstByte, firstByteMost, toPixel, pixelMost } = await measureReaction(SALES);
  const isQuick = toFirstByte < expected.firstByteMs;
  const isShown = toPixel < expected.pixelMs;
  print(
    line(
      'key press to first byte',
      `median ${tenth(toFirstByte)} ms, slowest ${tenth(firstByteMost)} ms (wanted: under 50)  ${verdict(isQuick)}`,
    ),
  );
  print(line('  to the request at the till', `${tenth(toRequest)} ms`));
  print(line('  to the intent on the disk', `${tenth(toDurable)} ms`));
  print(
    line(
      'terminal’s bytes to pixel',
      `median ${tenth(toPixel)} ms, slowest ${tenth(pixelMost)} ms (wanted: under 100)  ${verdict(isShown)}`,
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
  const holds = signIn.warm < expected.firstScreenMs;
  const both = ({ warm, cold }: FirstScreen): string => `${warm} ms (${cold})`;
  const ratio = (signIn.warm / floor.warm).toFixed(2);
  print(line('sign-in accepts a key', `${both(signIn)} (wanted: under 1000)  ${verdict(holds)}`));
  print(line('cashier’s keypad accepts a key', both(cashier)));
  print(line('React and Mantine, one field', `${both(floor)}; sign-in is ${ratio} times as long`));
  return holds;
};

const reportList = (print: PrintLine, name: string, { scrolled, paged }: List): boolean => {
  const { frames, medianMs, p95Ms, worstMs, blankMs } = scrolled;
  const isSmooth = p95Ms < expected.frameMs && blankMs <= expected.blankMs;
  const wantedText = '(wanted: p95 under 33, blank at most 200)';
  const times = `median ${medianMs} ms, p95 ${p95Ms}, worst ${worstMs}; blank ${blankMs} ms`;
  print(line(`${name}, ${frames} frames`, `${times} ${wantedText}  ${verdict(isSmooth)}`));
  print(line(`  a page of ${paged.rows} rows`, `median ${paged.medianMs} ms, p99 ${paged.p99Ms} ms`));
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
  const holds = Object.entries(days).map(([name, { started, eighths, most }]: [string, DayMemory]) => {
    const isSmall = Math.max(started, ...eighths) < expected.memoryMb;
    print(line(name, `${started}, ${eighths.join(' ')}, ${most} (wanted: under 200)  ${verdict(isSmall)}`));
    return isSmall;
  });
  return holds.every(Boolean);
};

/** Prints each line; returns whether all targets were reached. Needs Chromium, and Linux for the memory. */
export const reportScreens = async (print: PrintLine): Promise<boolean> => {
  const parts = [reportReaction, reportSize, reportFirstScreens, reportLists, reportMemory];
  const held: boolean[] = [];
  for (const part of parts) held.push(await part(print));
  return held.every(Boolean);
};
