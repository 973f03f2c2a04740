/** Going live: the checklist over this till, a gateway that is tried, and the act of a manager. */
import { existsSync } from 'node:fs';
import type { GoingLivePort, LiveChannel } from '../../api/ports/going-live.ts';
import type { Clock } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import type { Ids, Random } from '../../base/ids.ts';
import type { DisplayMode } from '../../base/mode.ts';
import { restarter } from '../../base/restart-soon.ts';
import { type Config, loadConfig } from '../../folder/config.ts';
import { loadSecrets, readSecrets } from '../../folder/keys/secrets.ts';
import { liveFolder } from '../../folder/till-begun.ts';
import { acknowledgeMode, judgedLive } from '../../folder/till-mode.ts';
import type { Sql } from '../../journal/sql.ts';
import { openAudit } from '../../staff/audit/audit.ts';
import type { AuditNote } from '../../staff/audit/noted.ts';
import { peopleIn, pepperOf } from '../../staff/running.ts';
import { tellGoingLive } from '../../words/en/messages/machine.ts';
import type { RunningTill } from '../start-till.ts';
import { checklistOf, gatewayRow } from './checklist.ts';
import { type LiveGateway, type LiveStep, makeLiveTill } from './folder.ts';

export type GoingLiveParts = {
  running: Pick<RunningTill, 'journal' | 'staff'>;
  /** The till's folder, beside whose files a live till begins. */
  dataDir: string;
  mode: DisplayMode;
  /** From this machine's key store: the secrets lie sealed under it, and the live till's will. */
  sealKey?: Uint8Array | undefined;
  clock: Clock;
  ids: Ids;
  random: Random;
  report(error: unknown): void;
  /** Opens the live till in this one's place, as soon as it is quiet. */
  restart(): Promise<void>;
  /** A sale is under way: nobody goes live over it. */
  isSelling(): boolean;
  open?: ((path: string) => Sql) | undefined;
  made?: ((step: LiveStep) => void) | undefined;
};

/** Where the payments of a live till are to go, from whom it is known. */
type KnownChannel = { channel: LiveChannel; at: 'channel' | 'upstream' } | undefined;

export const openGoingLive = (parts: GoingLiveParts): GoingLivePort => {
  const { running, dataDir, clock, ids } = parts;
  const { note } = openAudit(running.journal);
  const restartSoon = restarter(parts);
  let tried: LiveChannel | undefined;

  const given = (channel: LiveChannel | undefined, config: Config): KnownChannel => {
    const named = channel ?? tried;
    return named === undefined ? upstreamIn(config, parts) : { channel: named, at: 'channel' };
  };
  const listed = async (channel?: LiveChannel) => {
    refuseUnlessTest(parts);
    const config = loadConfig(dataDir, ids);
    const to = given(channel, config);
    const list = await checklistOf({ config, people: running.staff.people(), channel: to?.channel, clock });
    return { config, to, list };
  };

  return {
    checklist: async () => (await listed()).list,
    async tryGateway(channel) {
      refuseUnlessTest(parts);
      const { timeoutMs } = loadConfig(dataDir, ids).gateway;
      const { done, says } = await gatewayRow(channel, { clock, timeoutMs });
      if (done) tried = channel;
      return { answered: done, says };
    },
    async goLive(channel, by) {
      refuseSale(parts);
      const { config, to, list } = await listed(channel);
      if (!list.ready) {
        const open = list.rows.filter(({ done }) => !done).map(({ item }) => item);
        throw new Fault('live.notReady', { open: open.join(',') });
      }
      // The gateway took its time to answer.
      refuseSale(parts);
      refuseUnlessTest(parts);
      const gateway: LiveGateway = list.withoutGateway || to === undefined ? { at: 'terminals' } : to;
      makeLiveTill({ ...parts, config, gateway, ...peopleOf(parts), by: by.name });
      noteOrReport(parts, () => note({ on: 'wentLive', folder: liveFolder(dataDir) } satisfies AuditNote, by));
      restartSoon();
    },
    found() {
      const judged = parts.mode === 'live' ? judgedLive(running.journal) : undefined;
      if (judged === undefined) return undefined;
      return tellGoingLive(judged === 'realTerminal' ? 'foundTerminal' : 'foundAnswer');
    },
    read(by) {
      if (judgedLive(running.journal) === undefined) return;
      note({ on: 'foundLiveRead' }, by);
      acknowledgeMode(running.journal);
    },
  };
};

const refuseUnlessTest = ({ mode, dataDir }: GoingLiveParts): void => {
  if (mode === 'training') throw new Fault('training.notHere');
  if (mode === 'live') throw new Fault('live.already', { folder: dataDir });
  const live = liveFolder(dataDir);
  if (existsSync(live)) throw new Fault('live.already', { folder: live });
};

const refuseSale = ({ isSelling }: GoingLiveParts): void => {
  if (isSelling()) throw new Fault('terminal.busy', { command: 'a sale' });
};

/** The processor that till.json names for the gateway in the box; a test till makes no use of it. */
const upstreamIn = ({ gateway: { upstream } }: Config, { dataDir, sealKey }: GoingLiveParts): KnownChannel => {
  const token = upstream && readSecrets(dataDir, sealKey)?.upstreamToken;
  return upstream === undefined || token === undefined
    ? undefined
    : { channel: { ...upstream, token }, at: 'upstream' };
};

const peopleOf = ({ running, dataDir, random, sealKey }: GoingLiveParts) => ({
  people: peopleIn(running.journal),
  browsers: running.staff.browsers.rows(),
  staffPepper: pepperOf(loadSecrets(dataDir, { random, isNew: false, sealKey })),
});

/** The live till is there: a test till's journal that cannot be written is no reason against it. */
const noteOrReport = ({ report }: GoingLiveParts, note: () => void): void => {
  try {
    note();
  } catch (error) {
    report(error);
  }
};
