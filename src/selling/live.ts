/**
 * Sales in progress: reports each phase with its time to the listeners, and keeps the last ended sale of each counter.
 */

import type { SaleStep } from '../api/contract/sale-steps.ts';
import type { LiveSale, Phase } from '../api/contract/sales.ts';
import type { Clock } from '../base/clock.ts';
import { errorText, Fault, isFault } from '../base/fault.ts';
import type { DisplayMode } from '../base/mode.ts';
import { cardOf } from '../books/lines/lines.ts';
import { resultOf, resultOfFault } from '../books/sale-rows.ts';
import { amountOf } from '../ledger/wire-money.ts';
import type { UnpaidSales } from '../offline/unpaid-sales.ts';
import type { EndedSale, Sale } from '../till/machine/sale.ts';
import type { Progress, ProgressListener, Running } from '../till/running.ts';
import { aheadOf, phaseOf, type UsualTimes } from './phases.ts';
import type { SellingCounter } from './port.ts';
import { stepOf, withStep } from './steps.ts';

export type Accept = LiveSale['accept'];

export type Begun = {
  counter: SellingCounter;
  accept: Accept;
  /** Only the gateway is involved: the counter's terminal stays free for others. */
  beside?: boolean;
  /** Starts the sale in the till; it is durable when this returns. */
  start(notify: ProgressListener): Running;
};

export type LiveParts = {
  clock: Clock;
  mode: DisplayMode;
  unpaid: UnpaidSales;
  usualTimesOf(counter: string): UsualTimes;
  /** Called at each step of a running sale, and when its ending could not be written to the journal. */
  onChange(sale: LiveSale): void;
  /** Called when a step that ended this or an earlier sale was written: the journal has news. */
  onStepWritten(): void;
  /** Called when the terminal is free again, and the ending is as final as it gets by itself. */
  onEnd(): void;
  /** The sale as it is in the journal. Throws `till.notFound`. */
  find(id: string): Sale;
  report(error: unknown): void;
};

export interface LiveSales {
  /** Throws what `start` throws, and then there is no sale. */
  begin(startedSale: Begun): LiveSale;
  /** Undefined for a sale that is neither running nor the last of its counter. */
  of(id: string): LiveSale | undefined;
  /** Requests a cancellation. Undefined in the same cases as `of`. */
  cancel(id: string): LiveSale | undefined;
  all(): LiveSale[];
  isRunning(id: string): boolean;
  /** Resolves when this sale has ended and its terminal is free. */
  ended(sale: LiveSale): Promise<LiveSale>;
  /** The sale, possibly ended, that occupies a counter's terminal, and until when. Undefined when none does. */
  holding(counter: string): { sale: Sale; ended: Promise<void> } | undefined;
  /** An ended sale for display as long as it is the last of its counter. Undefined for any other. */
  shown(sale: EndedSale): LiveSale | undefined;
  /** The id of the sale running there. */
  runningAt(counter: string): string | undefined;
}

type OpenSale = {
  begun: Begun;
  sale: Sale;
  running: Running | undefined;
  phase: Phase;
  startedAt: number;
  phaseAt: number;
  /** When the phase began, on the monotonic clock. */
  since: number;
  had: Set<Phase>;
  steps: readonly SaleStep[];
  cancelling: boolean;
  fault?: Fault;
  isOver: boolean;
  /** Resolves when its terminal is free again. */
  finished: PromiseWithResolvers<void>;
};

/** Each counter has two slots: the last sale at its terminal, and the last operation beside it. */
const placeOf = ({ counter, beside = false }: Begun): string => (beside ? `${counter.name} beside` : counter.name);

/** Tracks the running sales, the last ended ones, and their phases. */
const keepRunningSales = (parts: LiveParts) => {
  const { clock } = parts;
  const byId = new Map<string, OpenSale>();
  /** The last sale in each slot, which the next one replaces. */
  const lastAt = new Map<string, string>();
  /**
   * An ended sale may have changed since, so the journal is read again instead of showing what was known when it ran.
   */
  const shown = (one: OpenSale): LiveSale => {
    if (one.sale.at !== 'ended' && !one.isOver) return liveOf(one, parts);
    try {
      one.sale = parts.find(one.sale.intent.sale);
    } catch (error) {
      parts.report(error);
    }
    return liveOf(one, parts);
  };
  return {
    byId,
    lastAt,
    shown,
    /** Moves the sale to a phase. Returns whether it is a new one. */
    moved(one: OpenSale, phase: Phase | undefined): boolean {
      if (phase === undefined || phase === one.phase) return false;
      const now = clock.monotonic();
      // A cancellation cuts a phase short, so its duration says nothing about how long it usually takes.
      if (!one.cancelling) parts.usualTimesOf(one.begun.counter.name).noteDuration(one.phase, now - one.since);
      Object.assign(one, { phase, phaseAt: clock.now(), since: now });
      one.had.add(phase);
      return true;
    },
    first(startedSale: Begun, sale: Sale): OpenSale {
      const place = placeOf(startedSale);
      const [now, since] = [clock.now(), clock.monotonic()];
      const one: OpenSale = {
        begun: startedSale,
        sale,
        running: undefined,
        phase: 'starting',
        startedAt: now,
        phaseAt: now,
        since,
        had: new Set<Phase>(['starting']),
        steps: [],
        cancelling: false,
        isOver: false,
        finished: Promise.withResolvers<void>(),
      };
      const before = lastAt.get(place);
      if (before !== undefined && byId.get(before)?.isOver === true) byId.delete(before);
      lastAt.set(place, sale.intent.sale);
      byId.set(sale.intent.sale, one);
      return one;
    },
    /** Of several operations beside one another, only the one begun last is kept. */
    forgetOlder({ begun, sale: { intent } }: OpenSale): void {
      if (lastAt.get(placeOf(begun)) !== intent.sale) byId.delete(intent.sale);
    },
  };
};

type OpenSales = ReturnType<typeof keepRunningSales>;

/** An ending is reported once, from the journal. */
const stepOnly = ({ result: _, ...step }: LiveSale): LiveSale => step;

/** How a run ends: with the sale's ending, or because a write failed. */
const createEnding = (parts: LiveParts, { moved, shown, forgetOlder }: OpenSales) => {
  const end = (one: OpenSale): void => {
    if (one.isOver) return;
    one.isOver = true;
    one.finished.resolve();
    moved(one, 'ended');
    if (one.sale.card !== undefined) parts.usualTimesOf(one.begun.counter.name).noteSale(one.had);
    parts.onEnd();
    // A fault is reported only here.
    parts.onChange(one.sale.at === 'ended' ? stepOnly(shown(one)) : shown(one));
    forgetOlder(one);
  };
  /** Only the journal decides. */
  const fail = (one: OpenSale, error: unknown): void => {
    const { sale } = one.sale.intent;
    parts.report(error);
    try {
      one.begun.counter.till.recover();
      one.sale = parts.find(sale);
    } catch (nextError) {
      parts.report(nextError);
    }
    if (one.sale.at !== 'ended')
      one.fault = isFault(error) ? error : new Fault('till.unrecorded', { sale, why: errorText(error) });
    end(one);
  };
  return { ended: end, failed: fail };
};

/** Records what a sale's progress changes, and reports it. */
const createProgressHandler =
  (parts: LiveParts, { moved, shown }: OpenSales) =>
  (one: OpenSale, progress: Progress): void => {
    if (progress.kind === 'sale') one.sale = progress.sale;
    if (progress.kind === 'earlier') parts.onStepWritten();
    const step = stepOf(progress);
    if (step !== undefined) one.steps = withStep(one.steps, step, parts.clock.now());
    const isPhase = progress.kind !== 'earlier' && moved(one, phaseOf(progress, one.sale.at));
    if (progress.kind === 'sale' && one.sale.at === 'ended') parts.onStepWritten();
    else if (step !== undefined || isPhase || progress.kind === 'sale') parts.onChange(stepOnly(shown(one)));
  };

export const openLiveSales = (parts: LiveParts): LiveSales => {
  const ones = keepRunningSales(parts);
  const { byId, lastAt, shown, first } = ones;
  const handleProgress = createProgressHandler(parts, ones);
  const { ended, failed } = createEnding(parts, ones);
  return {
    begin(startedSale) {
      let one: OpenSale | undefined;
      const running = startedSale.start((progress: Progress) => {
        if (progress.kind === 'sale') one ??= first(startedSale, progress.sale);
        if (one !== undefined) handleProgress(one, progress);
      });
      const openSale = one ?? first(startedSale, parts.find(running.sale));
      openSale.running = running;
      running.done.then(
        () => ended(openSale),
        (error: unknown) => failed(openSale, error),
      );
      return shown(openSale);
    },
    of(id) {
      const one = byId.get(id);
      return one && shown(one);
    },
    cancel(id) {
      const one = byId.get(id);
      if (one === undefined) return undefined;
      if (one.sale.at !== 'ended' && one.running !== undefined) {
        one.cancelling = true;
        parts.onChange(shown(one));
        one.running.cancel();
      }
      return shown(one);
    },
    all: () => [...byId.values()].map(shown),
    async ended(sale) {
      const one = byId.get(sale.id);
      if (one === undefined) return sale;
      await one.finished.promise;
      return shown(one);
    },
    isRunning: (id) => byId.get(id)?.isOver === false,
    holding(counter) {
      const one = byId.get(lastAt.get(counter) ?? '');
      return one === undefined || one.isOver ? undefined : { sale: one.sale, ended: one.finished.promise };
    },
    shown(sale) {
      const one = byId.get(sale.intent.sale);
      return one && liveOf({ ...one, sale }, parts);
    },
    runningAt(counter) {
      const id = lastAt.get(counter);
      return id === undefined || byId.get(id)?.isOver === true ? undefined : id;
    },
  };
};

const liveOf = (one: OpenSale, { usualTimesOf, mode, unpaid }: LiveParts): LiveSale => {
  const { begun, sale, phase, startedAt, phaseAt, steps, cancelling, fault, isOver } = one;
  const { name } = begun.counter;
  const times = usualTimesOf(name);
  const usualMs = phase === 'ended' ? undefined : times.of(phase);
  const { intent, card } = sale;
  const ahead = { ...intent, phase, entryMode: card?.entryMode, isUsual: times.isUsual };
  return {
    ...liveFacts(sale, name),
    mode,
    accept: begun.accept,
    phase,
    startedAt,
    phaseAt,
    cancelling,
    beside: begun.beside || undefined,
    terminalFree: begun.beside || isOver,
    usualMs,
    ahead: sale.at === 'ended' ? [] : aheadOf(ahead),
    steps,
    result: sale.at === 'ended' ? resultOf(sale, { mode, unpaid }) : fault && resultOfFault(fault),
    problem: fault && { code: fault.code, says: fault.message, facts: fault.facts },
  };
};

export const liveFacts = (sale: Sale, counter: string) => {
  const { intent } = sale;
  const card = cardOf(sale);
  return {
    id: intent.sale,
    receipt: intent.receipt,
    followsReceipt: intent.follows?.receipt,
    operation: intent.operation,
    counter,
    amount: amountOf(intent.amount),
    tip: intent.tip && amountOf(intent.tip),
    asTip: intent.asTip,
    cashier: intent.cashier,
    card: card && { ...card, entryMode: card.entryMode ?? '' },
  };
};
