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
import { closeNow, giveBackAndClose, lookAll } from './office.ts';
import type { Person } from './person.ts';
import type { DayPlan, Trouble } from './plan.ts';
import { openSaturdayShop, type SaturdayShop, type ShopOptions } from './shop.ts';

export type PlayedDay = {
  plan: DayPlan;
  rows: readonly Row[];
  reported: EndingCounts[];
  printed: EndingCounts;
  /** The duration of a start with the whole day in the journal, ms; undefined if it was not restarted. */
  startMs: number | undefined;
  notes: ReadonlyMap<string, number>;
  /** The items not settled when the day was closed. */
  left: OpenItem[];
  books: Books;
  complaints: string[];
};

export type DayOptions = ShopOptions & {
  /** The number of items that need a person from the first minute on. */
  stuck: number;
  /** The maximum time in the evening until all is settled, ms. */
  settleMs: number;
  /** Skips the restart in the evening and the till's own reconciliation, which needs one of the gateway. */
  isShort?: boolean;
  /** Called with each completed tenth of the day. */
  passed?(row: Row, at: number): void;
};

/** Plays the day. Nothing of it is left afterwards, whatever happens. */
export const playDay = async (plan: DayPlan, options: DayOptions): Promise<PlayedDay> => {
  const shop = await openSaturdayShop(plan, options);
  try {
    const max = shop.personNamed('Max');
    const mia = shop.personNamed('Mia');
    await makeStuck(shop, max, options.stuck);
    const listeners = listenersAt(shop, max);
    await Promise.all(listeners.map(({ listens }) => listens));
    await work(shop, { max, mia }, options.passed);
    const left = await settle(max, options.settleMs);
    for (const one of listeners) await one.close();
    await closeAll(shop, mia);
    const sales = [...shop.sold.values(), ...shop.followed];
    const startMs = options.isShort ? undefined : await startAnew(shop);
    const books = await readBooks(shop, max, { reconciles: options.isShort !== true });
    const [register] = listeners;
    return {
      ...{ plan, rows: shop.figures.rows, startMs, notes: shop.notes, left, books },
      reported: listeners.map((one) => countEndings(one, one.replies, heardBy(one, sales))),
      printed: countEndings(register, register.printed, heardBy(register, sales)),
      complaints: [...shop.till.complaints(), ...shop.gateway.complaints()].filter((text) => text !== ''),
    };
  } finally {
    await shop.close();
  }
};

const startAnew = async ({ till }: SaturdayShop): Promise<number> => {
  await till.stop();
  return till.start();
};

const REGISTER = 'the register';

/** The register, which receives only its own sales, and the screens of the office and of a cashier. */
const listenersAt = (shop: SaturdayShop, max: Person): [Listener, ...Listener[]] => {
  const { till, endings } = shop;
  const open = (name: string, person: Person) => openListener({ name, till, person, ended: endings.heard });
  const cashier = shop.personNamed(shop.plan.counters[0]?.cashier ?? '');
  return [open(REGISTER, shop.register), open('the office’s screens', max), open('a cashier’s screen', cashier)];
};

const heardBy = ({ name }: Listener, sales: readonly ReportedSale[]): ReportedSale[] =>
  sales.filter(({ byProgram }) => name !== REGISTER || byProgram);

/** From the first customer to the last one, however late that is. */
const work = async (
  shop: SaturdayShop,
  { max, mia }: { max: Person; mia: Person },
  passed: DayOptions['passed'],
): Promise<void> => {
  shop.begin();
  const ended = new AbortController();
  const measuring = measure(shop, ended.signal, passed);
  const breaking = breakThings(shop);
  const office = [lookAll(shop, max), giveBackAndClose(shop, mia)];
  const cashiers = shop.plan.counters.map((counter) =>
    workAt(shop, counter, shop.isProgram(counter) ? shop.register : shop.personNamed(counter.cashier)),
  );
  await Promise.all([...cashiers, breaking]);
  shop.end();
  await Promise.all(office);
  ended.abort();
  await measuring;
};

const MEASURE_MS = 500;

/** Adds the till's CPU time and memory to the current row. */
const measure = async (
  { till, figures }: SaturdayShop,
  signal: AbortSignal,
  passed: DayOptions['passed'],
): Promise<void> => {
  let before = till.workMs();
  let count = 0;
  while (!signal.aborted) {
    await pause(systemClock, MEASURE_MS);
    const row = figures.now();
    for (const done of figures.rows.slice(count, -1)) passed?.(done, count++);
    const now = till.workMs();
    row.workMs += now - before;
    before = now;
    row.memoryMb = Math.max(row.memoryMb, till.memoryMb());
  }
  for (const done of figures.rows.slice(count)) passed?.(done, count++);
};

/** Terminals break at any time. A failure of gateway or till ends before the next one starts. */
const breakThings = async (shop: SaturdayShop): Promise<void> => {
  let mended = Promise.resolve();
  const terminals: Promise<void>[] = [];
  for (const trouble of shop.plan.troubles) {
    await shop.until(trouble.at);
    if (trouble.what === 'terminalKilled') terminals.push(breakOne(shop, trouble));
    else mended = mended.then(() => breakOne(shop, trouble));
  }
  await Promise.all([mended, ...terminals]);
};

const breakOne = async (shop: SaturdayShop, { what, forMs, counter }: Trouble): Promise<void> => {
  const { gateway, till, terminals } = shop;
  const withoutGateway = async (end: () => unknown, begin: () => unknown): Promise<void> => {
    shop.gatewayMoved();
    await end();
    await pause(systemClock, forMs);
    await begin();
    shop.gatewayMoved();
  };
  switch (what) {
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

/** Above the day's amounts. */
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
    const begun = await person.post<LiveSale>('sales', request, { key: `stuck-${shop.plan.seed}-${n}-${count}` });
    if (begun.status !== 201) throw new Error(`cannot prepare a stuck item: ${JSON.stringify(begun.body)}`);
    await endOf(shop, begun.body, person);
  }
  await shop.gateway.start();
  await settle(person, 60_000);
};

const LOOK_MS = 500;

/** Waits until nothing is in progress or waiting; items that need a person stay. Resolves with those. */
const settle = async (person: Person, settleMs: number): Promise<OpenItem[]> => {
  const end = performance.now() + settleMs;
  for (;;) {
    const line = await person.get<LineState>('line');
    const items = await person.get<OpenItem[]>('open-items');
    const left = items.filter(({ kind }) => kind !== 'task');
    if (left.length === 0 && line.unknown === 0 && line.waiting.count === 0) return [];
    if (performance.now() > end) return left;
    await pause(systemClock, LOOK_MS);
    if (!line.online) await person.post('open-items/send', {});
  }
};

const closeAll = async (shop: SaturdayShop, person: Person): Promise<void> => {
  for (const { terminalId, name } of shop.plan.counters) {
    const refused = await closeNow(person, terminalId);
    if (refused === undefined) continue;
    shop.note(`${name} is not closed in the evening: ${refused}`);
    const again = await closeNow(person, terminalId, 'Saturday is over');
    if (again !== undefined) shop.note(`${name} is not closed with an approval either: ${again}`);
  }
};
