/** A till that has sold, its paper service, and simulated printers at their addresses, on a virtual clock. */

import { createPrinter } from '../../drivers/printers/printer.ts';
import { type PrinterScript, type SimulatedPrinter, simulatedPrinter } from '../../drivers/printers/simulator.ts';
import type { ApiEvent } from '../../src/api/contract/events.ts';
import { openEvents } from '../../src/app/events.ts';
import { Fault } from '../../src/base/fault.ts';
import { systemIds } from '../../src/base/ids.ts';
import { type Config, changeConfig } from '../../src/folder/config.ts';
import { openPaperService } from '../../src/printing/service.ts';
import { paperFonts } from '../../src/receipt/fonts.ts';
import { rasterise } from '../../src/receipt/raster.ts';
import { anna, counterRig, eur } from '../selling/counter-rig.ts';
import { memoryLinks } from '../support/devices/memory-link.ts';

export const bar = { name: 'Bar', address: 'escpos+tcp://127.0.0.1:9100', width: 80, drawer: true } as const;

export const paperRig = async (settings: Partial<Config> = { printers: [bar] }, script: PrinterScript = {}) => {
  const rig = counterRig();
  changeConfig(rig.folder, systemIds, (config) => ({ ...config, ...settings }));
  const till = await rig.open();
  // The font renderer is read from the disk once in real time, here before virtual time advances.
  await rasterise([[0, { kind: 'rule' }]], { width: 32, rtl: false, fonts: paperFonts() });
  const { clock } = rig;
  const reported: unknown[] = [];
  const notes: string[] = [];
  const events = openEvents((error) => reported.push(error));
  const reports: ApiEvent[] = [];
  events.listen((event) => reports.push(event));
  const simulated: SimulatedPrinter = simulatedPrinter({ clock }, script);
  let plugged = true;
  const openService = (more: { keeps?: false } = {}) =>
    openPaperService(
      {
        ...{ running: till.running, dataDir: rig.folder, clock, ids: rig.chance.ids, random: rig.chance.random },
        ...{ events, mode: 'test', report: (error) => reported.push(error), ...more },
        note: (what, { name }) => void notes.push(`${name} ${JSON.stringify(what)}`),
      },
      ({ name }) =>
        createPrinter({
          ...{ name, clock },
          async open() {
            if (!plugged) throw new Fault('link.unavailable', { port: name, why: 'nobody is there' });
            const [ours, theirs] = memoryLinks();
            simulated.accept(theirs);
            return ours;
          },
        }),
    );
  return {
    ...{ clock, simulated, told: reports, reported, notes, events, folder: rig.folder, config: till.running.config },
    service: openService(),
    openService,
    setPlugged(on: boolean) {
      plugged = on;
    },
    /** A sale that has ended, as reported to the screens. */
    async sell() {
      return till.ended(await this.begun());
    },
    /** A sale in progress. */
    begun: () =>
      clock.until(till.service.begin({ operation: 'sale', amount: eur('12.50') }, anna, rig.chance.ids.next())),
    async close() {
      await till.close();
      rig.remove();
    },
  };
};
