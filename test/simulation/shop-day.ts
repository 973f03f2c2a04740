/**
 * One simulated shop day: a real till, journal and queue on a virtual clock, between a terminal and a gateway that fail
 * as the seed says, with crashes at any write. At the end everything heals, and the money must add up.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CardData } from '../../drivers/terminal.ts';
import { Fault, isFault } from '../../src/base/fault.ts';
import { type Journal, openJournal } from '../../src/journal/journal.ts';
import { type Forwarder, forwarder } from '../../src/queue/forwarder.ts';
import { type Outbox, openOutbox } from '../../src/queue/outbox.ts';
import { sealer } from '../../src/queue/seal.ts';
import { type FullLedger, openLedger } from '../../src/runtime/ledger.ts';
import { offlineVerdict } from '../../src/till/offline.ts';
import type { Host, Ledger, Terminals } from '../../src/till/ports.ts';
import type { Running } from '../../src/till/running.ts';
import type { Ending } from '../../src/till/sale.ts';
import { openTill, type Till } from '../../src/till/till.ts';
import { type BookkeepingHost, bookkeepingHost, type Fate } from '../support/bookkeeping-host.ts';
import { type Dice, dice } from '../support/dice.ts';
import { scriptedTerminal } from '../support/scripted-terminal.ts';
import { type VirtualClock, virtualClock } from '../support/virtual-clock.ts';
import { type Account, accountOf } from './account.ts';

const TIMEOUT_MS = 15_000;
const REQUEST_LIFE_MS = 40_000;
const OPERATIONS = 12;

/** The power fails. Nothing of the till moves any more; only the disk and the gateway go on. */
class PowerCut extends Error {}

type Life = {
  till: Till;
  forwarder: Forwarder;
  ledger: FullLedger;
  outbox: Outbox;
  journal: Journal;
  cut: Promise<never>;
};
/** What the cashier was told, sale by sale: the word that goods are handed over on. */
type Told = Map<string, Ending>;

type World = { clock: VirtualClock; dice: Dice; host: BookkeepingHost; folder: string; healed: boolean; told: Told };

export type Day = { seed: number; crashes: number; account: Account };

/** Plays the day of this seed and gives its account. Throws when something could not even be brought to an end. */
export const playDay = async (seed: number): Promise<Day> => {
  const chance = dice(seed);
  const clock = virtualClock();
  const folder = mkdtempSync(join(tmpdir(), 'shop-day-'));
  const world: World = {
    clock,
    dice: chance,
    folder,
    healed: false,
    told: new Map(),
    host: undefined as unknown as BookkeepingHost,
  };
  world.host = bookkeepingHost({
    clock,
    fate: () => (world.healed ? 'answered' : chance.one(fates)),
    approves: () => chance.percent(75),
    takesMs: () => chance.between(50, 4_000),
    timeoutMs: TIMEOUT_MS,
    requestLifeMs: REQUEST_LIFE_MS,
  });
  try {
    const crashes = await operate(world);
    world.healed = true;
    await clock.advance(REQUEST_LIFE_MS);
    const account = await closeDay(world);
    return { seed, crashes, account };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const fates: readonly [Fate, ...Fate[]] = [
  ...(new Array(14).fill('answered') as [Fate]),
  ...([
    'notReached',
    'notReached',
    'requestLost',
    'answerLost',
    'answerLost',
    'takenLate',
    'throttled',
    'nonsense',
  ] as const),
];

const operate = async (world: World): Promise<number> => {
  let crashes = 0;
  let life = start(world);
  for (let n = 0; n < OPERATIONS; n++) {
    try {
      await world.clock.until(Promise.race([operation(world, life), life.cut]));
    } catch (error) {
      // A till whose journal refused a write lives on: it has to come to terms with it by itself.
      if (isFault(error, 'journal.unwritable', 'till.unrecorded')) continue;
      if (!(error instanceof PowerCut)) throw error;
      crashes += 1;
      life.journal.close();
      await world.clock.advance(world.dice.between(0, 60_000));
      life = start(world);
    }
  }
  await world.clock.until(life.forwarder.stop());
  life.journal.close();
  return crashes;
};

const operation = async ({ clock, dice, told }: World, { till, forwarder, ledger }: Life): Promise<void> => {
  if (dice.percent(30)) await forwarder.drain('all');
  if (dice.percent(30)) forwarder.start();
  const running = begin(till, ledger, dice);
  if (running === undefined) return;
  if (dice.percent(15)) clock.after(dice.between(0, 12_000), () => running.cancel());
  told.set(running.sale, (await running.done).ending);
  if (dice.percent(50)) await forwarder.drain();
};

const begin = (till: Till, ledger: FullLedger, dice: Dice): Running | undefined => {
  if (dice.percent(80))
    return till.sell({ amount: { minor: BigInt(dice.between(1, 6_000)), currency: 'EUR' } }, watcher(dice));
  const [last] = ledger.sales(dice.between(1, 5)).slice(-1);
  try {
    return last && till.refund({ receipt: last.intent.receipt, ...partOf(dice) }, watcher(dice));
  } catch (error) {
    if (isFault(error, 'till.nothingLeft', 'till.refundTooHigh', 'journal.unwritable')) return undefined;
    throw error;
  }
};

/** Whoever watches may fail at any moment; it must change nothing. */
const watcher = (dice: Dice) => (): void => {
  if (dice.percent(3)) throw new Error('the screen failed');
};

const partOf = (dice: Dice) =>
  dice.percent(50) ? { amount: { minor: BigInt(dice.between(1, 500)), currency: 'EUR' } } : {};

/** The power is back and everything works: whatever was open must come to an end by itself. */
const closeDay = async (world: World): Promise<Account> => {
  const { till, forwarder, ledger, outbox, journal } = start(world);
  for (let n = 0; n < 20 && outbox.waiting().length > 0; n++) {
    await world.clock.until(forwarder.drain('all'));
    await world.clock.advance(REQUEST_LIFE_MS);
  }
  const account = accountOf([...ledger.all()], { books: world.host.books, told: world.told, outbox });
  void till;
  journal.close();
  return account;
};

const start = (world: World): Life => {
  const { clock, dice, host, folder } = world;
  let dead = false;
  let fail: (cut: PowerCut) => void = () => {};
  const cut = new Promise<never>((_, reject) => {
    fail = reject;
  });
  cut.catch(() => undefined);
  const never = new Promise<never>(() => {});
  // Without power nothing is asked any more, and no answer is heard.
  const alive: Alive = (ask) =>
    dead
      ? never
      : ask().then(
          (value) => (dead ? never : value),
          (error) => (dead ? never : Promise.reject(error)),
        );

  const journal = openJournal(join(folder, 'journal.db'), clock);
  const outbox = openOutbox(journal.sql, sealer(new Uint8Array(32), dice.random));
  const ledger = openLedger({ journal, outbox, clock });
  const till = openTill({
    ids: dice.ids,
    clock,
    terminalId: '1',
    gateway: 'twin',
    requestLifeMs: REQUEST_LIFE_MS,
    report: () => {},
    settleUnknown: () =>
      sender.drain('unknown').then(
        () => undefined,
        () => undefined,
      ),
    host: aliveHost(host, alive),
    terminals: terminalsOf(world, alive),
    ledger: cuttable(ledger, (when) => {
      if (dead) throw new PowerCut();
      if (world.healed || when === 'quiet') return;
      // A full disk refuses the write, but the till lives on and must cope.
      if (when === 'before' && dice.percent(2)) throw new Fault('journal.unwritable', { why: 'disk full' });
      // The disk fails after it has written: the till cannot know that the entry is there.
      if (when === 'after' && dice.percent(3)) throw new Fault('journal.unwritable', { why: 'input/output error' });
      if (!dice.percent(4)) return;
      dead = true;
      fail(new PowerCut());
      throw new PowerCut();
    }),
    offline: (card, amount) => offlineVerdict({ card, amount }, limits, ledger.exposure()),
  });
  const deliver = async (message: Parameters<Till['deliver']>[0] & { id: string }) => {
    const { means, note, event } = await alive(() => till.deliver(message));
    return { means, note, settle: () => event && ledger.settle(message.id, message.sale, event) };
  };
  const sender: Forwarder = forwarder({ outbox, deliver, clock, random: dice.random, report: () => {} });
  till.recover();
  return {
    till,
    ledger,
    outbox,
    journal,
    cut,
    forwarder: sender,
  };
};

const limits = {
  currency: 'EUR',
  chipUpToMinor: 4_000n,
  deferredUpToMinor: 3_000n,
  totalMinor: 20_000n,
  countMost: 10,
};

/** The power fails at a write: before it reached the disk, or just after. */
const cuttable = (ledger: Ledger, at: (when: 'before' | 'after' | 'quiet') => void): Ledger => ({
  ...ledger,
  record(sale, event, message) {
    at(event.on === 'restarted' ? 'quiet' : 'before');
    ledger.record(sale, event, message);
    at(event.on === 'restarted' ? 'quiet' : 'after');
  },
});

type Alive = <T>(ask: () => Promise<T>) => Promise<T>;

const aliveHost = (host: Host, alive: Alive): Host => ({
  pay: (parameters, key) => alive(() => host.pay(parameters, key)),
  refer: (payment, parameters, key) => alive(() => host.refer(payment, parameters, key)),
  find: (reference) => alive(() => host.find(reference)),
  meaningOf: host.meaningOf,
});

const terminalsOf = ({ clock, dice, healed }: World, alive: Alive): Terminals => {
  const chip = () => dice.one(['approved', 'approved', 'approved', 'approved', 'declined', 'gone', 'fault'] as const);
  const read = () =>
    dice.one([
      'goOnline',
      'goOnline',
      'goOnline',
      'goOnline',
      'goOnline',
      'approvedOffline',
      'declinedOffline',
      'notRead',
      'fault',
    ] as const);
  let card: CardData | undefined;
  const terminal = scriptedTerminal(clock, {
    card: () => (card = cardOf(dice)),
    read: () => (healed ? 'notRead' : read()),
    complete: () => (card?.entryMode === 'ICC' ? chip() : 'none'),
    takesMs: () => dice.between(10, 6_000),
  });
  return {
    get: async () => ({
      ...terminal,
      read: (request, tell) => alive(() => terminal.read(request, tell)),
      complete: (verdict) => alive(() => terminal.complete(verdict)),
    }),
    drop: async () => {},
  };
};

const cardOf = (dice: Dice): CardData => ({
  entryMode: dice.one(['ICC', 'ICC', 'NFC_ICC', 'MAGSTRIPE'] as const),
  maskedPan: '476173******0010',
  sred: [{ data: '00', ksn: '00' }],
  icc: '9F2608112233445566778895050000000000',
  verification: dice.one(['none', 'none', 'onlinePin'] as const),
});
