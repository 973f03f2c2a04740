/**
 * The page in the window: reloaded when its process ends, at growing intervals, and at last only by a person. Sales
 * continue meanwhile, because they belong to the till's process.
 */
import type { BrowserWindow } from 'electron';
import type { Clock } from '../src/base/clock.ts';
import { waitBeforeReload } from './deadlines.ts';
import { PAGE, type Shell } from './shell.ts';

export type PageWatch = {
  clock: Clock;
  window: BrowserWindow;
  dialog: Shell['dialog'];
  crash(process: string, how: string, tail: string): string | undefined;
};

const MONEY = 'A sale in progress continues without the page and is not lost.';

/** Watches the page as long as the window exists. */
export const watchPage = (parts: PageWatch): void => {
  const { window } = parts;
  const question = askWhenStuck(parts);
  const pageGone = keepLoaded(parts);
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    question.drop();
    if (reason !== 'clean-exit') pageGone(`${reason}, exit code ${exitCode}`);
  });
};

/**
 * The reaction to its end: reload the same page at once, then the first page, which may work better, then ask a person.
 */
const keepLoaded = ({ clock, window, dialog, crash }: PageWatch): ((how: string) => void) => {
  let ends: number[] = [];
  const askForPerson = async (report: string | undefined): Promise<void> => {
    await dialog.showMessageBox(window, {
      type: 'error',
      title: 'Tillgate',
      message: 'The till’s page has ended several times.',
      detail: `${MONEY} Open the page again. If that does not help, restart this machine${helpWith(report)}.`,
      buttons: ['Open the page again'],
    });
    ends = [];
    if (!window.isDestroyed()) await window.loadURL(PAGE);
  };
  return (how) => {
    const report = crash('page', how, '');
    ends = [...ends, clock.monotonic()];
    const wait = waitBeforeReload(ends);
    if (wait === undefined) void askForPerson(report).catch(() => {});
    else
      clock.after(wait, () => {
        if (window.isDestroyed()) return;
        if (wait === 0) window.reload();
        else window.loadURL(PAGE).catch(() => {});
      });
  };
};

const helpWith = (report: string | undefined): string =>
  report === undefined ? ', or call support' : `, or call support, with the file ${report}`;

/** A page that does not answer is ended only by a person: it may be busy, and recover. */
const askWhenStuck = ({ window, dialog, crash }: PageWatch): { drop(): void } => {
  let controller: AbortController | undefined;
  const ask = async ({ signal }: AbortController): Promise<void> => {
    const { response } = await dialog.showMessageBox(window, {
      signal,
      type: 'warning',
      title: 'Tillgate',
      message: 'The till’s page does not answer.',
      detail: `${MONEY} Wait a moment. If it still does not answer, open the page again.`,
      buttons: ['Wait', 'Open the page again'],
      defaultId: 0,
      cancelId: 0,
    });
    if (response === 1 && !signal.aborted && !window.isDestroyed()) window.webContents.forcefullyCrashRenderer();
  };
  window.on('unresponsive', () => {
    if (controller !== undefined) return;
    crash('page', 'it does not answer', '');
    controller = new AbortController();
    void ask(controller)
      .catch(() => {})
      .finally(() => {
        controller = undefined;
      });
  });
  const drop = (): void => controller?.abort();
  window.on('responsive', drop);
  return { drop };
};
