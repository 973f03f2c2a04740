/**
 * The background work of the selling service: looks for terminals that are disconnected, checks a line that is down,
 * and notifies the screens when counters, line or books have changed.
 */
import type { Counter, LineState } from '../api/contract/counters.ts';
import type { Clock } from '../base/clock.ts';
import { money } from '../base/money.ts';
import { openSums } from '../ledger/open-figures.ts';
import { amountOf } from '../ledger/wire-money.ts';
import type { OfflineReadiness } from '../offline/decision.ts';
import { type Judgement, judge, recentCards } from '../offline/recent-cards.ts';
import type { CardFacts } from '../till/machine/facts.ts';
import type { Left } from '../till/machine/offline-facts.ts';
import type { SellingCounter, SellingParts, SellingTill } from './port.ts';

export type WatchParts = Pick<SellingParts, 'running' | 'clock' | 'events' | 'report' | 'unattended'> & {
  counters(): Counter[];
  line(): LineState;
  isBusy(counter: SellingCounter): boolean;
  /** Reports the sales that ended since the last call, from the journal. */
  news(): void;
};

export type CountersWatch = {
  /** Reports what has changed, now. */
  checkCounters(): void;
  close(): Promise<void>;
};

/** Between two checks of books and queue, and between two tries of a disconnected terminal or line, ms. */
const LOOK_EVERY_MS = 2_000;
const TRY_EVERY_MS = 15_000;

/** Reports what has changed since the last check. */
const createCountersCheck = ({ running, events, counters, line, report, news }: WatchParts): (() => void) => {
  let reported = { counters: '', line: '', length: running.journal.length };
  const checkCounters = (): void => {
    const [nowCounters, nowLine] = [counters(), line()];
    const before = reported;
    reported = { counters: JSON.stringify(nowCounters), line: JSON.stringify(nowLine), length: running.journal.length };
    if (reported.counters !== before.counters) events.tell({ on: 'counters', counters: nowCounters });
    if (reported.line !== before.line) {
      events.tell({ on: 'line', line: nowLine });
      events.tell({ on: 'changed', what: 'openItems' });
    }
    // Nobody else reports what the queue settled.
    news();
    if (reported.length !== before.length) events.tell({ on: 'changed', what: 'sales' });
  };
  return () => {
    try {
      checkCounters();
    } catch (error) {
      report(error);
    }
  };
};

export const attendCounters = (parts: WatchParts): CountersWatch => {
  const { running, clock, report } = parts;
  const checkCounters = createCountersCheck(parts);
  const inProgress = new Set<Promise<void>>();
  let stopped = false;
  let stop = (): void => {};

  const run = (work: Promise<unknown>): void => {
    const ownWork = work.then(checkCounters, report).finally(() => {
      inProgress.delete(ownWork);
    });
    inProgress.add(ownWork);
  };

  /** A selling terminal is left alone: its sale opens it. */
  const resumeTurns = (): void => {
    for (const one of running.counters)
      if (!parts.isBusy(one) && one.presence().state !== 'unpaired') run(one.ready().catch(() => undefined));
    if (!running.line.current().online) run(running.isGatewayReachable());
  };

  const turn = (sinceTry: number): void => {
    if (stopped) return;
    const isTime = sinceTry >= TRY_EVERY_MS;
    if (isTime && inProgress.size === 0) resumeTurns();
    checkCounters();
    running.forwarder.look();
    stop = clock.after(LOOK_EVERY_MS, () => turn(isTime ? 0 : sinceTry + LOOK_EVERY_MS));
  };

  const unlisten = running.line.onChange(checkCounters);
  if (parts.unattended !== true) turn(TRY_EVERY_MS);
  return {
    checkCounters,
    async close() {
      stopped = true;
      stop();
      unlisten();
      await Promise.all(inProgress);
    },
  };
};

type LineCounts = Pick<LineState, 'waiting' | 'unknown' | 'forPerson'>;

/** The queue can change without the journal: a parked message is noticed after this time, ms. */
const GOOD_FOR_MS = 2_000;
/** How long the list of cards read at a till stays valid, ms: it changes slowly. */
const CARDS_GOOD_FOR_MS = 60_000;

/** Counted again when the journal has grown or some time has passed, because each event asks for it. */
export const lineStates = (running: SellingTill, clock: Clock): (() => LineState) => {
  let counted: { sums: LineCounts; length: number; at: number } | undefined;
  const sums = (): LineCounts => {
    const { length } = running.journal;
    const now = clock.monotonic();
    if (counted === undefined || counted.length !== length || now - counted.at > GOOD_FOR_MS)
      counted = { sums: sumsNow(running, clock), length, at: now };
    return counted.sums;
  };
  let read: { cards: readonly CardFacts[]; at: number } | undefined;
  /** Read only when the line is down, because nobody asks for them before. */
  const cards = (): readonly CardFacts[] => {
    const now = clock.monotonic();
    if (read === undefined || now - read.at > CARDS_GOOD_FOR_MS)
      read = { cards: recentCards(running, clock.now()), at: now };
    return read.cards;
  };
  return () => {
    const line = running.line.current();
    const readiness = running.offline.readiness();
    const judged = judge(line.online ? [] : cards(), readiness);
    return { ...line, ...sums(), offline: offlineOf(readiness, judged) };
  };
};

/** Sales taken in another currency are counted, but not included in the sums. */
const sumsNow = ({ journal, config: { currency } }: SellingTill, clock: Clock): LineCounts => {
  const { stored, unknown, forPerson } = openSums(journal.sql, { now: clock.now(), currency });
  return { waiting: { count: stored.count, total: amountOf(money(stored.minor, currency)) }, unknown, forPerson };
};

const offlineOf = ({ limits, exposure, left }: OfflineReadiness, { ready, why }: Judgement): LineState['offline'] => {
  const { currency, together } = limits;
  const usedMinor = exposure.chip.total.minor + exposure.deferred.total.minor;
  const kinds = (['chip', 'deferred'] as const).filter((kind) => limits[kind].upToMinor !== 0n);
  const [only, other] = kinds;
  const most = together.minor ?? (only !== undefined && other === undefined ? limits[only].total.minor : undefined);
  // A sale is taken in the way that has more left, and the smallest limit decides how much a way has left.
  const widest = kinds.map((kind) => narrowestOf(left[kind])).reduce(widerOf, {});
  return {
    ready,
    why: why && { code: `offline.${why.code}`, says: why.why },
    used: amountOf(money(usedMinor, currency)),
    most: most === undefined ? undefined : amountOf(money(most, currency)),
    left: widest.minor === undefined ? undefined : amountOf(money(widest.minor, currency)),
    count: widest.count,
  };
};

type Narrowest = { minor?: bigint; count?: number };

const narrowestOf = (left: readonly Left[]): Narrowest => {
  const bounds = left.filter(({ limit }) => limit !== 'perSale');
  const amounts = bounds.flatMap(({ amount }) => (amount === undefined ? [] : [amount.minor]));
  const counts = bounds.flatMap(({ count }) => (count === undefined ? [] : [count]));
  return {
    minor: amounts.length > 0 ? amounts.reduce((one, two) => (one < two ? one : two)) : undefined,
    count: counts.length > 0 ? Math.min(...counts) : undefined,
  };
};

const widerOf = (one: Narrowest, two: Narrowest, at: number): Narrowest =>
  at === 0 || (two.minor ?? 0n) > (one.minor ?? 0n) ? two : one;
