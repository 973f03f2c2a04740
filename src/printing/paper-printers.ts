/** The printers in till.json, each with its print queue. */
import { completePrinterAddress } from '../../drivers/address.ts';
import type { printerAt } from '../../drivers/printers/printer.ts';
import type { PrinterState } from '../api/contract/paper.ts';
import type { PaperPort } from '../api/ports/paper.ts';
import { Malformed } from '../api/problems.ts';
import { isCodePage } from '../base/code-pages.ts';
import { Fault } from '../base/fault.ts';
import { wrongField } from '../base/field-wants.ts';
import { type Config, changeConfig } from '../folder/config.ts';
import { type PrinterConfig, printerName } from '../folder/paper-config.ts';
import { openPrintJobStore, PaperQueue, type PrintJob, type StoredPrintJobs } from './paper-queue.ts';
import type { PaperParts } from './port.ts';

export type PrinterOf = typeof printerAt;

export type ConfiguredPrinter = { config: PrinterConfig; queue: PaperQueue };
export type NewPrinter = Parameters<PaperPort['addPrinter']>[0];

type Parts = Pick<PaperParts, 'running' | 'dataDir' | 'clock' | 'ids' | 'events' | 'report' | 'keeps'>;

export type Printers = {
  /** The present configuration, including changes since the till was started. */
  settings(): Config;
  all(): readonly ConfiguredPrinter[];
  /** Throws `printer.none`. */
  findPrinter(name: string): ConfiguredPrinter;
  /** The first printer with paper of this width, or the first of all. Throws `printer.none`. */
  defaultPrinter(width?: 58 | 80): ConfiguredPrinter;
  /** Throws `printer.address`, `printer.known`, `request.malformed`, `config.malformed`. */
  add(fresh: NewPrinter): ConfiguredPrinter;
  remove(name: string): void;
  /** The jobs that were waiting when the till last stopped; each must be queued again. */
  storedJobs(): StoredPrintJobs;
  close(): void;
};

export const openPrinters = (parts: Parts, printerOf: PrinterOf): Printers => {
  const { clock, events, report } = parts;
  const notifyChanged = () => events.tell({ on: 'changed', what: 'printers' });
  const devices: ConfiguredPrinter[] = [];
  const jobStore = openJobStore(parts, devices);
  let settings: Config = parts.running.config;

  const plugIn = (config: PrinterConfig): ConfiguredPrinter => {
    const printer = printerOf({ name: config.name, address: config.address, clock });
    const device = {
      config,
      queue: new PaperQueue({ printer, clock, onChange: notifyChanged, onKeep: jobStore.keep, report }),
    };
    devices.push(device);
    return device;
  };
  const save = (change: (printers: readonly PrinterConfig[]) => PrinterConfig[]): void => {
    settings = changeConfig(parts.dataDir, parts.ids, (config) => ({
      ...config,
      printers: change(config.printers ?? []),
    }));
  };
  const findPrinter = (name: string): ConfiguredPrinter => {
    const found = devices.find(({ config }) => config.name === name);
    if (found === undefined) throw new Fault('printer.none', { which: ` by the name of ${name}` });
    return found;
  };
  for (const config of settings.printers ?? []) plugIn(config);

  return {
    settings: () => settings,
    all: () => devices,
    findPrinter,
    defaultPrinter(width) {
      const found = devices.find(({ config }) => config.width === width) ?? devices[0];
      if (found === undefined) throw new Fault('printer.none', { which: '' });
      return found;
    },
    add(fresh) {
      const config = checkPrinter(fresh, devices);
      save((printers) => [...printers, config]);
      const device = plugIn(config);
      notifyChanged();
      return device;
    },
    remove(name) {
      const device = findPrinter(name);
      save((printers) => printers.filter((each) => each.name !== name));
      device.queue.close();
      devices.splice(devices.indexOf(device), 1);
      jobStore.keep();
      notifyChanged();
    },
    storedJobs: () => jobStore.left,
    close() {
      jobStore.end();
      for (const { queue } of devices) queue.close();
    },
  };
};

/** Stores the waiting jobs; after the close the file belongs to whoever opens it next. */
const openJobStore = ({ dataDir, clock, report, keeps }: Parts, devices: readonly ConfiguredPrinter[]) => {
  const file = openPrintJobStore({ dataDir, now: clock.now, report });
  let isOpen = keeps !== false;
  return {
    left: isOpen ? file.read() : [],
    keep(): void {
      if (!isOpen) return;
      file.write(
        devices.flatMap(({ config, queue }) => queue.storedJobs().map((one) => ({ printer: config.name, ...one }))),
      );
    },
    end(): void {
      isOpen = false;
    },
  };
};

const checkPrinter = ({ codePage, ...fresh }: NewPrinter, known: readonly ConfiguredPrinter[]): PrinterConfig => {
  const address = completePrinterAddress(fresh.address);
  if (!printerName.test(fresh.name)) throw new Malformed([wrongField('name', 'printerName')]);
  if (known.some(({ config }) => config.name === fresh.name)) throw new Fault('printer.known', { name: fresh.name });
  if (codePage !== undefined && !isCodePage(codePage)) {
    throw new Malformed([wrongField('codePage', 'codePage')]);
  }
  return { ...fresh, address, codePage };
};

/** Adds a job to the printer's queue. Resolves when it was printed, with the printer's state then. */
export const put = async (
  device: ConfiguredPrinter,
  job: PrintJob,
  how?: { again: boolean },
): Promise<PrinterState> => {
  await device.queue.add(job, how);
  return stateOf(device);
};

export const stateOf = ({ config, queue }: ConfiguredPrinter): PrinterState => ({
  name: config.name,
  address: config.address,
  width: config.width,
  drawer: config.drawer === true,
  ...queue.state(),
});
