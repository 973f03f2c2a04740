/**
 * Rule 5 of card data: after a day of sales no card number, track, PIN or PIN block is in any file of till or gateway,
 * in a write-ahead log, or in anything printed. Searched byte by byte, in every usual encoding.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mpiSimulator } from '../../drivers/mpi/simulator/simulator.ts';
import { presentationFor } from '../../drivers/simulation/cardholder.ts';
import { type Presentation, type Station, simulateOnTcp } from '../../drivers/simulation/simulator.ts';
import type { CardData } from '../../drivers/terminal.ts';
import { zvtSimulator } from '../../drivers/zvt/simulator/simulator.ts';
import { startTill } from '../../src/app/start-till.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { toHex } from '../../src/base/hex.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { encodePinBlock } from '../../src/emv/pin-block.ts';
import { type TestCardName, testCard } from '../../src/emv/test-cards.ts';
import { openGateway } from '../../src/gateway/server/embedded.ts';
import { listen } from '../../src/gateway/server/http/listen.ts';
import { outcomeJson } from '../../src/ledger/outcome.ts';
import { receiptLines } from '../../src/printing/receipts.ts';
import type { Terminals } from '../../src/till/ports.ts';
import { scanForCardData } from '../support/leaks/leak-scan.ts';
import { setStoreLimits } from '../support/till/store-limits.ts';

const quick: Clock = { ...systemClock, after: (ms, task) => systemClock.after(ms / 50, task) };

let root = '';
let station: Station;
let next: Presentation;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'leaks-'));
  station = await simulateOnTcp(mpiSimulator, 0, { clock: quick, random: systemRandom, cardholder: () => next });
});
afterEach(async () => {
  await station.close();
  rmSync(root, { recursive: true, force: true });
});

type Sale = [card: TestCardName, by: Presentation['by'], minor: bigint];

const online: Sale[] = [
  ['visa-credit', 'chip', 4_200n],
  ['mastercard-tap', 'tap', 820n],
  ['mastercard-stripe', 'swipe', 1_550n],
  ['visa-broken-chip', 'chip', 990n],
  ['visa-offline-pin', 'chip', 700n],
  ['visa-poor', 'chip', 6_400n],
  ['visa-refusing-chip', 'chip', 300n],
];
const offline: Sale[] = [
  ['visa-no-cvm', 'chip', 3_000n],
  ['mastercard-m10', 'chip', 1_900n],
  ['mastercard-credit', 'chip', 1_000n],
];

const clearData = (name: TestCardName): string[] => {
  const { pan, pin, expiry, serviceCode } = testCard(name);
  const block = toHex(encodePinBlock({ format: 0, pin, pan }));
  return [pan, `${pan}D${expiry}${serviceCode}`, `${pan}=${expiry}${serviceCode}`, block];
};

/** Records the ciphertexts from the terminal, to search for those too. */
const withListener =
  (records: CardData[]) =>
  (terminals: Terminals): Terminals => ({
    drop: () => terminals.drop(),
    async get() {
      const terminal = await terminals.get();
      const read: typeof terminal.read = async (request, notify) => {
        const outcome = await terminal.read(request, notify);
        if (outcome.kind !== 'notRead') records.push(structuredClone(outcome.card));
        return outcome;
      };
      return {
        read,
        info: () => terminal.info(),
        keys: () => terminal.keys(),
        health: () => terminal.health(),
        echo: () => terminal.echo(),
        complete: (verdict) => terminal.complete(verdict),
        cancel: () => terminal.cancel(),
        show: (prompt) => terminal.show(prompt),
        waitForRemoval: (withinMs) => terminal.waitForRemoval(withinMs),
        close: () => terminal.close(),
      };
    },
  });

test('no card data reaches a file or a printed line', async () => {
  const channel = { entityId: systemIds.next(), token: systemIds.next() };
  const app = await openGateway({
    dataDir: join(root, 'gateway'),
    channels: [channel],
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
  });
  const server = await listen({ app, port: 0, host: '127.0.0.1' });
  const records: CardData[] = [];
  const lines: string[] = [];
  setStoreLimits(join(root, 'till'));
  const till = await startTill({
    dataDir: join(root, 'till'),
    terminal: `mpi+${station.at}`,
    gateway: { baseUrl: `http://127.0.0.1:${server.port}/`, ...channel },
    report: (error) => lines.push(String(error)),
    around: { terminals: withListener(records) },
  });

  const scan = (needles: readonly string[], when: string): void => {
    writeFileSync(join(root, 'said.txt'), lines.join('\n'));
    expect(scanForCardData({ roots: [root], needles: [...needles] }), when).toEqual([]);
  };
  const clear = [...online, ...offline].flatMap(([name]) => clearData(name));
  const pins = () => records.flatMap(({ pin }) => (pin === undefined ? [] : [toHex(pin.data)]));
  const accounts = () => records.flatMap(({ sred }) => sred.map(({ data }) => toHex(data)));
  /** Shown when an ending is not the expected one. */
  const reasons: string[] = [];
  const sell = async ([card, by, minor]: Sale): Promise<string> => {
    next = presentationFor({ card, by });
    const running = till.till.sell({ amount: { minor, currency: 'EUR' } }, (progress) =>
      lines.push(JSON.stringify(progress, (_, value) => (typeof value === 'bigint' ? String(value) : value))),
    );
    const sale = await running.done;
    lines.push(JSON.stringify(outcomeJson(sale, 'test')));
    for (const copy of ['merchant', 'customer'] as const)
      lines.push(...receiptLines(sale, till.config, { mode: 'test', copy, width: 42 }));
    scan([...clear, ...pins(), ...accounts()], `after ${card} by ${by}`);
    reasons.push(`${card}: ${sale.reason} ${JSON.stringify(sale.why ?? {})}`);
    return `${sale.ending}${sale.offline ? ` ${sale.offline}` : ''}`;
  };

  const endings: string[] = [];
  for (const sale of online) endings.push(await sell(sale));
  await server.close();
  for (const sale of offline) endings.push(await sell(sale));
  expect(endings, reasons.join('; ')).toEqual([
    'approved',
    'approved',
    'approved',
    'approved',
    'approved',
    'declined',
    'declined',
    'approved chip',
    'approved chip',
    'notSent',
  ]);
  // The first card asks for an online PIN, so there was one to search for.
  expect(pins().length).toBeGreaterThan(0);

  const relisten = await listen({ app, port: server.port, host: '127.0.0.1' });
  // Two offline sales, and the reversal of the approval that the chip declined.
  expect((await till.forwarder.drain('all')).done).toBe(3);
  await till.close();
  await relisten.close();
  await app.close();
  scan([...clear, ...pins(), ...accounts()], 'at the end of the day');
});

test('no card data either with a terminal that authorises by itself, whose receipts the till prints', async () => {
  const zvt = await simulateOnTcp(zvtSimulator, 0, { clock: quick, random: systemRandom, cardholder: () => next });
  const lines: string[] = [];
  const till = await startTill({
    dataDir: join(root, 'till'),
    terminal: `zvt+${zvt.at}`,
    report: (error) => lines.push(String(error)),
  });
  const endings: string[] = [];
  for (const [card, by, minor] of online.slice(0, 3)) {
    next = presentationFor({ card, by });
    const sale = await till.till.sell({ amount: { minor, currency: 'EUR' } }, () => {}).done;
    endings.push(`${sale.ending} ${sale.terminal?.payment?.maskedPan?.slice(-4)}`);
    lines.push(JSON.stringify(outcomeJson(sale, 'test')));
    for (const copy of ['merchant', 'customer'] as const)
      lines.push(...receiptLines(sale, till.config, { mode: 'test', copy, width: 42 }));
  }
  await till.close();
  await zvt.close();
  expect(endings).toEqual(online.slice(0, 3).map(([card]) => `approved ${testCard(card).pan.slice(-4)}`));
  writeFileSync(join(root, 'said.txt'), lines.join('\n'));
  expect(scanForCardData({ roots: [root], needles: online.flatMap(([name]) => clearData(name)) })).toEqual([]);
});
