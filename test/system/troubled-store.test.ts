/**
 * A store with every kind of problem in it, through the commands that a manager and a technician type: each names the
 * receipt, the reason, and what to do; scripts get the same as JSON; nothing prints a stack.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { troubledSettlement } from '../support/till/troubled-settlement.ts';
import { MANAGER, openTroubledStore, type TroubledStore } from '../support/till/troubled-store.ts';
import { closings, type End, folder, tillgate, trackProcesses } from './processes.ts';

trackProcesses();

let store: TroubledStore;

beforeEach(async () => {
  store = await openTroubledStore(join(folder, 'store'));
  closings.push(() => void store.close());
});

/** What people must never see. */
const notForPeople = /\n\s+at .*:\d+|undefined|\[object|NaN|RECEIPT --/;

const till = async (...args: readonly string[]): Promise<End> => {
  const end = await tillgate(['till', ...args, ...store.args]).ended;
  expect(end.out + end.err).not.toMatch(notForPeople);
  return end;
};

const offline = async (...args: readonly string[]): Promise<End> =>
  tillgate(['till', ...args, '--data', store.folder]).ended;

type Row = Readonly<Record<string, unknown>>;

const json = async <T>(...args: readonly string[]): Promise<T> => JSON.parse((await till(...args, '--json')).out) as T;

const receiptOf = (name: string): number => store.receipts[name] ?? 0;
const show = (name: string): string => String(receiptOf(name)).padStart(6, '0');

const manager = (): string[] => {
  const file = join(folder, 'pin');
  writeFileSync(file, MANAGER.pin, { mode: 0o600 });
  return ['--as', MANAGER.name, '--pin-file', file];
};

test('the queue says what each message is, why it waits, and what to do', async () => {
  const { code, out } = await till('queue', ...manager());
  expect(code).toBe(5);
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  expect(out).toMatch(new RegExp(`waiting +give back +${show('unknown')} sale +66\\.00 EUR`));
  expect(out).toContain(`After receipt ${show('storedDeferred')}.`);
  expect(out).toMatch(/Handed over to another till.*journal\s+takeback/s);
  const { queue: rows } = await json<{ queue: Row[] }>('queue', ...manager());
  const states = Object.fromEntries(rows.map(({ receipt, state }) => [String(receipt), state]));
  const expected = {
    ...{ unknown: 'waiting', unknownRefund: 'waiting', reversalDue: 'waiting', storedChip: 'waiting' },
    ...{ child: 'behind', handedOver: 'parked', parked: 'parked', forPerson: 'person', contradicted: 'person' },
    ...{ terminalWaits: 'terminal', expired: 'task', declinedMayTry: 'task', declinedNever: 'task' },
  };
  for (const [name, state] of Object.entries(expected)) expect([name, states[receiptOf(name)]]).toEqual([name, state]);
  const toDo = (name: string) => rows.find(({ receipt }) => receipt === receiptOf(name))?.['toDo'];
  expect(toDo('handedOver')).toMatch(/journal takeback$/);
  expect(toDo('handedOver')).not.toContain('--retry-parked');
  expect(toDo('parked')).toContain('--retry-parked');
  expect(toDo('forPerson')).toContain(`resolve ${receiptOf('forPerson')} --charged (or --not-charged)`);
  expect(toDo('declinedMayTry')).toMatch(/^Can be tried again/);
  expect(toDo('declinedNever')).toMatch(/^Do not try this card again/);
  expect(toDo('expired')).toContain('write it off');
});

test('open items are listed with those for a person first, and one is shown with its evidence', async () => {
  const { code, out } = await till('resolve', ...manager());
  expect(code).toBe(5);
  const order = ['contradicted', 'forPerson', 'handedOver', 'unknown'].map((name) => out.indexOf(show(name)));
  expect(order).toEqual(order.toSorted((left, right) => left - right));
  expect(order).not.toContain(-1);
  expect(out).not.toContain('Evidence');
  expect(out).toContain('11 open: 4 for a person, 7 that go on by themselves.');

  const request = await till('resolve', String(receiptOf('unknown')), ...manager());
  expect(request).toMatchObject({ code: 0 });
  expect(request.out).toMatch(/Evidence.*reversed.*There is nothing left to do/s);
  const contradiction = await json<Row>('resolve', String(receiptOf('contradicted')), ...manager());
  expect(contradiction).toMatchObject({ state: 'differs', ending: 'approved', forced: { who: 'Anna' } });
  expect((await till('resolve', '999', ...manager())).code).toBe(2);
});

test('sales, holds, limits and people are listed', async () => {
  const matches = await till('sales', '--search', '91.00', ...manager());
  expect(matches.out).toMatch(
    new RegExp(`^TEST - NO MONEY MOVED\\n${show('late')} .*91\\.00 EUR .*declined\n +The bank approved it late`),
  );
  const all = (await till('sales', '--most', '40', ...manager())).out;
  expect(all).toMatch(/12\.10 EUR .*not charged\n.*its card data had to be destroyed/);
  expect(all).toContain('of 16.00 EUR asked for; bill of 16.00 EUR');
  expect(all).not.toMatch(/offlineRefused|unansweredAtTerminal|personSaidDone/);
  const { preauths: holds } = await json<{ preauths: Row[] }>('preauths', ...manager());
  expect(holds.map(({ receipt }) => receipt)).toEqual([receiptOf('preauthRunningOut'), receiptOf('preauth')]);
  expect((await till('limits', ...manager())).out).toMatch(/The gateway answers\.\nReady/);
  const { people } = await json<{ people: Row[] }>('staff', 'list', ...manager());
  expect(people.map(({ name }) => name)).toEqual(['Anna', 'Ben', 'Tom']);
  const verified = await offline('journal', 'verify');
  expect(verified).toMatchObject({ code: 0 });
  expect(verified.out + verified.err).toContain('add up to the cent');
});

test('a blocked close names each amount and what to do; an override lists them on the Z report', async () => {
  expect((await till('batch', 'x', '--width', '58', ...manager())).out).toMatch(/X REPORT 1/);
  expect(await till('batch', 'close')).toMatchObject({ code: 2 });
  const refused = await till('batch', 'close', ...manager());
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.err).toMatch(/^TEST - NO MONEY MOVED\nNot closed: 4 sales/);
  for (const name of ['parked', 'contradicted', 'forPerson', 'terminalWaits'])
    expect(refused.err).toContain(`receipt ${show(name)}`);
  expect(refused.err).toContain(`resolve ${receiptOf('terminalWaits')}`);

  const override = ['--override', '--reason', 'the shop shuts', ...manager()];
  const z = await json<Row & { open: Row[]; differences: Row[] }>('batch', 'close', ...override);
  expect(z).toMatchObject({ number: 2, override: { by: 'Anna' } });
  expect(z.open.map(({ receipt }) => receipt)).toEqual(
    ['parked', 'contradicted', 'forPerson', 'terminalWaits'].map(receiptOf),
  );
  expect(z.differences.map(({ receipt }) => receipt)).toEqual([receiptOf('contradicted')]);
  const { batches } = await json<{ batches: Row[] }>('batch', 'list', ...manager());
  expect(batches.map(({ state }) => state)).toEqual(['closed', 'closed']);
});

test('a settlement file is reported difference by difference, also for sales of another day’s batch', async () => {
  const file = await troubledSettlement(store);
  const { code, out } = await till('batch', 'reconcile', file, ...manager());
  expect(code).toBe(1);
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(110);
  const { findings, refusedCount } = await json<{ findings: Row[]; refusedCount: number }>(
    'batch',
    'reconcile',
    file,
    ...manager(),
  );
  const reasons = (name: string) => {
    const matches = findings.find(({ receipt }) => receipt === receiptOf(name))?.['reasons'] as Row[] | undefined;
    return matches?.map((reason) => reason['name']);
  };
  expect(reasons('approved')).toContain('settledTwice');
  expect(reasons('partial')).toContain('short');
  expect(reasons('refunded')).toContain('chargeback');
  expect(reasons('gift')).toContain('unexplained');
  expect(reasons('late')).toContain('settledThoughReversed');
  const strangers = findings.filter(({ receipt }) => receipt === undefined);
  expect(strangers.flatMap((one) => (one['reasons'] as Row[]).map(({ name }) => name))).toEqual([
    'otherTill',
    'standaloneFee',
  ]);
  expect(refusedCount).toBe(1);
  expect(out).toMatch(/line \d+ refused: Amount is "much"/);
});
