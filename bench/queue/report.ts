/** The queue's benchmarks as lines, and whether their bounds hold. */
import { benchBullmq, missing } from './bullmq.ts';
import { benchDrain, type DrainBench } from './drain.ts';
import { benchEnqueue } from './enqueue.ts';
import { peerGateway } from './gateway.ts';

const STORED = 500;
const ENQUEUE_P99_MS = 10;
const DRAIN_SECONDS = 10;
const BULLMQ_TIMES = 5;

type Judge = (line: string, holds: boolean) => void;

/** Prints a line for each measure. Resolves with whether all bounds hold. */
export const reportQueue = async (print: (line: string) => void): Promise<boolean> => {
  let good = true;
  const judge: Judge = (line, holds) => {
    good &&= holds;
    print(`${line}  ${holds ? 'ok' : 'MISSED'}`);
  };
  print(`\na stored sale on the disk: its event, the indexes, its sealed message in one step`);
  reportEnqueue(judge);
  print(`${STORED} stored sales sent to the embedded gateway`);
  const drain = await benchDrain(STORED);
  const { seconds, settled, agrees, stepsEach } = drain;
  const each = `${(settled / seconds).toFixed(0)}/s, ${stepsEach.toFixed(2)} durable steps each`;
  judge(`${`sent and settled in ${seconds.toFixed(2)} s`.padEnd(44)} ${each}`, seconds <= DRAIN_SECONDS);
  judge('till and gateway agree on every cent'.padEnd(44), settled === STORED && agrees);
  const lacking = missing();
  if (lacking === undefined) await reportBullmq(drain, { judge, print });
  else print(`BullMQ: skipped, ${lacking}`);
  return good;
};

const reportEnqueue = (judge: Judge): void => {
  const { p50Ms, p99Ms, perSecond, peerPerSecond, peerP99Ms } = benchEnqueue();
  const times = `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
  judge(
    `${times.padEnd(44)} (wanted: p99 at most ${ENQUEUE_P99_MS} ms; plainjob ${peerP99Ms.toFixed(2)} ms)`,
    p99Ms <= ENQUEUE_P99_MS,
  );
  const rates = `${perSecond.toFixed(0)}/s, plainjob ${peerPerSecond.toFixed(0)}/s`;
  judge(`${rates.padEnd(44)} ratio ${(perSecond / peerPerSecond).toFixed(2)} (wanted 1)`, perSecond >= peerPerSecond);
};

/** Once with the same work at a gateway of its own, once with none: what its queue alone costs. */
const reportBullmq = async (
  { requests, seconds, stored }: DrainBench,
  { judge, print }: { judge: Judge; print: (line: string) => void },
): Promise<void> => {
  const gateway = await peerGateway();
  try {
    const same = await benchBullmq(requests, (data) => gateway.pay(data as Record<string, string>));
    const empty = await benchBullmq(requests, async () => undefined);
    const ours = stored / seconds;
    const ratio = ours / same.workedPerSecond;
    const name = `BullMQ with the same work ${same.workedPerSecond.toFixed(0)}/s`;
    judge(`${name.padEnd(44)} ratio ${ratio.toFixed(2)} (wanted ${BULLMQ_TIMES})`, ratio >= BULLMQ_TIMES);
    print(`BullMQ with nothing to do ${empty.workedPerSecond.toFixed(0)}/s, added ${empty.addPerSecond.toFixed(0)}/s`);
  } finally {
    await gateway.close();
  }
};
