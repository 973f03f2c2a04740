/**
 * The parts of Electron used here, and nothing else: the real module fits this type, and so does the tests' stand-in.
 */
import type {
  App,
  BrowserWindow,
  BrowserWindowConstructorOptions,
  Dialog,
  PowerMonitor,
  Protocol,
  SafeStorage,
  Session,
  UtilityProcess,
} from 'electron';

export type Shell = {
  app: Pick<
    App,
    | 'requestSingleInstanceLock'
    | 'releaseSingleInstanceLock'
    | 'whenReady'
    | 'on'
    | 'quit'
    | 'exit'
    | 'getPath'
    | 'getVersion'
    | 'isPackaged'
    | 'setLoginItemSettings'
  > & { commandLine: Pick<App['commandLine'], 'appendSwitch'> };
  BrowserWindow: new (options: BrowserWindowConstructorOptions) => BrowserWindow;
  protocol: Pick<Protocol, 'registerSchemesAsPrivileged' | 'handle'>;
  session: { defaultSession: Session };
  safeStorage: Pick<SafeStorage, 'isEncryptionAvailable' | 'encryptString' | 'decryptString'> &
    Partial<Pick<SafeStorage, 'getSelectedStorageBackend'>>;
  dialog: Pick<Dialog, 'showMessageBox'>;
  powerMonitor: Pick<PowerMonitor, 'on'>;
  utilityProcess: {
    fork(module: string, args: string[], options: { serviceName: string; stdio: 'pipe' }): UtilityProcess;
  };
};

/** The page's own address; nothing else is ever shown. */
export const PAGE = 'till://app/';
