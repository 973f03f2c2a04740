/**
 * The desktop app's shell over a real till process, with a shop around it that keeps running when the till hangs: a
 * gateway and a simulated terminal. Only Electron's own calls are simulated.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UtilityProcess } from 'electron';
import { expect, vi } from 'vitest';
import { simulateOnTcp } from '../../drivers/simulation/simulator.ts';
import { simulators } from '../../drivers/simulators.ts';
import type { Deadlines } from '../../electron/deadlines.ts';
import { startDesktop } from '../../electron/desktop.ts';
import type { LiveSale, SaleRow } from '../../src/api/contract/sales.ts';
import type { SessionState } from '../../src/api/contract/session.ts';
import { startTill } from '../../src/app/start-till.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { testCard } from '../../src/emv/test-cards.ts';
import { loadSecrets } from '../../src/folder/keys/secrets.ts';
import { openGateway } from '../../src/gateway/server/embedded.ts';
import { listen } from '../../src/gateway/server/http/listen.ts';
import { openTillJournal } from '../../src/ledger/schema.ts';
import { fakeElectron } from '../electron/fake-electron.ts';
import type { Browser } from '../support/screens/browser.ts';
import { openView } from './shell-view.ts';
import { forkTill } from './utility-process.ts';

/** Short enough for a test; long enough that a till on a busy machine does not count as hung. */
const deadlines: Deadlines = {
  ...{ startMs: 60_000, beatMs: 200, silentBeats: 5, hungBeats: 25 },
  ...{ answerMs: 10_000, stopMs: 60_000, goneMs: 10_000 },
};

/** The same deadlines on a clock that runs so many times faster. */
const unhurried = ({ silentBeats, hungBeats, ...times }: Deadlines, hurry: number): Deadlines => ({
  ...{ silentBeats, hungBeats, startMs: times.startMs * hurry, beatMs: times.beatMs * hurry },
  ...{ answerMs: times.answerMs * hurry, stopMs: times.stopMs * hurry, goneMs: times.goneMs * hurry },
});

export type ShellRig = Awaited<ReturnType<typeof openShellRig>>;

/** A till's folder that knows its gateway and its terminal, as in a shop. */
const prepare = (dataDir: string, { terminal, gateway }: { terminal: string; gateway: Gateway }): void => {
  const { entityId, baseUrl, token } = gateway;
  mkdirSync(dataDir);
  const journal = openTillJournal(dataDir, { clock: systemClock });
  loadSecrets(dataDir, { random: systemRandom, isNew: true, newValues: { token } });
  journal.close();
  writeFileSync(
    join(dataDir, 'till.json'),
    JSON.stringify({
      merchant: { name: 'TEST SHOP', address: [], id: '1' },
      ...{ currency: 'EUR', terminalId: '1', terminal },
      gateway: { entityId, baseUrl, timeoutMs: 30_000, requestLifeMs: 30_000 },
      offline: { chipUpTo: '50.00', deferredUpTo: '40.00', total: '500.00', count: 50 },
    }),
  );
};

type Gateway = { baseUrl: string; entityId: string; token: string };

const openShop = async (folder: string) => {
  let onPayment = (): void => {};
  const channel = { entityId: systemIds.next(), token: systemIds.next() };
  const parts = { clock: systemClock, ids: systemIds, random: systemRandom };
  const app = await openGateway({ ...parts, dataDir: join(folder, 'gateway'), channels: [channel] });
  const fetch = async (request: Request): Promise<Response> => {
    const isPayment = request.method === 'POST' && new URL(request.url).pathname.endsWith('/payments');
    const answer = await app.fetch(request);
    if (isPayment) onPayment();
    return answer;
  };
  const server = await listen({ app: { fetch, refuse: app.refuse }, port: 0, host: '127.0.0.1' });
  const { mpi } = simulators;
  if (mpi === undefined) throw new Error('nobody simulates mpi');
  const customer = { card: testCard('visa-credit'), by: 'chip' } as const;
  const station = await simulateOnTcp(mpi, 0, { ...parts, cardholder: () => customer });
  return {
    terminal: `mpi+${station.at}`,
    gateway: { ...channel, baseUrl: `http://127.0.0.1:${server.port}/` },
    /** Called once the gateway has taken the next payment, and before it answers. */
    whenPaid(task: () => void): void {
      onPayment = () => {
        onPayment = () => {};
        task();
      };
    },
    async close() {
      await station.close();
      await server.close();
      await app.close();
    },
  };
};

type ShellOptions = {
  spawned?(child: UtilityProcess, count: number): void;
  startMs?: number;
  hungBeats?: number;
  /** For a window with a real page. */
  browser?: Browser;
  /** How many times faster the shell's clock runs, except for the till's process. */
  hurry?: number;
};

/** Opens the app. `spawned` gets each till process as soon as it exists. */
export const openShellRig = async ({ browser, hurry = 1, ...options }: ShellOptions = {}) => {
  const clock: Clock = { ...systemClock, after: (ms, task) => systemClock.after(ms / hurry, task) };
  const userData = mkdtempSync(join(tmpdir(), 'shell-'));
  const shop = await openShop(userData);
  prepare(join(userData, 'till'), shop);
  const desktop = fakeElectron({ userData, hasStore: false });
  const children: UtilityProcess[] = [];
  const received: unknown[][] = [];
  desktop.shell.utilityProcess.fork = (_, args) => {
    const child = forkTill(args);
    const values: unknown[] = [];
    children.push(child);
    received.push(values);
    child.once('spawn', () => options.spawned?.(child, children.length));
    child.on('message', (message) => values.push(message));
    return child;
  };
  const answer = async (request: Request): Promise<Response> => {
    const handle = desktop.handlers.get('till');
    if (handle === undefined) throw new Error('the window has no scheme');
    return handle(request);
  };
  const view = browser && (await openView(browser, answer));
  if (view !== undefined) desktop.shell.BrowserWindow = view.Window;
  startDesktop(desktop.shell, {
    ...{ argv: [], platform: 'linux', appImage: undefined, tillModule: '', clock, ids: systemIds },
    ...{
      programFiles: undefined,
      take: async () => {},
      localAppData: undefined,
      programData: undefined,
      program: '/opt/Tillgate/tillgate',
      configHome: '/nowhere',
      random: systemRandom,
      updater: {} as never,
      deadlines: unhurried({ ...deadlines, ...options }, hurry),
    },
  });
  const until = (condition: () => unknown): Promise<void> =>
    vi.waitFor(async () => expect(await condition()).toBeTruthy(), { timeout: 200_000, interval: 50 });
  const page = (path: string, init?: RequestInit): Promise<Response> => answer(new Request(`till://app${path}`, init));
  const ask = async <T>(path: string): Promise<T> => (await page(`/api/${path}`)).json() as Promise<T>;
  /** As the window does, for a session of the running till. */
  const session = () => ask<SessionState>('session');
  const get = async <T>(path: string): Promise<T> => {
    await session();
    return ask<T>(path);
  };
  /** Begins a sale. */
  const sell = async (amount: string): Promise<Response> => {
    const { signedIn } = await session();
    const headers = { 'content-type': 'application/json', 'x-csrf-token': signedIn?.csrf ?? '' };
    const body = JSON.stringify({ amount: { amount, currency: 'EUR' } });
    return page('/api/sales', { method: 'POST', headers: { ...headers, 'idempotency-key': systemIds.next() }, body });
  };
  const stop = async (): Promise<void> => {
    desktop.app.emit('window-all-closed');
    // Once at the request, and once when the till has ended.
    await until(() => desktop.quits.count >= 2 && children.every(({ pid }) => pid === undefined));
  };
  return {
    ...{ desktop, view, children, stop, shop, page, get, sell, until, userData },
    /** Resolves when the process with this number, from 1, listens. */
    listening: (count: number) =>
      until(() => received[count - 1]?.some((message) => (message as { on: string }).on === 'listening')),
    sales: async () => (await get<{ rows: SaleRow[] }>('sales')).rows,
    live: (id: string) => get<LiveSale>(`live/${id}`),
    /** What till and gateway have recorded of each sale, after the app has exited. */
    async account() {
      const till = await startTill({ dataDir: join(userData, 'till') });
      const rows: { agrees: boolean; gateway: bigint }[] = [];
      for await (const { agrees, gateway } of till.audit()) rows.push({ agrees, gateway: gateway?.minor ?? 0n });
      await till.close();
      return rows;
    },
    async close() {
      desktop.app.emit('window-all-closed');
      for (const { pid } of children) if (pid !== undefined) process.kill(pid, 'SIGKILL');
      await until(() => children.every(({ pid }) => pid === undefined));
      await view?.close();
      await shop.close();
      rmSync(userData, { recursive: true, force: true });
    },
  };
};
