/**
 * A till folder with every kind of trouble in it: a real till, journal and gateway over TCP; the card reader and the
 * terminal that authorises by itself are simulated. The folder is left closed, so that commands can be run on it.
 */
import { join } from 'node:path';
import type { CardData } from '../../../drivers/terminal.ts';
import { type RunningTill, startTill } from '../../../src/app/start-till.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../../src/base/ids.ts';
import { changeConfig } from '../../../src/folder/config.ts';
import { type Machine, systemMachine } from '../../../src/folder/machine.ts';
import { openFolderTill } from '../../../src/takeover/unsent.ts';
import type { EndedSale } from '../../../src/till/machine/sale.ts';
import { type DeviceTurn, integratedDevice } from './scripted-integrated-terminal.ts';
import { scriptedTerminal } from './scripted-terminal.ts';
import { cheapStretchCost } from './stretch-cost.ts';
import { chipCard, eur, tapCard } from './till-rig.ts';
import { type TroubledGateway, troubledGateway } from './troubled-gateway.ts';

export const MANAGER = { name: 'Anna', pin: '739154' };

/** The store's receipts and waits do not matter here: it is open day and night. */
const limits = {
  chip: { upTo: '50.00' },
  deferred: { upTo: '40.00' },
  total: '500.00',
  count: 50,
  withoutDataAuthentication: true,
} as const;

export type TroubledStore = Awaited<ReturnType<typeof openTroubledStore>>;

/** The receipts, by kind of trouble. */
export type Receipts = Record<string, number>;

const DAY_MS = 86_400_000;

/** Created in this folder, which the caller owns; with its gateway, and how a command reaches both. Must be closed. */
export const openTroubledStore = async (folder: string) => {
  const clockShift = { ms: -6 * DAY_MS };
  const wall: Clock = {
    ...systemClock,
    now: () => systemClock.now() + clockShift.ms,
    monotonic: () => systemClock.monotonic() + clockShift.ms,
  };
  const gateway = await troubledGateway(wall);
  // People and devices take a twentieth of their usual time.
  const clock: Clock = { ...wall, after: (ms, then) => wall.after(ms / 20, then) };
  changeConfig(folder, systemIds, (config) => ({
    ...config,
    offline: limits,
    keepCardDataDays: 2,
    businessDay: { cutOff: '04:00', timeZone: 'UTC' },
  }));
  const store = storeOf({ folder, clockShift, clock, gateway });
  await firstBatch(store);
  await today(store);
  await atTerminal(store);
  gateway.disconnect('up');
  return {
    folder,
    gateway,
    receipts: store.receipts,
    /** The ids of the same sales. */
    sales: store.sales,
    /** The arguments with which every command finds the till and its gateway. */
    args: [
      ...['--data', folder, '--gateway', gateway.channel.baseUrl],
      ...['--channel', `${gateway.channel.entityId}:${gateway.channel.token}`],
    ],
    close: () => gateway.close(),
  };
};

type StoreParts = { folder: string; clockShift: { ms: number }; clock: Clock; gateway: TroubledGateway };
type Store = ReturnType<typeof storeOf>;

const storeOf = ({ folder, clockShift, clock, gateway }: StoreParts) => {
  const receipts: Receipts = {};
  const sales: Record<string, string> = {};
  const card = { now: chipCard as CardData, last: 1_000 };
  const chip: { says: 'approved' | 'declined' | 'none' } = { says: 'approved' };
  /** What becomes of a payment at the device, and of the requests after it. */
  const device: Record<'pay' | 'last' | 'open', DeviceTurn> = { pay: 'works', last: 'works', open: 'works' };
  const next: typeof device = { ...device };
  const simulated = integratedDevice({
    clock,
    nextTurn(question) {
      const behaviour =
        question === 'pay' ? device.pay : question === 'last' || question === 'open' ? next[question] : 'works';
      if (question === 'pay') Object.assign(next, device);
      return behaviour;
    },
  });
  const reader = scriptedTerminal(clock, {
    card: () => card.now,
    read: () => 'goOnline',
    complete: () => (card.now.entryMode === 'ICC' ? chip.says : 'none'),
    takesMs: () => 0,
  });
  /** The machine's uptime includes all these days, so the time that passed is proved. */
  const machine: Machine = { ...systemMachine, upMs: () => systemMachine.upMs() + clockShift.ms };
  const start = (overrides: { terminal?: string } = {}): Promise<RunningTill> =>
    startTill({
      dataDir: folder,
      clock,
      machine,
      stretchCost: cheapStretchCost,
      gateway: gateway.channel,
      ...overrides,
      around: {
        host: gateway.around,
        terminals: () => ({ get: async () => reader, drop: async () => {} }),
        integrated: () => simulated.keep(),
      },
    });
  return {
    folder,
    shift: clockShift,
    clock,
    gateway,
    receipts,
    sales,
    chip,
    /** Applies from the next payment on. */
    device: (behaviour: Partial<typeof device>) => void Object.assign(device, behaviour),
    /** Applies until the next payment. */
    questions: (behaviour: Partial<typeof device>) => void Object.assign(next, behaviour),
    start,
    /** The next customer comes with a card of their own. */
    present(by: 'chip' | 'tap') {
      card.last += 1;
      const sred = [{ data: Buffer.from('C0FFEE0011223344', 'hex'), ksn: `FFFF98765432${card.last}0001`.slice(0, 20) }];
      card.now = { ...(by === 'chip' ? chipCard : tapCard), maskedPan: `476173******${card.last}`, sred };
    },
    recordReceipt(name: string, sale: EndedSale): EndedSale {
      receipts[name] = sale.intent.receipt;
      sales[name] = sale.intent.sale;
      return sale;
    },
  };
};

const ignore = () => {};

/** One run of the till. */
const during = async (store: Store, work: (running: RunningTill) => Promise<void>, terminal?: string) => {
  const running = await store.start(terminal === undefined ? {} : { terminal });
  try {
    await work(running);
  } finally {
    await running.close();
  }
};

const sell = async (store: Store, running: RunningTill, sale: { name: string; minor: bigint; by?: 'chip' | 'tap' }) => {
  store.present(sale.by ?? 'chip');
  return store.recordReceipt(sale.name, await running.till.sell({ amount: eur(sale.minor) }, ignore).done);
};

/** Days ago: people are added, a hold expires, a batch is closed over a stored sale, card data gets old. */
const firstBatch = async (store: Store): Promise<void> => {
  const { gateway, shift: clockShift } = store;
  await during(store, async (running) => {
    const { staff, till } = running;
    const anna = await staff.add({ ...MANAGER, role: 'manager' });
    await staff.add({ name: 'Ben', pin: '482913', role: 'cashier' }, anna);
    await staff.add({ name: 'Tom', pin: '615277', role: 'technician' }, anna);
    await sell(store, running, { name: 'earlier', minor: 4_200n });
    store.present('chip');
    store.recordReceipt('preauthRunningOut', await till.preauthorise({ amount: eur(8_000n) }, ignore).done);
    gateway.disconnect();
    await sell(store, running, { name: 'handedOver', minor: 1_300n });
    const override = { by: 'Anna', reason: 'the line is down and the shop shuts' };
    await running.books.close({ override });
  });
  await exportUnsent(store);
  await during(store, async (running) => void (await sell(store, running, { name: 'expired', minor: 1_210n })));
  clockShift.ms = -DAY_MS / 12;
  gateway.disconnect('up');
  // The stored sale's card data is destroyed by the first start that knows the time.
  await during(store, async (running) => void (await sell(store, running, { name: 'approved', minor: 2_500n })));
  await during(store, async () => {});
};

/** The sales stored so far are handed to another till. */
const exportUnsent = async ({ folder, clock }: Store): Promise<void> => {
  const parts = { ids: systemIds, random: systemRandom, stretchCost: cheapStretchCost };
  const till = openFolderTill(folder, { ...parts, clock });
  try {
    const passphrases = ['correct horse battery', 'staple of paper clips'] as const;
    await till.exportTo(join(folder, 'handed-over.json'), [...passphrases], ['Anna', 'Ben']);
  } finally {
    till.close();
  }
};

const today = async (store: Store): Promise<void> => {
  await during(store, async (running) => {
    store.gateway.disconnect('up');
    await online(store, running);
    await forwardedSales(store, running);
    await lateApproval(store, running);
    await contradictedSale(store, running);
    await unsettledSale(store, running);
  });
};

/** With the line up: sales that end at once. */
const online = async (store: Store, running: RunningTill): Promise<void> => {
  const { gateway, recordReceipt } = store;
  const { till } = running;
  gateway.acquirer.next({ resultCode: '800.100.155', details: { AcquirerResponse: '51' } });
  await sell(store, running, { name: 'declined', minor: 6_400n });
  gateway.acquirer.next({ resultCode: '000.100.110', approvedAmount: '10.00' });
  store.present('chip');
  const bill = { id: systemIds.next(), total: eur(1_600n) };
  recordReceipt('partial', await till.sell({ amount: eur(1_600n), partial: true, bill }, ignore).done);
  store.present('chip');
  recordReceipt('preauth', await till.preauthorise({ amount: eur(5_000n) }, ignore).done);
  recordReceipt('gift', await till.payByGiftCard({ amount: eur(2_000n), number: '9911223344556677' }, ignore).done);
  await sell(store, running, { name: 'refunded', minor: 3_300n });
};

/** Stored, sent, and then not approved as hoped. */
const forwardedSales = async (store: Store, running: RunningTill): Promise<void> => {
  const { gateway } = store;
  gateway.disconnect();
  await sell(store, running, { name: 'declinedMayTry', minor: 1_700n });
  await sell(store, running, { name: 'declinedNever', minor: 1_800n });
  await sell(store, running, { name: 'parked', minor: 1_900n });
  gateway.disconnect('up');
  gateway.acquirer.next({ resultCode: '800.100.155', details: { AcquirerResponse: '51' } });
  gateway.acquirer.next({ resultCode: '800.100.171', details: { AcquirerResponse: '04' } });
  gateway.acquirer.next({ resultCode: '800.121.100', details: {} });
  await running.forwarder.drain('all');
};

/** The till was told that nothing was sent, but the gateway had it. */
const lateApproval = async (store: Store, running: RunningTill): Promise<void> => {
  const { gateway, shift: clockShift } = store;
  gateway.disconnect('unheard');
  await sell(store, running, { name: 'late', minor: 9_100n });
  clockShift.ms = 0;
  gateway.disconnect('up');
  await running.resolver.inquireLate();
};

/** A manager says no, and the gateway says yes afterwards. */
const contradictedSale = async (store: Store, running: RunningTill): Promise<void> => {
  const { gateway } = store;
  gateway.disconnect('lost');
  const { intent } = await sell(store, running, { name: 'contradicted', minor: 7_700n });
  const by = { who: 'Anna', role: 'manager' as const, reason: 'the customer cannot wait', evidence: 'her bank’s app' };
  running.resolver.force(intent.receipt, { charged: true, by });
  gateway.disconnect('up');
  await running.forwarder.drain('all');
};

/** The line breaks for good: what is open stays open. */
const unsettledSale = async (store: Store, running: RunningTill): Promise<void> => {
  const { gateway, chip, recordReceipt, receipts } = store;
  const { till, outbox } = running;
  gateway.disconnect('lost');
  await sell(store, running, { name: 'unknown', minor: 6_600n });
  const refund = { receipt: receipts['refunded'] ?? 0, amount: eur(500n) };
  recordReceipt('unknownRefund', await till.refund(refund, ignore).done);
  gateway.line.payments = 'up';
  chip.says = 'declined';
  await sell(store, running, { name: 'reversalDue', minor: 990n });
  chip.says = 'approved';
  gateway.disconnect();
  await sell(store, running, { name: 'notSent', minor: 9_900n });
  await sell(store, running, { name: 'storedChip', minor: 1_800n });
  const parent = await sell(store, running, { name: 'storedDeferred', minor: 2_000n, by: 'tap' });
  // The stored tap may have been sent, so its follow-up waits behind it.
  const message = outbox.waiting().find(({ sale }) => sale === parent.intent.sale);
  outbox.markTrying(message?.id ?? '');
  recordReceipt('child', await till.follow({ receipt: parent.intent.receipt, operation: 'void' }, ignore).done);
};

/** Another terminal on the counter: one that authorises by itself, and gets lost. */
const atTerminal = async (store: Store): Promise<void> => {
  const { device, questions } = store;
  await during(
    store,
    async ({ till }) => {
      const pay = async (name: string, minor: bigint) =>
        store.recordReceipt(name, await till.sell({ amount: eur(minor) }, ignore).done);
      await pay('terminalApproved', 1_240n);
      // The terminal does not tell its last payment, so nothing can be compared after it was lost.
      questions({ last: 'refused' });
      device({ pay: 'lostAfter' });
      await pay('forPerson', 3_150n);
      device({ pay: 'lostDuring', open: 'lostBefore' });
      await pay('terminalWaits', 2_780n);
    },
    'zvt+tcp://127.0.0.1:9',
  );
};
