/**
 * One shop whose data folder is copied: tills on any copy of it, on any machine, with one gateway that keeps records.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningTill, startTill, type TillOptions } from '../../../src/app/start-till.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { type Config, changeConfig } from '../../../src/folder/config.ts';
import type { MachineIdentity } from '../../../src/folder/machine.ts';
import { openSqlUnsynced } from '../disk/unsynced-sql.ts';
import { quickClock } from '../time/quick-clock.ts';
import { type Fate, lineTo } from './bookkeeping-host.ts';
import { issuerBooks } from './issuer-books.ts';
import { terminal } from './ready-till.ts';
import { setStoreLimits } from './store-limits.ts';
import { cheapStretchCost } from './stretch-cost.ts';
import { eur } from './till-rig.ts';

export const HERE: MachineIdentity = `id:${'0123456789abcdef'.repeat(2)}`;
export const THERE: MachineIdentity = 'name:counter-2';
export const NUMBER = '70001';

export const openCopies = (change: (config: Config, place: string) => Config = (config) => config) => {
  const place = mkdtempSync(join(tmpdir(), 'copies-'));
  const folder = join(place, 'till');
  changeConfig(folder, systemIds, (config) => change({ ...config, terminalId: NUMBER }, place));
  setStoreLimits(folder);
  const line: { fate: Fate; gateway: TillOptions['gateway'] } = {
    fate: 'answered',
    gateway: { baseUrl: 'http://127.0.0.1:1/', entityId: '0'.repeat(32), token: 'token-token' },
  };
  const issuer = issuerBooks(
    () => true,
    () => 'test',
    systemClock,
  );
  const times = { takesMs: () => 0, timeoutMs: 1_000, requestLifeMs: 2_000 };
  const host = lineTo(issuer, { clock: quickClock, fate: () => line.fate, ...times });
  const running = new Set<RunningTill>();
  const device = terminal();

  const options = (dataDir: string): TillOptions => ({
    ...{ dataDir, open: openSqlUnsynced, stretchCost: cheapStretchCost },
    gateway: line.gateway,
    around: { host: () => host, terminals: () => ({ get: async () => device, drop: async () => {} }) },
  });

  /** On the machine where the folder was created, unless told otherwise. */
  const start = async (
    dataDir = folder,
    identity: MachineIdentity | undefined = HERE,
    boundTo: { identity: MachineIdentity | undefined } | null = { identity },
  ): Promise<RunningTill> => {
    const till = await startTill({ ...options(dataDir), ...(boundTo && { boundTo }) });
    running.add(till);
    return till;
  };
  const close = async (till: RunningTill): Promise<void> => {
    running.delete(till);
    await till.close();
  };
  return {
    folder,
    issuer,
    line,
    options,
    start,
    close,
    /** Starts a till only for this work. */
    async during<T>(work: (till: RunningTill) => T | Promise<T>, ...startArgs: Parameters<typeof start>): Promise<T> {
      const till = await start(...startArgs);
      try {
        return await work(till);
      } finally {
        await close(till);
      }
    },
    /** Copies the present folder to another name. */
    copyTo(name: string, from = folder): string {
      const to = join(place, name);
      rmSync(to, { recursive: true, force: true });
      cpSync(from, to, { recursive: true });
      return to;
    },
    async remove() {
      for (const till of running) await till.close();
      rmSync(place, { recursive: true, force: true });
    },
  };
};

export const sell = (till: RunningTill, minor: bigint) => till.till.sell({ amount: eur(minor) }, () => {}).done;
