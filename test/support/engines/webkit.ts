/**
 * Debian's WebKit: WebKitGTK's MiniBrowser, driven by WebKitWebDriver, on an invisible screen (Xvfb, because this
 * browser cannot run without one). Each visit has its own screen, browser and folder.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Builder, type WebDriver } from 'selenium-webdriver';
import { vi } from 'vitest';
import { reservePort } from '../servers/reserved-port.ts';
import type { Engine, Visit, VisitOptions } from './page.ts';
import { visitOf } from './webkit-visit.ts';

const DRIVER = '/usr/bin/WebKitWebDriver';
const SCREEN = '/usr/bin/Xvfb';
const BROWSER = '/usr/lib/*/webkit2gtk-4.1/MiniBrowser';

const install = (pattern: string, debianPackage: string): string => {
  const [path] = pattern.includes('*') ? globSync(pattern) : [pattern];
  if (path === undefined || !existsSync(path))
    throw new Error(`${pattern} is missing: apt-get install ${debianPackage}`);
  return path;
};

/** A screen larger than any window, and its number. */
const openScreen = async (): Promise<{ display: string; child: ChildProcess }> => {
  const args = ['-displayfd', '3', '-screen', '0', '1600x1400x24', '-nolisten', 'tcp'];
  const child = spawn(install(SCREEN, 'xvfb'), args, {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const number = await new Promise<string>((resolve, reject) => {
    child.stdio[3]?.once('data', (bytes) => resolve(String(bytes).trim()));
    child.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
  });
  return { display: `:${number}`, child };
};

/** The browser's own folders. */
const foldersIn = (folder: string) => {
  const downloads = join(folder, 'downloads');
  const settings = join(folder, 'config');
  for (const each of [downloads, settings]) mkdirSync(each);
  writeFileSync(join(settings, 'user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${downloads}"\n`);
  return { downloads, settings };
};

const environment = (folder: string, { scheme, language = 'en' }: VisitOptions, display: string) => ({
  ...process.env,
  DISPLAY: display,
  GDK_BACKEND: 'x11',
  HOME: folder,
  XDG_CONFIG_HOME: join(folder, 'config'),
  XDG_CACHE_HOME: join(folder, 'cache'),
  XDG_DATA_HOME: join(folder, 'data'),
  XDG_RUNTIME_DIR: folder,
  GTK_THEME: scheme === 'dark' ? 'Adwaita:dark' : 'Adwaita',
  LANGUAGE: language,
  TZ: 'Europe/Berlin',
  NO_AT_BRIDGE: '1',
  // Our pages play no media, so no player is looked for.
  GST_PLUGIN_SYSTEM_PATH: folder,
});

const startDriver = async (env: NodeJS.ProcessEnv): Promise<{ url: string; child: ChildProcess }> => {
  const port = await reservePort();
  const child = spawn(install(DRIVER, 'webkit2gtk-driver'), [`--port=${port}`], {
    env,
    stdio: 'ignore',
    detached: true,
  });
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => fetch(`${url}/status`), { timeout: 30_000 });
  return { url, child };
};

const startSession = (url: string, binary: string): Promise<WebDriver> =>
  new Builder()
    .disableEnvironmentOverrides()
    .usingServer(url)
    .withCapabilities({
      browserName: 'MiniBrowser',
      acceptInsecureCerts: true,
      'webkitgtk:browserOptions': { binary, args: ['--automation'] },
    })
    .build();

/** Including everything in its process group. */
const waitForExit = async (child: ChildProcess): Promise<void> => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGKILL');
  await exited;
};

const openVisit = async (seat: VisitOptions): Promise<Visit> => {
  const folder = mkdtempSync(join(tmpdir(), 'webkit-'));
  const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    const { downloads } = foldersIn(folder);
    const screen = await openScreen();
    closers.push(() => waitForExit(screen.child));
    const driver = await startDriver(environment(folder, seat, screen.display));
    closers.push(() => waitForExit(driver.child));
    const session = await startSession(driver.url, install(BROWSER, 'libwebkit2gtk-4.1-0'));
    return await visitOf(session, { ...seat, downloads, close });
  } catch (error) {
    await close();
    throw error;
  }
};

export const openWebkit = async (): Promise<Engine> => {
  const visits: Visit[] = [];
  return {
    name: 'webkit',
    async visit(seat = {}) {
      const visit = await openVisit(seat);
      visits.push(visit);
      return visit;
    },
    async close() {
      for (const visit of visits) await visit.close();
    },
  };
};
