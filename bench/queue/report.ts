/** The queue's benchmarks as lines, and whether their limits hold. */
import { loadavg } from 'node:os';
import { type BullmqBench, benchBullmq, missingReason } from './bullmq.ts';
import { benchDrain, type DrainBench } from './drain.ts';
import { benchEnqueue } from './enqueue.ts';
import { peerGateway, rateWithoutTill } from './gateway.ts';
import { benchVerdicts } from './verdict.ts';

const STORED = 500;
const ENQUEUE_P99_MS = 10;
const DRAIN_SECONDS = 10;
const VERDICT_MS = 2_000;
const BULLMQ_TIMES = 5;
/** Runs of each side, in turns; the medians are compared. */
const RUNS = 3;

type Check = (line: string, isMet: boolean) => void;
type Page = { check: Check; print: (line: string) => void };

/** Prints a line for each measure. Resolves with whether all limits hold. */
export const reportQueue = async (print: (line: string) => void): Promise<boolean> => {
  let allMet = true;
  const check: Check = (line, isMet) => {
    allMet &&= isMet;
    print(`${line}  ${isMet ? 'ok' : 'MISSED'}`);
  };
  const page = { check, print };
  print(`\nstoring a sale: its event, the indexes, its encrypted message in one step (load ${load()})`);
  await reportEnqueue(page);
  print(`${STORED} stored sales sent to the embedded gateway`);
  const drain = await benchDrain(STORED);
  const { seconds, settledCount, agrees, stepsEach } = drain;
  const each = `${(settledCount / seconds).toFixed(0)}/s, ${stepsEach.toFixed(2)} durable steps each`;
  check(
    row(`sent and settled in ${seconds.toFixed(2)} s`, each, `at most ${DRAIN_SECONDS} s`),
    seconds <= DRAIN_SECONDS,
  );
  check(row('till and gateway agree on every cent'), settledCount === STORED && agrees);
  print(`no connection: from the request to the offline verdict`);
  for (const { line, sales, offline, firstMs, slowestMs } of await benchVerdicts()) {
    const waitsText = `first ${firstMs.toFixed(0)} ms, slowest of ${sales} ${slowestMs.toFixed(0)} ms`;
    check(row(line, waitsText, `at most ${VERDICT_MS} ms`), slowestMs <= VERDICT_MS && offline === sales);
  }
  print(`${STORED} jobs compared with BullMQ on a Redis that syncs each write`);
  const missing = missingReason();
  if (missing === undefined) await reportBullmq(drain, page);
  else print(`BullMQ: skipped, ${missing}`);
  return allMet;
};

const load = (): string => loadavg()[0]?.toFixed(1) ?? '?';

const row = (name: string, found = '', expected?: string): string =>
  `${name.padEnd(40)} ${found.padEnd(44)}${expected === undefined ? '' : ` (wanted ${expected})`}`;

const reportEnqueue = async ({ check, print }: Page): Promise<void> => {
  const found = await benchEnqueue();
  const ms = (p50: number, p99: number): string => `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;
  const { p99Ms, perSecond, peerPerSecond, ratio, lowestRatio, highestRatio, pages, peerPages } = found;
  check(row('ours', ms(found.p50Ms, p99Ms), `p99 at most ${ENQUEUE_P99_MS} ms`), p99Ms <= ENQUEUE_P99_MS);
  print(row('plainjob, synchronous=FULL', ms(found.peerP50Ms, found.peerP99Ms)));
  const rates = `${perSecond.toFixed(0)}/s, plainjob ${peerPerSecond.toFixed(0)}/s`;
  check(
    row(rates, `ratio ${ratio.toFixed(2)}, ${lowestRatio.toFixed(2)} to ${highestRatio.toFixed(2)} by round`, '1'),
    ratio >= 1,
  );
  print(row('pages of 4 KB in each step', `${pages.toFixed(1)}, plainjob ${peerPages.toFixed(1)}`));
};

/**
 * First each queue with the gateway's work, beside the rate of a gateway without a queue, which is the limit. Then the
 * cost of the queues alone: a durable job is added, taken and settled, without any work.
 */
const reportBullmq = async (drain: DrainBench, { check, print }: Page): Promise<void> => {
  const { requests, seconds, stored } = drain;
  const gatewayRate = await rateWithoutTill(requests);
  const same = await rateAtGateway(requests);
  const all = `${(stored / seconds).toFixed(0)}/s, BullMQ ${same.toFixed(0)}/s, no queue ${gatewayRate.toFixed(0)}/s`;
  print(row('with the gateway’s work', all));
  const pairs: { ours: DrainBench; peer: BullmqBench }[] = [];
  for (let n = 0; n < RUNS; n += 1) {
    pairs.push({ ours: await benchDrain(STORED, 'ready'), peer: await benchBullmq(requests, async () => undefined) });
  }
  const ratios = pairs.map(({ ours, peer }) => ours.settledCount / ours.seconds / peer.workedPerSecond);
  const [low = 0, ratio = 0, high = 0] = ratios.toSorted((a, b) => a - b);
  for (const { ours, peer } of pairs) {
    const ratesText = `${(ours.settledCount / ours.seconds).toFixed(0)}/s, BullMQ ${peer.workedPerSecond.toFixed(0)}/s`;
    print(row('without it', `${ratesText} (added ${peer.addPerSecond.toFixed(0)}/s)`));
  }
  const spread = `ratio ${ratio.toFixed(2)}, ${low.toFixed(2)} to ${high.toFixed(2)} by run`;
  check(row('a durable job taken and settled', spread, `${BULLMQ_TIMES}`), ratio >= BULLMQ_TIMES);
};

const rateAtGateway = async (requests: DrainBench['requests']): Promise<number> => {
  const gateway = await peerGateway();
  try {
    return (await benchBullmq(requests, (data) => gateway.pay(data as Record<string, string>))).workedPerSecond;
  } finally {
    await gateway.close();
  }
};
