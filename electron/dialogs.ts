/** What the app says by the system's own dialogs: where its window is not there, or is not enough. */
import type { Notice } from './place-till.ts';
import type { Shell } from './shell.ts';

type Dialog = Shell['dialog'];

const withReport = (file: string | undefined): string => (file === undefined ? '' : `, with the file ${file}`);

/** The window could not be opened. `report`: the file about it, where one could be written. */
export const sayFailed = (dialog: Dialog, { folder, report }: { folder: string; report: string | undefined }) =>
  dialog.showMessageBox({
    type: 'error',
    title: 'Tillgate',
    message: 'The till could not be opened.',
    detail: `Nothing was charged. What was written down in ${folder} is safe. Call support${withReport(report)}.`,
  });

/** The window is closed, and the till is not gone yet. */
export const sayClosing = (dialog: Dialog) =>
  dialog.showMessageBox({
    type: 'info',
    title: 'Tillgate',
    message: 'The till is closing.',
    detail: 'It waits for the end of a sale that is under way. Start it again in a moment.',
  });

/** The till goes on meanwhile. */
export const sayNotice = (dialog: Dialog, notice: Notice) =>
  void dialog.showMessageBox({ type: 'warning', title: 'Tillgate', ...notice });

/** The recovery code, once. */
export const showCode = (dialog: Dialog, code: string) =>
  dialog.showMessageBox({
    type: 'info',
    title: 'Recovery code',
    message: code,
    detail:
      'Write this code down and keep it where you keep the shop’s papers. It opens this till’s keys if this machine’s ' +
      'key store is ever lost. It is shown once, and kept nowhere.',
    buttons: ['I have written it down'],
  });
