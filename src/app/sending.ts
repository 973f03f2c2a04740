/**
 * What a till sends and asks automatically: its queue, other tills' unsent sales, unresolved sales, and the comparison
 * with the gateway.
 */
import { type Clock, within } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import type { Random } from '../base/ids.ts';
import type { Config } from '../folder/config.ts';
import type { TillSigner } from '../folder/keys/till-signer.ts';
import type { Journal } from '../journal/journal.ts';
import { openHandedOver, skipHandedOver } from '../ledger/handed-over.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import type { LineWatch } from '../line/host.ts';
import { withinCardLimits } from '../offline/card-limits.ts';
import type { TrustedTime } from '../offline/trusted-time.ts';
import { createForwarder, type DrainCounts, type Forwarder } from '../queue/forwarder.ts';
import type { Message, Outbox } from '../queue/outbox.ts';
import { type CardTries, openCardTries } from '../queue/retry-rules.ts';
import { type Agreement, openAgreement } from '../recovery/gateway-agreement.ts';
import { openResolver, type Resolver } from '../recovery/resolver.ts';
import { openTakenOverTills, type TakenOverTills } from '../takeover/taken-over-tills.ts';
import { guardedDelivery, type TillPlace } from '../takeover/till-place.ts';
import { askInstead, expiredIn } from '../till/gateway/expired.ts';
import type { Host, TillParts } from '../till/ports.ts';
import type { Till } from '../till/till.ts';
import type { Stores } from './stores.ts';

type SendingParts = {
  folder: string;
  config: Config;
  journal: Journal;
  stores: Stores;
  signer: TillSigner;
  tillKey: Uint8Array;
  /** Also used for sales that no counter is running. */
  host: Host;
  gateway: string;
  line: LineWatch;
  place: TillPlace;
  till: Till;
  /** The parts of the till at the first counter. */
  tillParts: TillParts;
  clock: Clock;
  random: Random;
  report(error: unknown): void;
};

export type SendingTools = {
  tries: CardTries;
  sender: Forwarder;
  takenOver: TakenOverTills;
  resolver: Resolver;
  agreement: Agreement;
  /**
   * Makes messages due again that a test system answered: at each start, and when a payment was approved in the till's
   * own mode. At a start also those that were answered too often. Never throws, since it is called in the middle of a
   * sale.
   */
  retryRepaired(at?: 'start'): void;
  /** Before a batch is closed or checked: asks the terminal, sends the queue, and looks for late approvals. */
  drainAll(which: 'due' | 'all'): Promise<void>;
  /** Starts the background work of a running till. */
  runInBackground(): void;
  /** Resolves when none of its work is in progress. */
  stop(): Promise<void>;
};

export const openSending = (parts: SendingParts): SendingTools => {
  const { folder, config, journal, stores, signer, tillKey, host, gateway, line, place, till, clock, random } = parts;
  const { outbox, offline, ledger, books } = stores;
  const { report } = parts;
  const tries = openCardTries(journal.sql);
  const deliveryFor = (of: DeliveryTarget) => guardedDelivery(place, createDelivery(of, { tries, time: offline.time }));
  const takenOver = openTakenOverTills({
    folder,
    journal,
    publicKey: signer.publicKey,
    tillKey,
    clock,
    random,
    gateway,
    report,
    tillParts: { ...parts.tillParts, host, report },
    wayOf: deliveryFor,
  });
  const ownDelivery = deliveryFor({ till, ledger, parts: parts.tillParts });
  const deliver = skipHandedOver(openHandedOver(journal, clock), ownDelivery);
  const sender = createForwarder({ outbox, clock, random, report, deliver, atOnce: config.queue?.atOnce });
  const resolver = openResolver({ journal, parts: parts.tillParts, till, ledger, outbox, forwarder: sender });
  sender.onPass((drained) => finishPass(drained, { journal, resolver }));
  const agreement = openAgreement({
    journal,
    ledger,
    host,
    gateway,
    batches: books.batches,
    clock,
    report,
    now: () => offline.time.now().at,
    isOnline: () => line.current().online,
  });
  return {
    tries,
    sender,
    takenOver,
    resolver,
    agreement,
    retryRepaired: createRepairedRetry({ outbox, takenOver, sender, clock, report }),
    async drainAll(late) {
      await till.settleAtTerminal();
      await sender.drain('all');
      await (late === 'all' ? resolver.inquireLate('all') : resolver.inquireLate());
    },
    runInBackground: () => startBackground({ sender, takenOver, resolver, agreement, line, place }),
    async stop() {
      await agreement.stop();
      await resolver.stop();
      await sender.stop();
      await takenOver.close();
    },
  };
};

type DeliveryTarget = { till: Till; ledger: FullLedger; parts: TillParts };

/** Delivers a till's messages within the schemes' limits, each settled in the step that records its answer. */
const createDelivery = (of: DeliveryTarget, { tries, time }: { tries: CardTries; time: TrustedTime }) => {
  const limits = { till: of.till, tries, clock: { now: () => time.now().at }, corrected: time.corrected };
  return (message: Message) => withinCardLimits(limits, message, () => deliverMessage(of, message));
};

/** The event that settles a message, and the end of the message, are one durable step. */
export const deliverMessage = async ({ till, ledger, parts }: DeliveryTarget, message: Message) => {
  const expired = expiredIn(message);
  const delivered = expired === undefined ? till.deliver(message) : askInstead(message, expired, parts);
  const { event, ...outcome } = await delivered;
  return { ...outcome, settle: () => event && ledger.settle(message.id, message.sale, event) };
};

/** A customer is waiting: unresolved sales get this long, then are settled while the card is being read. */
const SETTLE_WITHIN_MS = 3_000;

type UnknownSettler = {
  /** Called before each sale. Never rejects. */
  settle(): Promise<void>;
  /** From now on this sender settles unresolved sales; before that, none are settled. */
  useSender(sender: Pick<Forwarder, 'drain'>): void;
};

export const openUnknownSettler = (clock: Clock, report: (error: unknown) => void): UnknownSettler => {
  const timeoutFault = () => new Fault('host.silent', { why: 'what is unknown could not be settled before this sale' });
  let sender: Pick<Forwarder, 'drain'> | undefined;
  return {
    async settle() {
      if (sender !== undefined)
        await within(clock, SETTLE_WITHIN_MS, sender.drain('unknown'), timeoutFault).catch(report);
    },
    useSender(input) {
      sender = input;
    },
  };
};

/**
 * After a pass that settled something, removes its keys from the write-ahead log too, and notes that the line is up.
 */
export const finishPass = (
  { done }: DrainCounts,
  { journal, resolver }: { journal: Journal; resolver: Pick<Resolver, 'inquireLateSoon'> },
): void => {
  if (done > 0) journal.tidy();
  else if (journal.steps - journal.tidiedAt > FOLD_STEPS) journal.fold();
  if (done > 0) resolver.inquireLateSoon();
};

/** Durable steps between two checkpoints of the write-ahead log if nothing was settled: about two megabytes. */
const FOLD_STEPS = 200;

type RepairedOutbox = {
  outbox: Outbox;
  takenOver: Pick<TakenOverTills, 'retryRepaired'>;
  sender: Pick<Forwarder, 'wake'>;
  clock: Clock;
  report(error: unknown): void;
};

/** The same as `retryRepaired` of `SendingTools`. */
export const createRepairedRetry =
  ({ outbox, takenOver, sender, clock, report }: RepairedOutbox) =>
  (at?: 'start'): void => {
    try {
      if (at === 'start') outbox.renew(clock.now());
      if (outbox.retryRepaired(clock.now()) > 0) sender.wake();
      takenOver.retryRepaired();
    } catch (error) {
      report(error);
    }
  };

type BackgroundParts = {
  sender: Pick<Forwarder, 'start' | 'wake'>;
  takenOver: Pick<TakenOverTills, 'start'>;
  resolver: Pick<Resolver, 'wake'>;
  agreement: Pick<Agreement, 'runInBackground'>;
  line: Pick<LineWatch, 'onChange'>;
  place: TillPlace;
};

/** Starts the background work of a running till. A till on another machine than its own asks and sends nothing. */
export const startBackground = ({ sender, takenOver, resolver, agreement, line, place }: BackgroundParts): void => {
  if (place.binding === 'elsewhere') return;
  void place.comparison?.look();
  sender.start();
  takenOver.start();
  resolver.wake();
  agreement.runInBackground();
  line.onChange(({ online }) => {
    if (!online) return;
    void place.comparison?.look('anew');
    sender.wake();
  });
};
