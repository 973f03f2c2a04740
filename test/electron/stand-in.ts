/** A stand-in for the Electron calls of the shell: it records them, and can play events. */
import { EventEmitter } from 'node:events';
import type { BrowserWindow, UtilityProcess } from 'electron';
import type { Shell } from '../../electron/shell.ts';

export type StandInChild = UtilityProcess & { told: unknown[]; killed: number; die(code: number): void };

/** A child that receives messages and dies on command; nothing runs in it. */
export const standInChild = (): StandInChild => {
  const emitter = new EventEmitter() as unknown as StandInChild;
  const told: unknown[] = [];
  return Object.assign(emitter, {
    told,
    killed: 0,
    stdout: new EventEmitter(),
    stderr: new EventEmitter(),
    postMessage: (message: unknown) => void told.push(message),
    kill() {
      emitter.killed += 1;
      return true;
    },
    die: (code: number) => void emitter.emit('exit', code),
  }) as unknown as StandInChild;
};

export type StandIn = {
  shell: Shell;
  app: EventEmitter;
  children: StandInChild[];
  windows: { options: unknown; loaded: string[]; contents: EventEmitter; opener: () => unknown; isClosed: boolean }[];
  handlers: Map<string, (request: Request) => Promise<Response>>;
  session: Record<string, (...given: never[]) => unknown>;
  shown: { message: string }[];
  switches: string[];
  quits: { count: number };
};

/** A machine whose key store reverses texts: enough to see that data on the disk passed through it. */
export const turned = (text: string): string => [...text].reverse().join('');

type Wish = { userData: string; isFirst?: boolean; hasStore?: boolean; isPackaged?: boolean; version?: string };

export const standIn = ({ userData, isFirst = true, hasStore = true, ...rest }: Wish): StandIn => {
  const app = new EventEmitter();
  const switches: string[] = [];
  const quits = { count: 0 };
  const children: StandInChild[] = [];
  const windows: StandIn['windows'] = [];
  const handlers: StandIn['handlers'] = new Map();
  const session: StandIn['session'] = {};
  const shown: StandIn['shown'] = [];
  const guard = (name: string) => (given: (...given: never[]) => unknown) => {
    session[name] = given;
  };
  class Window extends EventEmitter {
    readonly webContents: EventEmitter & { setWindowOpenHandler(opener: () => unknown): void };
    constructor(options: unknown) {
      super();
      const one: StandIn['windows'][number] = {
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
      encryptString: (text: string) => Buffer.from(turned(text)),
      decryptString: (bytes: Buffer) => turned(bytes.toString()),
    },
    powerMonitor: new EventEmitter(),
    dialog: {
      /** With or without the window that it belongs to. */
      async showMessageBox(...given: { message: string }[]) {
        shown.push(...given.slice(-1));
        return { response: 0, checkboxChecked: false };
      },
    },
    utilityProcess: {
      fork() {
        const child = standInChild();
        children.push(child);
        return child;
      },
    },
  } as unknown as Shell;
  return { shell, app, children, windows, handlers, session, shown, switches, quits };
};
