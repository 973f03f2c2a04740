/**
 * A till with a real journal and queue, on a virtual clock, between a simulated terminal and a simulated gateway that
 * do as told.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CardData, Terminal } from '../../../drivers/terminal.ts';
import { createRepairedRetry, deliverMessage, openUnknownSettler } from '../../../src/app/sending.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { Fault } from '../../../src/base/fault.ts';
import type { Mode } from '../../../src/base/mode.ts';
import { journalIn } from '../../../src/journal/journal.ts';
import { conservationIndex } from '../../../src/ledger/conservation-index.ts';
import { type FullLedger, openLedger } from '../../../src/ledger/ledger.ts';
import { operationIndex } from '../../../src/ledger/operation-index.ts';
import { openOffline } from '../../../src/offline/decision.ts';
import { forwardLosses } from '../../../src/offline/forward-losses.ts';
import { createForwarder } from '../../../src/queue/forwarder.ts';
import { type Message, openOutbox } from '../../../src/queue/outbox.ts';
import { sealer } from '../../../src/queue/seal.ts';
import { openResolver } from '../../../src/recovery/resolver.ts';
import { withEvidence } from '../../../src/till/gateway/evidence.ts';
import { hostInMode, modeOfCode, watchApprovals } from '../../../src/till/gateway/mode.ts';
import { defaultOfflineLimits, kindOff, type OfflineLimits } from '../../../src/till/offline/limits.ts';
import type { Host, HostReply, TillParts } from '../../../src/till/ports.ts';
import type { ProgressListener } from '../../../src/till/running.ts';
import { openTill } from '../../../src/till/till.ts';
import { dice } from '../chance/dice.ts';
import { openSqlUnsynced } from '../disk/unsynced-sql.ts';
import { virtualClock } from '../time/virtual-clock.ts';
import { bookkeepingHost, type Fate } from './bookkeeping-host.ts';
import { type Behaviour, scriptedTerminal } from './scripted-terminal.ts';
import { steadyMachine } from './steady-machine.ts';

export const TIMEOUT_MS = 15_000;
/** After this time a request has certainly arrived or is lost, so "not found" counts. */
export const LIFE_MS = 40_000;

export const chipCard: CardData = {
  entryMode: 'ICC',
  maskedPan: '476173******0010',
  sred: [{ data: Uint8Array.of(0), ksn: '00' }],
  icc: '9F2608112233445566778895050000000000',
  tvr: '0000000000',
  verification: 'none',
};
export const tapCard: CardData = { ...chipCard, entryMode: 'NFC_ICC' };
export const eur = (minor: bigint) => ({ minor, currency: 'EUR' });
export const diskFull = () => new Fault('journal.unwritable', { why: 'disk full' });

type Answered = Extract<HostReply, { kind: 'answered' }>;

/** An answer of the gateway, as the test wants it. */
export const createReply = (code: string, means: Answered['means'], body: Answered['body'] = {}): Answered => ({
  kind: 'answered',
  code,
  means,
  description: code,
  body,
});

/** Wrappers and replacements of the parts, for one run of the till. */
export type RunParts = {
  ledger?: (ledger: FullLedger) => FullLedger;
  host?: Host;
  terminal?: (terminal: Terminal) => Terminal;
  behaviour?: Partial<Behaviour>;
  parts?: Partial<TillParts>;
};

export type Rig = ReturnType<typeof tillRig>;
export type TillRun = ReturnType<Rig['open']>;

const limits: OfflineLimits = {
  ...defaultOfflineLimits,
  chip: { ...kindOff, upToMinor: 4_000n },
  deferred: { ...kindOff, upToMinor: 3_000n },
  together: { minor: 20_000n, count: 10 },
};

/**
 * The till's data survive each `open`, as on a disk; so do the gateway's books. `mode` is the till's, and at first its
 * channel's too.
 */
export const tillRig = (card: CardData = tapCard, mode: Mode = 'test', clock = virtualClock()) => {
  const random = dice(4711);
  const folder = mkdtempSync(join(tmpdir(), 'till-rig-'));
  const fates: Fate[] = [];
  const wall = { jumpMs: 0 };
  const jumpyClock: Clock = { ...clock, now: () => clock.now() + wall.jumpMs };
  const channel = { mode, approves: true };
  const newHost = () =>
    bookkeepingHost({
      mode: () => channel.mode,
      clock,
      fate: () => fates.shift() ?? 'answered',
      approves: () => channel.approves,
      takesMs: () => 100,
      timeoutMs: TIMEOUT_MS,
      requestLifeMs: LIFE_MS,
    });
  const host = newHost();

  const open = (runParts: RunParts = {}) => {
    const path = join(folder, 'journal.db');
    const journal = journalIn(openSqlUnsynced(path), path, { clock: jumpyClock });
    const outbox = openOutbox(journal.sql, sealer(new Uint8Array(32), random.random));
    const machine = steadyMachine(clock);
    const offline = openOffline({ limits, sql: journal.sql, clock: jumpyClock, machine, folder });
    const { sql } = journal;
    const indexes = [offline.index, conservationIndex(sql), operationIndex(sql), forwardLosses(sql)];
    const opened = openLedger({ journal, outbox, clock: jumpyClock, indexes });
    const ledger = runParts.ledger?.(opened) ?? opened;
    const simulated = scriptedTerminal(clock, {
      card: () => card,
      read: () => 'goOnline',
      complete: () => (card.entryMode === 'ICC' ? 'approved' : 'none'),
      takesMs: () => 10,
      ...runParts.behaviour,
    });
    const terminal = runParts.terminal?.(simulated) ?? simulated;
    const reported: unknown[] = [];
    const report = (error: unknown) => void reported.push(error);
    const approvals = watchApprovals(hostInMode(runParts.host ?? host, mode), mode);
    const unknown = openUnknownSettler(jumpyClock, report);
    const parts: TillParts = withEvidence({
      terminals: { get: async () => terminal, drop: async () => {} },
      host: approvals.host,
      ledger,
      clock: jumpyClock,
      ids: random.ids,
      terminalId: '1',
      gateway: 'twin',
      offline: offline.service.verdict,
      requestLifeMs: LIFE_MS,
      settleUnknown: unknown.settle,
      report,
      ...runParts.parts,
    });
    const till = openTill(parts);
    const deliver = (message: Message) => deliverMessage({ till, ledger, parts }, message);
    const sender = createForwarder({ outbox, deliver, clock: jumpyClock, random: random.random, report });
    const resolver = openResolver({ journal, parts, till, ledger, outbox, forwarder: sender });
    unknown.useSender(sender);
    const sendMended = createRepairedRetry({
      outbox,
      takenOver: { retryRepaired: () => {} },
      sender,
      clock: jumpyClock,
      report,
    });
    approvals.onApproval(sendMended);
    sendMended('start');
    const drain = () => clock.until(sender.drain('all'));
    return {
      journal,
      outbox,
      ledger,
      till,
      forwarder: sender,
      resolver,
      offline,
      parts,
      reported,
      drain,
      sell: (minor: bigint, notify: ProgressListener = () => {}) => till.sell({ amount: eur(minor) }, notify),
      /** Time passes in steps of `ms`, and the queue runs after each. */
      async passTime(times: number, ms = LIFE_MS) {
        for (let n = 0; n < times; n++) {
          await clock.advance(ms);
          await drain();
        }
      },
      /** What the journal has of the sale: its ending and reason, and the amount to be charged in minor units. */
      says(sale: string) {
        const stored = till.findSale(sale);
        const charged = stored.at === 'ended' && stored.ending === 'approved' ? stored.intent.amount.minor : 0n;
        return { ending: stored.at === 'ended' ? `${stored.ending} ${stored.reason}` : stored.at, charged };
      },
      close: () => journal.close(),
    };
  };

  const ofSale = (sale: string) => host.books.filter(({ merchantTransactionId }) => merchantTransactionId === sale);
  return {
    clock,
    /** Moves only the wall clock, as setting the time does. */
    wall,
    folder,
    /** What happens to the next requests, one each; later ones are all answered. */
    fates,
    host,
    /** The channel's mode and its issuer's answer, now. */
    channel,
    /** Another gateway, with its own books. */
    newHost,
    open,
    ofSale,
    /** The amount booked for a sale at the gateway of the till's own mode, in minor units. */
    booked: (sale: string) =>
      ofSale(sale)
        .filter(({ code }) => modeOfCode(code) === mode)
        .reduce(
          (sum, { paymentType, amount }) => sum + (paymentType === 'DB' ? 1n : -1n) * BigInt(amount.replace('.', '')),
          0n,
        ),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** The first record of this event fails, either before it is on the disk or after, which the till cannot tell apart. */
export const failing =
  (eventName: string, when: 'before' | 'after' = 'before') =>
  (ledger: FullLedger): FullLedger => {
    let done = false;
    return {
      ...ledger,
      record(sale, event, message) {
        const isHit = event.on === eventName && !done;
        if (isHit) done = true;
        if (isHit && when === 'before') throw diskFull();
        ledger.record(sale, event, message);
        if (isHit) throw diskFull();
      },
    };
  };

/** Collects unhandled rejections while `work` runs. */
export const unsolicitedOf = async (work: () => Promise<void>): Promise<unknown[]> => {
  const unsolicited: unknown[] = [];
  const addError = (error: unknown) => void unsolicited.push(error);
  process.on('unhandledRejection', addError);
  try {
    await work();
  } finally {
    process.off('unhandledRejection', addError);
  }
  return unsolicited;
};
