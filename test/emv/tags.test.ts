import { describe, expect, test } from 'vitest';
import { isSensitive, tagName, tagRow, tagRows } from '../../src/emv/tags.ts';
import { isConstructed, isTag } from '../../src/emv/tlv.ts';

describe('each row', () => {
  test.each(tagRows.map((row) => [row.tag, row] as const))('%s is well-formed', (tag, row) => {
    expect(isTag(tag)).toBe(true);
    expect(row.name.trim()).not.toBe('');
    expect(row.name).toBe(row.name.trim());
    const { least, most } = row.length ?? { least: 0, most: 252 };
    expect(Number.isInteger(least) && Number.isInteger(most) && least <= most && most > 0 && most <= 261).toBe(true);
    expect(tagRow(tag)).toBe(row);
    if (isConstructed(tag)) expect([row.format, row.sensitive]).toEqual(['b', true]);
  });

  test('appears once', () => {
    expect(new Set(tagRows.map(({ tag }) => tag)).size).toBe(tagRows.length);
  });
});

test('the dictionary holds EMV’s tags and the contactless kernels’', () => {
  expect(tagRows.length).toBeGreaterThan(200);
  expect(tagRow('9F02')).toEqual({
    tag: '9F02',
    name: 'Amount, Authorised (Numeric)',
    format: 'n',
    length: { least: 6, most: 6 },
    source: 'terminal',
    sensitive: false,
  });
  expect(tagRow('8E')?.length).toEqual({ least: 10, most: 252 });
  expect(tagRow('9F4B')?.length).toBeUndefined();
  expect(tagRow('91')?.source).toBe('issuer');
  expect(tagName('DF8129')).toBe('Outcome Parameter Set');
  expect(tagName('C1')).toBe('C1');
});

test.each(['57', '5A', '56', '99', '5F20', '5F24', '9F6B', '9F1F', '9F20', '9F0B', '9F60', '9F61', '70', '77', 'BF0C'])(
  '%s may hold account data, so it is sensitive',
  (tag) => {
    expect(isSensitive(tag)).toBe(true);
  },
);

test.each(['9F26', '9F27', '9F10', '9F36', '95', '9B', '82', '9F34', '84', '50', '5F34', '9F02', '5F2A', '8A', '91'])(
  '%s goes to the host and onto receipts, so it is not sensitive',
  (tag) => {
    expect(isSensitive(tag)).toBe(false);
  },
);

test.each(['C1', 'DF01', '9F7A', '', '9f26', 'nonsense'])(
  'what is not in the dictionary ("%s") is sensitive',
  (tag) => {
    expect(tagRow(tag)).toBeUndefined();
    expect(isSensitive(tag)).toBe(true);
  },
);
