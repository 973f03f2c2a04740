/**
 * Open business of other tills, taken over from their exports. Each till has its own journal and queue here. Its
 * messages are sent over this till's line, and are never part of this till's sales, numbers or batches.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { makeFolder } from '../base/files.ts';
import type { Random } from '../base/ids.ts';
import { modeOf } from '../folder/till-mode.ts';
import { JOURNAL } from '../journal/day-seal.ts';
import { type Journal, openJournal } from '../journal/journal.ts';
import { keyIdOf } from '../journal/signing.ts';
import { type FullLedger, openLedger } from '../ledger/ledger.ts';
import { schemaPlan } from '../ledger/schema.ts';
import type { Delivery } from '../queue/attempt.ts';
import { createForwarder, type DrainCounts, type Forwarder } from '../queue/forwarder.ts';
import { type Message, type Outbox, openOutbox } from '../queue/outbox.ts';
import { sealer } from '../queue/seal.ts';
import { withEvidence } from '../till/gateway/evidence.ts';
import type { ExpiredBody } from '../till/gateway/expired.ts';
import { modeOfCode } from '../till/gateway/mode.ts';
import { eventIn } from '../till/machine/event-text.ts';
import { isUnread, replay, type Sale } from '../till/machine/sale.ts';
import type { TillParts } from '../till/ports.ts';
import { openTill, type Till } from '../till/till.ts';
import { isProven, type UnsentDocument, type UnsentMessage } from './unsent-file.ts';

export type TakenOverParts = {
  /** This till's folder, and its own journal, in which takeovers are recorded. */
  folder: string;
  journal: Journal;
  publicKey: string;
  tillKey: Uint8Array;
  clock: Clock;
  random: Random;
  /** The name of this till's gateway: only its messages can be sent from here. */
  gateway: string;
  /** The parts of this till; for another till's sales they have no terminal. */
  tillParts: TillParts;
  /** How a till's messages are delivered: the same way as this till's own. */
  wayOf(of: { till: Till; ledger: FullLedger; parts: TillParts }): (message: Message) => Promise<Delivery>;
  report(error: unknown): void;
};

export type TakenOverSale = { from: string; sale: Sale; waiting: boolean };
export type TakeoverCounts = { sales: number; messages: number };

export interface TakenOverTills {
  /**
   * Takes over what is not here yet. Throws `export.own`, `export.unproven` for entries that are not in that till's
   * sealed journal, `export.known` when everything is already here, `export.otherGateway`, `export.otherMode`; then
   * takes nothing.
   */
  take(of: { unsent: UnsentDocument; publicKey: string }, by: readonly string[]): Promise<TakeoverCounts>;
  /** All sales taken over, till by till, oldest first. */
  sales(): TakenOverSale[];
  /**
   * Makes messages that a test system answered due again, at the tills that are open; for the others this happens when
   * they are opened.
   */
  retryRepaired(): void;
  /** Tries all waiting messages once, till by till. */
  drain(): Promise<DrainCounts>;
  /** For a running till: from now on sends messages when they are due, also for tills that are taken over later. */
  start(): void;
  close(): Promise<void>;
}

/** This till's parts for another till's sales: nothing is sold with them, and no terminal is asked. */
const withoutTerminal = ({ integrated: _, ...parts }: TillParts, ledger: FullLedger): TillParts => ({
  ...parts,
  ledger,
  terminals: {
    get: async () => {
      throw new Fault('terminal.unpaired');
    },
    drop: async () => {},
  },
  settleUnknown: async () => {},
});

type Open = { journal: Journal; outbox: Outbox; ledger: FullLedger; sender: Forwarder };

/** The tills in the folder, opened when needed, and sending automatically once that was started. */
const openTills = (parts: TakenOverParts, place: string) => {
  const opened = new Map<string, Open>();
  let started = false;
  const names = () => (existsSync(place) ? readdirSync(place) : []).filter((file) => /^[0-9a-f]{16}\.db$/.test(file));
  const till = (name: string): Open => {
    const known = opened.get(name);
    if (known !== undefined) return known;
    const openedTill = openTakenOverTill(parts, join(place, name));
    opened.set(name, openedTill);
    if (started) openedTill.sender.start();
    return openedTill;
  };
  const closeTill = async (name: string): Promise<void> => {
    const known = opened.get(name);
    opened.delete(name);
    await known?.sender.stop();
    known?.journal.close();
  };
  return {
    names,
    till,
    shut: closeTill,
    isStarted: () => started,
    opened: () => [...opened.values()],
    start() {
      started = true;
      for (const name of names())
        try {
          const known = opened.get(name);
          if (known === undefined) till(name);
          else known.sender.start();
        } catch (error) {
          // Data of other tills never stops this one.
          parts.report(error);
        }
    },
    async close() {
      started = false;
      for (const name of [...opened.keys()]) await closeTill(name);
    },
  };
};

export const openTakenOverTills = (parts: TakenOverParts): TakenOverTills => {
  const place = join(parts.folder, 'foreign');
  const { names, till, shut: closeTill, isStarted, opened, start, close } = openTills(parts, place);
  return {
    start,
    close,
    async take({ unsent, publicKey }, by) {
      if (publicKey === parts.publicKey) throw new Fault('export.own');
      if (!isProven(unsent.entries, unsent.seal, publicKey)) throw new Fault('export.unproven');
      refuseOtherGateway(unsent, parts.gateway);
      refuseOtherMode(unsent, parts.journal);
      makeFolder(place);
      const from = keyIdOf(publicKey);
      await closeTill(`${from}.db`);
      const taken = takeInto(openTakenOverJournal(join(place, `${from}.db`), parts.clock), unsent, parts);
      const body = { on: 'imported', id: unsent.id, from, publicKey, by, ...taken };
      // If a crash came after the takeover, the next try records it.
      if (taken.messages > 0 || taken.sales > 0 || !isNoted(parts.journal, unsent.id))
        parts.journal.write([{ subject: JOURNAL, kind: 'imported', body: JSON.stringify(body) }]);
      if (isStarted()) till(`${from}.db`);
      if (taken.messages === 0 && taken.sales === 0) throw new Fault('export.known', { id: unsent.id });
      return taken;
    },
    sales: () =>
      names().flatMap((name) => {
        const { ledger, outbox } = till(name);
        return [...ledger.all()].map((sale) => ({
          from: name.slice(0, -3),
          sale,
          waiting: outbox.holds(sale.intent.sale),
        }));
      }),
    retryRepaired() {
      for (const { outbox, sender } of opened()) if (outbox.retryRepaired(parts.clock.now()) > 0) sender.wake();
    },
    async drain() {
      const all = { done: 0, later: 0, parked: 0 } as DrainCounts;
      for (const name of names()) {
        const { done, later, parked } = await till(name).sender.drain('all');
        all.done += done;
        all.later += later;
        all.parked += parked;
      }
      return all;
    },
  };
};

const isNoted = (journal: Journal, id: string): boolean =>
  journal
    .about(JOURNAL)
    .some(({ kind, body }) => kind === 'imported' && (JSON.parse(body) as { id: string }).id === id);

const openTakenOverJournal = (path: string, clock: Clock): Journal => openJournal(path, clock, { plan: schemaPlan });

const openTakenOverTill = (input: TakenOverParts, path: string): Open => {
  const { tillKey, random, clock, report } = input;
  const journal = openTakenOverJournal(path, clock);
  try {
    const outbox = openOutbox(journal.sql, sealer(tillKey, random));
    const ledger = openLedger({ journal, outbox, clock });
    const parts = withEvidence(withoutTerminal(input.tillParts, ledger));
    const till = openTill(parts);
    // A sale that was in progress when its till died ends here as it would have ended there.
    till.recover();
    outbox.retryRepaired(clock.now());
    const deliver = input.wayOf({ till, ledger, parts });
    const sender = createForwarder({ outbox, clock, random, report, deliver });
    sender.onPass(({ done }) => void (done > 0 && journal.tidy()));
    return { journal, outbox, ledger, sender };
  } catch (error) {
    journal.close();
    throw error;
  }
};

/** Checks the gateway that has each sale now: it may have changed since the sale was made. */
const refuseOtherGateway = ({ entries }: UnsentDocument, gateway: string): void => {
  for (const events of Map.groupBy(entries, ({ subject }) => subject).values()) {
    const at = replay(events.map(({ body }) => eventIn(body)))?.intent.gateway;
    if (at !== undefined && at !== gateway) throw new Fault('export.otherGateway', { gateway: at });
  }
};

/** A test answer would settle a live till's sale here, and its card data would be lost. */
const refuseOtherMode = ({ mode: exportMode, entries }: UnsentDocument, journal: Journal): void => {
  const ownMode = modeOf(journal);
  const known = exportMode ?? (entries.some(isLiveAnswer) ? 'live' : ownMode);
  if (known !== ownMode) throw new Fault('export.otherMode', { theirs: known, ours: ownMode });
};

const isLiveAnswer = ({ kind, body }: UnsentDocument['entries'][number]): boolean => {
  const event = kind === 'hostApproved' || kind === 'forwarded' ? eventIn(body) : undefined;
  return event !== undefined && 'answer' in event && modeOfCode(event.answer?.code ?? '') === 'live';
};

type TargetTill = Pick<TakenOverParts, 'tillKey' | 'random' | 'clock'>;

/** Stores the sales and messages that are not here yet, in one durable step. */
const takeInto = (journal: Journal, unsent: UnsentDocument, { tillKey, random, clock }: TargetTill): TakeoverCounts => {
  try {
    const outbox = openOutbox(journal.sql, sealer(tillKey, random));
    const isHere = ({ id }: UnsentMessage) => journal.sql.get('SELECT 1 FROM message WHERE id = ?', id) !== undefined;
    const ownSubjects = new Set(journal.sql.all('SELECT DISTINCT subject FROM entry').map(({ subject }) => subject));
    const messages = unsent.messages.filter((message) => !isHere(message));
    const entries = unsent.entries.filter(({ subject }) => !ownSubjects.has(subject));
    if (messages.length === 0 && entries.length === 0) return { sales: 0, messages: 0 };
    refuseUnfit(entries);
    journal.write(
      entries.map(({ subject, kind, body }) => ({ subject, kind, body })),
      () => {
        for (const message of messages) {
          // The dead till may have sent it, and may start again: the gateway is asked first, always with the same key.
          outbox.put({ ...message, body: bodyForClock(message, clock), tried: true }, clock.now());
        }
      },
    );
    return { sales: new Set(entries.map(({ subject }) => subject)).size, messages: messages.length };
  } finally {
    journal.close();
  }
};

/**
 * Each sale must be complete, beginning with its intent, and readable to the till that wrote it. Throws `export.newer`.
 */
const refuseUnfit = (entries: UnsentDocument['entries']): void => {
  for (const [sale, events] of Map.groupBy(entries, ({ subject }) => subject)) {
    const read = replay(events.map(({ body }) => eventIn(body)));
    if (read?.intent.sale !== sale) throw new Fault('export.malformed');
    if (isUnread(read)) throw new Fault('export.newer', { count: 1 });
  }
};

/**
 * The other machine's clock means nothing here, so the wait before "not found" counts starts now. Answers of test
 * systems there are dropped too, as that till may have sent the message since.
 */
const bodyForClock = ({ kind, body }: UnsentMessage, clock: Clock): string => {
  const { otherMode: _, ...known } = JSON.parse(body) as Record<string, unknown>;
  const { expired } = known as Partial<ExpiredBody>;
  if (kind === 'reversal') return JSON.stringify({ ...known, sentAt: clock.monotonic() });
  return expired === undefined
    ? JSON.stringify(known)
    : JSON.stringify({ ...known, expired: { ...expired, at: clock.monotonic() } });
};
