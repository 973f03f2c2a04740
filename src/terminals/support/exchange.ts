/** What a technician exports from a running till or imports into it: configuration, support bundle, updates. */
import type { ConfigurationChange, ConfigurationPlan } from '../../api/contract/machine.ts';
import { mayDo } from '../../api/contract/roles.ts';
import type { DevicesPort, Permit } from '../../api/ports/devices.ts';
import type { Actor } from '../../api/ports/session.ts';
import type { Config } from '../../folder/config.ts';
import { openReceipts } from '../../ledger/open-figures.ts';
import { noteLimits } from '../../offline/change.ts';
import { noteOn, type RecordAudit } from '../../staff/audit/audit-notes.ts';
import type { Diagnosis } from '../checks/diagnosis.ts';
import type { Bench } from '../devices-bench.ts';
import type { TerminalsParts } from '../port.ts';
import {
  type CheckChange,
  exportConfiguration,
  importConfiguration,
  previewImport,
  previewUndo,
  undoImport,
} from './configuration.ts';
import { bundleFile, bundlePreview } from './support-bundle.ts';
import { type Installer, updatesOf } from './updates.ts';

/** The most traced messages in a bundle. */
const TRACED_MOST = 500;

type ExchangeContext = {
  bench: Bench;
  restartSoon(): void;
  /** The last diagnosis that was made. */
  diagnosis(): Diagnosis | undefined;
  installer?: Installer | undefined;
};

type ExchangePort = Pick<
  DevicesPort,
  | 'exportConfiguration'
  | 'planConfiguration'
  | 'importConfiguration'
  | 'undoPlan'
  | 'undoConfiguration'
  | 'bundlePreview'
  | 'bundle'
  | 'updates'
>;

type Change = { changes: readonly ConfigurationChange[]; before: Config; after: Config };

/**
 * Records who changes what before it is changed. Returns a function that withdraws the record about limits if the
 * change fails. A journal that cannot be written stops a manager's change, but not one that a technician may have been
 * called for.
 */
const noteChanges =
  (parts: TerminalsParts) =>
  ({ changes, before, after }: Change, { by, approvedBy }: { by: Actor; approvedBy: string }): (() => void) => {
    const { journal } = parts.running;
    const isTechnical = changes.every(({ needs }) => mayDo('technician', needs));
    const note: RecordAudit = isTechnical ? noteOn(parts) : parts.note;
    const approved = { approvedBy: approvedBy || undefined };
    note({ on: 'configurationImported', changed: changes.map(({ field }) => field), ...approved }, by);
    if (!changes.some(({ field }) => field.startsWith('offline.'))) return () => {};
    const who = by.name ?? by.program;
    const limits = { by: who, ...approved };
    noteLimits(journal, { ...limits, before: before.offline, after: after.offline });
    return () => noteLimits(journal, { ...limits, before: after.offline, after: before.offline });
  };

export const openExchange = (
  parts: TerminalsParts,
  { bench, restartSoon, diagnosis, installer }: ExchangeContext,
): ExchangePort => {
  const { running, clock, ids, dataDir: folder, version, terminalWatch } = parts;
  const configuration = { folder, ids, clock, openReceipts: () => openReceipts(running) };
  const note: RecordAudit = noteOn(parts);
  const noteChange = noteChanges(parts);
  const bundleParts = () => ({
    folder,
    clock,
    version,
    journal: running.journal.sql,
    diagnosis: diagnosis(),
    trace: terminalWatch.trace.latest(TRACED_MOST),
  });
  const applyChange = async (
    change: (check: CheckChange) => ConfigurationPlan,
    actor: Actor,
    permit: Permit,
  ): Promise<ConfigurationPlan> => {
    bench.refuseSale();
    let undoNote = (): void => {};
    try {
      const plan = change((changes, before, after) => {
        const approvedBy = permit(changes).join(', ');
        undoNote = noteChange({ changes, before, after }, { by: actor, approvedBy });
      });
      if (plan.restart) restartSoon();
      return plan;
    } catch (error) {
      undoNote();
      throw error;
    }
  };

  return {
    exportConfiguration(actor) {
      note({ on: 'configurationExported' }, actor);
      return exportConfiguration(configuration);
    },
    planConfiguration: async (text) => previewImport(text, configuration),
    importConfiguration: (text, actor, permit) =>
      applyChange((check) => importConfiguration(text, configuration, check), actor, permit),
    undoPlan: () => previewUndo(configuration),
    undoConfiguration: (actor, permit) => applyChange((check) => undoImport(configuration, check), actor, permit),
    bundlePreview: () => bundlePreview(bundleParts()),
    bundle(actor) {
      note({ on: 'bundleMade' }, actor);
      return bundleFile(bundleParts());
    },
    updates: () => updatesOf(version, installer),
  };
};
