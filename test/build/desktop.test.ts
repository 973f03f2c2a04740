/**
 * The contents of the installers: the program as JavaScript, Electron where its package says, and a configuration that
 * electron-builder accepts.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validateConfiguration } from 'app-builder-lib/out/util/config/config.js';
import { DebugLogger } from 'builder-util';
import { expect, test } from 'vitest';
import { asScript, electronBinary } from '../../build/desktop.ts';
import { builderConfig, fuses, signingOf } from '../../build/electron-builder.ts';

test.each([
  ["import { a } from './a.ts';", "import { a } from './a.js';"],
  ["const b = await import('../b/c.ts');", "const b = await import('../b/c.js');"],
  ["new Worker(new URL('./worker.ts', import.meta.url));", "new Worker(new URL('./worker.js', import.meta.url));"],
  [
    "import words from './words.json' with { type: 'json' };",
    "import words from './words.json' with { type: 'json' };",
  ],
  ["say('see main.ts');", "say('see main.ts');"],
])('%s becomes JavaScript', (source, script) => expect(asScript(source)).toBe(script));

test('removes types and keeps every line in its place', () => {
  const script = asScript('const a: number = 1;\ntype B = { c: string };\nexport const d = (e: B): string => e.c;\n');
  expect(script).not.toMatch(/number|string/);
  expect(script.split('\n')).toHaveLength(4);
});

test('finds Electron where its package says, or not at all', () => {
  const folder = mkdtempSync(join(tmpdir(), 'electron-'));
  try {
    expect(electronBinary(folder)).toBeUndefined();
    writeFileSync(join(folder, 'path.txt'), 'electron');
    expect(electronBinary(folder)).toBeUndefined();
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist/electron'), '');
    expect(electronBinary(folder)).toBe(join(folder, 'dist/electron'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('electron-builder accepts the installers’ configuration', async () => {
  const config = builderConfig({ updates: 'https://updates.example/' });
  await expect(validateConfiguration(config, new DebugLogger(true))).resolves.toBeUndefined();
  await expect(validateConfiguration({ ...config, asarr: true } as never, new DebugLogger(true))).rejects.toThrow(
    /asarr/,
  );
});

test('the app cannot be run as Node, be debugged, or load other code', () => {
  expect(fuses).toMatchObject({
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    onlyLoadAppFromAsar: true,
    enableEmbeddedAsarIntegrityValidation: true,
  });
});

const azure = {
  TILLGATE_AZURE_ENDPOINT: 'https://a.example/',
  TILLGATE_AZURE_ACCOUNT: 'a',
  TILLGATE_AZURE_PROFILE: 'p',
};

test.each([
  { is: 'nothing', variables: {}, win: {}, notarize: false },
  {
    is: 'a certificate',
    variables: { TILLGATE_PUBLISHER: 'Tills Ltd' },
    win: { signtoolOptions: { publisherName: 'Tills Ltd' } },
    notarize: false,
  },
  {
    is: 'Azure',
    variables: { TILLGATE_PUBLISHER: 'Tills Ltd', ...azure },
    win: {
      azureSignOptions: {
        publisherName: 'Tills Ltd',
        endpoint: 'https://a.example/',
        codeSigningAccountName: 'a',
        certificateProfileName: 'p',
      },
    },
    notarize: false,
  },
  { is: 'Apple', variables: { APPLE_API_KEY: '/key.p8' }, win: {}, notarize: true },
])('signs installers by $is if the environment variables say so', async ({ variables, win, notarize }) => {
  const config = builderConfig({ updates: 'https://updates.example/', signing: signingOf(variables), mustSign: true });
  const { target: _, icon: __, ...signed } = config.win ?? {};
  expect(signed).toEqual(win);
  expect(config.mac).toMatchObject({ notarize });
  expect(config.forceCodeSigning).toBe(true);
  await expect(validateConfiguration(config, new DebugLogger(true))).resolves.toBeUndefined();
});

test("demands the publisher's name for signing", () => {
  expect(() => signingOf(azure)).toThrow('TILLGATE_PUBLISHER');
});

test('the Windows installer asks for no administrator, and every installer contains the licence notices', () => {
  const { nsis, extraResources } = builderConfig({ updates: 'https://updates.example/' });
  expect(nsis).toMatchObject({ perMachine: false, oneClick: true });
  expect(JSON.stringify(extraResources)).toContain('THIRD-PARTY-NOTICES.txt');
});
