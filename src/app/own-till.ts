/**
 * A till that a command opens for itself because none is served from its folder: with the services and local API of a
 * served till, but without a port. It sends, asks and prints nothing automatically.
 */
import { systemClock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { systemIds, systemRandom } from '../base/ids.ts';
import { displayModeOf } from '../folder/till-folder.ts';
import { openPaperService } from '../printing/service.ts';
import { placeFacts, shopFacts } from '../selling/shop.ts';
import { openSessions } from '../staff/sessions/sessions.ts';
import { openTerminalWatch } from '../terminals/terminal-watch.ts';
import { openEvents } from './events.ts';
import { tillServices } from './services.ts';
import type { RunningTill, TillOptions } from './start-till.ts';
import { openTillInstance, type TillInstance } from './till-instance.ts';

export type OwnTill = {
  running: RunningTill;
  /** Opens a session without a person. Undefined once there are people. */
  startCode(): string | undefined;
  /** Answers as a served till's local API answers its owner's commands. */
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
};

/** Never reached: a command ends long before that. */
const LOCK_AFTER_MS = 86_400_000;

/** Throws as `startTill` does; then nothing is left open. */
export const openOwnTill = async (options: TillOptions & { version: string }): Promise<OwnTill> => {
  const { clock = systemClock, ids = systemIds, random = systemRandom, report = () => {}, machine } = options;
  const { dataDir, version } = options;
  const training = displayModeOf(dataDir, 'test') === 'training';
  const events = openEvents(report);
  let opened: TillInstance | undefined;
  const instance = (): TillInstance => {
    if (opened === undefined) throw new Fault('till.stopping');
    return opened;
  };
  const sessions = openSessions({
    events,
    clock,
    random,
    report,
    staff: () => instance().running.staff,
    posKeys: () => instance().open.posKeys,
    shop() {
      const { config, mode, place } = instance().running;
      return shopFacts(config, { version, mode: training ? 'training' : mode, ...placeFacts(place) });
    },
    lockAfterMs: () => LOCK_AFTER_MS,
  });
  try {
    // A command's changes apply to the next command, which opens the till again.
    const restart = async (): Promise<void> => {};
    opened = await openTillInstance(
      {
        options: () => options,
        clock,
        ids,
        random,
        machine,
        report,
        training,
        unattended: true,
        events,
        terminalWatch: openTerminalWatch(clock),
        sessions,
        factories: { ...tillServices, paper: (parts) => openPaperService({ ...parts, keeps: false }) },
        standIn: { address: async () => undefined, isOffered: () => false, close: async () => {} },
        hosts: () => [],
        origins: () => [],
        stopping: new AbortController(),
      },
      restart,
    );
  } catch (error) {
    sessions.close();
    throw error;
  }
  return {
    running: opened.running,
    startCode: sessions.startCode,
    fetch: async (request) => instance().fetch(request, { owner: true }),
    async close() {
      sessions.close();
      await instance().close();
    },
  };
};
