/** A test till's folder that meets all requirements for going live, and the requests to check it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTill, type TillOptions } from '../../../src/app/start-till.ts';
import { systemIds } from '../../../src/base/ids.ts';
import { type Config, changeConfig, loadConfig, type PairedDevice } from '../../../src/folder/config.ts';
import { openSqlUnsynced } from '../disk/unsynced-sql.ts';
import { quickClock } from '../time/quick-clock.ts';
import { scriptedTerminal } from './scripted-terminal.ts';
import { cheapStretchCost } from './stretch-cost.ts';
import { chipCard } from './till-rig.ts';

export const PIN = '4711';
export const LIVE_ENTITY = 'ab'.repeat(16);
export const LIVE_TOKEN = 'live-token-of-the-shop';

export const device: PairedDevice = {
  deviceType: 'TWIN',
  model: 'TWIN',
  serial: '17000001',
  firmware: '1',
  pairedAt: '2026-01-02 12:00:00',
};

export const printer = { name: 'Bar', address: 'escpos+tcp://127.0.0.1:9', width: 80 as const, drawer: true };

/** Everything that a shop sets before it goes live. */
export const ready = (config: Config): Config => ({
  ...config,
  merchant: { name: 'NORDWIND BAKERY', address: ['Harbour Street 4', 'Kiel'], id: '000000087654321', vat: 'DE1' },
  terminalId: '70001234',
  terminal: 'mpi+tcp://127.0.0.1:1',
  device,
  offline: { chip: { upTo: '50.00' }, deferred: { upTo: '0.00' }, total: '500.00', withoutDataAuthentication: true },
  printers: [printer],
  paper: { logo: 'logo.png', language: 'de', header: ['Moin'] },
  screens: { tipPercents: [5, 10] },
  businessDay: { cutOff: '03:00', timeZone: 'Europe/Berlin' },
});

/** A terminal that approves every card, and does not say that it is simulated. */
export const terminal = () =>
  scriptedTerminal(quickClock, {
    card: () => chipCard,
    read: () => 'goOnline',
    complete: (kind) => (kind === 'declined' ? 'declined' : 'approved'),
    takesMs: () => 0,
  });

export const openReadyFolder = (change: (config: Config) => Config = (config) => config) => {
  const folder = mkdtempSync(join(tmpdir(), 'going-live-'));
  changeConfig(folder, systemIds, (config) => change(ready(config)));
  writeFileSync(join(folder, 'logo.png'), 'a picture');
  const one = terminal();
  const options: TillOptions = {
    dataDir: folder,
    open: openSqlUnsynced,
    stretchCost: cheapStretchCost,
    around: { terminals: () => ({ get: async () => one, drop: async () => {} }) },
  };
  return {
    folder,
    options,
    config: () => loadConfig(folder, systemIds),
    start: (overrides: Partial<TillOptions> = {}) => startTill({ ...options, ...overrides }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
