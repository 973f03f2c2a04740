/** The guide to offline limits names every limit that exists. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limitNames } from '../../src/offline/change.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/offline.md'), 'utf8');

/** `chip.perCard.count` is in the row of `KIND.perCard`. */
const rowOf = (name: string): string =>
  name
    .replace(/^(chip|deferred)\./, 'KIND.')
    .replace(/^refunds\..*/, 'refunds')
    .split('.')
    .slice(0, 2)
    .join('.');

test.each([...new Set(limitNames().map(rowOf))])('%s', (name) => {
  expect(page).toMatch(new RegExp(`\\| \`.*${name.replaceAll('.', '\\.')}`));
});
