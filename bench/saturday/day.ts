/** Plays a busy Saturday: everybody works, things break, and in the evening all is settled, closed and compared. */
import type { OpenItem } from '../../src/api/contract/books.ts';
import type { LineState } from '../../src/api/contract/counters.ts';
import type { LiveSale } from '../../src/api/contract/sales.ts';
import { pause, systemClock } from '../../src/base/clock.ts';
import { printMinor } from './amounts.ts';
import { type Books, readBooks } from './books.ts';
import { endOf, workAt } from './cashier.ts';
import type { Row } from './figures.ts';
import { countEndings, type EndingCounts, type Listener, openListener, type ReportedSale } from './listeners.ts';
import { closeNow, openAllViews, refundAndClose } from './office.ts';
import type { Person } from './person.ts';
import type { DayPlan, Trouble } from './plan.ts';
import { openSaturdayShop, type SaturdayShop, type ShopOptions } from './shop.ts';

export type PlayedDay = {
  plan: DayPlan;
  rows: readonly Row[];
  endingCounts: EndingCounts[];
  receiptCounts: EndingCounts;
  /** The duration of a start with the whole day in the journal, ms; undefined if it was not restarted. */
  startMs: number | undefined;
  notes: ReadonlyMap<string, number>;
  /** The items not settled when the day was closed. */
  openItems: OpenItem[];
  books: Books;
  serverErrors: string[];
};

export type DayOptions = ShopOptions & {
  /** The number of items that need a person from the first minute on. */
  stuck: number;
  /** The maximum time in the evening until all is settled, ms. */
  settleMs: number;
  /** Skips the restart in the evening, and the till's own reconciliation, which needs a restart of the gateway. */
  isShort?: boolean;
  /** Called with each completed tenth of the day. */
  onRow?(row: Row, at: number): void;
};

/** Plays the day. Nothing of it is left afterwards, whatever happens. */
export const playDay = async (plan: DayPlan, options: DayOptions): Promise<PlayedDay> => {
  const shop = await openSaturdayShop(plan, options);
  try {
    const firstManager = shop.personNamed('Max');
    const secondManager = shop.personNamed('Mia');
    await makeStuck(shop, firstManager, options.stuck);
    const listeners = listenersAt(shop, firstManager);
    await Promise.all(listeners.map(({ listens }) => listens));
    await playHours(shop, { firstManager, secondManager }, options.onRow);
    const openItems = await waitUntilSettled(firstManager, options.settleMs);
    for (const listener of listeners) await listener.close();
    await closeAll(shop, secondManager);
    const sales = [...shop.salesByNumber.values(), ...shop.followUps];
    const startMs = options.isShort ? undefined : await restartTill(shop);
    const books = await readBooks(shop, firstManager, { reconciles: options.isShort !== true });
    const [register] = listeners;
    return {
      ...{ plan, rows: shop.figures.rows, startMs, notes: shop.notes, openItems, books },
      endingCounts: listeners.map((listener) =>
        countEndings(listener, listener.replies, salesHeardBy(listener, sales)),
      ),
      receiptCounts: countEndings(register, register.printedCounts, salesHeardBy(register, sales)),
      serverErrors: [...shop.till.errorOutput(), ...shop.gateway.errorOutput()].filter((text) => text !== ''),
    };
  } finally {
    await shop.close();
  }
};

const restartTill = async ({ till }: SaturdayShop): Promise<number> => {
  await till.stop();
  return till.start();
};

const REGISTER = 'the register';

/** The register, which receives only its own sales, and the screens of the office and of a cashier. */
const listenersAt = (shop: SaturdayShop, firstManager: Person): [Listener, ...Listener[]] => {
  const { till, endings } = shop;
  const open = (name: string, person: Person) => openListener({ name, till, person, onEnded: endings.onEnded });
  const cashier = shop.personNamed(shop.plan.counters[0]?.cashier ?? '');
  return [
    open(REGISTER, shop.register),
    open('the office’s screens', firstManager),
    open('a cashier’s screen', cashier),
  ];
};

const salesHeardBy = ({ name }: Listener, sales: readonly ReportedSale[]): ReportedSale[] =>
  sales.filter(({ byProgram }) => name !== REGISTER || byProgram);

/** Plays the day from the first customer to the last one, however late that is. */
const playHours = async (
  shop: SaturdayShop,
  { firstManager, secondManager }: { firstManager: Person; secondManager: Person },
  onRow: DayOptions['onRow'],
): Promise<void> => {
  shop.startDay();
  const dayEnd = new AbortController();
  const measurement = measure(shop, dayEnd.signal, onRow);
  const breakdowns = breakThings(shop);
  const office = [openAllViews(shop, firstManager), refundAndClose(shop, secondManager)];
  const cashiers = shop.plan.counters.map((counter) =>
    workAt(shop, counter, shop.isProgram(counter) ? shop.register : shop.personNamed(counter.cashier)),
  );
  await Promise.all([...cashiers, breakdowns]);
  shop.end();
  await Promise.all(office);
  dayEnd.abort();
  await measurement;
};

const MEASURE_MS = 500;

/** Adds the till's CPU time and memory to the current row. */
const measure = async (
  { till, figures }: SaturdayShop,
  signal: AbortSignal,
  onRow: DayOptions['onRow'],
): Promise<void> => {
  let workMsBefore = till.workMs();
  let count = 0;
  while (!signal.aborted) {
    await pause(systemClock, MEASURE_MS);
    const row = figures.now();
    for (const row of figures.rows.slice(count, -1)) onRow?.(row, count++);
    const now = till.workMs();
    row.workMs += now - workMsBefore;
    workMsBefore = now;
    row.memoryMb = Math.max(row.memoryMb, till.memoryMb());
  }
  for (const row of figures.rows.slice(count)) onRow?.(row, count++);
};

/** Terminals break at any time. A failure of gateway or till ends before the next one starts. */
const breakThings = async (shop: SaturdayShop): Promise<void> => {
  let previousRepair = Promise.resolve();
  const terminals: Promise<void>[] = [];
  for (const trouble of shop.plan.troubles) {
    await shop.waitUntil(trouble.at);
    if (trouble.kind === 'terminalKilled') terminals.push(breakOne(shop, trouble));
    else previousRepair = previousRepair.then(() => breakOne(shop, trouble));
  }
  await Promise.all([previousRepair, ...terminals]);
};

const breakOne = async (shop: SaturdayShop, { kind: troubleKind, forMs, counter }: Trouble): Promise<void> => {
  const { gateway, till, terminals } = shop;
  const withoutGateway = async (interrupt: () => unknown, restore: () => unknown): Promise<void> => {
    shop.countGatewayChange();
    await interrupt();
    await pause(systemClock, forMs);
    await restore();
    shop.countGatewayChange();
  };
  switch (troubleKind) {
    case 'gatewayStopped':
      return withoutGateway(gateway.stop, gateway.start);
    case 'gatewayKilled':
      return withoutGateway(gateway.kill, gateway.start);
    case 'gatewayCutOff':
      return withoutGateway(gateway.suspend, gateway.resume);
    case 'terminalKilled':
      return terminals.cycle(counter ?? 0, forMs);
    case 'tillKilled':
      await till.kill();
      await pause(systemClock, forMs);
      shop.startedMs.push(await till.start());
  }
};

/** An amount above all others of the day. */
const STUCK_MINOR = 20_000n;

/** Sales taken offline, and declined by the bank once they were sent: each waits for a person. */
const makeStuck = async (shop: SaturdayShop, person: Person, count: number): Promise<void> => {
  if (count === 0) return;
  await shop.gateway.stop();
  const [counter] = shop.plan.counters;
  for (let n = 0; n < count; n += 1) {
    await shop.terminals.present(0, 'unpaid');
    const request = {
      operation: 'sale',
      amount: { amount: printMinor(STUCK_MINOR + BigInt(n)), currency: 'EUR' },
      counter: counter?.name,
    };
    const startedSale = await person.post<LiveSale>('sales', request, { key: `stuck-${shop.plan.seed}-${n}-${count}` });
    if (startedSale.status !== 201) throw new Error(`cannot prepare a stuck item: ${JSON.stringify(startedSale.body)}`);
    await endOf(shop, startedSale.body, person);
  }
  await shop.gateway.start();
  await waitUntilSettled(person, 60_000);
};

const LOOK_MS = 500;

/** Waits until nothing is in progress or waiting; items that need a person stay. Resolves with those. */
const waitUntilSettled = async (person: Person, settleMs: number): Promise<OpenItem[]> => {
  const end = performance.now() + settleMs;
  for (;;) {
    const line = await person.get<LineState>('line');
    const items = await person.get<OpenItem[]>('open-items');
    const openItems = items.filter(({ kind }) => kind !== 'task');
    if (openItems.length === 0 && line.unknown === 0 && line.waiting.count === 0) return [];
    if (performance.now() > end) return openItems;
    await pause(systemClock, LOOK_MS);
    if (!line.online) await person.post('open-items/send', {});
  }
};

const closeAll = async (shop: SaturdayShop, person: Person): Promise<void> => {
  for (const { terminalId, name } of shop.plan.counters) {
    const refusal = await closeNow(person, terminalId);
    if (refusal === undefined) continue;
    shop.addNote(`${name} is not closed in the evening: ${refusal}`);
    const refusalWithApproval = await closeNow(person, terminalId, 'Saturday is over');
    if (refusalWithApproval !== undefined)
      shop.addNote(`${name} is not closed with an approval either: ${refusalWithApproval}`);
  }
};
