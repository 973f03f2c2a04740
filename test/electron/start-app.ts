/** The app started with a stand-in for Electron's calls, and its window's page as the app answers it. */
import { expect, vi } from 'vitest';
import { type DesktopParts, startDesktop } from '../../electron/desktop.ts';
import type { Clock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import type { FakeElectron } from './fake-electron.ts';

export type Machine = { platform: NodeJS.Platform; programData: string | undefined };

export const appParts = (clock: Clock, argv: readonly string[] = []): DesktopParts => ({
  ...{ argv, clock, ids: systemIds, random: systemRandom },
  platform: 'linux',
  appImage: undefined,
  programFiles: undefined,
  take: async () => {},
  localAppData: undefined,
  programData: undefined,
  program: '/opt/Tillgate/tillgate',
  configHome: '/nowhere',
  tillModule: 'till.js',
  updater: {} as never,
});

export const until = (condition: () => boolean): Promise<void> =>
  vi.waitFor(() => expect(condition()).toBe(true), { timeout: 30_000 });

type Start = { clock: Clock; argv?: readonly string[] } & Partial<Omit<DesktopParts, 'clock' | 'argv'>>;

/** Resolves when its window is open. */
export const startApp = async (desktop: FakeElectron, { clock, argv, ...rest }: Start): Promise<FakeElectron> => {
  startDesktop(desktop.shell, { ...appParts(clock, argv), ...rest });
  await until(() => desktop.windows.length === 1);
  return desktop;
};

/** The page shown at a path, or after a form was posted there. */
export const page = async (
  { handlers }: FakeElectron,
  path: string,
  form?: Record<string, string>,
): Promise<Response> => {
  const handle = handlers.get('till');
  if (handle === undefined) throw new Error('no scheme');
  const init = form && { method: 'POST', body: new URLSearchParams(form) };
  return handle(new Request(`till://app${path}`, init));
};
