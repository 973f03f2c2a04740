/**
 * The office on a busy Saturday: Max reads reports and lists all day, Mia makes refunds, completions and closings while
 * the counters sell.
 */
import type { LiveSale } from '../../src/api/contract/sales.ts';
import { pause, systemClock } from '../../src/base/clock.ts';
import { printMinor } from './amounts.ts';
import { endOf } from './cashier.ts';
import type { Look } from './figures.ts';
import type { Person } from './person.ts';
import type { ClosePlan, FollowPlan } from './plan.ts';
import { PIN, type SaturdayShop } from './shop.ts';

/** The interval between two rounds of reading. */
const ROUND_MS = 2_500;

/** Opens all reports and lists again and again, until the day is over. */
export const openAllViews = async (shop: SaturdayShop, person: Person): Promise<void> => {
  const { terminalId } = shop.plan.counters[0] ?? { terminalId: '' };
  const paths: Readonly<Record<Exclude<Look, 'x'>, () => string>> = {
    list: () => 'sales?most=50',
    search: () => `sales?most=50&search=${searchText(shop)}`,
    batches: () => 'batches',
    open: () => 'open-items',
    holds: () => 'preauths',
    closing: () => `closing?terminalId=${terminalId}`,
    csv: () => 'downloads/sales/csv',
  };
  while (!shop.isOver()) {
    const next = pause(systemClock, ROUND_MS);
    await timeView(shop, 'x', () => person.post(`x-reports?terminalId=${terminalId}`, {}));
    for (const [view, path] of Object.entries(paths)) await timeView(shop, view as Look, () => person.text(path()));
    await next;
  }
};

/** The duration counts only if till and gateway were available all the time. */
const timeView = async (shop: SaturdayShop, view: Look, open: () => Promise<unknown>): Promise<void> => {
  const [startsBefore, gatewayMovesBefore] = [shop.till.starts(), shop.gatewayChangeCount()];
  const startedAt = performance.now();
  await open();
  const isWhole =
    shop.till.isUp() &&
    shop.till.starts() === startsBefore &&
    shop.gatewayChangeCount() === gatewayMovesBefore &&
    gatewayMovesBefore % 2 === 0;
  if (isWhole) shop.figures.now().viewMs[view].push(performance.now() - startedAt);
};

/** The amount of one of the last sales. */
const searchText = ({ salesByNumber: sold, plan }: SaturdayShop): string => {
  const [n = 0] = [...sold.keys()].slice(-20);
  return printMinor(plan.sales[n]?.minor ?? 0n);
};

/** Does the planned work, one thing after the other. */
export const refundAndClose = async (shop: SaturdayShop, person: Person): Promise<void> => {
  const { follows, closes } = shop.plan;
  const plannedWork = [
    ...follows.map((plan) => ({ at: plan.at, work: () => follow(shop, plan, person) })),
    ...closes.map((plan) => ({ at: plan.at, work: () => closeOnce(shop, plan, person) })),
  ].sort((each, other) => each.at - other.at);
  for (const { at, work } of plannedWork) {
    await shop.waitUntil(at);
    if (shop.isOver()) return;
    await work();
  }
};

const count = (shop: SaturdayShop, workName: string, refusal: string | undefined): void => {
  const row = shop.figures.now();
  if (refusal === undefined) row.officeCount += 1;
  else row.refusals.set(`${workName}: ${refusal}`, (row.refusals.get(`${workName}: ${refusal}`) ?? 0) + 1);
};

/** Makes the planned follow-up of an approved sale; any other sale has nothing to refund. */
const follow = async (shop: SaturdayShop, { what, of }: FollowPlan, person: Person): Promise<void> => {
  const parentSale = shop.salesByNumber.get(of);
  if (parentSale?.sale.result?.ending !== 'approved') return;
  const { receipt } = parentSale.sale;
  const startsBefore = shop.till.starts();
  const key = `office-${shop.plan.seed}-${String(of).padStart(6, '0')}`;
  const counter = shop.plan.counters.find(({ name }) => name === parentSale.sale.counter);
  const kind = counter?.protocol === 'zvt' ? `${what} at a terminal` : what;
  const finishWork = shop.startOfficeWork();
  try {
    const answer = await person.post<LiveSale>(`sales/${receipt}/${what}`, {}, { key });
    if (answer.status !== 201) return count(shop, kind, answer.code ?? String(answer.status));
    const endedSale = await endOf(shop, answer.body, person);
    const { ending = 'unknown', reason = '' } = endedSale.result ?? {};
    count(shop, kind, ending === 'approved' ? undefined : `ended ${ending} ${reason}`);
    const wasKilled = shop.till.starts() !== startsBefore || !shop.till.isUp();
    shop.followUps.push({ sale: endedSale, at: performance.now(), byProgram: false, wasKilled });
  } finally {
    finishWork();
  }
};

/** Closes a batch with an approval by PIN. Resolves with the refusal's code, or undefined if it is closed. */
export const closeNow = async (person: Person, terminalId: string, override?: string): Promise<string | undefined> => {
  const permission = override === undefined ? 'closeBatch' : 'overrideClose';
  const approval = await person.post<{ word: string }>('override', { name: 'Mia', pin: PIN, permission });
  const request = { terminalId, override };
  const { status, code } = await person.post('closing', request, { approval: approval.body.word });
  // The till that gave the approval has been killed since.
  if (code === 'session.pinNeeded') return closeNow(person, terminalId, override);
  return status === 201 ? undefined : (code ?? String(status));
};

const closeOnce = async (shop: SaturdayShop, { counter }: ClosePlan, person: Person): Promise<void> => {
  const { terminalId = '' } = shop.plan.counters[counter] ?? {};
  count(shop, 'close', await closeNow(person, terminalId));
};
