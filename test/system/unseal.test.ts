/** The recovery code opens the secrets of either till in a data folder: the desktop app has one key for both. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeLiveTill } from '../../src/app/going-live/folder.ts';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds, systemRandom } from '../../src/base/ids.ts';
import { loadConfig } from '../../src/folder/config.ts';
import { createCode, recoveryStretchCost, sealUnder, writeKeyFile } from '../../src/folder/keys/key-file.ts';
import { loadSecrets } from '../../src/folder/keys/secrets.ts';
import { openTillJournal } from '../../src/ledger/schema.ts';

const random = systemRandom;
let data = '';
let code = '';
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'unseal-'));
  const sealKey = random(32);
  code = createCode(random);
  const recovery = await sealUnder(code, sealKey, { random, stretchCost: recoveryStretchCost });
  writeKeyFile(data, { version: 1, machine: 'of another machine', recovery });
  const config = loadConfig(data, systemIds);
  loadSecrets(data, { random, isNew: true, sealKey });
  openTillJournal(data, { clock: systemClock, sealKey }).close();
  makeLiveTill({
    ...{ dataDir: data, config, gateway: { at: 'terminals' }, people: [], by: undefined, sealKey },
    ...{ staffPepper: random(32), clock: systemClock, ids: systemIds, random },
  });
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const isSealed = (...folder: string[]): boolean =>
  'sealed' in (JSON.parse(readFileSync(join(data, ...folder, 'till.secrets.json'), 'utf8')) as object);

const unseal = (input: string, ...flags: string[]): string => {
  writeFileSync(join(data, 'lines.json'), JSON.stringify([['till', 'unseal', '--data', data, ...flags]]));
  const child = join(import.meta.dirname, 'commands-child.ts');
  return spawnSync(process.execPath, [child, join(data, 'lines.json')], { encoding: 'utf8', input: `${input}\n` })
    .stderr;
};

test('opens the live till once there is one, and with --test the test till', () => {
  expect([isSealed(), isSealed('live')]).toEqual([true, true]);
  expect(unseal(code)).toContain('are open again');
  expect([isSealed(), isSealed('live')]).toEqual([true, false]);
  expect(unseal(code, '--test')).toContain('are open again');
  expect([isSealed(), isSealed('live')]).toEqual([false, false]);
});

test('a wrong code opens neither', () => {
  expect(unseal(createCode(random))).toContain('recovery code');
  expect([isSealed(), isSealed('live')]).toEqual([true, true]);
});
