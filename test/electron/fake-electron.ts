/** A stand-in for the Electron calls of the shell: it records them, and can play events. */
import { EventEmitter } from 'node:events';
import type { BrowserWindow, UtilityProcess } from 'electron';
import type { Shell } from '../../electron/shell.ts';

export type FakeChild = UtilityProcess & { messages: unknown[]; killed: number; die(code: number): void };

/** A child that receives messages and dies on command; nothing runs in it. */
export const fakeChild = (): FakeChild => {
  const emitter = new EventEmitter() as unknown as FakeChild;
  const messages: unknown[] = [];
  return Object.assign(emitter, {
    messages,
    killed: 0,
    stdout: new EventEmitter(),
    stderr: new EventEmitter(),
    postMessage: (message: unknown) => void messages.push(message),
    kill() {
      emitter.killed += 1;
      return true;
    },
    die: (code: number) => void emitter.emit('exit', code),
  }) as unknown as FakeChild;
};

export type FakeElectron = {
  shell: Shell;
  app: EventEmitter;
  children: FakeChild[];
  windows: { options: unknown; loaded: string[]; contents: EventEmitter; opener: () => unknown; isClosed: boolean }[];
  handlers: Map<string, (request: Request) => Promise<Response>>;
  session: Record<string, (...inputs: never[]) => unknown>;
  dialogs: { message: string }[];
  switches: string[];
  quits: { count: number };
};

/** A machine whose key store reverses texts: enough to see that data on the disk passed through it. */
export const rotate = (text: string): string => [...text].reverse().join('');

type Options = { userData: string; isFirst?: boolean; hasStore?: boolean; isPackaged?: boolean; version?: string };

export const fakeElectron = ({ userData, isFirst = true, hasStore = true, ...rest }: Options): FakeElectron => {
  const app = new EventEmitter();
  const switches: string[] = [];
  const quits = { count: 0 };
  const children: FakeChild[] = [];
  const windows: FakeElectron['windows'] = [];
  const handlers: FakeElectron['handlers'] = new Map();
  const session: FakeElectron['session'] = {};
  const dialogs: FakeElectron['dialogs'] = [];
  const guard = (name: string) => (handler: (...inputs: never[]) => unknown) => {
    session[name] = handler;
  };
  class Window extends EventEmitter {
    readonly webContents: EventEmitter & { setWindowOpenHandler(opener: () => unknown): void };
    constructor(options: unknown) {
      super();
      const one: FakeElectron['windows'][number] = {
        options,
        loaded: [],
        contents: new EventEmitter(),
        opener: () => undefined,
        isClosed: false,
      };
      windows.push(one);
      this.webContents = Object.assign(one.contents, {
        setWindowOpenHandler(opener: () => unknown) {
          one.opener = opener;
        },
      });
      Object.assign(this, {
        removeMenu() {},
        show() {},
        focus() {},
        reload() {},
        isMinimized() {
          if (one.isClosed) throw new TypeError('Object has been destroyed');
          return false;
        },
        isDestroyed: () => one.isClosed,
        loadURL: async (url: string) => void one.loaded.push(url),
      });
    }
  }
  const shell = {
    app: Object.assign(app, {
      requestSingleInstanceLock: () => isFirst,
      whenReady: () => Promise.resolve(),
      quit() {
        quits.count += 1;
        app.emit('before-quit', { preventDefault() {} });
      },
      exit() {
        quits.count += 1;
      },
      getPath: () => userData,
      getVersion: () => rest.version ?? '0.1.0',
      isPackaged: rest.isPackaged ?? false,
      commandLine: { appendSwitch: (name: string) => void switches.push(name) },
    }),
    BrowserWindow: Window as unknown as typeof BrowserWindow,
    protocol: {
      registerSchemesAsPrivileged() {},
      handle: (scheme: string, handler: (request: Request) => Promise<Response>) => void handlers.set(scheme, handler),
    },
    session: {
      defaultSession: {
        setPermissionRequestHandler: guard('request'),
        setPermissionCheckHandler: guard('check'),
        setDevicePermissionHandler: guard('device'),
        webRequest: { onBeforeRequest: guard('fetch') },
      },
    },
    safeStorage: {
      isEncryptionAvailable: () => hasStore,
      encryptString: (text: string) => Buffer.from(rotate(text)),
      decryptString: (bytes: Buffer) => rotate(bytes.toString()),
    },
    powerMonitor: new EventEmitter(),
    dialog: {
      /** Called with or without the window that the dialog belongs to. */
      async showMessageBox(...inputs: { message: string }[]) {
        dialogs.push(...inputs.slice(-1));
        return { response: 0, checkboxChecked: false };
      },
    },
    utilityProcess: {
      fork() {
        const child = fakeChild();
        children.push(child);
        return child;
      },
    },
  } as unknown as Shell;
  return { shell, app, children, windows, handlers, session, dialogs, switches, quits };
};
