/** The shop of a busy Saturday: its folder, its people, its processes, and their shared knowledge of the day. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTill } from '../../src/app/start-till.ts';
import { pause, systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { writeConfig } from '../../src/folder/config.ts';
import { openPosKeys } from '../../src/staff/sessions/pos-keys.ts';
import { type Figures, openFigures } from './figures.ts';
import { type Endings, openEndings, type ReportedSale } from './listeners.ts';
import { type Person, personAt } from './person.ts';
import type { CounterPlan, DayPlan } from './plan.ts';
import { type Channel, gatewayIn, type Server, type Terminals, terminalsIn, tillIn } from './processes.ts';

export const PIN = '4711';

export type SaturdayShop = {
  plan: DayPlan;
  folders: { till: string; gateway: string; terminals: string };
  channel: Channel;
  /** The command line's file. */
  program: string;
  till: Server;
  gateway: Server;
  terminals: Terminals;
  /** The register, a program with a key, through which half of the counters sell. */
  register: Person;
  figures: Figures;
  endings: Endings;
  /** By the sale's number in the plan. */
  salesByNumber: Map<number, ReportedSale>;
  /** Their follow-ups: refunds, voids, completions. */
  followUps: ReportedSale[];
  /** Unusual events, and how often each happened. */
  notes: Map<string, number>;
  addNote(noteText: string): void;
  /** Milliseconds of each start of the till. */
  startedMs: number[];
  startDay(): void;
  /** Resolves at this time of the day. */
  waitUntil(time: number): Promise<void>;
  isOver(): boolean;
  end(): void;
  personNamed(name: string): Person;
  isProgram(counter: CounterPlan): boolean;
  isOfficeWorking(): boolean;
  /** The returned function reports that the work is done. */
  startOfficeWork(): () => void;
  /** How often the gateway went or came: it is available if the number is even. */
  gatewayChangeCount(): number;
  countGatewayChange(): void;
  close(): Promise<void>;
};

export type ShopOptions = { program: string; speed: number; perProcess: number; timeoutMs: number };

/** As fast as the day's rows need it; and how long the till waits for the gateway and for work in progress. */
const configOf = (
  plan: DayPlan,
  terminals: Terminals,
  { entityId, timeoutMs }: { entityId: string; timeoutMs: number },
) => {
  const terminalConfigs = plan.counters.map(({ terminalId, index }) => ({
    terminalId,
    terminal: terminals.addresses[index] ?? '',
  }));
  const [first = { terminalId: '', terminal: '' }, ...otherTerminals] = terminalConfigs;
  return {
    merchant: { name: 'SATURDAY SHOP', address: [], id: '1' },
    ...{ currency: 'EUR', ...first, terminals: otherTerminals },
    gateway: { entityId, timeoutMs, requestLifeMs: 2 * timeoutMs },
    offline: {
      chip: { upTo: '300.00' },
      deferred: { upTo: '300.00' },
      ...{ total: '9999999.00', count: 10_000, withoutDataAuthentication: true },
    },
  };
};

/** Adds Max and Mia in the office, a cashier for each counter and a register's key, before the till is served. */
const addStaff = async (folder: string, plan: DayPlan, gateway: Channel & { baseUrl: string }): Promise<string> => {
  const till = await startTill({ dataDir: folder, gateway });
  try {
    const max = { name: 'Max', role: 'manager' } as const;
    await till.staff.add({ ...max, pin: PIN });
    await till.staff.add({ name: 'Mia', role: 'manager', pin: PIN }, max);
    for (const { cashier } of plan.counters) await till.staff.add({ name: cashier, role: 'cashier', pin: PIN }, max);
    const keys = openPosKeys({ journal: till.journal, clock: systemClock, random: systemRandom });
    return keys.make({ name: 'Register' }, { by: max.name, approvedBy: max.name }).key;
  } finally {
    await till.close();
  }
};

export const openSaturdayShop = async (plan: DayPlan, request: ShopOptions): Promise<SaturdayShop> => {
  const folder = mkdtempSync(join(tmpdir(), 'saturday-'));
  const folders = {
    till: join(folder, 'till'),
    gateway: join(folder, 'gateway'),
    terminals: join(folder, 'terminals'),
  };
  for (const path of Object.values(folders)) mkdirSync(path);
  const channel = { entityId: systemIds.next(), token: systemIds.next() };
  const gateway = await gatewayIn(folders.gateway, channel, request.program);
  const { program, speed, perProcess, timeoutMs } = request;
  const terminals = await terminalsIn({ counters: plan.counters, folder: folders.terminals, speed, perProcess });
  writeConfig(folders.till, configOf(plan, terminals, { entityId: channel.entityId, timeoutMs }));
  const key = await addStaff(folders.till, plan, { ...channel, baseUrl: gateway.url });
  const till = await tillIn(folders.till, { program, gateway: gateway.url, channel });
  await gateway.start();
  const startedMs = [await till.start()];

  return {
    ...{ plan, folders, channel, program, till, gateway, terminals, startedMs },
    register: personAt(till, { key }),
    ...dayOf(plan),
    personNamed: (name) => personAt(till, { name, pin: PIN }),
    isProgram: ({ index }) => index >= plan.counters.length / 2,
    async close() {
      await Promise.all([till.kill(), gateway.kill(), terminals.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** The day's progress, and the shared knowledge. */
const dayOf = (plan: DayPlan) => {
  const notes = new Map<string, number>();
  let beganAt = Number.POSITIVE_INFINITY;
  let isOver = false;
  let gatewayChanges = 0;
  let officeWorkCount = 0;
  const elapsedMs = (): number => (beganAt === Number.POSITIVE_INFINITY ? 0 : performance.now() - beganAt);
  return {
    figures: openFigures(plan.dayMs / 10, elapsedMs),
    endings: openEndings(),
    ...{ notes, salesByNumber: new Map<number, ReportedSale>(), followUps: [] as ReportedSale[] },
    addNote: (noteText: string) => void notes.set(noteText, (notes.get(noteText) ?? 0) + 1),
    startDay() {
      beganAt = performance.now();
    },
    async waitUntil(time: number) {
      const remainingMs = time - elapsedMs();
      if (remainingMs > 0) await pause(systemClock, remainingMs);
    },
    isOver: () => isOver,
    end() {
      isOver = true;
    },
    isOfficeWorking: () => officeWorkCount > 0,
    startOfficeWork() {
      officeWorkCount += 1;
      return () => {
        officeWorkCount -= 1;
      };
    },
    gatewayChangeCount: () => gatewayChanges,
    countGatewayChange() {
      gatewayChanges += 1;
    },
  };
};
