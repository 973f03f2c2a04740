/**
 * Sales at a terminal of each protocol, reported to listeners that are cut off at random moments: each listener gets
 * each ending once, in the journal's order, whatever was lost on the way.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Presentation } from '../../drivers/simulation/simulator.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { eventIn } from '../../src/till/machine/event-text.ts';
import { replay } from '../../src/till/machine/sale.ts';
import { dice } from '../support/chance/dice.ts';
import { byNight } from '../support/night/night.ts';
import { counterRig, eur, type Rig } from './counter-rig.ts';
import {
  type App,
  counters,
  customers,
  fourTerminals,
  listenTo,
  protocolsBehindFirst,
  routesOf,
} from './listeners-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = counterRig();
});
afterEach(() => rig.remove());

/** `sale ending`, in order: each sale read again after each entry about it. */
const endingsIn = (journal: Journal): string[] => {
  const before = new Map<string, string>();
  return [...journal.entries()].flatMap(({ entry, subject }) => {
    const events = journal.about(subject).filter((pickOne) => pickOne.entry <= entry);
    const sale = replay(events.map(({ body }) => eventIn(body)));
    if (sale?.at !== 'ended' || before.get(subject) === sale.ending) return [];
    before.set(subject, sale.ending);
    return [`${subject} ${sale.ending}`];
  });
};

/** Each ending that the listener received, with the till's state when it was last cut off. */
const listener = (app: App, chance: ReturnType<typeof dice>) => {
  const received: string[] = [];
  let last: string | undefined;
  const controller = new AbortController();
  let cutAfter = 0;
  /** Events that arrive with the cut are lost as well. */
  const hear: Parameters<typeof listenTo>[2] = (event, id) => {
    cutAfter -= 1;
    if (cutAfter < 0) return false;
    if (event.on === 'sale' && event.sale.result !== undefined)
      received.push(`${event.sale.id} ${event.sale.result.ending}`);
    if (id !== '') last = id;
    return true;
  };
  const go = async (): Promise<void> => {
    while (!controller.signal.aborted) {
      cutAfter = chance.between(0, 12);
      await listenTo(app, { after: last || undefined, cut: controller.signal }, hear);
      const pause = Promise.withResolvers<void>();
      rig.clock.after(chance.between(0, 9_000), pause.resolve);
      await pause.promise;
    }
    // The events that are still missing come before `here`, the position of the log.
    await listenTo(app, { after: last || undefined }, (event, id) => {
      cutAfter = Number.POSITIVE_INFINITY;
      hear(event, id);
      return event.on !== 'here';
    });
  };
  return {
    received,
    going: go(),
    end: () => controller.abort(),
  };
};

test.each(byNight({ day: [1, 2], night: Array.from({ length: 20 }, (_, index) => index + 1) }))(
  'each listener gets each ending once and in order (seed %i)',
  async (seed) => {
    const chance = dice(seed);
    const pickOne = <T>(of: readonly T[]): T => of[chance.between(0, of.length - 1)] as T;
    const around = fourTerminals(rig.clock, () => pickOne<Presentation>(customers));
    const open = await rig.open({ counters: 4, protocol: protocolsBehindFirst, around });
    const app = routesOf({ ...open, clock: rig.clock });
    const listeners = Array.from({ length: 3 }, () => listener(app, chance));
    let keys = 0;
    const begin = (counter: string) => {
      keys += 1;
      const key = `key-${String(keys).padStart(6, '0')}`;
      if (chance.between(0, 3) === 0) rig.fates.push(pickOne(['answerLost', 'requestLost', 'notReached'] as const));
      rig.approvals.push(chance.between(0, 4) > 0);
      const amount = eur(`${keys}.00`);
      return open.service.begin({ operation: 'sale', amount, counter }, { name: 'Kim', permissions: [] }, key);
    };
    for (let round = 0; round < 4; round += 1)
      for (const sale of await Promise.all(counters.map(begin))) await open.ended(sale);
    rig.fates.splice(0);
    await rig.clock.advance(120_000);
    await rig.clock.until(open.running.forwarder.drain('all'));
    await rig.clock.advance(10_000);
    for (const each of listeners) each.end();
    await rig.clock.until(Promise.all(listeners.map(({ going }) => going)));
    const endings = endingsIn(open.running.journal);
    expect(endings.length).toBeGreaterThanOrEqual(16);
    for (const { received } of listeners) expect(received).toEqual(endings);
    await open.close();
  },
);
