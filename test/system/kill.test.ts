/** Kill -9 of the till at each step of a sale, then a restart: no sale lost, doubled, or left unknown. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { mpiSimulator } from '../../drivers/mpi/simulator.ts';
import type { Presentation } from '../../drivers/simulation/simulator.ts';
import { simulateOnTcp } from '../../drivers/simulation/station.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { type TestCardName, testCard } from '../../src/emv/test-cards.ts';
import { openGateway } from '../../src/gateway/embedded.ts';
import { listen } from '../../src/gateway/http/listen.ts';
import { scanForCardData } from '../support/leaks/leak-scan.ts';
import { byNight, isNight } from '../support/night/night.ts';
import { lastingPort } from '../support/servers/lasting-port.ts';

type Report = {
  ending: string;
  steps: number;
  open: number;
  waiting: number;
  parked: number;
  account: { agrees: boolean; at: string; till: string; gateway?: string }[];
};

const child = join(import.meta.dirname, 'till-child.ts');

/** The child's report, or undefined when it was killed. */
const play = (order: object): Promise<Report | undefined> =>
  new Promise((resolve, reject) => {
    const running = spawn(process.execPath, [child, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let errors = '';
    running.stdout.on('data', (text) => (out += text));
    running.stderr.on('data', (text) => (errors += text));
    running.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(undefined);
      else if (code === 0) resolve(JSON.parse(out) as Report);
      else reject(new Error(`the till's process ended with ${code}: ${errors}`));
    });
  });

/** People who act at once. */
const quick: Clock = { ...systemClock, after: (ms, then) => systemClock.after(ms / 50, then) };

type Shop = {
  folder: string;
  terminal: string;
  gateway: { baseUrl: string; entityId: string; token: string };
  comes(next: Presentation): void;
  cutLine(): Promise<void>;
  mendLine(): Promise<void>;
  close(): Promise<void>;
};

const openShop = async (): Promise<Shop> => {
  const folder = mkdtempSync(join(tmpdir(), 'kill-'));
  const channel = { entityId: systemIds.next(), token: systemIds.next() };
  const app = await openGateway({
    dataDir: join(folder, 'gateway'),
    channels: [channel],
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
  });
  const port = await lastingPort();
  let server = await listen({ app, port, host: '127.0.0.1' });
  let next: Presentation = { card: testCard('visa-credit'), by: 'chip' };
  const station = await simulateOnTcp(mpiSimulator, 0, { clock: quick, random: systemRandom, cardholder: () => next });
  return {
    folder,
    terminal: `mpi+${station.at}`,
    gateway: { baseUrl: `http://127.0.0.1:${port}/`, ...channel },
    comes: (presentation) => {
      next = presentation;
    },
    cutLine: () => server.close(),
    async mendLine() {
      server = await listen({ app, port, host: '127.0.0.1' });
    },
    async close() {
      await station.close();
      await server.close();
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.close());

/** A new till's data folder, and how long it waits for answers, and for requests under way. */
const dataFolder = (name: string): { folder: string; waits(ms: number): void } => {
  const folder = mkdtempSync(join(shop.folder, `${name}-`));
  // Of the id's random end: its beginning is the time, and two tills of one time are two terminals.
  const terminalId = String(systemIds.next().slice(12).replace(/\D/g, '').slice(0, 8) || '1');
  const waits = (ms: number): void =>
    writeFileSync(
      join(folder, 'till.json'),
      JSON.stringify({
        merchant: { name: 'TEST SHOP', address: [], id: '1' },
        currency: 'EUR',
        terminalId,
        gateway: { entityId: shop.gateway.entityId, timeoutMs: ms, requestLifeMs: ms },
        offline: { chipUpTo: '50.00', deferredUpTo: '40.00', total: '500.00', count: 50 },
      }),
    );
  return { folder, waits };
};

type Scene = {
  name: string;
  card: TestCardName;
  by: Presentation['by'];
  minor: string;
  line?: 'cut';
  embedded?: true;
  what?: 'refund';
  /** Every way this sale may end, depending on where it was killed. */
  ends: readonly string[];
  /** The steps of the day, and how the sale ends by them. */
  day: { steps: readonly number[]; ends: readonly string[] };
};

/** Before the request left, before it arrived, before its answer was written down, before the chip's word was. */
const online = ['notSent restarted', 'notSent neverArrived', 'declined reversed', 'declined restartedAfterApproval'];
const offline = ['notSent restarted', 'notSent neverArrived', 'approved approvedOffline'];

const scenes: readonly Scene[] = [
  {
    name: 'chip with online PIN',
    card: 'visa-credit',
    by: 'chip',
    minor: '4200',
    ends: [...online, 'approved approved'],
    day: { steps: [7, 10], ends: ['notSent neverArrived', 'declined restartedAfterApproval'] },
  },
  {
    name: 'tap',
    card: 'mastercard-tap',
    by: 'tap',
    minor: '820',
    ends: [...online, 'approved approved'],
    day: { steps: [9, 14], ends: ['declined reversed', 'approved approved'] },
  },
  {
    name: 'declined by the bank',
    card: 'visa-poor',
    by: 'chip',
    minor: '6400',
    ends: [...online.slice(0, 2), 'declined declinedByHost'],
    day: { steps: [3, 8], ends: ['notSent restarted', 'declined declinedByHost'] },
  },
  {
    name: 'approved, then refused by the chip',
    card: 'visa-refusing-chip',
    by: 'chip',
    minor: '990',
    ends: [...online, 'declined chipRefusedApproval'],
    day: { steps: [12, 16], ends: ['declined restartedAfterApproval', 'declined chipRefusedApproval'] },
  },
  {
    name: 'approved offline by the chip',
    card: 'visa-no-cvm',
    by: 'chip',
    minor: '3000',
    line: 'cut',
    ends: offline,
    day: { steps: [8, 13], ends: ['notSent neverArrived', 'notSent restarted'] },
  },
  {
    name: 'deferred',
    card: 'mastercard-tap',
    by: 'tap',
    minor: '700',
    line: 'cut',
    ends: offline,
    day: { steps: [14, 18], ends: ['approved approvedOffline'] },
  },
  {
    name: 'refund',
    card: 'visa-credit',
    by: 'chip',
    minor: '1000',
    what: 'refund',
    ends: ['approved approved', 'approved refunded'],
    day: { steps: [2, 5], ends: ['approved approved', 'approved refunded'] },
  },
  {
    name: 'chip, with the gateway in the same process',
    card: 'mastercard-m10',
    by: 'chip',
    minor: '1500',
    embedded: true,
    ends: [...online, 'approved approved'],
    day: { steps: [6, 11], ends: ['notSent neverArrived', 'declined restartedAfterApproval'] },
  },
];

describe('killed at each step', () => {
  for (const scene of scenes) test(scene.name, () => killAll(scene), 1_200_000);
});

/** More than a sale has. */
const STEPS = 60;

const killAll = async ({ card, by, minor, line, embedded, what, ends, day }: Scene): Promise<void> => {
  const steps = byNight({ day: day.steps, night: Array.from({ length: STEPS }, (_, at) => at + 1) });
  shop.comes({ card: testCard(card), by });
  const endings = new Set<string>();
  let survived = false;
  for (const killAt of steps) {
    if (survived) break;
    const { folder: dataDir, waits } = dataFolder('till');
    // Patient with a busy machine while it sells.
    waits(30_000);
    const order = { dataDir, terminal: shop.terminal, minor, ...(embedded ? {} : { gateway: shop.gateway }) };
    if (what === 'refund') await play({ ...order, what: 'sell', minor: '2000', killAt: 0 });
    if (line === 'cut') await shop.cutLine();
    survived = (await play({ ...order, what: what ?? 'sell', killAt })) !== undefined;
    if (line === 'cut') await shop.mendLine();

    // Then "not found" counts as proof after a second.
    waits(1_000);
    const after = await play({ ...order, what: 'recover', killAt: 0 });
    const at = `killed at step ${killAt}: ${JSON.stringify(after)}`;
    expect(after, at).toMatchObject({ open: 0, waiting: 0, parked: 0 });
    expect(
      after?.account.every(({ agrees }) => agrees),
      at,
    ).toBe(true);
    for (const { at } of after?.account ?? []) endings.add(at);
    const needles = [testCard(card).pan];
    expect(scanForCardData({ roots: [dataDir], needles }), at).toEqual([]);
  }
  expect(survived, 'by night beyond the last step, by day never').toBe(isNight);
  expect([...endings].sort()).toEqual([...byNight({ day: day.ends, night: ends })].sort());
};
