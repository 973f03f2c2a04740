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
export const lookAll = async (shop: SaturdayShop, person: Person): Promise<void> => {
  const { terminalId } = shop.plan.counters[0] ?? { terminalId: '' };
  const paths: Readonly<Record<Exclude<Look, 'x'>, () => string>> = {
    list: () => 'sales?most=50',
    search: () => `sales?most=50&search=${searchedIn(shop)}`,
    batches: () => 'batches',
    open: () => 'open-items',
    holds: () => 'preauths',
    closing: () => `closing?terminalId=${terminalId}`,
    csv: () => 'downloads/sales/csv',
  };
  while (!shop.isOver()) {
    const next = pause(systemClock, ROUND_MS);
    await timed(shop, 'x', () => person.post(`x-reports?terminalId=${terminalId}`, {}));
    for (const [look, path] of Object.entries(paths)) await timed(shop, look as Look, () => person.text(path()));
    await next;
  }
};

/** The duration counts only if till and gateway were available all the time. */
const timed = async (shop: SaturdayShop, look: Look, ask: () => Promise<unknown>): Promise<void> => {
  const [lives, moves] = [shop.till.starts(), shop.gatewayMoves()];
  const startedAt = performance.now();
  await ask();
  const isWhole = shop.till.isUp() && shop.till.starts() === lives && shop.gatewayMoves() === moves && moves % 2 === 0;
  if (isWhole) shop.figures.now().looks[look].push(performance.now() - startedAt);
};

/** The amount of one of the last sales. */
const searchedIn = ({ sold, plan }: SaturdayShop): string => {
  const [n = 0] = [...sold.keys()].slice(-20);
  return printMinor(plan.sales[n]?.minor ?? 0n);
};

/** Does the planned work, one thing after the other. */
export const giveBackAndClose = async (shop: SaturdayShop, person: Person): Promise<void> => {
  const { follows, closes } = shop.plan;
  const works = [
    ...follows.map((plan) => ({ at: plan.at, work: () => follow(shop, plan, person) })),
    ...closes.map((plan) => ({ at: plan.at, work: () => closeOnce(shop, plan, person) })),
  ].sort((one, other) => one.at - other.at);
  for (const { at, work } of works) {
    await shop.until(at);
    if (shop.isOver()) return;
    await work();
  }
};

const count = (shop: SaturdayShop, what: string, refusal: string | undefined): void => {
  const row = shop.figures.now();
  if (refusal === undefined) row.done += 1;
  else row.refused.set(`${what}: ${refusal}`, (row.refused.get(`${what}: ${refusal}`) ?? 0) + 1);
};

/** For an approved sale; any other has nothing to refund. */
const follow = async (shop: SaturdayShop, { what, of }: FollowPlan, person: Person): Promise<void> => {
  const before = shop.sold.get(of);
  if (before?.ended.result?.ending !== 'approved') return;
  const { receipt } = before.ended;
  const lives = shop.till.starts();
  const key = `office-${shop.plan.seed}-${String(of).padStart(6, '0')}`;
  const counter = shop.plan.counters.find(({ name }) => name === before.ended.counter);
  const kind = counter?.protocol === 'zvt' ? `${what} at a terminal` : what;
  const finish = shop.beginsOfficeWork();
  try {
    const answer = await person.post<LiveSale>(`sales/${receipt}/${what}`, {}, { key });
    if (answer.status !== 201) return count(shop, kind, answer.code ?? String(answer.status));
    const ended = await endOf(shop, answer.body, person);
    const { ending = 'unknown', reason = '' } = ended.result ?? {};
    count(shop, kind, ending === 'approved' ? undefined : `ended ${ending} ${reason}`);
    const apart = shop.till.starts() !== lives || !shop.till.isUp();
    shop.followed.push({ ended, at: performance.now(), byProgram: false, apart });
  } finally {
    finish();
  }
};

/** With an approval by PIN. Resolves with the refusal's code, or undefined if it is closed. */
export const closeNow = async (person: Person, terminalId: string, override?: string): Promise<string | undefined> => {
  const permission = override === undefined ? 'closeBatch' : 'overrideClose';
  const word = await person.post<{ word: string }>('override', { name: 'Mia', pin: PIN, permission });
  const request = { terminalId, override };
  const { status, code } = await person.post('closing', request, { approval: word.body.word });
  // The approval came from a till that was killed since.
  if (code === 'session.pinNeeded') return closeNow(person, terminalId, override);
  return status === 201 ? undefined : (code ?? String(status));
};

const closeOnce = async (shop: SaturdayShop, { counter }: ClosePlan, person: Person): Promise<void> => {
  const { terminalId = '' } = shop.plan.counters[counter] ?? {};
  count(shop, 'close', await closeNow(person, terminalId));
};
