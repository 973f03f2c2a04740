/** `till stop`: ends the till that runs on a folder as Control-C does where it was started. No sale is cut. */
import type { Command } from 'commander';
import { systemClock as clock, pause } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { isFolderBusy, modeOfFolder } from '../folder/till-folder.ts';
import { waitForProcessEnd } from '../owner/process-end.ts';
import { type RunningFlags, runningFolder, runningTill, withRunning } from './running-till.ts';
import { printJson } from './shown-mode.ts';
import { print, tell } from './terms.ts';
import { count } from './till-options.ts';

const AFTERWORDS = `
A sale under way is asked for a cancel and waited for, however long that takes; Control-C here ends the waiting, not the
till's end. It needs no PIN: only the operating system's user who runs the till reaches it, and the administrator. What a
service keeps running is started again: end the service. Exit code 0: the till has ended, or none ran. 5: a till works
there that cannot be reached.`;

export const addStop = (till: Command): void => {
  withRunning(till.command('stop'))
    .description('end the till that runs on this folder, without cutting a sale')
    .addHelpText('after', AFTERWORDS)
    .action(stop);
};

const stop = async (flags: RunningFlags): Promise<void> => {
  const folder = runningFolder(flags);
  const isJson = flags.json === true;
  const till = await runningTill(folder);
  if (till === undefined) {
    if (isJson) printJson(modeOfFolder(folder), { stopped: false });
    else print(`No till runs on ${folder}.`);
    return;
  }
  const { closed } = await till.stop((underWay) => {
    if (!isJson && underWay > 0) tell(`${count(underWay, 'sale')} under way: asked for a cancel, and waited for.`);
  });
  await waitForProcessEnd(till.now.pid, clock);
  if (!closed) await untilFree(folder);
  if (isJson) printJson(till.now.mode, { stopped: true, closed });
  else print('The till has ended.');
  if (!closed && !isJson) tell('It did not close everything: the next start brings what was open to its end.');
};

const LOOKS = 100;
const LOOK_MS = 100;

/** A till that died has let go of its folder. Throws `till.unreachable` where it works on. */
const untilFree = async (folder: string): Promise<void> => {
  for (let looks = 0; isFolderBusy(folder); looks += 1) {
    if (looks === LOOKS) throw new Fault('till.unreachable', { data: folder, why: 'the connection to it was lost' });
    await pause(clock, LOOK_MS);
  }
};
