/** The selling service: what the cashier's screen and programs at the counter can do with a running till. */
import type { Counter } from '../api/contract/counters.ts';
import type { LiveSale } from '../api/contract/sales.ts';
import type { SellingPort } from '../api/ports/selling.ts';
import type { Actor } from '../api/ports/session.ts';
import { Fault } from '../base/fault.ts';
import { makerOf } from '../ledger/search-index.ts';
import { openLookups } from '../staff/lookups.ts';
import type { RequestFingerprint } from '../till/machine/facts.ts';
import type { Sale } from '../till/machine/sale.ts';
import {
  type BeginParts,
  beginningOf,
  counterOfRequest,
  followingOf,
  isForTerminal,
  programKey,
  raisingOf,
  requestFingerprint,
  saleOfRequest,
} from './begin.ts';
import { liveFromBooks, sellingBooks } from './from-books.ts';
import { type Begun, openLiveSales } from './live.ts';
import { openUsualTimes, type UsualTimes } from './phases.ts';
import type { SellingCounter, SellingParts, SellingTill } from './port.ts';
import { openSaleNews, type SaleNewsParts } from './sale-news.ts';
import { openTerminalWaits, type TerminalWaits, type TurnRequest } from './terminal-wait.ts';
import { attendCounters, lineStates } from './watch.ts';

/** Opens the service on a running till. `close` stops its timers; the till is closed by whoever opened it. */
export const openSellingService = (parts: SellingParts): SellingPort & { close(): Promise<void> } => {
  const { running, clock, ids, events, report, mode } = parts;
  const usual = usualByCounter(running);
  const line = lineStates(running, clock);
  const live = openLiveSales({
    clock,
    mode,
    usualTimesOf: usual,
    report,
    unpaid: running.unpaid,
    find: (id) => running.till.findSale(id),
    onChange: (sale) => events.tell({ on: 'sale', sale }),
    onStepWritten: () => news.look(),
    onEnd: () => watch.checkCounters(),
  });
  const counters = (): Counter[] => counterRows(parts, { saleAt: live.runningAt, waiting: terminalWaits.waiting });
  const isBusy = (one: SellingCounter): boolean => live.runningAt(one.name) !== undefined;
  const own = sellingOwn(parts);
  const news = openNews(parts, { isOwn: own.isOwn, shown: (sale, at) => live.shown(sale) ?? fromBooks(sale, at) });
  const terminalWaits = openTerminalWaits({
    clock,
    holdOf: live.holding,
    heldBack: ({ terminalId, beside }) => running.gate.waitWhileHeld(terminalId, { beside }),
    changed: () => watch.checkCounters(),
  });
  const watch = attendCounters({ ...parts, counters, line, isBusy, news: news.look });
  const begin: BeginParts = { running, ids, isRunning: live.isRunning };

  const known = (id: string): LiveSale => {
    const sale = live.of(id);
    if (sale !== undefined) return sale;
    const found = running.till.findSale(id);
    return fromBooks(found, running.journal.about(id).at(-1)?.at ?? found.intent.at);
  };
  const fromBooks = (sale: Sale, at: number): LiveSale => {
    const counter = running.counters.find(({ terminalId }) => terminalId === sale.intent.terminalId);
    return liveFromBooks(sale, { counter: counter?.name ?? '', at, mode, unpaid: running.unpaid });
  };

  const start = (begun: Begun): LiveSale => {
    const sale = live.begin(begun);
    watch.checkCounters();
    return sale;
  };

  return {
    ...sellingBooks(running, { clock, isRunning: live.isRunning, mode }),
    ...own,
    ...beginnings(begin, { known, start, ended: (sale) => live.ended(sale), opens: parts.unattended === true }),
    counters,
    line,
    turn: (request, signal) => terminalWaits.turn(turnWish(begin, request), signal),
    endWaits: terminalWaits.end,
    cancel: (id) => live.cancel(id) ?? known(id),
    live: live.all,
    liveSale: known,
    async close() {
      await watch.close();
      news.close();
    },
  };
};

type News = Pick<SaleNewsParts, 'shown'> & Pick<SellingPort, 'isOwn'>;

/** Replaces the previous news: listeners stay while a till is reopened, and continue from where it stopped. */
const openNews = ({ running, events, report }: SellingParts, { shown: toNews, isOwn }: News) => {
  const { journal } = running;
  const news = openSaleNews({ journal, from: events.log?.here(), shown: toNews, tell: events.tell, report });
  events.log = { here: news.here, since: news.since, isOwn };
  return {
    look: news.look,
    close() {
      const here = news.here();
      events.log = { here: () => here, since: () => [], isOwn: () => false };
    },
  };
};

/** Throws as `counterOfRequest`. */
const turnWish = (parts: BeginParts, request: Parameters<NonNullable<SellingPort['turn']>>[0]): TurnRequest => {
  const { name, terminalId } = counterOfRequest(parts, request);
  const at = { counter: name, terminalId };
  if (!('receipt' in request)) return { ...at, beside: false };
  if (!isForTerminal(parts, request)) return { ...at, beside: true };
  const { receipt, operation } = request;
  return { ...at, beside: false, follows: { receipt, operation } };
};

type LiveTools = {
  known(id: string): LiveSale;
  start(begun: Begun): LiveSale;
  /** Resolves when it has ended and its terminal is free. */
  ended(sale: LiveSale): Promise<LiveSale>;
  /** Nobody has opened the terminals: each sale opens its own first. */
  opens: boolean;
};

const beginnings = (
  parts: BeginParts,
  { known, start, ended, opens }: LiveTools,
): Required<Pick<SellingPort, 'begin' | 'follow' | 'repeated'>> => {
  /** A terminal that cannot be opened is reported before the sale begins, and after all other checks. */
  const open = async ({ counter, beside }: Begun, isGift: boolean): Promise<void> => {
    if (beside !== true && !isGift) await counter.ready();
  };
  const startOnce = async (fingerprint: RequestFingerprint, begun: () => Begun, isGift = false): Promise<LiveSale> => {
    if (opens && saleOfRequest(parts, fingerprint) === undefined) await open(begun(), isGift);
    // Runs without a pause, so that the second of two requests with one key finds the first one's sale.
    const before = saleOfRequest(parts, fingerprint);
    return before === undefined ? start(begun()) : known(before);
  };
  return {
    async begin(request, actor, key) {
      const compared = parts.running.place.compared();
      // If there is nothing to wait for, continue without a pause: the counter is free now.
      if (compared !== undefined) await compared;
      const requested = requestFingerprint(request, { key, by: actor });
      return startOnce(
        requested,
        () => beginningOf(parts, request, { by: actor, fingerprint: requested }),
        request.operation === 'giftCard',
      );
    },
    async follow(request, actor, key) {
      const compared = parts.running.place.compared();
      // If there is nothing to wait for, continue without a pause: the counter is free now.
      if (compared !== undefined) await compared;
      const fingerprint = requestFingerprint(request, { key, by: actor });
      // A tip beyond the held amount is held first. If that is not approved, its result is the answer.
      const more = saleOfRequest(parts, fingerprint) === undefined ? raisingOf(parts, request, actor) : undefined;
      const raised = more && (await ended(start(more)));
      if (raised !== undefined && raised.result?.ending !== 'approved') return raised;
      return startOnce(fingerprint, () => followingOf(parts, request, { by: actor, fingerprint }));
    },
    repeated(request, actor, key) {
      const before = saleOfRequest(parts, requestFingerprint(request, { key, by: actor }));
      return before === undefined ? undefined : known(before);
    },
  };
};

/** The usual times of each counter by name, read when first needed. */
const usualByCounter = ({ journal, counters }: SellingTill) => {
  const times = new Map<string, UsualTimes>();
  return (name: string): UsualTimes => {
    const known = times.get(name);
    if (known !== undefined) return known;
    const usualTimes = openUsualTimes(journal, counters.find((one) => one.name === name)?.terminalId ?? '');
    times.set(name, usualTimes);
    return usualTimes;
  };
};

/** The simulated terminal is at the first counter. */
const counterRows = (
  { running, simulated, offersSimulated }: Pick<SellingParts, 'running' | 'simulated' | 'offersSimulated'>,
  at: CounterTools,
): Counter[] => {
  const offered = offersSimulated === true ? { offersSimulated } : undefined;
  const standsIn = simulated === undefined ? offered : { model: 'SIMULATED', simulated: true as const };
  return running.counters.map((one, n) => ({ ...counterOf(one, at), ...(n === 0 && standsIn) }));
};

type CounterTools = { saleAt(name: string): string | undefined; waiting: TerminalWaits['waiting'] };

const counterOf = (
  { name, device, integrated, presence }: SellingCounter,
  { saleAt, waiting }: CounterTools,
): Counter => {
  const now = presence();
  const sale = saleAt(name);
  const waitingOperation = waiting(name);
  const fault =
    now.state === 'away' ? now.fault : now.state === 'unpaired' ? new Fault('terminal.unpaired') : undefined;
  return {
    name,
    state: sale === undefined ? now.state : 'busy',
    model: device?.model,
    serial: device?.serial,
    integrated,
    sale,
    waiting: waitingOperation.length > 0 ? waitingOperation : undefined,
    problem: fault && { code: fault.code, says: fault.message, facts: fault.facts },
  };
};

// Whose sale it is, and the audit note when somebody opens another person's sale.

/** A counter that handles returns all day needs fewer; somebody who browses all receipts reaches it within minutes. */
const OTHERS_AN_HOUR = 60;
/** A program at the counter acts for several people. */
const OTHERS_AN_HOUR_OF_PROGRAM = 300;

type OwnSalesTools = Pick<SellingPort, 'isOwn' | 'openOthers' | 'allowOthers'>;

const sellingOwn = ({ running, clock, note }: Pick<SellingParts, 'running' | 'clock' | 'note'>): OwnSalesTools => {
  const lookups = openLookups(clock);
  const { sql } = running.journal;
  return {
    isOwn(sale, actor) {
      const id = 'id' in sale ? sale.id : running.till.find(sale.receipt).intent.sale;
      const maker = makerOf(sql, id);
      if (maker === undefined) return false;
      if (maker.cashier === (actor.name ?? actor.program)) return true;
      return actor.program !== undefined && maker.requestKey.startsWith(programKey(actor.program, ''));
    },
    openOthers({ receipt }, actor) {
      const { sale, cashier } = running.till.find(receipt).intent;
      const most = actor.program === undefined ? OTHERS_AN_HOUR : OTHERS_AN_HOUR_OF_PROGRAM;
      const lookup = lookups.open(whoOf(actor), sale, most);
      if (lookup === 'new') note({ on: 'othersSaleOpened', receipt, of: cashier }, actor);
      if (lookup === 'full') note({ on: 'othersSalesHeld', count: most }, actor);
      return lookup === 'known' || lookup === 'new';
    },
    allowOthers: (actor) => lookups.allow(whoOf(actor)),
  };
};

const whoOf = ({ name, program }: Actor): string => JSON.stringify([name, program]);
