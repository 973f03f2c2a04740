/** Settlement files against till and gateway: compared for a command, or imported and kept for the screens. */
import { createHash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  ComparedFinding,
  ComparedPortion,
  ComparisonRequest,
  ReconciliationDetail,
  SettlementComparison,
} from '../api/contract/reconciliations.ts';
import type { Amount } from '../api/contract/wire.ts';
import type { Actor } from '../api/ports/session.ts';
import { errorText, Fault, isFault } from '../base/fault.ts';
import { printable } from '../base/mask.ts';
import { rowOf } from '../locales/messages/en/settlement.ts';
import { isOff, type Reconciliation, type TerminalSum } from '../reconciliation/reconcile.ts';
import { decimal } from '../reconciliation/report.ts';
import type { Finding } from '../reconciliation/settlement-explain.ts';
import type { ManagerParts } from './port.ts';
import {
  type Reconciled,
  type ReconciliationStore,
  rangesOf,
  reconciliationStore,
  type StoredFinding,
} from './reconciling-store.ts';
import type { Days, FileReceipts } from './till-books.ts';

/** Compares a settlement file with till and gateway. An import stores the result. */
export type ReconciliationService = {
  reconcile(file: Upload, actor: Actor, signal?: AbortSignal): Promise<ReconciliationDetail>;
  compare(file: Upload, request: Comparing, signal?: AbortSignal): Promise<SettlementComparison>;
  resolve(id: string, n: number, how: { choice: string; note: string; by: Actor }): ReconciliationDetail;
} & Pick<ReconciliationStore, 'rows' | 'detail'>;

type Upload = { name: string; bytes: Uint8Array | AsyncIterable<Uint8Array> };
type Comparing = ComparisonRequest & { tell(portion: ComparedPortion): Promise<void> };
/** The file on the disk, and the SHA-256 of its bytes, hex. */
type StoredFile = { file: string; sha256: string };

/** The maximum number of differences that are stored with their text; all of them are counted. */
const FINDINGS_MOST = 5_000;
const REFUSED_MOST = 1_000;
const TEMPORARY = /^settlement-[0-9a-f]{32}\.tmp$/;

type ReconcilingParts = Pick<ManagerParts, 'running' | 'dataDir' | 'ids'>;

export const openReconciliationService = ({ running, dataDir, ids }: ReconcilingParts): ReconciliationService => {
  const store = reconciliationStore(running.journal);
  const runInTurn = createQueue();
  // Files left by a crash: none of them was read to its end.
  for (const name of readdirSync(dataDir)) if (TEMPORARY.test(name)) rmSync(join(dataDir, name), { force: true });

  /** Runs the work on the file, which is deleted afterwards. */
  const withFile = async <T>({ name, bytes }: Upload, signal: AbortSignal, work: (of: StoredFile) => Promise<T>) => {
    const file = join(dataDir, `settlement-${ids.next()}.tmp`);
    const runUnlessAborted = async (sha256: string): Promise<T> => {
      signal.throwIfAborted();
      return work({ file, sha256 });
    };
    try {
      // Uploads of several people are stored in parallel and compared one after the other.
      const sha256 = await saveUpload(file, bytes);
      return await unlessAborted(
        signal,
        runInTurn(() => runUnlessAborted(sha256)),
      );
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      // Names the file by the name its sender gave it: nobody knows the name on the disk.
      if (isFault(error, 'settlement.unreadable'))
        throw new Fault('settlement.unreadable', { file: name, why: error.facts['why'] ?? '' }, error);
      if (isFault(error)) throw error;
      throw new Fault('settlement.unreadable', { file: name, why: errorText(error) }, error);
    } finally {
      rmSync(file, { force: true });
    }
  };
  const reconciled = (upload: Upload, actor: Actor, signal: AbortSignal): Promise<string> =>
    withFile(upload, signal, async ({ file, sha256 }) => {
      const result = await running.books.reconcile({ file, before: store.before(sha256), signal });
      signal.throwIfAborted();
      const differing = result.findings.filter(isOff);
      const stored: Reconciled = { ...summaryOf(result), file: upload.name, sha256, by: actor.name || undefined };
      return store.keep(stored, differing.slice(0, FINDINGS_MOST).map(findingOf));
    });

  return {
    rows: store.rows,
    detail: store.detail,
    async reconcile({ name, bytes }, actor, signal = new AbortController().signal) {
      return store.detail(await reconciled({ name: fileName(name), bytes }, actor, signal));
    },
    async compare({ name, bytes }, { batch: number, matched, tell }, signal = new AbortController().signal) {
      const batch = number === undefined ? undefined : running.books.batch(Number(number));
      const onMatched = matched === 'true' ? (text: string) => tell({ matched: text }) : undefined;
      return withFile({ name: fileName(name), bytes }, signal, async ({ file }) =>
        comparisonOf(await running.books.reconcile({ file, batch, matched: onMatched, signal })),
      );
    },
    resolve(id, n, { choice, note: text, by }) {
      const reported = { choice: printable(choice, 60), note: printable(text, 500) };
      store.resolve(id, n, { ...reported, by: by.name || undefined });
      return store.detail(id);
    },
  };
};

const fileName = (name: string): string => printable(name.replace(/^.*[\\/]/, ''), 100) || 'settlement.csv';

/** The result of the work, or the reason of `signal` as soon as nobody waits for it any more. */
const unlessAborted = async <T>(signal: AbortSignal, work: Promise<T>): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
};

/** Writes the bytes as they arrive, readable by this user only. Returns their SHA-256, hex. */
const saveUpload = async (file: string, bytes: Upload['bytes']): Promise<string> => {
  const hash = createHash('sha256');
  const handle = await open(file, 'wx', 0o600);
  try {
    for await (const chunk of bytes instanceof Uint8Array ? [bytes] : bytes) {
      hash.update(chunk);
      await handle.writeFile(chunk);
    }
  } finally {
    await handle.close();
  }
  return hash.digest('hex');
};

const summaryOf = (result: Compared) => {
  const { records, agreeing, statuses, payout, refused, refusedCount, findings, more, atTerminals } = result;
  return {
    on: 'reconciled' as const,
    days: result.days ?? { first: '', last: '' },
    records,
    agreeing,
    statuses: { ...statuses },
    refusedCount,
    fine: fineSums(findings),
    told: rangesOf(result.told),
    putOff: rangesOf(result.putOff),
    payout: [...payout].map(([currency, minor]) => amountOf(minor, currency)),
    atTerminals: atTerminals.length > 0 ? atTerminals.map(terminalRow) : undefined,
    refused: refused.slice(0, REFUSED_MOST),
    differences: findings.filter(isOff).length + [...more.values()].reduce((sum, count) => sum + count, 0),
  };
};

/** The whole result, for whoever keeps it. */
export const comparisonOf = (result: Compared): SettlementComparison => ({
  records: result.records,
  agreeing: result.agreeing,
  statuses: { ...result.statuses },
  payout: [...result.payout].map(([currency, minor]) => amountOf(minor, currency)),
  findings: result.findings.map(comparedFinding),
  more: [...result.more].map(([name, count]) => ({ name, count })),
  refused: [...result.refused],
  refusedCount: result.refusedCount,
  atTerminals: result.atTerminals.map(terminalRow),
  told: result.told,
  putOff: result.putOff,
  days: result.days,
});

type Compared = Reconciliation & FileReceipts & { days?: Days };

const comparedFinding = (finding: Finding): ComparedFinding => {
  const { currency, till, gateway, settled, reasons, lines, ...named } = finding;
  return {
    ...named,
    lines: [...lines],
    till: amountOf(till, currency),
    gateway: gateway === undefined ? undefined : amountOf(gateway, currency),
    settled: amountOf(settled, currency),
    reasons: reasons.map(({ name, minor, currency: of }) => {
      const { says, next } = rowOf(name);
      return { name, says, toDo: next, amount: amountOf(minor, of) };
    }),
    isOff: isOff(finding) || undefined,
  };
};

const terminalRow = ({ terminalId, count, minor, currency }: TerminalSum) => ({
  terminalId,
  count,
  amount: amountOf(minor, currency),
});

const amountOf = (minor: bigint, currency: string): Amount => ({ amount: decimal(minor, currency), currency });

/** Fees, exchange rates and other explained differences of the payout, by reason and currency. */
const fineSums = (findings: readonly Finding[]): Reconciled['fine'] => {
  const sums = new Map<string, { name: string; count: number; minor: bigint; currency: string }>();
  for (const { name, minor, currency } of findings.flatMap(({ reasons }) => reasons)) {
    if (rowOf(name).isFine !== true) continue;
    const key = `${name} ${currency}`;
    const sum = sums.get(key) ?? { name, count: 0, minor: 0n, currency };
    sums.set(key, { ...sum, count: sum.count + 1, minor: sum.minor + minor });
  }
  return [...sums.values()].map(({ name, count, minor, currency }) => ({
    name,
    count,
    amount: amountOf(minor, currency),
  }));
};

/** Differences that somebody must deal with come before those that only explain the sum. */
const findingOf = ({
  receipt,
  sale,
  payment,
  lines,
  currency,
  till,
  gateway,
  settled,
  reasons,
}: Finding): StoredFinding => ({
  receipt,
  sale,
  payment,
  lines: lines.slice(0, LINES_MOST),
  till: amountOf(till, currency),
  gateway: gateway === undefined ? undefined : amountOf(gateway, currency),
  settled: amountOf(settled, currency),
  reasons: reasons
    .toSorted((one, other) => Number(rowOf(one.name).isFine ?? false) - Number(rowOf(other.name).isFine ?? false))
    .map((reason) => ({ name: reason.name, amount: amountOf(reason.minor, reason.currency) })),
});

/** Even a sale with thousands of lines in the file is recognised by the first of them. */
const LINES_MOST = 20;

// Runs work strictly one after the other, in the order of the requests.

/**
 * Returns a function that runs the work once all earlier work has ended, successfully or not, and returns its result.
 */
const createQueue = () => {
  let lastTurn: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const ownTurn = lastTurn.then(work, work);
    lastTurn = ownTurn.catch(() => {});
    return ownTurn;
  };
};
