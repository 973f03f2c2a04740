/** A cashier on a busy Saturday: serves one customer after the other, as planned. */
import type { LiveSale } from '../../src/api/contract/sales.ts';
import { pause, systemClock } from '../../src/base/clock.ts';
import { printMinor } from './amounts.ts';
import type { ReportedEnding } from './figures.ts';
import type { Person } from './person.ts';
import type { CounterPlan, SalePlan } from './plan.ts';
import type { SaturdayShop } from './shop.ts';

/** The delay before another attempt at a busy terminal, or at a counter that cannot sell. */
const BUSY_MS = 25;
const AWAY_MS = 300;
const TRIES_MOST = 20;
/** After this time without an event the till is asked about the sale. */
const ASK_MS = 1_000;

/** Makes the planned sales of this counter. */
export const workAt = async (shop: SaturdayShop, counter: CounterPlan, person: Person): Promise<void> => {
  for (const sale of shop.plan.sales) {
    if (sale.counter !== counter.index) continue;
    if (!sale.isEager) await shop.waitUntil(sale.at);
    await shop.terminals.present(counter.index, sale.customer);
    await sell(shop, sale, { counter, person });
  }
};

type Place = { counter: CounterPlan; person: Person };

const sell = async (shop: SaturdayShop, sale: SalePlan, { counter, person }: Place): Promise<void> => {
  const lives = shop.till.starts();
  const startedAt = performance.now();
  const live = await startSale(shop, sale, { counter, person });
  if (live === undefined) return;
  const endedSale = await endOf(shop, live, person);
  const row = shop.figures.now();
  row.saleMs.push(performance.now() - startedAt);
  row.endings[reportedEndingOf(endedSale)] += 1;
  const wasKilled = shop.till.starts() !== lives || !shop.till.isUp();
  shop.salesByNumber.set(sale.n, {
    sale: endedSale,
    at: performance.now(),
    byProgram: shop.isProgram(counter),
    wasKilled,
  });
};

/** Undefined if the counter cannot sell: its customer leaves. */
const startSale = async (
  shop: SaturdayShop,
  sale: SalePlan,
  { counter, person }: Place,
): Promise<LiveSale | undefined> => {
  const key = `saturday-${shop.plan.seed}-${String(sale.n).padStart(6, '0')}`;
  const { operation } = sale;
  const request = { operation, amount: { amount: printMinor(sale.minor), currency: 'EUR' }, counter: counter.name };
  let repeats: number[] | undefined;
  for (let attempt = 0; attempt < TRIES_MOST; attempt += 1) {
    const isOffice = shop.isOfficeWorking();
    const answer = await person.post<LiveSale & DuplicateProblem>('sales', { ...request, again: repeats }, { key });
    if (answer.status === 201) return answer.body;
    if (answer.code === 'terminal.busy') {
      if (attempt === 0) shop.figures.now()[isOffice ? 'busyByOffice' : 'busyCount'] += 1;
      await pause(systemClock, BUSY_MS);
    } else if (answer.code === 'sale.likely') {
      repeats = answer.body.problem.sales.map(({ receipt }) => receipt);
    } else {
      shop.addNote(`${counter.name} cannot start: ${answer.code ?? answer.status}`);
      await pause(systemClock, AWAY_MS);
    }
  }
  shop.addNote(`${counter.name}: a customer left`);
  return undefined;
};

type DuplicateProblem = { problem: { sales: { receipt: number }[] } };

/** The ending from an event, or from the till when it is asked. */
export const endOf = async (shop: SaturdayShop, { id }: LiveSale, person: Person): Promise<LiveSale> => {
  const ending = shop.endings.of(id);
  for (;;) {
    const received = await Promise.race([ending, pause(systemClock, ASK_MS)]);
    if (received !== undefined) return received;
    const live = await person.get<LiveSale>(`live/${id}`);
    if (live.phase !== 'ended') continue;
    shop.addNote('an ending had to be queried: no event reported it');
    return live;
  }
};

const offline: ReadonlySet<string> = new Set(['approvedOffline', 'takenOffline', 'holdTakenOffline', 'heldOffline']);

const reportedEndingOf = ({ result }: LiveSale): ReportedEnding => {
  if (result === undefined) return 'unknown';
  return result.ending === 'approved' && offline.has(result.reason) ? 'offline' : result.ending;
};
