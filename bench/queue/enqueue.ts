/**
 * The cost of the durable step that stores a sale: the step in which the chip approved while the connection was down,
 * as the till writes it with all its stores (chained event, every index, encrypted message), compared with another
 * SQLite queue.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { better, defineQueue } from 'plainjob';
import { finishPass } from '../../src/app/sending.ts';
import { openStores } from '../../src/app/stores.ts';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { money } from '../../src/base/money.ts';
import { loadConfig } from '../../src/folder/config.ts';
import { loadSecrets } from '../../src/folder/keys/secrets.ts';
import { systemMachine } from '../../src/folder/machine.ts';
import { signerOf } from '../../src/journal/signing.ts';
import { openTillJournal } from '../../src/ledger/schema.ts';
import type { Intent } from '../../src/till/machine/facts.ts';
import { chipCard } from '../../test/support/till/till-rig.ts';

export type EnqueueBench = {
  p50Ms: number;
  p99Ms: number;
  perSecond: number;
  peerPerSecond: number;
  peerP50Ms: number;
  peerP99Ms: number;
  /** The ratio of each round to the other queue's: the median, and the range of nine in ten. */
  ratio: number;
  lowestRatio: number;
  highestRatio: number;
  /** Pages of 4 KB that a step writes to the log. */
  pages: number;
  peerPages: number;
};

const ROUNDS = 20;
const ROUND = 100;
/** As long as real data: cryptogram, encrypted track, chip data. */
const SECRET = JSON.stringify({ 'pos.encryptedSred.data': 'A5'.repeat(320), 'pos.iccDataRequest': '9F'.repeat(220) });
const BODY = JSON.stringify({ minor: '1250', currency: 'EUR' });

type Side = { one(): void; between(): void; pages(): number; close(): void };

/** Both write to the same disk, in turns; work between the writes counts too. */
export const benchEnqueue = async (): Promise<EnqueueBench> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-enqueue-'));
  const [ours, peer] = [ourSide(folder), plainjobSide(folder)];
  try {
    const [mine, theirs] = [ours, peer].map(() => ({ ms: [] as number[], rates: [] as number[] })) as [
      Timings,
      Timings,
    ];
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const [side, taken] of [
        [ours, mine],
        [peer, theirs],
      ] as const) {
        const { ms, perSecond } = timed(side);
        // The first round is the warm-up.
        if (round < 0) continue;
        taken.ms.push(...ms);
        taken.rates.push(perSecond);
      }
    }
    const ratios = mine.rates.map((rate, index) => rate / (theirs.rates[index] ?? Number.NaN));
    return {
      ...{ p50Ms: at(mine.ms, 0.5), p99Ms: at(mine.ms, 0.99), perSecond: overall(mine) },
      ...{ peerP50Ms: at(theirs.ms, 0.5), peerP99Ms: at(theirs.ms, 0.99), peerPerSecond: overall(theirs) },
      ...{ ratio: at(ratios, 0.5), lowestRatio: at(ratios, 0.05), highestRatio: at(ratios, 0.95) },
      ...{ pages: ours.pages(), peerPages: peer.pages() },
    };
  } finally {
    ours.close();
    peer.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

type Timings = { ms: number[]; rates: number[] };

/** Rounds are equally long, so this is the harmonic mean. */
const overall = ({ rates }: Timings): number => rates.length / rates.reduce((sum, rate) => sum + 1 / rate, 0);

const timed = (side: Side): { ms: number[]; perSecond: number } => {
  const ms: number[] = [];
  const start = performance.now();
  for (let n = 0; n < ROUND; n += 1) {
    const before = performance.now();
    side.one();
    ms.push(performance.now() - before);
  }
  side.between();
  return { ms, perSecond: (ROUND / (performance.now() - start)) * 1000 };
};

const at = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? 0;

/** Sales that wait for their chip's final answer are prepared first: the measured step stores them. */
const ourSide = (folder: string): Side => {
  const { journal, ledger, time } = openTill(folder);
  const { sred: _, icc: __, pin: ___, ...card } = chipCard;
  const waiting = Array.from({ length: (ROUNDS + 2) * ROUND }, (____, n): Intent => {
    const [sale, key] = [systemIds.next(), systemIds.next()];
    const numbers = { receipt: n + 1, sequence: n + 1, at: systemClock.now() };
    const amount = money(1_250n, 'EUR');
    return { sale, key, ...numbers, operation: 'sale', amount, terminalId: '1', gateway: 'bench' };
  });
  const began = time.now();
  ledger.recordAll(
    waiting.flatMap((intent, n) => {
      // One per second, as in reality.
      const moment = { ...began, at: began.at + n * 1_000, upMs: began.upMs + n * 1_000 };
      const offline = { kind: 'allowed', chip: true, deferred: false, at: moment } as const;
      return [
        { sale: intent.sale, event: { on: 'intended', intent } },
        { sale: intent.sale, event: { on: 'cardRead', card, decision: 'goOnline', offline } },
        { sale: intent.sale, event: { on: 'hostNotReached', why: 'no line', offline } },
      ] as const;
    }),
  );
  waiting.reverse();
  journal.tidy();
  const one = (): void => {
    const next = waiting.pop();
    if (next === undefined) throw new Error('all sales are stored');
    const { sale, key } = next;
    ledger.record(sale, { on: 'chipApproved', chip: {} }, { kind: 'forward', sale, key, body: BODY, secret: SECRET });
  };
  const drained = { done: 0, later: 1, parked: 0 };
  return {
    one,
    // As after each attempt on a connection that is down.
    between: () => finishPass(drained, { journal, resolver: { inquireLateSoon() {} } }),
    pages: () => pagesOf(one, (how) => journal.sql.all(`PRAGMA wal_checkpoint(${how})`)),
    close: () => journal.close(),
  };
};

/** With every store that the product opens, and the encryption key. */
const openTill = (folder: string) => {
  const config = loadConfig(folder, systemIds);
  const { tillKey, signingKey } = loadSecrets(folder, { random: systemRandom, isNew: true });
  const journal = openTillJournal(folder, { clock: systemClock });
  journal.sealWith(signerOf(signingKey));
  const { ledger, offline } = openStores(
    { dataDir: folder, clock: systemClock, random: systemRandom, machine: systemMachine, around: {}, report() {} },
    { config, journal, tillKey },
  );
  offline.heard(systemClock.now());
  return { journal, ledger, time: offline.time };
};

type Checkpoint = readonly Readonly<Record<string, unknown>>[];

const pagesOf = (one: () => void, checkpoint: (how: 'TRUNCATE' | 'PASSIVE') => Checkpoint): number => {
  checkpoint('TRUNCATE');
  for (let n = 0; n < ROUND; n += 1) one();
  return Number(checkpoint('PASSIVE')[0]?.['log']) / ROUND;
};

const plainjobSide = (folder: string): Side => {
  const database = new Database(join(folder, 'plainjob.db'));
  const queue = defineQueue({ connection: better(database) });
  // This queue opens its file for speed; but losing a sale in a power failure would be losing money.
  database.pragma('synchronous = FULL');
  const one = (): void => void queue.add('forward', { sale: 'a'.repeat(32), body: BODY, secret: SECRET });
  return {
    one,
    between: () => {},
    pages: () => pagesOf(one, (how) => database.pragma(`wal_checkpoint(${how})`) as Checkpoint),
    close: () => queue.close(),
  };
};
