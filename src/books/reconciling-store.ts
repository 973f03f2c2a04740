/**
 * Reconciliations in the journal: the totals of a settlement file, its differences, and how and by whom each was
 * resolved. A file is one subject, named by the hash of its bytes: importing it again adds to that subject.
 */
import type { DifferenceRow, ReconciliationDetail, ReconciliationRow } from '../api/contract/reconciliations.ts';
import type { Amount } from '../api/contract/wire.ts';
import { Fault } from '../base/fault.ts';
import type { LocalizedMessage } from '../base/localized-message.ts';
import type { Journal } from '../journal/journal.ts';
import { type ExplanationName, explanations } from '../locales/messages/en/settlement.ts';
import type { MatchingStatus, RefusedLine } from '../reconciliation/settlement-columns.ts';
import type { Days, EarlierFiles } from './till-books.ts';

export type StoredFinding = Omit<DifferenceRow, 'n' | 'reasons' | 'resolution'> & {
  reasons: { name: string; amount: Amount }[];
};

export type Reconciled = {
  on: 'reconciled';
  file: string;
  sha256: string;
  by?: string;
  days: { first: string; last: string };
  records: number;
  agreeing: number;
  statuses: Record<MatchingStatus, number>;
  payout: Amount[];
  refused: RefusedLine[];
  refusedCount: number;
  fine: { name: string; count: number; amount: Amount }[];
  /** Absent when there are none, and in older entries. */
  atTerminals?: { terminalId: string; count: number; amount: Amount }[];
  /** The number of all differences; the entries that follow may list fewer. */
  differences: number;
  /**
   * The receipts that it covered, and those that it left to the next file, as ranges: `1-57,60`. Older entries lack it.
   */
  told?: string;
  putOff?: string;
};

/** The file and the receipt are for the audit list. */
type Resolved = {
  on: 'differenceResolved';
  key: string;
  file: string;
  receipt?: number;
  choice: string;
  note: string;
  by?: string;
};
type Stored = Reconciled | { on: 'reconciledFindings'; findings: StoredFinding[] } | Resolved;

const SUBJECT = 'reconciliation ';
/** Subjects with this prefix. The upper bound is the character after the space. */
const ofReconciliations = [SUBJECT, `${SUBJECT.slice(0, -1)}!`];
/** Findings in one entry. */
const PAGE = 100;

export type ReconciliationStore = {
  /**
   * The receipts that other files covered, each in its latest comparison. A file of the same days does not count as
   * another file: this one corrects it.
   */
  before(sha256: string): (days: Days) => EarlierFiles;
  /** Writes a reconciliation in one durable step. Returns its id. */
  keep(reconciled: Reconciled, findings: readonly StoredFinding[]): string;
  /** Newest first. */
  rows(): ReconciliationRow[];
  /** Throws `settlement.notFound`. */
  detail(id: string): ReconciliationDetail;
  /** Throws `settlement.notFound`. */
  resolve(id: string, n: number, how: { choice: string; note: string; by?: string }): void;
};

export const reconciliationStore = (journal: Journal): ReconciliationStore => {
  const detail = (id: string): ReconciliationDetail => {
    const found = readDetail(id, journal.about(SUBJECT + id));
    if (found === undefined) throw new Fault('settlement.notFound', { id: id.slice(0, 40) });
    return found;
  };
  const write = (id: string, entries: readonly Stored[]): void =>
    journal.write(entries.map((one) => ({ subject: SUBJECT + id, kind: one.on, body: JSON.stringify(one) })));

  return {
    before(sha256) {
      const latest = new Map(comparisons(journal).map((one) => [one.sha256, one]));
      latest.delete(sha256);
      return ({ first, last }) => {
        const others = [...latest.values()].filter(({ days }) => days.first !== first || days.last !== last);
        return {
          told: rangesContain(others.map(({ told = '' }) => told)),
          putOff: rangesContain(others.map(({ putOff = '' }) => putOff)),
        };
      };
    },
    keep(reconciled, findings) {
      const id = reconciled.sha256.slice(0, 16);
      const pages = Array.from({ length: Math.ceil(findings.length / PAGE) }, (_, page) => ({
        on: 'reconciledFindings' as const,
        findings: findings.slice(page * PAGE, (page + 1) * PAGE),
      }));
      write(id, [reconciled, ...pages]);
      return id;
    },
    rows: () =>
      journal.sql
        .all('SELECT DISTINCT subject FROM entry WHERE subject >= ? AND subject < ?', ...ofReconciliations)
        .map(({ subject }) => readDetail(String(subject).slice(SUBJECT.length), journal.about(String(subject))))
        // A reconciliation that only a newer version has written is left out.
        .flatMap((found) => (found === undefined ? [] : [rowOf(found)]))
        .sort((one, other) => other.at - one.at),
    detail,
    resolve(id, n, { by, ...how }) {
      const { file, findings } = detail(id);
      const finding = findings.find((one) => one.n === n);
      if (finding === undefined) throw new Fault('settlement.notFound', { id: `${id} ${n}` });
      const { receipt } = finding;
      const findingFacts = { key: keyOf(finding), file, receipt };
      write(id, [{ on: 'differenceResolved', ...findingFacts, ...how, by }]);
    },
  };
};

/** Oldest first. */
const comparisons = ({ sql }: Journal): Reconciled[] =>
  sql
    .all(
      "SELECT body FROM entry WHERE subject >= ? AND subject < ? AND kind = 'reconciled' ORDER BY entry",
      ...ofReconciliations,
    )
    .map(({ body }) => JSON.parse(String(body)) as Reconciled);

const rowOf = ({ id, file, at, by, days, records, agreeing, differences, resolved }: ReconciliationDetail) => ({
  id,
  file,
  at,
  days,
  records,
  agreeing,
  differences,
  resolved,
  by,
});

type Finding = Pick<DifferenceRow, 'sale' | 'payment' | 'lines' | 'till' | 'settled'> & {
  reasons: readonly { name: string }[];
};

/**
 * Identifies the same difference whenever it is found: same sale or payment, same amounts and reasons. The gateway's
 * answer matters only through the reasons, so a missing answer does not make it another difference.
 */
const keyOf = ({ sale, payment, lines, till, settled, reasons }: Finding): string =>
  JSON.stringify([
    sale ?? '',
    payment ?? '',
    sale === undefined && payment === undefined ? lines[0] : '',
    till.amount,
    settled.amount,
    settled.currency,
    reasons.map(({ name }) => name).sort(),
  ]);

type Entry = { at: number; body: string };

const readDetail = (id: string, entries: readonly Entry[]): ReconciliationDetail | undefined => {
  let last: { at: number; reconciled: Reconciled } | undefined;
  let findings: StoredFinding[] = [];
  let times = 0;
  const resolutions = new Map<string, NonNullable<DifferenceRow['resolution']>>();
  // Difference numbers are never reused: a user may act on a stale list.
  const numbers = new Map<string, number>();
  for (const { at, body } of entries) {
    const stored = JSON.parse(body) as Stored;
    if (stored.on === 'reconciled') {
      last = { at, reconciled: stored };
      findings = [];
      times += 1;
    } else if (stored.on === 'reconciledFindings') {
      findings.push(...stored.findings);
      for (const finding of stored.findings) {
        const key = keyOf(finding);
        if (!numbers.has(key)) numbers.set(key, numbers.size + 1);
      }
    } else if (stored.on === 'differenceResolved') {
      const { key, choice, note, by } = stored;
      resolutions.set(key, { choice, note, at, by });
    }
  }
  if (last === undefined) return undefined;
  const rows = [...new Map(findings.map((finding) => [keyOf(finding), finding]))].map(([key, finding]) =>
    differenceRow(finding, numbers.get(key) ?? 0, resolutions.get(key)),
  );
  return {
    id,
    ...publicPartOf(last),
    findings: rows,
    more: last.reconciled.differences - rows.length,
    ...countsOf(rows, times),
  };
};

const countsOf = (rows: readonly DifferenceRow[], times: number) => ({
  resolved: rows.filter(({ resolution }) => resolution !== undefined).length,
  times,
});

const publicPartOf = ({ at, reconciled }: { at: number; reconciled: Reconciled }) => {
  const { on: _, sha256: __, told: ___, putOff: ____, by, fine: fineRows, ...rest } = reconciled;
  return { ...rest, at, by, fine: fineRows.map((one) => ({ ...one, ...reasonTexts(one.name) })) };
};

const differenceRow = (
  { reasons, ...finding }: StoredFinding,
  n: number,
  resolution: DifferenceRow['resolution'],
): DifferenceRow => ({
  n,
  ...finding,
  reasons: reasons.map(({ name, amount }) => {
    const next = isKnown(name) ? explanations[name].next : undefined;
    const toldToDo = next === undefined ? undefined : { code: `settlementNext.${name}`, says: next };
    return { name, ...reasonTexts(name), amount, toDo: toldToDo?.says, toldToDo };
  }),
  resolution,
});

/** A reason that another version wrote is shown by its name. */
const reasonTexts = (name: string): { says: string; told: LocalizedMessage } => {
  const text = isKnown(name) ? explanations[name].says : name;
  return { says: text, told: { code: `settlement.${name}`, says: text } };
};

const isKnown = (name: string): name is ExplanationName => Object.hasOwn(explanations, name);

// Compresses receipt numbers to a short text, `1-57,60`: a till numbers its sales without gaps.

/** Accepts numbers in any order, with duplicates. The text for no numbers is empty. */
export const rangesOf = (receipts: Iterable<number>): string => {
  const ranges: { from: number; to: number }[] = [];
  for (const receipt of [...new Set(receipts)].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last !== undefined && receipt === last.to + 1) last.to = receipt;
    else ranges.push({ from: receipt, to: receipt });
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
};

/** Whether a number is in one of these texts, which `rangesOf` wrote. */
export const rangesContain = (texts: readonly string[]): ((receipt: number) => boolean) => {
  const ranges = texts
    .flatMap((text) => text.split(','))
    .filter((range) => range !== '')
    .map((range) => {
      const [from = Number.NaN, to = from] = range.split('-').map(Number);
      return { from, to };
    });
  return (receipt) => ranges.some(({ from, to }) => from <= receipt && receipt <= to);
};
