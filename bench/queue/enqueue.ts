/** What a durable step that stores a sale costs: event, indexes and sealed message, beside a queue of SQLite's own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { better, defineQueue } from 'plainjob';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { money } from '../../src/base/money.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { openOutbox } from '../../src/queue/outbox.ts';
import { sealer } from '../../src/queue/seal.ts';
import { openLedger } from '../../src/runtime/ledger.ts';
import type { Intent } from '../../src/till/facts.ts';
import { chipCard } from '../../test/support/till-rig.ts';

export type EnqueueBench = {
  p50Ms: number;
  p99Ms: number;
  perSecond: number;
  peerPerSecond: number;
  peerP99Ms: number;
};

const ROUNDS = 10;
const ROUND = 100;
/** As long as a real one: cryptogram, encrypted track, chip data. */
const SECRET = JSON.stringify({ 'pos.encryptedSred.data': 'A5'.repeat(320), 'pos.iccDataRequest': '9F'.repeat(220) });
const BODY = JSON.stringify({ minor: '1250', currency: 'EUR' });

type Side = { one(): void; between(): void; close(): void };

/** Both write on the same disk, in turns; what a side does between its writes counts for its rate. */
export const benchEnqueue = (): EnqueueBench => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-enqueue-'));
  const [ours, peer] = [ourSide(folder), plainjobSide(folder)];
  try {
    const [mine, theirs] = [ours, peer].map(() => ({ ms: [] as number[], allMs: 0 }));
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const [side, taken] of [
        [ours, mine],
        [peer, theirs],
      ] as const) {
        const { ms, allMs } = timed(side);
        // The first round warms up.
        if (round < 0 || taken === undefined) continue;
        taken.ms.push(...ms);
        taken.allMs += allMs;
      }
    }
    const rate = (allMs = 0) => ((ROUNDS * ROUND) / allMs) * 1000;
    return {
      p50Ms: at(mine?.ms ?? [], 0.5),
      p99Ms: at(mine?.ms ?? [], 0.99),
      perSecond: rate(mine?.allMs),
      peerPerSecond: rate(theirs?.allMs),
      peerP99Ms: at(theirs?.ms ?? [], 0.99),
    };
  } finally {
    ours.close();
    peer.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

const timed = (side: Side): { ms: number[]; allMs: number } => {
  const ms: number[] = [];
  const start = performance.now();
  for (let n = 0; n < ROUND; n += 1) {
    const before = performance.now();
    side.one();
    ms.push(performance.now() - before);
  }
  side.between();
  return { ms, allMs: performance.now() - start };
};

const at = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? 0;

/** Sales that wait for their chip's last word are laid in first: timed is the step that stores them. */
const ourSide = (folder: string): Side => {
  const journal = openJournal(join(folder, 'journal.db'), systemClock);
  const outbox = openOutbox(journal.sql, sealer(systemRandom(32), systemRandom));
  const ledger = openLedger({ journal, outbox, clock: systemClock });
  const { sred: _, icc: __, pin: ___, ...card } = chipCard;
  const waiting = Array.from({ length: (ROUNDS + 1) * ROUND }, (____, n): Intent => {
    const [sale, key] = [systemIds.next(), systemIds.next()];
    const numbers = { receipt: n + 1, sequence: n + 1, at: systemClock.now() };
    return {
      sale,
      key,
      ...numbers,
      operation: 'sale',
      amount: money(1_250n, 'EUR'),
      terminalId: '1',
      gateway: 'bench',
    };
  });
  const offline = { kind: 'allowed', chip: true, deferred: false } as const;
  ledger.recordAll(
    waiting.flatMap((intent) => [
      { sale: intent.sale, event: { on: 'intended', intent } },
      { sale: intent.sale, event: { on: 'cardRead', card, decision: 'goOnline', offline } },
      { sale: intent.sale, event: { on: 'hostNotReached', why: 'no line', offline } },
    ]),
  );
  journal.tidy();
  return {
    one() {
      const next = waiting.pop();
      if (next === undefined) throw new Error('all sales are stored');
      const { sale, key } = next;
      ledger.record(sale, { on: 'chipApproved', chip: {} }, { kind: 'forward', sale, key, body: BODY, secret: SECRET });
    },
    between: () => journal.tidy(),
    close: () => journal.close(),
  };
};

const plainjobSide = (folder: string): Side => {
  const database = new Database(join(folder, 'plainjob.db'));
  const queue = defineQueue({ connection: better(database) });
  // It opens its file for speed; a sale that is lost in a power cut would be lost money.
  database.pragma('synchronous = FULL');
  return {
    one: () => void queue.add('forward', { sale: 'a'.repeat(32), body: BODY, secret: SECRET }),
    between: () => {},
    close: () => queue.close(),
  };
};
