/** The demo's day with a cable pulled at one place: once it is back and the day is closed, the books must agree. */
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { errorText, isFault } from '../../../src/base/fault.ts';
import { comparisonOf } from '../../../src/books/settlement-service.ts';
import { closing, settled } from '../../../src/cli/demo/closing.ts';
import { day } from '../../../src/cli/demo/day.ts';
import { act } from '../../../src/cli/demo/demo.ts';
import { type DemoShop, openShop } from '../../../src/cli/demo/shop.ts';
import type { AuditRow } from '../../../src/recovery/audit.ts';
import { type CutPlace, openCables } from './cut-places.ts';

/** The number of places in a day, and what is wrong at its end. */
export type PlayedDay = { passed: { gateway: number; terminal: number }; wrong: string[] };

const QUICKER = 10;
/** After this time a lost request is known to be lost. */
const LIFE_MS = 4_000;

export const playDay = async (place?: CutPlace): Promise<PlayedDay> => {
  const cable = openCables(place);
  let aheadMs = 0;
  const clock: Clock = {
    ...systemClock,
    now: () => systemClock.now() + aheadMs,
    monotonic: () => systemClock.monotonic() + aheadMs,
  };
  const shop = await openShop({
    ...{ quicker: QUICKER, around: cable.around, clock },
    config: (config) => ({ ...config, gateway: { ...config.gateway, timeoutMs: LIFE_MS, requestLifeMs: LIFE_MS } }),
  });
  const since = systemClock.now();
  try {
    await scenes(shop);
    const passed = { ...cable.passed };
    cable.heal();
    const skipTime = (): void => {
      aheadMs += LIFE_MS;
    };
    const open = await heal(shop, place, skipTime);
    // Nothing is closed while money is open.
    return { passed, wrong: open.length > 0 ? open : await close(shop, since) };
  } catch (error) {
    return { passed: cable.passed, wrong: [errorText(error)] };
  } finally {
    await shop.close();
  }
};

/** Steps that have become impossible are skipped, as people would. */
const scenes = async (shop: DemoShop): Promise<void> => {
  const receipts = new Map<string, number>();
  let isUp = true;
  for (const scene of day) {
    if (scene.kind === 'line') {
      isUp = scene.up;
      await (isUp ? shop.mendLine() : shop.cutLine());
      if (isUp) await shop.counters.first.till.forwarder.drain('all');
      continue;
    }
    const counter = shop.counters[scene.at];
    try {
      const sale = await act(counter, scene, receipts).done;
      if (scene.name !== undefined) receipts.set(scene.name, sale.intent.receipt);
    } catch (error) {
      if (!isFault(error)) throw error;
    }
    counter.leaves();
    if (isUp) await counter.till.forwarder.drain('all');
  }
};

const TRIES = 20;

/** With the cable back in, everything ends by itself, once lost requests are known to be lost. */
const heal = async ({ counters }: DemoShop, place: CutPlace | undefined, skipTime: () => void): Promise<string[]> => {
  const wrong: string[] = [];
  for (const { name, till: running } of Object.values(counters)) {
    for (let n = 0; n < TRIES && running.resolver.open().some(({ state }) => state !== 'person'); n++) {
      await running.till.settleAtTerminal().catch(() => []);
      await running.forwarder.drain('all');
      skipTime();
    }
    // A terminal that does not know the payment at all needs a person, who saw when the cable was pulled.
    for (const { sale, state } of running.resolver.open())
      if (state === 'person') running.till.forceEnding(sale.intent.receipt, place?.when === 'after');
    await running.resolver.inquireLate('all');
    await running.forwarder.drain('all');
    for (const { sale, known } of running.resolver.open())
      wrong.push(`${name}, receipt ${sale.intent.receipt}: ${known}`);
  }
  return wrong;
};

const close = async (shop: DemoShop, since: number): Promise<string[]> => {
  const { first } = shop.counters;
  const wrong: string[] = [];
  for (const { name, till } of Object.values(shop.counters)) {
    const rows: AuditRow[] = [];
    for await (const row of till.audit()) rows.push(row);
    if (rows.length === 0) continue;
    const { lines, agrees } = closing(rows, till.config.currency);
    if (!agrees) wrong.push(`${name}: ${lines.join('\n')}`);
    const z = await till.books.close();
    if (z.differences.length > 0 || z.open.length > 0) wrong.push(`${name}: ${JSON.stringify(z.differences)}`);
    if (z.terminal?.agrees === false)
      wrong.push(`${name}: the terminal’s own day has another sum than ${z.terminal.till}`);
  }
  const { books, config } = first.till;
  const result = await books.reconcile({ file: await shop.settlementFile(since) });
  const { lines, agrees } = settled(comparisonOf(result), books.batches(), config.currency);
  return agrees ? wrong : [...wrong, lines.join('\n')];
};

/** Every place of a day without errors, or every `stride`th starting at `from`. */
export const placesOf = ({ gateway, terminal }: PlayedDay['passed'], stride = 1, from = 0): CutPlace[] => {
  const all = (['gateway', 'terminal'] as const).flatMap((cable) =>
    Array.from({ length: cable === 'gateway' ? gateway : terminal }, (_, index) =>
      (['before', 'after'] as const).map((when): CutPlace => ({ cable, at: index, when })),
    ).flat(),
  );
  return all.filter((_, index) => index % stride === from % stride);
};

/** Plays all of these, several at a time; returns what was wrong, with the place. */
export const playAll = async (
  places: readonly CutPlace[],
  parallelCount: number,
  notify: (done: number) => void = () => {},
): Promise<string[]> => {
  const left = [...places];
  const wrong: string[] = [];
  let doneCount = 0;
  const work = async (): Promise<void> => {
    for (let place = left.shift(); place !== undefined; place = left.shift()) {
      const day = await playDay(place);
      const name = `the ${place.cable}’s cord, place ${place.at}, ${place.when}`;
      wrong.push(...day.wrong.map((text) => `${name}: ${text}`));
      notify(++doneCount);
    }
  };
  await Promise.all(Array.from({ length: parallelCount }, work));
  return wrong;
};
