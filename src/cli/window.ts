/**
 * A till that a person starts in a Windows console. When the window is closed, the system ends every process of that
 * console within seconds, even during a sale. So the till runs in a process without a console. Its output is shown in
 * the window, and closing the window asks it to stop after its sales.
 */
import { spawn } from 'node:child_process';
import { environment } from '../folder/machine.ts';
import { onSignals } from './stop-signals.ts';

const VARIABLE = 'TILLGATE_BESIDE_WINDOW';

type Start = { platform: NodeJS.Platform; isTty: boolean; command: string | undefined };

/** Whether this program is a till in a console window that can be closed. */
export const isInWindow = ({ platform, isTty, command }: Start): boolean =>
  platform === 'win32' && isTty && command === 'start';

/** Runs this program again without a console. Resolves with its exit code. */
export const runBeside = (program: readonly string[]): Promise<number> => {
  const child = spawn(process.execPath, [...process.execArgv, ...program], {
    detached: true,
    windowsHide: true,
    // A program without a console cannot use the console's handles.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...environment(), [VARIABLE]: '1' },
  });
  child.stdout?.pipe(process.stdout, { end: false });
  child.stderr?.pipe(process.stderr, { end: false });
  const stopListening = onSignals(() => void (child.connected && child.send('stop')));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      stopListening();
      resolve(code ?? 1);
    });
  });
};

/** In the process without a console: Control-C in the window, or closing it, is a SIGINT here. */
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
  // The channel must not keep the process alive.
  channel.unref();
};
