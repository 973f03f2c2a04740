/** Two tills of one shop at one gateway, with digital twins: one of the tills can die and start again. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type RunningTill, startTill } from '../../src/app/start-till.ts';
import type { Clock } from '../../src/base/clock.ts';
import { Fault } from '../../src/base/fault.ts';
import { openFolderTill } from '../../src/takeover/unsent.ts';
import { openUnsent } from '../../src/takeover/unsent-file.ts';
import type { Host } from '../../src/till/ports.ts';
import { dice } from '../support/chance/dice.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { bookkeepingHost, type Fate } from '../support/till/bookkeeping-host.ts';
import { scriptedTerminal } from '../support/till/scripted-terminal.ts';
import { steadyMachine } from '../support/till/steady-machine.ts';
import { setStoreLimits } from '../support/till/store-limits.ts';
import { cheapStretchCost } from '../support/till/stretch-cost.ts';
import { chipCard, eur } from '../support/till/till-rig.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

export const passphrases = ['first of two secrets', 'second of two secrets'] as const;

/** Opens an export of one of the tills. */
export const openExport = (file: string) => openUnsent(readFileSync(file, 'utf8'), passphrases, cheapStretchCost);

export const twoTills = (seed = 99) => {
  const clock = virtualClock();
  const chance = dice(seed);
  const root = mkdtempSync(join(tmpdir(), 'two-tills-'));
  /** `fates`: what happens to each of the next requests, before `up` applies again. */
  const line = { up: true, approves: true, fates: [] as Fate[] };
  /** The card's final decision. */
  const chip: { last: 'approved' | 'declined' } = { last: 'approved' };
  const gateway = bookkeepingHost({
    mode: 'test',
    clock,
    fate: () => line.fates.shift() ?? (line.up ? 'answered' : 'notReached'),
    approves: () => line.approves,
    takesMs: () => 10,
    timeoutMs: 15_000,
    requestLifeMs: 30_000,
  });
  const requests: { by: string; what: 'pay' | 'refer' | 'find'; key: string }[] = [];
  const hostOf = (by: string): Host => ({
    meaningOf: gateway.meaningOf,
    pay(parameters, key) {
      requests.push({ by, what: 'pay', key });
      return gateway.pay(parameters, key);
    },
    refer(payment, parameters, key) {
      requests.push({ by, what: 'refer', key });
      return gateway.refer(payment, parameters, key);
    },
    find(reference, linked) {
      requests.push({ by, what: 'find', key: reference });
      return gateway.find(reference, linked);
    },
    list: gateway.list,
  });
  const terminal = scriptedTerminal(clock, {
    card: () => chipCard,
    read: () => 'goOnline',
    complete: () => chip.last,
    takesMs: () => 10,
  });
  const folderOf = (name: string) => join(root, name);
  /** How long each till's machine was up before this program started, ms. */
  const upBefore = new Map<string, number>();
  const clockOf = (name: string): Clock => ({
    ...clock,
    monotonic: () => clock.monotonic() + (upBefore.get(name) ?? 0),
  });
  const start = (name: string, entityId = '0'.repeat(32)): Promise<RunningTill> =>
    startTill({
      open: openSqlUnsynced,
      dataDir: folderOf(name),
      clock: clockOf(name),
      machine: steadyMachine(clockOf(name)),
      ids: chance.ids,
      random: chance.random,
      gateway: { baseUrl: 'http://127.0.0.1:1/', entityId, token: 'token-token' },
      around: { host: () => hostOf(name), terminals: () => ({ get: async () => terminal, drop: async () => {} }) },
    });
  for (const name of ['a', 'b', 'c']) {
    mkdirSync(folderOf(name));
    setStoreLimits(folderOf(name));
  }
  const life = async <T>(name: string, work: (till: RunningTill) => Promise<T> | T): Promise<T> => {
    const running = await start(name);
    try {
      return await work(running);
    } finally {
      await running.close();
    }
  };
  const parts = { clock, ids: chance.ids, random: chance.random, stretchCost: cheapStretchCost, open: openSqlUnsynced };
  return {
    clock,
    root,
    line,
    upBefore,
    chip,
    gateway,
    asked: requests,
    folderOf,
    start,
    life,
    parts,
    sell: (running: RunningTill, minor: bigint) =>
      clock.until(running.till.sell({ amount: eur(minor) }, () => {}).done),
    /** Waits long enough for every message, with a pass over everything stored. */
    async forward(running: RunningTill) {
      await clock.advance(60_000);
      await clock.until(running.forwarder.drain('all'));
      await clock.until(running.forwarder.drain('all'));
    },
    async forwardForeign(running: RunningTill) {
      await clock.advance(60_000);
      await clock.until(running.takenOver.drain());
      await clock.until(running.takenOver.drain());
    },
    async exportFrom(name: string, file: string, by: readonly string[] = ['Ana', 'Ben']) {
      const till = openFolderTill(folderOf(name), parts);
      try {
        return await till.exportTo(file, passphrases, by);
      } finally {
        till.close();
      }
    },
    takeBack(name: string) {
      const till = openFolderTill(folderOf(name), parts);
      try {
        return till.takeBack('Ana');
      } finally {
        till.close();
      }
    },
    copyFolder: (from: string, to: string) => cpSync(folderOf(from), folderOf(to), { recursive: true }),
    /** The minor units charged for a sale at the gateway: what was paid less what was refunded. */
    charged: (sale: string): bigint =>
      gateway.books
        .filter(({ merchantTransactionId: of, code }) => of === sale && code === '000.100.110')
        .reduce(
          (sum, { paymentType, amount }) => sum + (paymentType === 'DB' ? 1n : -1n) * BigInt(amount.replace('.', '')),
          0n,
        ),
    remove: () => rmSync(root, { recursive: true, force: true }),
    faultOf: async (work: Promise<unknown>): Promise<string> => {
      try {
        await work;
        return 'nothing';
      } catch (error) {
        if (error instanceof Fault) return error.code;
        throw error;
      }
    },
  };
};

/** Till A stores two sales and owes a reversal. Returns the amount that the gateway must charge for each sale. */
export const openBusinessAt = (shop: ReturnType<typeof twoTills>) =>
  shop.life('a', async (running) => {
    shop.line.up = true;
    await shop.sell(running, 700n);
    shop.chip.last = 'declined';
    const reversed = running.till.sell({ amount: { minor: 900n, currency: 'EUR' } }, (progress) => {
      if (progress.kind === 'sale' && progress.sale.at === 'completing') shop.line.up = false;
    }).done;
    const declined = await shop.clock.until(reversed);
    shop.chip.last = 'approved';
    shop.line.up = false;
    const stored = [await shop.sell(running, 1_000n), await shop.sell(running, 1_100n)];
    expect(
      stored.map(({ ending, offline, why }) => [ending, offline !== undefined, ...(why === undefined ? [] : [why])]),
    ).toEqual([
      ['approved', true],
      ['approved', true],
    ]);
    expect([declined.ending, declined.reversal]).toEqual(['declined', 'due']);
    return new Map([
      [declined.intent.sale, 0n],
      ...stored.map(({ intent }) => [intent.sale, intent.amount.minor] as const),
    ]);
  });
