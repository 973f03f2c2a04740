/**
 * `node build/electron-builder.ts --linux|--win|--mac [--signed] [--updates ADDRESS]`: the installers. What goes in,
 * what the app is called on each system, who signs it, and the fuses that take from Electron what a till does not need.
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

/** Who signs: certificates and passwords themselves are read by electron-builder, from variables of its own. */
export type Signing = {
  /** As the certificate has it: an update of another publisher is not installed. */
  publisher?: string | undefined;
  /** Azure Trusted Signing, where that signs for Windows. */
  azure?: { endpoint: string; account: string; profile: string } | undefined;
  /** Whether Apple is asked for its notarisation. */
  notarize: boolean;
};

type Variables = Readonly<Record<string, string | undefined>>;

/** `TILLGATE_PUBLISHER`, `TILLGATE_AZURE_*`, `APPLE_API_KEY`; nothing is signed where they are not set. */
export const signingOf = (variables: Variables): Signing => {
  const [endpoint, account, profile] = ['ENDPOINT', 'ACCOUNT', 'PROFILE'].map(
    (name) => variables[`TILLGATE_AZURE_${name}`],
  );
  const azure = endpoint && account && profile ? { endpoint, account, profile } : undefined;
  const publisher = variables['TILLGATE_PUBLISHER'] || undefined;
  if (azure !== undefined && publisher === undefined)
    throw new Error('TILLGATE_PUBLISHER names who signs: set it beside TILLGATE_AZURE_ENDPOINT, _ACCOUNT and _PROFILE');
  return { publisher, azure, notarize: Boolean(variables['APPLE_API_KEY']) };
};

const forWindows = ({ publisher, azure }: Signing): Configuration['win'] => {
  if (publisher === undefined) return {};
  if (azure === undefined) return { signtoolOptions: { publisherName: publisher } };
  const { endpoint, account, profile } = azure;
  return {
    azureSignOptions: {
      ...{ publisherName: publisher, endpoint, codeSigningAccountName: account, certificateProfileName: profile },
    },
  };
};

export type BuilderWish = {
  /** Address of the folder that new versions are fetched from; ends in a slash. */
  updates: string;
  signing?: Signing;
  /** Nothing is made that is not signed. */
  mustSign?: boolean;
};

export const builderConfig = ({
  updates,
  signing = { notarize: false },
  mustSign = false,
}: BuilderWish): Configuration => ({
  appId: 'org.tillgate.till',
  productName: 'Tillgate',
  directories: { output: 'dist/installers', buildResources: 'build/installers' },
  files: [
    'dist/desktop/**',
    'package.json',
    '!**/*.{md,map,d.ts,d.mts,d.cts}',
    '!**/{test,tests,docs,example,examples}/**',
  ],
  extraMetadata: { main: 'dist/desktop/electron/main.js' },
  asar: true,
  // Native modules are opened by the system, which does not look into archives.
  asarUnpack: ['**/*.node', '**/prebuilds/**'],
  npmRebuild: false,
  electronFuses: fuses,
  publish: [{ provider: 'generic', url: updates }],
  icon: 'dist/icons/icon.png',
  forceCodeSigning: mustSign,
  extraResources: [{ from: 'dist/THIRD-PARTY-NOTICES.txt', to: 'THIRD-PARTY-NOTICES.txt' }],
  win: { target: [{ target: 'nsis', arch: ['x64'] }], icon: 'dist/icons/icon.png', ...forWindows(signing) },
  // For one user, without an administrator's yes: an update comes when nobody is there to give it. See the README.
  nsis: {
    oneClick: true,
    perMachine: false,
    include: 'build/installers/installer.nsh',
    deleteAppDataOnUninstall: false,
  },
  mac: {
    target: ['dmg', 'zip'],
    category: 'public.app-category.business',
    hardenedRuntime: true,
    notarize: signing.notarize,
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

const unsigned = `Not asked for: --signed. Without a certificate (CSC_LINK, WIN_CSC_LINK or TILLGATE_AZURE_*) the installers
are not signed: Windows and macOS warn of them, and an update is known by its hash alone.
`;

const main = async (): Promise<void> => {
  const [{ build, Platform }, { buildDesktop }, { drawIcons }, { writeNotices }] = await Promise.all([
    import('electron-builder'),
    import('./desktop.ts'),
    import('./icons.ts'),
    import('./notices.ts'),
  ]);
  await Promise.all([buildDesktop(), drawIcons()]);
  writeNotices();
  const wished = { '--linux': Platform.LINUX, '--win': Platform.WINDOWS, '--mac': Platform.MAC } as const;
  const targets = Object.entries(wished).flatMap(([flag, platform]) => (process.argv.includes(flag) ? [platform] : []));
  const platforms = targets.length === 0 ? [Platform.current()] : targets;
  const at = process.argv.indexOf('--updates');
  const updates = (at < 0 ? undefined : process.argv[at + 1]) ?? 'https://updates.tillgate.invalid/';
  const signing = signingOf(process.env);
  const mustSign = process.argv.includes('--signed');
  if (!mustSign) process.stdout.write(unsigned);
  const made = await build({
    projectDir: root,
    config: builderConfig({ updates, signing, mustSign }),
    targets: new Map(platforms.flatMap((platform) => [...platform.createTarget()])),
    publish: 'never',
  });
  process.stdout.write(`${made.join('\n')}\n`);
};

if (import.meta.main) await main();
