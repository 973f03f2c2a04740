/**
 * A live till at a gateway process whose channel is still a test one: nothing counts, and everything is charged later.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningTill, startTill } from '../../src/app/start-till.ts';
import { systemClock } from '../../src/base/clock.ts';
import { modeOf } from '../../src/folder/till-mode.ts';
import { outcomeJson, outcomeTexts } from '../../src/ledger/outcome.ts';
import { openTillJournal } from '../../src/ledger/schema.ts';
import type { EndedSale } from '../../src/till/machine/sale.ts';
import { entityId, otherEntityId, token } from '../support/gateway/gateway.ts';
import { type GatewayProcess, startGateway } from '../support/gateway/gateway-process.ts';
import { type UpstreamHost, upstreamHost } from '../support/gateway/upstream-host.ts';
import { reservePort } from '../support/servers/reserved-port.ts';
import { scriptedTerminal } from '../support/till/scripted-terminal.ts';
import { setStoreLimits } from '../support/till/store-limits.ts';
import { chipCard, eur } from '../support/till/till-rig.ts';

let folder: string;
let port: number;
let processor: UpstreamHost;
let gateway: GatewayProcess | undefined;
let running: RunningTill | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'live-till-'));
  port = await reservePort();
  processor = await upstreamHost({ approval: '000.000.000' });
  openTillFolder();
});
afterEach(async () => {
  await running?.close();
  await down();
  await processor.close();
  rmSync(folder, { recursive: true });
});

const data = () => join(folder, 'till');
const openTillFolder = (): void => {
  setStoreLimits(data());
  const journal = openTillJournal(data(), { clock: systemClock });
  modeOf(journal, 'live');
  journal.close();
};

/** The same channel with another mode, as its operator sets it. */
const startChannel = async (mode: 'test' | 'live', mayEnter = token): Promise<void> => {
  const upstream = { baseUrl: processor.baseUrl, entityId: otherEntityId, token: 'processor-token' };
  const file = join(folder, 'gateway.json');
  writeFileSync(file, JSON.stringify({ channels: [{ entityId, token: mayEnter, mode, upstream }] }));
  gateway = await startGateway(join(folder, 'gateway'), [], ['--port', String(port), '--config', file]);
};
const down = async (): Promise<void> => {
  await gateway?.end('SIGTERM');
  gateway = undefined;
};

/** A reader whose cards no test simulator can decrypt. */
const reader = scriptedTerminal(systemClock, {
  card: () => chipCard,
  read: () => 'goOnline',
  complete: (kind) => (kind === 'declined' ? 'declined' : 'approved'),
  takesMs: () => 0,
});

const start = async (): Promise<RunningTill> => {
  running = await startTill({
    dataDir: data(),
    gateway: { baseUrl: `http://127.0.0.1:${port}/`, entityId, token },
    around: { terminals: () => ({ get: async () => reader, drop: async () => {} }) },
  });
  return running;
};
const restart = async (): Promise<RunningTill> => {
  await running?.close();
  return start();
};
const sell = (till: RunningTill, minor: bigint): Promise<EndedSale> =>
  till.till.sell({ amount: eur(minor) }, () => {}).done;
const fiveStored = async (till: RunningTill): Promise<EndedSale[]> => {
  const sales: EndedSale[] = [];
  for (const minor of [100n, 200n, 300n, 400n, 500n]) sales.push(await sell(till, minor));
  expect(sales.map(({ offline }) => offline)).toEqual(['chip', 'chip', 'chip', 'chip', 'chip']);
  return sales;
};
/** Sends until each message was answered once, as the queue itself does within minutes. */
const sendAll = async (till: RunningTill): Promise<void> => {
  for (let n = 0; n < 6; n++) await till.forwarder.drain('all');
};
const withCardData = ({ outbox }: RunningTill): number =>
  [...outbox.waiting(), ...outbox.parked()].filter(({ id }) => outbox.open(id) !== undefined).length;
const charged = (): string[] => processor.booked.map(({ form }) => `${form['paymentType']} ${form['amount']}`);
const forwarded = (till: RunningTill, sales: readonly EndedSale[]) =>
  sales.map(({ intent }) => {
    const stored = till.till.findSale(intent.sale);
    return stored.at === 'ended' && stored.forwarded?.approved;
  });
const accounts = async (till: RunningTill): Promise<[bigint, boolean]> => {
  let sum = 0n;
  let agrees = true;
  for await (const row of till.audit()) {
    sum += row.till.minor;
    agrees &&= row.agrees;
  }
  return [sum, agrees];
};
const allFive = ['DB 1.00', 'DB 2.00', 'DB 3.00', 'DB 4.00', 'DB 5.00'];

test('an online sale reports that it was not charged because the gateway is misconfigured', async () => {
  await startChannel('test');
  const till = await start();
  expect(till.mode).toBe('live');
  const sale = await sell(till, 1_000n);
  expect(outcomeTexts(sale, 'live')).toMatchObject({
    says: 'This till is live, but its gateway answered in test mode',
  });
  expect(outcomeJson(sale, 'live')).toMatchObject({ ending: 'declined', reason: 'testAnswer' });
  await till.forwarder.drain('all');
  expect([till.ledger.openSales(), await accounts(till), charged()]).toEqual([[], [0n, true], []]);
  await down();
  await startChannel('live');
  expect((await sell(till, 1_000n)).ending).toBe('approved');
  expect([await accounts(till), charged()]).toEqual([[1_000n, true], ['DB 10.00']]);
});

test('five stored sales survive the test channel, and are each charged once after the next approval', async () => {
  const till = await start();
  const sales = await fiveStored(till);
  await startChannel('test');
  await sendAll(till);
  expect([till.outbox.parked().length, withCardData(till), charged()]).toEqual([5, 5, []]);
  await down();
  await startChannel('live');
  expect((await sell(till, 700n)).ending).toBe('approved');
  expect(till.outbox.parked()).toEqual([]);
  await sendAll(till);
  expect([charged().toSorted(), forwarded(till, sales)]).toEqual([
    [...allFive, 'DB 7.00'].toSorted(),
    [true, true, true, true, true],
  ]);
  expect([withCardData(till), await accounts(till)]).toEqual([0, [2_200n, true]]);
});

test('the same after a restart of the till, and a wrong token loses none of them', async () => {
  const till = await start();
  const sales = await fiveStored(till);
  await startChannel('live', 'another-token-than-the-till-has');
  await sendAll(till);
  expect([withCardData(till), till.outbox.parked()]).toEqual([5, []]);
  await down();
  await startChannel('test');
  await sendAll(till);
  expect([withCardData(till), till.outbox.parked().length]).toEqual([5, 5]);
  await down();
  await startChannel('live');
  const restarted = await restart();
  await sendAll(restarted);
  expect([charged().toSorted(), forwarded(restarted, sales), withCardData(restarted)]).toEqual([
    allFive,
    [true, true, true, true, true],
    0,
  ]);
  expect(await accounts(restarted)).toEqual([1_500n, true]);
});
