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

type Side = { enqueueOne(): void; afterRound(): void; pages(): number; close(): void };

/** Both write to the same disk, in turns; work between the writes counts too. */
export const benchEnqueue = async (): Promise<EnqueueBench> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-enqueue-'));
  const [ours, peer] = [openOurSide(folder), openPlainjobSide(folder)];
  try {
    const [ourTimings, peerTimings] = [ours, peer].map(() => ({ ms: [] as number[], rates: [] as number[] })) as [
      Timings,
      Timings,
    ];
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const [side, sideTimings] of [
        [ours, ourTimings],
        [peer, peerTimings],
      ] as const) {
        const { ms, perSecond } = timeRound(side);
        // The first round is the warm-up.
        if (round < 0) continue;
        sideTimings.ms.push(...ms);
        sideTimings.rates.push(perSecond);
      }
    }
    const ratios = ourTimings.rates.map((rate, index) => rate / (peerTimings.rates[index] ?? Number.NaN));
    return {
      ...{ p50Ms: quantile(ourTimings.ms, 0.5), p99Ms: quantile(ourTimings.ms, 0.99), perSecond: meanRate(ourTimings) },
      ...{
        peerP50Ms: quantile(peerTimings.ms, 0.5),
        peerP99Ms: quantile(peerTimings.ms, 0.99),
        peerPerSecond: meanRate(peerTimings),
      },
      ...{ ratio: quantile(ratios, 0.5), lowestRatio: quantile(ratios, 0.05), highestRatio: quantile(ratios, 0.95) },
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
const meanRate = ({ rates }: Timings): number => rates.length / rates.reduce((sum, rate) => sum + 1 / rate, 0);

const timeRound = (side: Side): { ms: number[]; perSecond: number } => {
  const ms: number[] = [];
  const start = performance.now();
  for (let n = 0; n < ROUND; n += 1) {
    const startedAt = performance.now();
    side.enqueueOne();
    ms.push(performance.now() - startedAt);
  }
  side.afterRound();
  return { ms, perSecond: (ROUND / (performance.now() - start)) * 1000 };
};

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;

/** Sales that wait for their chip's final answer are prepared first: the measured step stores them. */
const openOurSide = (folder: string): Side => {
  const { journal, ledger, time } = openTill(folder);
  const { sred: _, icc: __, pin: ___, ...card } = chipCard;
  const preparedSales = Array.from({ length: (ROUNDS + 2) * ROUND }, (____, n): Intent => {
    const [sale, key] = [systemIds.next(), systemIds.next()];
    const numbers = { receipt: n + 1, sequence: n + 1, at: systemClock.now() };
    const amount = money(1_250n, 'EUR');
    return { sale, key, ...numbers, operation: 'sale', amount, terminalId: '1', gateway: 'bench' };
  });
  const startTime = time.now();
  ledger.recordAll(
    preparedSales.flatMap((intent, n) => {
      // One per second, as in reality.
      const readAt = { ...startTime, at: startTime.at + n * 1_000, upMs: startTime.upMs + n * 1_000 };
      const offline = { kind: 'allowed', chip: true, deferred: false, at: readAt } as const;
      return [
        { sale: intent.sale, event: { on: 'intended', intent } },
        { sale: intent.sale, event: { on: 'cardRead', card, decision: 'goOnline', offline } },
        { sale: intent.sale, event: { on: 'hostNotReached', why: 'no line', offline } },
      ] as const;
    }),
  );
  preparedSales.reverse();
  journal.tidy();
  const enqueueOne = (): void => {
    const next = preparedSales.pop();
    if (next === undefined) throw new Error('all sales are stored');
    const { sale, key } = next;
    ledger.record(sale, { on: 'chipApproved', chip: {} }, { kind: 'forward', sale, key, body: BODY, secret: SECRET });
  };
  const emptyDrain = { done: 0, later: 1, parked: 0 };
  return {
    enqueueOne,
    // The till does this after each attempt on a connection that is down.
    afterRound: () => finishPass(emptyDrain, { journal, resolver: { inquireLateSoon() {} } }),
    pages: () => walPagesPerStep(enqueueOne, (mode) => journal.sql.all(`PRAGMA wal_checkpoint(${mode})`)),
    close: () => journal.close(),
  };
};

/** Opens a till with every store that the product opens, and with the encryption key. */
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

const walPagesPerStep = (enqueueOne: () => void, checkpoint: (mode: 'TRUNCATE' | 'PASSIVE') => Checkpoint): number => {
  checkpoint('TRUNCATE');
  for (let n = 0; n < ROUND; n += 1) enqueueOne();
  return Number(checkpoint('PASSIVE')[0]?.['log']) / ROUND;
};

const openPlainjobSide = (folder: string): Side => {
  const database = new Database(join(folder, 'plainjob.db'));
  const queue = defineQueue({ connection: better(database) });
  // This queue opens its file for speed; but losing a sale in a power failure would be losing money.
  database.pragma('synchronous = FULL');
  const enqueueOne = (): void => void queue.add('forward', { sale: 'a'.repeat(32), body: BODY, secret: SECRET });
  return {
    enqueueOne,
    afterRound: () => {},
    pages: () => walPagesPerStep(enqueueOne, (mode) => database.pragma(`wal_checkpoint(${mode})`) as Checkpoint),
    close: () => queue.close(),
  };
};
