/**
 * A till that a person starts in a console of Windows. When its window is closed, the system ends every process of that
 * console within seconds, in the middle of a sale too. So the till runs beside the console, without one of its own:
 * what it says is shown there, and a closed window asks it to end, in its own time.
 */
import { spawn } from 'node:child_process';
import { environment } from '../folder/machine.ts';
import { onSignals } from './stop-signals.ts';

const VARIABLE = 'TILLGATE_BESIDE_WINDOW';

type Start = { platform: NodeJS.Platform; isTty: boolean; command: string | undefined };

/** Whether this program is in a window that may be closed, and is to run for as long as a shop is open. */
export const isInWindow = ({ platform, isTty, command }: Start): boolean =>
  platform === 'win32' && isTty && command === 'start';

/** Runs this program once more, beside the window, until it ends; resolves with its exit code. */
export const runBeside = (program: readonly string[]): Promise<number> => {
  const child = spawn(process.execPath, [...process.execArgv, ...program], {
    detached: true,
    windowsHide: true,
    // A console's own handles are of no use to a program without a console.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...environment(), [VARIABLE]: '1' },
  });
  child.stdout?.pipe(process.stdout, { end: false });
  child.stderr?.pipe(process.stderr, { end: false });
  const hearNoMore = onSignals(() => void (child.connected && child.send('stop')));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      hearNoMore();
      resolve(code ?? 1);
    });
  });
};

/** In a program beside a window: Control-C there is one here, and the window's end is one if none came before. */
export const hearWindow = (): void => {
  const { channel } = process;
  if (environment()[VARIABLE] === undefined || channel === undefined) return;
  let isAsked = false;
  const ask = (): void => {
    isAsked = true;
    process.emit('SIGINT');
  };
  process.on('message', ask);
  process.once('disconnect', () => {
    if (!isAsked) ask();
  });
  // Nobody stays for the window's sake.
  channel.unref();
};
