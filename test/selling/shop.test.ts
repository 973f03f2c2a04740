/** What the screens show about the shop, from its configuration. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemIds } from '../../src/base/ids.ts';
import { changeConfig, loadConfig } from '../../src/folder/config.ts';
import { shopFacts } from '../../src/selling/shop.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shop-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const facts = () => shopFacts(loadConfig(folder, systemIds), { version: '1.2.3', mode: 'test' });

test('a new till offers the usual tips, in English', () => {
  expect(facts()).toMatchObject({
    ...{ currency: 'EUR', exponent: 2, language: 'en', version: '1.2.3', mode: 'test' },
    tipPercents: [5, 10, 15, 20],
  });
});

test('the shop decides which tips are offered, and reports its minor unit', () => {
  loadConfig(folder, systemIds);
  changeConfig(folder, systemIds, (config) => ({
    ...config,
    currency: 'JPY',
    screens: { language: 'de', tipPercents: [18, 20, 25] },
  }));
  expect(facts()).toMatchObject({ currency: 'JPY', exponent: 0, language: 'de', tipPercents: [18, 20, 25] });
});
