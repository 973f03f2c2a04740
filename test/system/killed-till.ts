/**
 * A till in its own process that is killed by SIGKILL at a step of a sale and started again. Its gateway and its
 * simulated terminal, of any protocol, keep running.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createWallet } from '../../drivers/simulation/card.ts';
import { type Presentation, simulateOnTcp } from '../../drivers/simulation/simulator.ts';
import { simulators } from '../../drivers/simulators.ts';
import { memoryOf } from '../../drivers/zvt/simulator/memory.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { type TestCardName, testCard } from '../../src/emv/test-cards.ts';
import { openGateway } from '../../src/gateway/server/embedded.ts';
import { listen } from '../../src/gateway/server/http/listen.ts';
import { scanForCardData } from '../support/leaks/leak-scan.ts';
import { byNight, isNight } from '../support/night/night.ts';
import { childProgram } from '../support/servers/children.ts';
import { reservePort } from '../support/servers/reserved-port.ts';

type Report = {
  ending: string;
  steps: number;
  open: number;
  waiting: number;
  parked: number;
  account: { agrees: boolean; at: string; till: string; gateway?: string }[];
};

const child = childProgram('till-child');

/** The child's report, or undefined if it was killed. */
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

/** A clock for people who act at once. */
const quick: Clock = { ...systemClock, after: (ms, task) => systemClock.after(ms / 50, task) };

export type Shop = {
  folder: string;
  terminal: string;
  gateway: { baseUrl: string; entityId: string; token: string };
  present(next: Presentation): void;
  /** What a terminal that asks its own bank has charged to this card, in minor units; always zero for a reader. */
  takenAtTerminal(card: TestCardName): bigint;
  cutLine(): Promise<void>;
  mendLine(): Promise<void>;
  close(): Promise<void>;
};

/** Opens a shop with a terminal of this protocol. */
export const openShop = async (protocol: string): Promise<Shop> => {
  const model = simulators[protocol];
  if (model === undefined) throw new Error(`nobody simulates ${protocol}`);
  const folder = mkdtempSync(join(tmpdir(), 'kill-'));
  const channel = { entityId: systemIds.next(), token: systemIds.next() };
  const app = await openGateway({
    dataDir: join(folder, 'gateway'),
    channels: [channel],
    clock: systemClock,
    ids: systemIds,
    random: systemRandom,
  });
  const port = await reservePort();
  let server = await listen({ app, port, host: '127.0.0.1' });
  let next: Presentation = { card: testCard('visa-credit'), by: 'chip' };
  const cards = createWallet();
  const customer = { clock: quick, random: systemRandom, wallet: cards, cardholder: () => next };
  const station = await simulateOnTcp(model, 0, customer);
  return {
    folder,
    terminal: `${protocol}+${station.at}`,
    gateway: { baseUrl: `http://127.0.0.1:${port}/`, ...channel },
    present: (presentation) => {
      next = presentation;
    },
    takenAtTerminal: (card) => memoryOf(cards).spent.get(testCard(card).pan) ?? 0n,
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

/**
 * A new till's data folder, and a function that sets how long the till waits for answers and for requests in progress.
 */
const dataFolder = (shop: Shop): { folder: string; addDelay(ms: number): void } => {
  const folder = mkdtempSync(join(shop.folder, 'till-'));
  // From the random end of the id: its beginning is the time, and tills made at the same time need different terminal
  // numbers.
  const terminalId = String(systemIds.next().slice(12).replace(/\D/g, '').slice(0, 8) || '1');
  const addDelay = (ms: number): void =>
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
  return { folder, addDelay };
};

export type Scene = {
  name: string;
  card: TestCardName;
  by: Presentation['by'];
  minor: string;
  line?: 'cut';
  embedded?: true;
  /** Whether a successful sale comes first. */
  before?: true;
  /** Refunds that sale. */
  kind?: 'refund';
  /** Every ending that this sale can have, depending on the step at which the till was killed. */
  ends: readonly string[];
  /** The steps tried by day, and the endings they give. */
  day: { steps: readonly number[]; ends: readonly string[] };
};

/** More steps than a sale has. */
const STEPS = 60;

/** Kills a new till at each step in turn, and checks what it makes of the sale once restarted. */
export const killAll = async (shop: Shop, scene: Scene): Promise<void> => {
  const { card, by, minor, line, embedded, before, kind, ends, day } = scene;
  const steps = byNight({ day: day.steps, night: Array.from({ length: STEPS }, (_, index) => index + 1) });
  shop.present({ card: testCard(card), by });
  const endings = new Set<string>();
  let survived = false;
  for (const killAt of steps) {
    if (survived) break;
    const { folder: dataDir, addDelay } = dataFolder(shop);
    const takenBefore = shop.takenAtTerminal(card);
    // Patient with a busy machine while it sells.
    addDelay(30_000);
    const order = { dataDir, terminal: shop.terminal, minor, gateway: embedded ? undefined : shop.gateway };
    if (before || kind === 'refund') await play({ ...order, what: 'sell', minor: '2000', killAt: 0 });
    if (line === 'cut') await shop.cutLine();
    survived = (await play({ ...order, what: kind ?? 'sell', killAt })) !== undefined;
    if (line === 'cut') await shop.mendLine();

    // From now on "not found" counts as proof after a second.
    addDelay(1_000);
    const after = await play({ ...order, what: 'recover', killAt: 0 });
    const at = `killed at step ${killAt}: ${JSON.stringify(after)}`;
    expect(after, at).toMatchObject({ open: 0, waiting: 0, parked: 0 });
    expect(
      after?.account.every(({ agrees }) => agrees),
      at,
    ).toBe(true);
    const account = after?.account ?? [];
    const byTerminal = account.filter(({ gateway }) => gateway === undefined);
    const reported = byTerminal.reduce((sum, { till }) => sum + BigInt(till), 0n);
    expect(reported, at).toBe(shop.takenAtTerminal(card) - takenBefore);
    for (const { at } of account) endings.add(at);
    const needles = [testCard(card).pan];
    expect(scanForCardData({ roots: [dataDir], needles }), at).toEqual([]);
  }
  expect(survived, 'by night beyond the last step, by day never').toBe(isNight);
  expect([...endings].sort()).toEqual([...byNight({ day: day.ends, night: ends })].sort());
};
