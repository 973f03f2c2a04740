/** A configuration moved from till to till: without secrets, refused as a whole, previewed, and undone. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Malformed } from '../../src/api/problems.ts';
import { systemIds } from '../../src/base/ids.ts';
import { type Config, changeConfig, loadConfig } from '../../src/folder/config.ts';
import {
  type ConfigurationParts,
  exportConfiguration,
  importConfiguration,
  previewImport,
  previewUndo,
  undoImport,
} from '../../src/terminals/support/configuration.ts';
import { virtualClock } from '../support/time/virtual-clock.ts';

let folder = '';
let open: number[] = [];
let parts: ConfigurationParts;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'configuration-'));
  open = [];
  parts = { folder, ids: systemIds, clock: virtualClock(), openReceipts: () => open };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Allows every change. */
const allowAnything = (): void => {};
const currentConfig = (): Config => loadConfig(folder, systemIds);
const file = () => readFileSync(join(folder, 'till.json'), 'utf8');
const changedText = (change: object): string => JSON.stringify({ ...currentConfig(), ...change });

test('an export can be imported at another till, and contains no password', () => {
  changeConfig(folder, systemIds, (config) => ({
    ...config,
    gateway: { ...config.gateway, baseUrl: 'https://user:hunter22@gateway.example/' },
  }));
  const { name, text } = exportConfiguration(parts);
  expect(name).toBe('till-10000001-2026-01-02.json');
  expect(text).not.toMatch(/hunter22|token|tillKey|signingKey/);
  expect(previewImport(text, parts).changes.map(({ field }) => field)).toEqual(['gateway.baseUrl']);
});

const bad: [says: string, text: () => string, fields: string[]][] = [
  ['no JSON', () => '{"merchant":', ['file']],
  ['nothing', () => '', ['file']],
  ['another kind of JSON', () => '[1, 2]', ['it']],
  [
    'an empty export',
    () => '{"file": "x", "configuration": {}}',
    ['merchant', 'currency', 'terminalId', 'gateway', 'offline'],
  ],
  ['a wrong number', () => changedText({ terminalId: 'T1' }), ['terminalId']],
  ['two at once', () => changedText({ terminalId: '', currency: 'EURO' }), ['currency', 'terminalId']],
  ['an unknown field', () => changedText({ pin: '1234' }), ['pin']],
  ['a deep one', () => changedText({ gateway: { ...currentConfig().gateway, timeoutMs: 1 } }), ['gateway.timeoutMs']],
  [
    'http without a slash',
    () => changedText({ gateway: { ...currentConfig().gateway, baseUrl: 'https://a.example' } }),
    ['gateway.baseUrl'],
  ],
  [
    'rules across fields',
    () => changedText({ gateway: { ...currentConfig().gateway, requestLifeMs: 0 } }),
    ['gateway.requestLifeMs'],
  ],
  [
    'a limit that is not an amount',
    () => changedText({ offline: { ...currentConfig().offline, perSale: '1.2.3' } }),
    ['offline.perSale'],
  ],
];
test.each(bad)('%s is refused with the field’s name, and nothing is changed', (_, text, fields) => {
  currentConfig();
  const before = file();
  const refusal = (() => {
    try {
      return importConfiguration(text(), parts, allowAnything);
    } catch (error) {
      return error;
    }
  })();
  expect(refusal).toBeInstanceOf(Malformed);
  const names = (refusal as Malformed).fields.map(({ name }) => name);
  expect(fields.every((field) => names.some((name) => name.startsWith(field.split('.')[0] ?? '')))).toBe(true);
  expect(file()).toBe(before);
  expect(previewUndo(parts)).toBeUndefined();
});

test('changes are previewed, made, and undone once', () => {
  const before = currentConfig();
  const text = changedText({ merchant: { ...before.merchant, name: 'HAFEN', vat: 'DE1' }, keepCardDataDays: 7 });
  const plan = {
    changes: [
      { field: 'merchant.name', before: 'MY SHOP', after: 'HAFEN', needs: 'pairTerminal' },
      { field: 'merchant.vat', after: 'DE1', needs: 'pairTerminal' },
      { field: 'keepCardDataDays', after: '7', needs: 'changeLimits' },
    ],
    restart: true,
  };
  expect(previewImport(text, parts).changes).toEqual(expect.arrayContaining(plan.changes));
  expect(currentConfig()).toEqual(before);
  expect(importConfiguration(text, parts, allowAnything).changes).toHaveLength(3);
  expect(currentConfig()).toMatchObject({ merchant: { name: 'HAFEN' }, keepCardDataDays: 7 });
  expect(previewUndo(parts)?.changes).toMatchObject(
    expect.arrayContaining([expect.objectContaining({ field: 'merchant.name', before: 'HAFEN', after: 'MY SHOP' })]),
  );
  undoImport(parts, allowAnything);
  expect(currentConfig()).toEqual(before);
  expect(() => undoImport(parts, allowAnything)).toThrow(expect.objectContaining({ code: 'config.nothingToUndo' }));
});

test('importing the same again changes nothing and keeps the undo', () => {
  const { text } = exportConfiguration(parts);
  expect(importConfiguration(text, parts, allowAnything)).toEqual({ changes: [], restart: false });
  expect(previewUndo(parts)).toBeUndefined();
});

test('with open sales gateway, currency and terminals cannot change; other settings can', () => {
  open = [17, 18];
  const refusal = expect.objectContaining({
    code: 'pairing.salesOpen',
    message: 'Terminal 10000001 still has 2 sales open: 000017, 000018',
  });
  currentConfig();
  const before = file();
  const upstream = { baseUrl: 'https://b.example/', entityId: 'b'.repeat(32) };
  for (const change of [
    { terminalId: '5' },
    { gateway: { ...currentConfig().gateway, baseUrl: 'https://b.example/' } },
    { gateway: { ...currentConfig().gateway, upstream } },
  ])
    expect(() => importConfiguration(changedText(change), parts, allowAnything)).toThrow(refusal);
  expect(file()).toBe(before);
  expect(importConfiguration(changedText({ keepCardDataDays: 3 }), parts, allowAnything).changes).toHaveLength(1);
  expect(undoImport(parts, allowAnything).changes).toHaveLength(1);
});

test('the check can stop a change: then nothing is written and nothing kept to undo', () => {
  const text = changedText({ merchant: { ...currentConfig().merchant, name: 'HAFEN' } });
  const seen: string[] = [];
  const stop = (changes: readonly { field: string }[]): void => {
    seen.push(...changes.map(({ field }) => field));
    throw new Error('not you');
  };
  const before = file();
  expect(() => importConfiguration(text, parts, stop)).toThrow('not you');
  expect([seen, file(), previewUndo(parts)]).toEqual([['merchant.name'], before, undefined]);
  importConfiguration(text, parts, allowAnything);
  const brought = file();
  expect(() => undoImport(parts, stop)).toThrow('not you');
  expect(file()).toBe(brought);
});
