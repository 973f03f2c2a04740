/** The one window: without privileges or a menu, with the till's page in it; and the system's dialogs. */
import type { App, BrowserWindow, BrowserWindowConstructorOptions, PowerMonitor, Session, WebContents } from 'electron';
import type { Notice } from './place-till.ts';
import { PAGE, type Shell } from './shell.ts';

export type WindowOptions = {
  /** Fills the screen and cannot be left: for a machine that is only a till. */
  kiosk: boolean;
  /** Started from the sources: its developer tools may be opened. */
  developing: boolean;
};

export const windowOptions = ({ kiosk, developing }: WindowOptions): BrowserWindowConstructorOptions => ({
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
    // A till in the background still counts seconds, and receives a payment's result.
    backgroundThrottling: false,
  },
});

/** Opens the window with the till's page; it appears when there is something to see. */
export const openWindow = (shell: Pick<Shell, 'BrowserWindow'>, request: WindowOptions): BrowserWindow => {
  const window = new shell.BrowserWindow(windowOptions(request));
  guardContents(window.webContents);
  window.removeMenu();
  window.once('ready-to-show', () => window.show());
  void window.loadURL(PAGE);
  return window;
};

// What the window may not do: navigate elsewhere, open windows, ask for camera, location or clipboard, embed other
// pages, fetch from anywhere but the till. From Electron's own list, "Security, native capabilities, and your
// responsibility".

const isOurs = (address: string): boolean => {
  try {
    const { protocol, host } = new URL(address);
    return protocol === 'till:' && host === new URL(PAGE).host;
  } catch {
    return false;
  }
};

/** The page stays, and is the only one. A download is not a navigation. */
export const guardContents = (contents: Pick<WebContents, 'on' | 'setWindowOpenHandler'>): void => {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-navigate', (event) => {
    if (!isOurs(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!isOurs(event.url)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
};

type GuardedSession = Pick<
  Session,
  'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler' | 'webRequest'
>;

/** No permission is ever granted; requests to other places than the till and the page's own data are blocked. */
export const guardSession = (session: GuardedSession): void => {
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest(({ url }, decide) => decide({ cancel: !isOurs(url) && !isMade(url) }));
};

/** Images and downloads that the page made from its own data; developer tools, which a packaged app never opens. */
const isMade = (address: string): boolean => /^(data|blob|devtools):/.test(address);

// The system is about to end the session: somebody signs out, or it shuts down for an update. No sale is interrupted by
// it.

export type SessionEndParts = {
  app: Pick<App, 'quit'>;
  window: Pick<BrowserWindow, 'on'>;
  powerMonitor: Pick<PowerMonitor, 'on'>;
};

/**
 * Delays the system's shutdown and asks the app to end, which waits for a sale in progress. The system continues when
 * the app is gone, or when a person or its own timeout forces it: then the sale is completed at the next start.
 */
export const holdSessionEnd = ({ app, window, powerMonitor }: SessionEndParts): void => {
  const delayEnd = (event: { preventDefault(): void }): void => {
    event.preventDefault();
    app.quit();
  };
  // Windows asks its windows; other systems notify the whole app.
  window.on('query-session-end', delayEnd);
  // The event is documented, but missing in Electron's types.
  powerMonitor.on('shutdown', delayEnd as unknown as () => void);
};

// The app's messages in the system's own dialogs: if there is no window, or it is not enough.

type Dialog = Shell['dialog'];

const withReport = (file: string | undefined): string => (file === undefined ? '' : `, with the file ${file}`);

/** The window could not be opened. `report`: the file about it, if it could be written. */
export const sayFailed = (dialog: Dialog, { folder, report }: { folder: string; report: string | undefined }) =>
  dialog.showMessageBox({
    type: 'error',
    title: 'Tillgate',
    message: 'The till could not be opened.',
    detail: `Nothing was charged. Everything recorded in ${folder} is safe. Call support${withReport(report)}.`,
  });

/** The window is closed, and the till has not ended yet. */
export const sayClosing = (dialog: Dialog) =>
  dialog.showMessageBox({
    type: 'info',
    title: 'Tillgate',
    message: 'The till is closing.',
    detail: 'It waits for the end of a sale in progress. Start it again in a moment.',
  });

/** The till continues meanwhile. */
export const sayNotice = (dialog: Dialog, notice: Notice) =>
  void dialog.showMessageBox({ type: 'warning', title: 'Tillgate', ...notice });

/** Shows the recovery code, once. */
export const showCode = (dialog: Dialog, code: string) =>
  dialog.showMessageBox({
    type: 'info',
    title: 'Recovery code',
    message: code,
    detail:
      'Write this code down and keep it with the shop’s papers. It opens this till’s keys if this machine’s ' +
      'key store is ever lost. It is shown only once and stored nowhere.',
    buttons: ['I have written it down'],
  });
