/** The one window: no powers of its own, no menu, the till's page in it. */
import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron';
import { guardContents } from './guards.ts';
import { PAGE, type Shell } from './shell.ts';

export type WindowWish = {
  /** Fills the screen and cannot be left: for a till that does nothing else. */
  kiosk: boolean;
  /** Of a shell that was started from the sources: its developer tools may be opened. */
  developing: boolean;
};

export const windowOptions = ({ kiosk, developing }: WindowWish): BrowserWindowConstructorOptions => ({
  width: 1280,
  height: 800,
  minWidth: 800,
  minHeight: 480,
  show: false,
  kiosk,
  autoHideMenuBar: true,
  backgroundColor: '#1a1b1e',
  title: 'Tillgate',
  webPreferences: {
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    spellcheck: false,
    devTools: developing,
    // A till in the background still counts seconds, and hears of a payment's end.
    backgroundThrottling: false,
  },
});

/** Opens the window on the till's page; it shows itself when there is something to see. */
export const openWindow = (shell: Pick<Shell, 'BrowserWindow'>, wish: WindowWish): BrowserWindow => {
  const window = new shell.BrowserWindow(windowOptions(wish));
  guardContents(window.webContents);
  window.removeMenu();
  window.once('ready-to-show', () => window.show());
  void window.loadURL(PAGE);
  return window;
};
