/** What a technician carries away from a running till, and brings to it: configuration, support bundle, updates. */
import type { ConfigurationPlan, DevicesDesk } from '../../api/ports/devices.ts';
import type { Actor } from '../../api/ports/session.ts';
import type { Diagnosis } from '../diagnosis.ts';
import { bundleFile, bundlePreview } from './bundle.ts';
import { exported, imported, planned, undone, undoOf } from './configuration.ts';
import type { Bench } from './devices-bench.ts';
import { type Noted, noteOn } from './noted.ts';
import { openReceipts } from './open-business.ts';
import type { DeskParts } from './parts.ts';
import { type Installer, updatesOf } from './updates.ts';

/** Messages of the conversations that go into a bundle. */
const TRACED_MOST = 500;

type Around = {
  bench: Bench;
  restartSoon(): void;
  /** The last one that was made. */
  diagnosis(): Diagnosis | undefined;
  installer?: Installer | undefined;
};

type Carried = Pick<
  DevicesDesk,
  | 'exportConfiguration'
  | 'planConfiguration'
  | 'importConfiguration'
  | 'undoPlan'
  | 'undoConfiguration'
  | 'bundlePreview'
  | 'bundle'
  | 'updates'
>;

export const carriedAway = (parts: DeskParts, { bench, restartSoon, diagnosis, installer }: Around): Carried => {
  const { running, clock, ids, dataDir: folder, version, terminalWatch } = parts;
  const configuration = { folder, ids, clock, openReceipts: () => openReceipts(running) };
  const note: Noted = noteOn(parts);
  const bundled = () => ({
    ...{ folder, clock, version, journal: running.journal.sql },
    diagnosis: diagnosis(),
    trace: terminalWatch.trace.soFar(TRACED_MOST),
  });
  const changing = async (change: () => ConfigurationPlan, by: Actor): Promise<ConfigurationPlan> => {
    bench.refuseSale();
    const plan = change();
    if (!plan.restart) return plan;
    note({ on: 'configurationImported', changed: plan.changes.map(({ field }) => field) }, by);
    restartSoon();
    return plan;
  };

  return {
    exportConfiguration(by) {
      note({ on: 'configurationExported' }, by);
      return exported(configuration);
    },
    planConfiguration: async (text) => planned(text, configuration),
    importConfiguration: (text, by) => changing(() => imported(text, configuration), by),
    undoPlan: () => undoOf(configuration),
    undoConfiguration: (by) => changing(() => undone(configuration), by),
    bundlePreview: () => bundlePreview(bundled()),
    bundle(by) {
      note({ on: 'bundleMade' }, by);
      return bundleFile(bundled());
    },
    updates: () => updatesOf(version, installer),
  };
};
