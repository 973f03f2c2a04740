/** A running till with the technician's service, connected to a simulated terminal on a real TCP port. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { presentationFor } from '../../drivers/simulation/cardholder.ts';
import { type Model, type Presentation, type Station, simulateOnTcp } from '../../drivers/simulation/simulator.ts';
import { simulators } from '../../drivers/simulators.ts';
import type { Actor } from '../../src/api/ports/session.ts';
import { startTill } from '../../src/app/start-till.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import type { TestCardName } from '../../src/emv/test-cards.ts';
import { changeConfig } from '../../src/folder/config.ts';
import type { AuditNote } from '../../src/staff/audit/audit-notes.ts';
import type { TerminalsParts } from '../../src/terminals/port.ts';
import { type DevicesEdges, openDevicesService } from '../../src/terminals/service.ts';
import { openTerminalWatch } from '../../src/terminals/terminal-watch.ts';
import { openSqlUnsynced } from '../support/disk/unsynced-sql.ts';
import { scriptedEvents } from '../support/screens/stage.ts';
import { setStoreLimits } from '../support/till/store-limits.ts';
import { quickClock } from '../support/time/quick-clock.ts';

export const tess: Actor = { name: 'Tess', role: 'technician', permissions: ['pairTerminal', 'diagnose'] };

export type DevicesRig = Awaited<ReturnType<typeof devicesRig>>;

type DevicesOptions = {
  paired?: boolean;
  edges?: DevicesEdges;
  clock?: Clock;
  /** The simulated device, unless it is the protocol's default. */
  model?: Model;
  timeZone?: string;
};

/** `clock` is the service's; the till and its terminals use the system's. */
export const devicesRig = async (
  protocol: string,
  { paired = true, edges = {}, clock = systemClock, ...more }: DevicesOptions = {},
) => {
  const folder = mkdtempSync(join(tmpdir(), 'devices-'));
  let next: Presentation = presentationFor({ card: 'visa-no-cvm', by: 'chip' });
  const model = more.model ?? simulators[protocol];
  if (model === undefined) throw new Error(`There is no simulator of ${protocol}`);
  const station: Station = await simulateOnTcp(model, 0, {
    clock: quickClock,
    random: systemRandom,
    cardholder: () => next,
    config: { serial: '17000001' },
  });
  const address = `${protocol}+${station.at}`;
  setStoreLimits(folder);
  const { timeZone } = more;
  const businessDay = timeZone === undefined ? {} : { businessDay: { cutOff: '04:00', timeZone } };
  if (paired) changeConfig(folder, systemIds, (config) => ({ ...config, ...businessDay, terminal: address }));
  const terminalWatch = openTerminalWatch(systemClock);
  const start = () => startTill({ open: openSqlUnsynced, dataDir: folder, clock: systemClock, terminalWatch });
  const running = await start();
  const notes: AuditNote[] = [];
  const restarts: string[] = [];
  const parts: TerminalsParts = {
    ...{ running, dataDir: folder, clock, ids: systemIds },
    ...{ terminalWatch, events: scriptedEvents(), version: '0.1.0', mode: 'test' },
    note: (what) => void notes.push(what),
    report: () => {},
    async restart() {
      restarts.push('asked');
    },
  };
  const service = openDevicesService(parts, edges);
  return {
    ...{ folder, address, service, notes, parts, restarts, running, start, station, terminalWatch },
    present(card: TestCardName, by: Presentation['by']) {
      next = presentationFor({ card, by });
    },
    presentNobody() {
      next = { ...presentationFor({ card: 'visa-no-cvm', by: 'chip' }), never: true };
    },
    async close() {
      await running.close();
      await station.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
