/**
 * `node build/electron-builder.ts --linux|--win|--mac`: the installers. What goes in, what the app is called on each
 * system, and the fuses that take from Electron what a till does not need.
 */
import { join } from 'node:path';
import type { Configuration } from 'electron-builder';

const root = join(import.meta.dirname, '..');

/** Electron's fuses: the app cannot be started as Node, debugged, or run with code from beside its archive. */
export const fuses = {
  runAsNode: false,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableCookieEncryption: true,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  grantFileProtocolExtraPrivileges: false,
  loadBrowserProcessSpecificV8Snapshot: false,
} as const;

/** `updates`: address of the folder that new versions are fetched from; ends in a slash. */
export const builderConfig = (updates: string): Configuration => ({
  appId: 'org.tillgate.till',
  productName: 'Tillgate',
  directories: { output: 'dist/installers', buildResources: 'build/installers' },
  files: [
    'dist/desktop/**',
    'package.json',
    '!**/*.{md,map,d.ts,d.mts,d.cts}',
    '!**/{test,tests,docs,example,examples}/**',
    // Of the letters for paper only those that are read: 200 MB are not.
    '!node_modules/@fontsource/*/files/*.woff2',
    '!node_modules/@fontsource/*/files/*-{100,200,300,500,600,800,900}-*',
    '!node_modules/@fontsource/*/files/*-[0-9]*-*',
  ],
  extraMetadata: { main: 'dist/desktop/electron/main.js' },
  asar: true,
  // Native modules are opened by the system, which does not look into archives.
  asarUnpack: ['**/*.node', '**/prebuilds/**'],
  npmRebuild: false,
  electronFuses: fuses,
  publish: [{ provider: 'generic', url: updates }],
  icon: 'dist/icons/icon.png',
  win: { target: [{ target: 'nsis', arch: ['x64'] }], icon: 'dist/icons/icon.png' },
  nsis: {
    oneClick: false,
    perMachine: true,
    allowToChangeInstallationDirectory: false,
    deleteAppDataOnUninstall: false,
  },
  mac: {
    target: ['dmg', 'zip'],
    category: 'public.app-category.business',
    hardenedRuntime: true,
    icon: 'dist/icons/icon.png',
  },
  linux: {
    target: ['AppImage', 'deb'],
    category: 'Office',
    maintainer: 'Tillgate <packages@tillgate.invalid>',
    synopsis: 'Card payments at the till',
    icon: 'dist/icons/icon.png',
    extraResources: [{ from: 'build/linux', to: 'linux', filter: ['*.rules', '*.sh', '*.service', '*.desktop'] }],
  },
  deb: {
    depends: ['libgtk-3-0', 'libnss3', 'libsecret-1-0', 'libasound2', 'libudev1'],
    afterInstall: 'build/linux/after-install.sh',
    afterRemove: 'build/linux/after-remove.sh',
  },
});

const main = async (): Promise<void> => {
  const [{ build, Platform }, { buildDesktop }, { drawIcons }] = await Promise.all([
    import('electron-builder'),
    import('./desktop.ts'),
    import('./icons.ts'),
  ]);
  await Promise.all([buildDesktop(), drawIcons()]);
  const wished = { '--linux': Platform.LINUX, '--win': Platform.WINDOWS, '--mac': Platform.MAC } as const;
  const targets = Object.entries(wished).flatMap(([flag, platform]) => (process.argv.includes(flag) ? [platform] : []));
  const platforms = targets.length === 0 ? [Platform.current()] : targets;
  const at = process.argv.indexOf('--updates');
  const updates = (at < 0 ? undefined : process.argv[at + 1]) ?? 'https://updates.tillgate.invalid/';
  const made = await build({
    projectDir: root,
    config: builderConfig(updates),
    targets: new Map(platforms.flatMap((platform) => [...platform.createTarget()])),
    publish: 'never',
  });
  process.stdout.write(`${made.join('\n')}\n`);
};

if (import.meta.main) await main();
