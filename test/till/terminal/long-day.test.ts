/**
 * What is known about a terminal from its earlier sales: the newest one by receipt, found without reading the others.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { IntegratedTerminal } from '../../../drivers/integrated-terminal.ts';
import { integratedDevice } from '../../support/till/scripted-integrated-terminal.ts';
import { type Rig, type TillRun, tillRig } from '../../support/till/till-rig.ts';

let rig: Rig;
let run: TillRun;
/** What the terminal reports as its last payment in place of the real one. */
let lastReply: Awaited<ReturnType<IntegratedTerminal['lastOutcome']>> | undefined;

beforeEach(() => {
  rig = tillRig();
  lastReply = undefined;
  const terminals = integratedDevice({ clock: rig.clock, nextTurn: () => 'works' }).keep();
  const get = async (): Promise<IntegratedTerminal> => {
    const terminal = await terminals.get();
    return { ...terminal, lastOutcome: async () => lastReply ?? terminal.lastOutcome() };
  };
  run = rig.open({ parts: { integrated: { ...terminals, get } } });
});
afterEach(() => {
  run.close();
  rig.remove();
});

const sell = async (): Promise<string> => {
  const { ending, intent } = await rig.clock.until(run.sell(1_000n).done);
  expect(ending).toBe('approved');
  return intent.sale;
};

const takeBack = async (): Promise<void> => {
  const { receipt } = run.till.findSale(await sell()).intent;
  const { ending } = await rig.clock.until(run.till.follow({ receipt, operation: 'void' }, () => {}).done);
  expect(ending).toBe('approved');
};

const notedBefore = (sale: string) =>
  run.ledger.events(sale).flatMap((event) => (event.on === 'terminalNoted' ? [event.before.text] : []));

test.each([
  ['a sale', sell],
  ['a sale that is reversed', takeBack],
])('%s reads as many rows at the end of a long day as in the morning', async (_, act) => {
  const { sql } = run.journal;
  const { get, all } = sql;
  let rows = 0;
  sql.get = (...args) => {
    const row = get(...args);
    rows += Number(row !== undefined);
    return row;
  };
  sql.all = (...args) => {
    const found = all(...args);
    rows += found.length;
    return found;
  };
  const read = async (): Promise<number> => {
    rows = 0;
    await act();
    return rows;
  };
  await read();
  const morning = await read();
  for (let n = 0; n < 10; n += 1) await sell();
  await read();
  expect(await read()).toBe(morning);
});

test.each([
  ['as it is', 0],
  ['set back by an hour between them', -3_600_000],
])('detects a terminal that reports the payment before its last one, the clock %s', async (_, jumpMs) => {
  await sell();
  const first = await rig.clock.until(
    run.parts.integrated?.get().then((terminal) => terminal.lastOutcome()) ?? Promise.reject(),
  );
  rig.wall.jumpMs = jumpMs;
  await sell();
  lastReply = first;
  expect(notedBefore(await sell())).toEqual(['behind']);
});

test.each([
  // The device prints whole seconds.
  [30, 6_430],
  [32, undefined],
])('%i days after the last payment its clock is known to be ahead by %s ms', async (days, aheadMs) => {
  await sell();
  rig.wall.jumpMs = days * 86_400_000;
  const events = run.ledger.events(await sell());
  expect(events.flatMap((event) => (event.on === 'terminalNoted' ? [event.aheadMs] : []))).toEqual([aheadMs]);
});

test('finds the sales with a number only for the given day and place', async () => {
  const { intent, terminal } = run.till.findSale(await sell());
  await sell();
  const { device = '', payment } = terminal ?? {};
  const place = { device, terminalId: intent.terminalId, number: payment?.receiptNumber ?? '' };
  const found = (of: Partial<typeof place>, since = intent.at): number[] =>
    run.ledger.salesOfNumber({ ...place, ...of }, since).map(({ receipt }) => receipt);
  expect(found({})).toEqual([intent.receipt]);
  expect([found({}, intent.at + 1), found({ terminalId: '2' }), found({ device: 'another' })]).toEqual([[], [], []]);
});
