/** Parts of a till, each put together by itself: its stores, its terminal, the delivery of a message. */
import { driverAt } from '../../drivers/registry.ts';
import { type Clock, within } from '../base/clock.ts';
import { Fault, isFault, wordsOf } from '../base/fault.ts';
import type { Random } from '../base/ids.ts';
import { bookedLedger } from '../books/books.ts';
import { lineIndex } from '../books/lines/line-index.ts';
import { totalsIndex } from '../books/lines/totals.ts';
import { openTillBooks } from '../books/till-books.ts';
import type { Config } from '../folder/config.ts';
import type { Machine } from '../folder/machine.ts';
import { offlineLimitsOf } from '../folder/offline-config.ts';
import type { Journal } from '../journal/journal.ts';
import type { SecondCopy } from '../journal/second-copy.ts';
import { conservationIndex } from '../ledger/conservation-index.ts';
import { withKeysWiped } from '../ledger/key-wipe.ts';
import { type FullLedger, openLedger } from '../ledger/ledger.ts';
import { operationIndex } from '../ledger/operation-index.ts';
import { requestKeyIndex } from '../ledger/search-index.ts';
import { setNewerAside, unreadIndex } from '../ledger/unread-index.ts';
import type { LineWatch } from '../line/line-watch.ts';
import { withinCardLimits } from '../offline/card-limits.ts';
import { openOffline } from '../offline/decision.ts';
import { forwardLosses } from '../offline/forward-losses.ts';
import type { TrustedTime } from '../offline/trusted-time.ts';
import type { Drained, Forwarder } from '../queue/forwarder.ts';
import { type Message, type Outbox, openOutbox } from '../queue/outbox.ts';
import type { CardTries } from '../queue/retry-rules.ts';
import { sealer } from '../queue/seal.ts';
import type { Agreement } from '../recovery/gateway-agreement.ts';
import type { Resolver } from '../recovery/resolver.ts';
import type { Staff } from '../staff/running.ts';
import type { TakenOverTills } from '../takeover/taken-over-tills.ts';
import type { TillPlace } from '../takeover/till-place.ts';
import { askInstead, expiredIn } from '../till/gateway/expired.ts';
import type { Kept, TillParts } from '../till/ports.ts';
import type { Till } from '../till/till.ts';

/** Before a sale nothing can have been charged, whatever the terminal does. */
export const ready = async (terminals: Kept<unknown>): Promise<void> => {
  try {
    await terminals.get();
  } catch (error) {
    await terminals.drop();
    if (isFault(error) && error.remedy !== 'inquire') throw error;
    throw new Fault('terminal.unready', { why: wordsOf(error) }, error);
  }
};

/**
 * An address that cannot be one is refused before anything is opened. One without its protocol is told of when the
 * terminal is wanted. Throws `terminal.unknown`.
 */
export const terminalAddress = (address: string | undefined): string | undefined => {
  if (address !== undefined) driverAt(address);
  return address;
};

/** A customer waits: what is unknown gets this long, then it goes on being settled while the card is read. */
const SETTLE_WITHIN_MS = 3_000;

export const settleUnknown = async (
  sender: Forwarder,
  { clock, report }: { clock: Clock; report(error: unknown): void },
): Promise<void> => {
  const late = () => new Fault('host.silent', { why: 'what is unknown could not be settled before this sale' });
  await within(clock, SETTLE_WITHIN_MS, sender.drain('unknown'), late).catch(report);
};

/** After a pass that settled something its keys are taken out of the write-ahead log too, and the line is there. */
export const passedOver = (
  { done }: Drained,
  { journal, resolver }: { journal: Journal; resolver: Pick<Resolver, 'lateSoon'> },
): void => {
  if (done > 0) journal.tidy();
  else if (journal.steps - journal.tidiedAt > FOLD_STEPS) journal.fold();
  if (done > 0) resolver.lateSoon();
};

/** Durable steps between two foldings of the write-ahead log, if nothing was settled: about two megabytes. */
const FOLD_STEPS = 200;

type Draining = { till: Till; sender: Forwarder; resolver: Pick<Resolver, 'late'> };

/** Before a batch is closed, or looked at: the terminal is asked, the queue sent, and late approvals looked for. */
export const drainAll = async ({ till, sender, resolver }: Draining, late: 'due' | 'all'): Promise<void> => {
  await till.settleAtTerminal();
  await sender.drain('all');
  await (late === 'all' ? resolver.late('all') : resolver.late());
};

type Mended = {
  outbox: Outbox;
  takenOver: Pick<TakenOverTills, 'mended'>;
  sender: Pick<Forwarder, 'wake'>;
  clock: Clock;
  report(error: unknown): void;
};

/**
 * What a test system answered gets another turn: on each start, and when a payment was approved in the till's own mode.
 * On a start so does what was answered too often.
 * Never throws: it is called in the middle of a sale.
 */
export const mendedSending =
  ({ outbox, takenOver, sender, clock, report }: Mended) =>
  (at?: 'start'): void => {
    try {
      if (at === 'start') outbox.renew(clock.now());
      if (outbox.mended(clock.now()) > 0) sender.wake();
      takenOver.mended();
    } catch (error) {
      report(error);
    }
  };

type Closing = {
  stores: ReturnType<typeof openStores>;
  resolver: Pick<Resolver, 'stop'>;
  sender: Pick<Forwarder, 'stop'>;
  takenOver: Pick<TakenOverTills, 'close'>;
  agreement: Pick<Agreement, 'stop'>;
  devices: readonly { close(): Promise<void> }[];
  line: { close(): Promise<void> };
  staff: Pick<Staff, 'close'>;
  secondCopy: Pick<SecondCopy, 'close'> | undefined;
  journal: Pick<Journal, 'close'>;
  report(error: unknown): void;
};

/** What sends and asks ends first, the journal last. */
export const closeAll = async ({ stores, devices, journal, report, ...more }: Closing): Promise<void> => {
  stores.stop();
  await more.agreement.stop();
  await more.resolver.stop();
  await more.sender.stop();
  await more.takenOver.close();
  for (const one of devices) await one.close();
  await more.line.close();
  await more.secondCopy?.close();
  stores.offline.close(report);
  more.staff.close();
  journal.close();
};

type Attended = {
  sender: Pick<Forwarder, 'start' | 'wake'>;
  takenOver: Pick<TakenOverTills, 'start'>;
  resolver: Pick<Resolver, 'wake'>;
  agreement: Pick<Agreement, 'attend'>;
  line: Pick<LineWatch, 'changed'>;
  place: TillPlace;
};

/** For a till that stays. On another machine than its own it asks nobody and sends nothing. */
export const attendTo = ({ sender, takenOver, resolver, agreement, line, place }: Attended): void => {
  if (place.binding === 'elsewhere') return;
  void place.comparison?.look();
  sender.start();
  takenOver.start();
  resolver.wake();
  agreement.attend();
  line.changed(({ online }) => {
    if (!online) return;
    void place.comparison?.look('anew');
    sender.wake();
  });
};

type Delivering = { till: Till; ledger: FullLedger; parts: TillParts };

/** The way of a till's messages: within the schemes' limits, each settled in the step that its answer is written in. */
export const delivering = ({ tries, time, ...of }: Delivering & { tries: CardTries; time: TrustedTime }) => {
  const limits = { till: of.till, tries, clock: { now: () => time.now().at }, corrected: time.corrected };
  return (message: Message) => withinCardLimits(limits, message, () => delivery(of, message));
};

/** The event that settles a message, and the message's end, are one durable step. */
export const delivery = async ({ till, ledger, parts }: Delivering, message: Message) => {
  const expired = expiredIn(message);
  const delivered = expired === undefined ? till.deliver(message) : askInstead(message, expired, parts);
  const { event, ...told } = await delivered;
  return { ...told, settle: () => event && ledger.settle(message.id, message.sale, event) };
};

type StoreOptions = {
  dataDir: string;
  clock: Clock;
  random: Random;
  machine: Machine;
  around: { ledger?(ledger: FullLedger): FullLedger };
  /** The gateway is asked after each start what it knows of this till. */
  compares?: boolean;
  report?(error: unknown): void;
};
type StoreFiles = { config: Config; journal: Journal; tillKey: Uint8Array };

/** What is kept in the journal's file: the queue, the ledger with its indexes, what is out offline, the books. */
export const openStores = (
  { dataDir, clock, random, machine, around, compares = false, report = () => {} }: StoreOptions,
  { config, journal, tillKey }: StoreFiles,
) => {
  const wiped = withKeysWiped(openOutbox(journal.sql, sealer(tillKey, random)), { journal, clock, report });
  const { outbox } = wiped;
  const limits = offlineLimitsOf(config.offline, config.currency);
  const offline = openOffline({
    limits,
    sql: journal.sql,
    clock,
    machine,
    folder: dataDir,
    timeZone: config.businessDay?.timeZone,
  });
  const books = openTillBooks({ journal, config, time: offline.time, compares });
  const plain = openLedger({
    journal,
    outbox,
    clock,
    indexes: [
      offline.index,
      conservationIndex(journal.sql),
      operationIndex(journal.sql),
      forwardLosses(journal.sql),
      totalsIndex(journal.sql),
      requestKeyIndex(journal.sql),
      unreadIndex(journal.sql),
      lineIndex(journal.sql, books),
    ],
  });
  setNewerAside(journal.sql, clock);
  const ledger = bookedLedger(around.ledger?.(plain) ?? plain, books);
  return { outbox, offline, books, ledger, stop: wiped.stop };
};
