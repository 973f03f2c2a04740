/**
 * Whether the till can take a sale, and its metrics. A till is ready when it is open, may move money where it is, and
 * its journal accepts a durable write. An unreachable gateway or terminal is reported in addition and does not affect
 * readiness: sales can be stored, and the next sale looks for the terminal.
 */
import { statSync } from 'node:fs';
import type { Figure, Health, HealthFacts } from '../api/ports/health.ts';
import type { Clock } from '../base/clock.ts';
import { type DiskTrouble, diskTroubles } from '../base/databases.ts';
import { type Fault, isFault } from '../base/fault.ts';
import type { DisplayMode } from '../base/mode.ts';
import { formatEnglish } from '../base/placeholders.ts';
import { type OutcomeCounts, openOutcomeCounts } from '../books/today.ts';
import { journalFile } from '../folder/config.ts';
import type { Machine } from '../folder/machine.ts';
import { queueFigures } from '../queue/outbox-tables.ts';
import { blockedBy } from '../takeover/till-place.ts';
import type { RunningTill } from './start-till.ts';
import { salesInProgress, type TillInstance } from './till-instance.ts';

type HealthParts = {
  version: string;
  clock: Clock;
  machine: Machine;
  training: boolean;
  /** Undefined while it is reopened, and once it is closed. */
  till(): TillInstance | undefined;
  isStopping(): boolean;
};

const STOPPING = 'The till is stopping.';
const REOPENING = 'The till is restarting.';

const journalTexts: Readonly<Record<DiskTrouble, string>> = {
  diskFull: 'The journal cannot be written: the disk is full.',
  readOnly: 'The journal cannot be written: it is read-only.',
  diskFails: 'The journal cannot be written: its disk fails.',
};

/** No facts of the fault, since the caller is unknown. */
const blockTexts: Partial<Readonly<Record<Fault['code'], string>>> = {
  'machine.other': 'Sales are blocked: the folder belongs to another machine.',
  'machine.behind': 'Sales are blocked: the gateway knows sales that the journal lacks.',
};
const PLAIN = 'Sales are blocked: the connection to the gateway is not encrypted.';

export const openTillHealth = (parts: HealthParts): Health => {
  const { version, till, isStopping } = parts;
  const unwritableReason = createJournalTrial(parts);
  const outcomes = openOutcomeCounts();
  const notReadyReason = (): string | undefined => {
    if (isStopping()) return STOPPING;
    const open = till();
    if (open === undefined) return REOPENING;
    const blockFault = blockedBy(open.running.place);
    return blockFault === undefined ? unwritableReason(open) : (blockTexts[blockFault.code] ?? PLAIN);
  };
  return {
    version,
    unready: notReadyReason,
    facts: () => {
      const open = till();
      return open && factsOf(open, parts.training);
    },
    figures() {
      const open = till();
      const common = [gauge('tillgate_till_ready', '1 if the till can take a sale, else 0', notReadyReason() ? 0 : 1)];
      return open === undefined
        ? [...common, ...processFigures()]
        : [...common, ...tillFigures(open, parts, outcomes(open.running, parts.clock)), ...processFigures()];
    },
  };
};

/** An answer is reused for this long, so that frequent callers do not wear out a disk. */
const SHARED_MS = 5_000;
/** Trials between checkpoints of the log, about two megabytes. */
const FOLD_STEPS = 200;

/** Why the journal accepts no writes. A step written recently is proof enough and saves the trial. */
const createJournalTrial = ({ clock }: HealthParts): ((open: TillInstance) => string | undefined) => {
  let last: { of: TillInstance; at: number; steps: number; why: string | undefined } | undefined;
  return (of) => {
    const { journal } = of.running;
    const at = clock.monotonic();
    const known = last?.of === of ? last : undefined;
    if (known !== undefined && journal.steps === known.steps && at - known.at < SHARED_MS) return known.why;
    const isProven = known !== undefined && journal.steps > known.steps;
    const reason = isProven ? undefined : journalFault(of);
    last = { of, at, steps: journal.steps, why: reason };
    return reason;
  };
};

const journalFault = ({ running: { journal }, open }: TillInstance): string | undefined => {
  try {
    journal.tryWrite();
    const isDue = journal.steps - journal.tidiedAt > FOLD_STEPS;
    if (isDue && salesInProgress(open.services.selling).length === 0) journal.fold();
    return undefined;
  } catch (error) {
    const reported = isFault(error) ? error.facts['trouble'] : undefined;
    const trouble = diskTroubles.find((one) => one === reported);
    return trouble === undefined ? 'The journal cannot be written.' : journalTexts[trouble];
  }
};

const modeOf = ({ running }: TillInstance, training: boolean): DisplayMode => (training ? 'training' : running.mode);

const factsOf = (open: TillInstance, training: boolean): HealthFacts => {
  const { running } = open;
  const { waiting, parked } = queueFigures(running.journal.sql);
  return {
    mode: modeOf(open, training),
    gateway: running.line.current(),
    terminals: terminalsOf(open),
    queue: { waiting, parked },
    openItems: openItemsOf(open),
  };
};

const terminalsOf = ({ running }: TillInstance): HealthFacts['terminals'] => {
  const states = running.counters.map((counter) => counter.presence().state);
  const count = (state: (typeof states)[number]): number => states.filter((one) => one === state).length;
  return { ready: count('ready'), away: count('away'), unpaired: count('unpaired') };
};

const openItemsOf = ({ open }: TillInstance): number => {
  const { unknown, forPerson } = open.services.selling.line();
  return unknown + forPerson;
};

const gauge = (name: string, help: string, value: number): Figure => ({ name, help, values: [{ value }] });

const labelledFigure = (
  label: string,
  counts: Readonly<Record<string, number>>,
  of: Pick<Figure, 'name' | 'help'>,
): Figure => ({
  ...of,
  values: Object.entries(counts).map(([each, value]) => ({ labels: { [label]: each }, value })),
});

const tillFigures = (
  open: TillInstance,
  { version, clock, machine, training }: HealthParts,
  sales: OutcomeCounts,
): Figure[] => {
  const { journal, line, secondCopy } = open.running;
  const { waiting, parked, oldestPutAt } = queueFigures(journal.sql);
  const seconds = (since: number): number => Math.max(0, (clock.now() - since) / 1000);
  const { online, since } = line.current();
  const info = { labels: { version, mode: modeOf(open, training) }, value: 1 };
  return [
    { name: 'tillgate_till_info', help: 'Version and mode of the till', values: [info] },
    labelledFigure('outcome', sales, {
      name: 'tillgate_till_sales_today',
      help: 'Sales of the business day by how they ended',
    }),
    labelledFigure(
      'state',
      { waiting, parked },
      { name: 'tillgate_till_queue_messages', help: 'Messages waiting to be sent' },
    ),
    gauge(
      'tillgate_till_queue_oldest_age_seconds',
      'How long the oldest message has been waiting',
      oldestPutAt === undefined ? 0 : seconds(oldestPutAt),
    ),
    gauge('tillgate_till_open_items', 'Unresolved sales and items for a person', openItemsOf(open)),
    gauge('tillgate_till_gateway_online', '1 if the gateway answered when it was last asked', online ? 1 : 0),
    gauge('tillgate_till_gateway_line_age_seconds', 'How long the line has been in its present state', seconds(since)),
    labelledFigure('state', terminalsOf(open), {
      name: 'tillgate_till_terminals',
      help: 'Terminals by the result of their last opening',
    }),
    gauge('tillgate_till_journal_entries', 'Entries of the journal', journal.length),
    gauge('tillgate_till_journal_bytes', 'Size of the journal and its log', journalBytes(open.dataDir)),
    ...diskFigures(open.dataDir, machine),
    ...(secondCopy === undefined
      ? []
      : [gauge('tillgate_till_second_copy_behind', 'Entries missing from the second copy', secondCopy.state().behind)]),
  ];
};

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const journalBytes = (dataDir: string): number => {
  const path = journalFile(dataDir);
  return sizeOf(path) + sizeOf(`${path}-wal`);
};

const diskFigures = (dataDir: string, machine: Machine): Figure[] => {
  try {
    const free = machine.freeBytes(dataDir);
    return [gauge('tillgate_till_disk_free_bytes', 'Bytes that can still be written to the journal’s disk', free)];
  } catch {
    // A disk that cannot tell has no metric.
    return [];
  }
};

const processFigures = (): Figure[] => {
  const { rss, heapUsed } = process.memoryUsage();
  return [
    gauge('process_resident_memory_bytes', 'Memory of the process', rss),
    gauge('nodejs_heap_size_used_bytes', 'Of it, what objects take', heapUsed),
    gauge('process_uptime_seconds', 'How long the process has been running', process.uptime()),
  ];
};

// Whether a till can be stopped now without anybody having to wait, above all for an update.

export type QuietState = { quiet: boolean; why?: string };

/**
 * A till is quiet when it has no sale in progress, no unresolved money, and no batch being closed. Messages waiting in
 * the queue do not matter: they are on the disk, and continue after the next start.
 */
export const quietOf = ({ resolver, books }: Pick<RunningTill, 'resolver' | 'books'>): QuietState => {
  const open = resolver.open();
  if (open.some(({ state }) => state === 'unfinished')) return { quiet: false, why: 'a sale is in progress' };
  const unknown = open.filter(({ sale }) => sale.at === 'ended' && sale.ending === 'unknown').length;
  const unresolved = 'the result of {unknown, plural, one {# sale} other {# sales}} is not known';
  if (unknown > 0) return { quiet: false, why: formatEnglish(unresolved, { unknown }) };
  if (books.batches().some(({ state }) => state === 'closing')) return { quiet: false, why: 'a batch is being closed' };
  return { quiet: true };
};
