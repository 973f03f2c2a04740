/**
 * `node build/electron-builder.ts --linux|--win|--mac [--signed] [--updates ADDRESS]` builds the installers: their
 * contents, the app's name on each system, code signing, and the fuses that disable what a till does not need of
 * Electron.
 */
import { join } from 'node:path';
import type { Configuration } from 'electron-builder';

const root = join(import.meta.dirname, '..');

/** Electron's fuses: the app cannot be run as Node, cannot be debugged, and loads no code from outside its archive. */
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

/** Code signing. electron-builder reads the certificates and passwords itself, from its own environment variables. */
export type Signing = {
  /** The publisher's name in the certificate. An update from another publisher is not installed. */
  publisher?: string | undefined;
  /** Azure Trusted Signing, if it signs for Windows. */
  azure?: { endpoint: string; account: string; profile: string } | undefined;
  /** Whether to notarize the app with Apple. */
  notarize: boolean;
};

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads `TILLGATE_PUBLISHER`, `TILLGATE_AZURE_*` and `APPLE_API_KEY`. Nothing is signed without them. */
export const signingOf = (variables: Variables): Signing => {
  const [endpoint, account, profile] = ['ENDPOINT', 'ACCOUNT', 'PROFILE'].map(
    (name) => variables[`TILLGATE_AZURE_${name}`],
  );
  const azure = endpoint && account && profile ? { endpoint, account, profile } : undefined;
  const publisher = variables['TILLGATE_PUBLISHER'] || undefined;
  if (azure !== undefined && publisher === undefined)
    throw new Error(
      'TILLGATE_PUBLISHER is missing: set it together with TILLGATE_AZURE_ENDPOINT, _ACCOUNT and _PROFILE',
    );
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

export type BuilderOptions = {
  /** Address of the folder from which the app downloads new versions. Ends in a slash. */
  updates: string;
  signing?: Signing;
  /** Fails instead of building an unsigned installer. */
  mustSign?: boolean;
};

export const builderConfig = ({
  updates,
  signing = { notarize: false },
  mustSign = false,
}: BuilderOptions): Configuration => ({
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
  // The system loads native modules itself and cannot read archives.
  asarUnpack: ['**/*.node', '**/prebuilds/**'],
  npmRebuild: false,
  electronFuses: fuses,
  publish: [{ provider: 'generic', url: updates }],
  icon: 'dist/icons/icon.png',
  forceCodeSigning: mustSign,
  extraResources: [{ from: 'dist/THIRD-PARTY-NOTICES.txt', to: 'THIRD-PARTY-NOTICES.txt' }],
  win: { target: [{ target: 'nsis', arch: ['x64'] }], icon: 'dist/icons/icon.png', ...forWindows(signing) },
  // Installed for one user, without administrator rights: an update may come when nobody is there to confirm. See the
  // README.
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
  const platformFlags = { '--linux': Platform.LINUX, '--win': Platform.WINDOWS, '--mac': Platform.MAC } as const;
  const targets = Object.entries(platformFlags).flatMap(([flag, platform]) =>
    process.argv.includes(flag) ? [platform] : [],
  );
  const platforms = targets.length === 0 ? [Platform.current()] : targets;
  const index = process.argv.indexOf('--updates');
  const updates = (index < 0 ? undefined : process.argv[index + 1]) ?? 'https://updates.tillgate.invalid/';
  const signing = signingOf(process.env);
  const mustSign = process.argv.includes('--signed');
  if (!mustSign) process.stdout.write(unsigned);
  const artifacts = await build({
    projectDir: root,
    config: builderConfig({ updates, signing, mustSign }),
    targets: new Map(platforms.flatMap((platform) => [...platform.createTarget()])),
    publish: 'never',
  });
  process.stdout.write(`${artifacts.join('\n')}\n`);
};

if (import.meta.main) await main();
