/**
 * Creates the live till's folder: completely under another name, then renamed in one step, so that a crash leaves no
 * live till or a complete one. Shop, terminals, people, printers and limits are copied; keys, receipts, programs' keys
 * and the gateway channel are new.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LiveChannel } from '../../api/contract/machine.ts';
import type { Clock } from '../../base/clock.ts';
import { errorText, Fault, isFault } from '../../base/fault.ts';
import { makeFolder, renameFile, syncFolder } from '../../base/files.ts';
import type { Ids, Random } from '../../base/ids.ts';
import { type Config, type PairedDevice, writeConfig } from '../../folder/config.ts';
import { type ConfiguredSecrets, loadSecrets } from '../../folder/keys/secrets.ts';
import { proveKey } from '../../folder/keys/till-signer.ts';
import { liveFolder } from '../../folder/till-exists.ts';
import { modeOf } from '../../folder/till-mode.ts';
import { liveCopyIn } from '../../journal/copy-disk.ts';
import { signerOf } from '../../journal/signing.ts';
import type { Sql } from '../../journal/sql.ts';
import { openTillJournal } from '../../ledger/schema.ts';
import { openAudit } from '../../staff/audit/audit.ts';
import { type CarriedStaff, type KnownPerson, noteCarried } from '../../staff/running.ts';

/** Where a live till's payments go. */
export type LiveGateway =
  | { at: 'channel'; channel: LiveChannel }
  /** The bundled gateway, with this processor. */
  | { at: 'upstream'; channel: LiveChannel }
  /** To no gateway: all terminals ask their banks themselves. */
  | { at: 'terminals' };

export type LivePlan = {
  /** The test till's folder. */
  dataDir: string;
  config: Config;
  gateway: LiveGateway;
  people: readonly KnownPerson[];
  browsers?: NonNullable<CarriedStaff['browsers']>;
  staffPepper: Uint8Array;
  /** The manager's name. */
  by: string | undefined;
  clock: Clock;
  ids: Ids;
  random: Random;
  sealKey?: Uint8Array | undefined;
  /** Opens the journal's file on another disk than this machine's. */
  open?: ((path: string) => Sql) | undefined;
  /** Called after each step, for tests that stop there. */
  onStep?: ((step: LiveStep) => void) | undefined;
};

export const liveSteps = ['cleared', 'config', 'logo', 'secrets', 'journal', 'renamed'] as const;
export type LiveStep = (typeof liveSteps)[number];

/** Throws `live.already`, `folder.unusable`, and the faults of writing a journal. */
export const makeLiveTill = (plan: LivePlan): void => {
  const { dataDir, config, gateway, ids, onStep = () => {} } = plan;
  const live = liveFolder(dataDir);
  const newFolder = `${live}.new`;
  if (existsSync(live)) throw new Fault('live.already', { folder: live });
  try {
    rmSync(newFolder, { recursive: true, force: true });
    onStep('cleared');
    makeFolder(newFolder);
    writeConfig(newFolder, configOf(config, gateway, ids));
    onStep('config');
    const logo = config.paper?.logo;
    if (logo !== undefined && existsSync(join(dataDir, logo)))
      writeFileSync(join(newFolder, logo), readFileSync(join(dataDir, logo)), { mode: 0o600, flush: true });
    onStep('logo');
    writeJournal(newFolder, plan);
    onStep('journal');
    syncFolder(newFolder);
    renameFile(newFolder, live);
    syncFolder(dataDir);
    onStep('renamed');
  } catch (error) {
    if (isFault(error)) throw error;
    throw new Fault('folder.unusable', { path: live, why: errorText(error) }, error);
  }
};

const configOf = (config: Config, to: LiveGateway, ids: Ids): Config => {
  const { device, terminals, secondCopy, gateway, simulatedTerminal: _, ...rest } = config;
  const { timeoutMs, requestLifeMs } = gateway;
  const times = { timeoutMs, requestLifeMs };
  return {
    ...rest,
    device: device && withoutTestHost(device),
    terminals: terminals?.map((one) => ({ ...one, device: one.device && withoutTestHost(one.device) })),
    secondCopy: secondCopy === undefined ? undefined : liveCopyIn(secondCopy),
    gateway: { ...channelOf(to, ids), ...times },
  };
};

const withoutTestHost = ({ testHost: _, ...device }: PairedDevice): PairedDevice => device;

const channelOf = (to: LiveGateway, ids: Ids): Pick<Config['gateway'], 'entityId' | 'baseUrl' | 'upstream'> => {
  if (to.at === 'terminals') return { entityId: ids.next() };
  const { baseUrl, entityId } = to.channel;
  return to.at === 'channel' ? { baseUrl, entityId } : { entityId: ids.next(), upstream: { baseUrl, entityId } };
};

const secretsOf = (to: LiveGateway): ConfiguredSecrets => {
  if (to.at === 'terminals') return {};
  return to.at === 'channel' ? { token: to.channel.token } : { upstreamToken: to.channel.token };
};

const writeJournal = (folder: string, plan: LivePlan): void => {
  const { gateway, staffPepper, by, clock, random, sealKey, open, onStep = () => {} } = plan;
  const newSecrets = { ...secretsOf(gateway), staffPepper };
  const secrets = loadSecrets(folder, { random, isNew: true, sealKey, newValues: newSecrets });
  onStep('secrets');
  const journal = openTillJournal(folder, { clock, open, sealKey });
  try {
    modeOf(journal, 'live');
    proveKey(journal, secrets.tillKey, join(folder, 'till.secrets.json'));
    journal.sealWith(signerOf(secrets.signingKey));
    openAudit(journal).note({ on: 'liveBegun' }, { name: by, permissions: [] });
    noteCarried({ journal, clock }, plan, by);
    journal.tidy();
  } finally {
    journal.close();
  }
};
