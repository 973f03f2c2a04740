/** The example driver in drivers/new-driver.md is complete, compiles and fulfils the contract. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { IntegratedDriver } from '../../drivers/driver.ts';
import type { Model } from '../../drivers/simulation/simulator.ts';
import { integratedContract } from '../contract/integrated-terminal-cases.ts';
import { withSlashes } from '../support/platform/platform.ts';

const root = join(import.meta.dirname, '../..');
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');
const text = textOf('drivers/new-driver.md');
const files = [...text.matchAll(/^`drivers\/acme\/(\w+\.ts)`\n\n```ts\n(.*?)^```$/gms)];
const folder = mkdtempSync(join(tmpdir(), 'contributing-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As imports name it. */
const project = withSlashes(relative(folder, root));

/** Written as it would be in drivers/acme, with the paths to the other folders spelled out. */
for (const [, name = '', code = ''] of files) {
  const importFrom = (_: string, parentPath = 'drivers/') => `from '${project}/${parentPath}`;
  writeFileSync(join(folder, name), code.replaceAll(/from '\.\.\/(?:\.\.\/(src\/))?/g, importFrom));
}
writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
const load = createRequire(import.meta.url);
const { acme } = load(join(folder, 'driver.ts')) as { acme: IntegratedDriver };
const { acmeSimulator } = load(join(folder, 'simulator.ts')) as { acmeSimulator: Model };

describe('acme', () => {
  integratedContract({
    driver: acme,
    model: acmeSimulator,
    modelName: 'SIMULATED ACME',
    hello: 1,
    saleMessages: [2, 3, 4, 5],
    codes: {
      noMoney: '51',
      stolen: '43',
      wrongPin: '55',
      chipRefuses: '72',
      pulled: '64',
      stopped: '6C',
      unknownReceipt: 'B5',
      alreadyReversed: 'B4',
    },
  });
});

test('is three files of less than two hundred lines in total', () => {
  expect(files.map(([, name]) => name)).toEqual(['commands.ts', 'driver.ts', 'simulator.ts']);
  expect(files.flatMap(([, , code = '']) => code.trimEnd().split('\n')).length).toBeLessThan(200);
});

test('compiles', () => {
  const settings = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { typeRoots: [join(root, 'node_modules/@types')] },
    include: ['*.ts'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '--noEmit', '-p', folder], { encoding: 'utf8' });
  expect(stdout).toBe('');
});

test.each([
  ['CONTRIBUTING.md', 80],
  ['drivers/new-driver.md', 30],
  ['test/README.md', 50],
])('every file that %s names exists', (page, least) => {
  const names = [...textOf(page).matchAll(/`((?:src|drivers|test|build|docs|electron)\/[\w./-]*\w\/?)`/g)].map(
    ([, path = '']) => path,
  );
  const isMissing = (path: string): boolean => !path.startsWith('drivers/acme') && !existsSync(join(root, path));
  expect(names.length).toBeGreaterThan(least);
  expect(names.filter(isMissing)).toEqual([]);
});
