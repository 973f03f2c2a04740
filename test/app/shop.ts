/** A till as started in a shop, except that the test controls its terminal and its line to the gateway. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CardData } from '../../drivers/terminal.ts';
import { type RunningTill, startTill, type TillOptions } from '../../src/app/start-till.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { Fault } from '../../src/base/fault.ts';
import { fromHex } from '../../src/base/hex.ts';
import type { Machine } from '../../src/folder/machine.ts';
import type { Host } from '../../src/till/ports.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { scriptedTerminal } from '../support/till/scripted-terminal.ts';
import { setStoreLimits } from '../support/till/store-limits.ts';
import { chipCard, createReply, eur } from '../support/till/till-rig.ts';

/** Stands for the account data encrypted by the terminal. */
export const SRED = 'C0FFEE00112233445566778899AABBCCDDEEFF0102030405';
const card: CardData = { ...chipCard, sred: [{ data: fromHex(SRED), ksn: 'FFFF9876543210E00001' }] };

export type Shop = ReturnType<typeof openShop>;

export const openShop = (clock: Clock = systemClock) => {
  const folder = mkdtempSync(join(tmpdir(), 'shop-'));
  setStoreLimits(folder);
  const line = { up: true };
  const neverAnswer = async () => ({ kind: 'silent', fault: new Fault('host.silent', { why: 'as told' }) }) as const;
  const host: Host = {
    async pay(parameters) {
      if (!line.up) return { kind: 'notSent', fault: new Fault('host.unreachable', { why: 'as told' }) };
      return createReply('000.100.110', 'approved', { id: 'a'.repeat(32), ...parameters });
    },
    refer: neverAnswer,
    find: neverAnswer,
    list: neverAnswer,
    meaningOf: () => 'unknown',
  };
  const terminal = scriptedTerminal(clock, {
    card: () => card,
    read: () => 'goOnline',
    complete: (kind) => (kind === 'declined' ? 'declined' : 'approved'),
    takesMs: () => 0,
  });
  const options = (around: TillOptions['around'] = {}, machine?: Machine): TillOptions => ({
    open: openSqlUnsynced,
    dataDir: folder,
    machine,
    clock,
    gateway: { baseUrl: 'http://127.0.0.1:1/', entityId: '0'.repeat(32), token: 'token-token' },
    around: {
      host: () => host,
      terminals: () => ({ get: async () => terminal, drop: async () => {} }),
      ...around,
    },
  });
  const start = (around: TillOptions['around'] = {}, machine?: Machine): Promise<RunningTill> =>
    startTill(options(around, machine));
  const sell = (running: RunningTill, minor = 1_000n) => running.till.sell({ amount: eur(minor) }, () => {}).done;
  return {
    folder,
    file: (name: string) => join(folder, name),
    /** Down: nothing reaches the gateway. */
    line,
    host,
    terminal,
    options,
    start,
    sell,
    /** One run of the till, in which one sale is taken offline. */
    async storeOne() {
      line.up = false;
      const running = await start();
      try {
        return await sell(running);
      } finally {
        await running.close();
        line.up = true;
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
