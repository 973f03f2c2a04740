/** The readable reference: complete, safe, and without dead links. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { endpoints } from '../../../../src/gateway/server/all-endpoints.ts';
import { html } from '../../../../src/gateway/server/documents/html.ts';
import { referenceHeaders, referencePage } from '../../../../src/gateway/server/documents/reference.ts';
import { chapterOf, chapters } from '../../../../src/gateway/server/documents/reference-parameters.ts';
import type { ApiOperation } from '../../../../src/gateway/spec/operation.ts';
import { text } from '../../../../src/gateway/spec/parameters/kinds.ts';
import { resultCodes } from '../../../../src/gateway/spec/results.ts';

const operations = endpoints.map(({ operation }) => operation);
const page = referencePage(operations);

const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id ?? '');

test('describes every parameter of every operation once', () => {
  const names = new Set(operations.flatMap(({ accepts }) => Object.keys(accepts)));
  expect([...names].filter((name) => !ids.includes(name))).toEqual([]);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('every link except the one to the other document leads to something on the page', () => {
  const links = [...page.matchAll(/<a\b[^>]* href="([^"]*)"/g)].map(([, link]) => link ?? '');
  const innerLinks = links.filter((link) => link.startsWith('#')).map((link) => decodeURIComponent(link.slice(1)));
  expect(innerLinks.filter((id) => !ids.includes(id))).toEqual([]);
  expect(links.filter((link) => !link.startsWith('#'))).toEqual(['openapi.json']);
});

test('contains every result code and every operation', () => {
  expect(resultCodes.filter(({ code }) => !page.includes(`<code>${code}</code>`))).toEqual([]);
  const paths = operations.map(({ path }) => path.replace(':id', '{id}'));
  expect(paths.filter((path) => !page.includes(`<code>${path}</code>`))).toEqual([]);
});

test('runs and loads nothing; the style is the one that the policy names', () => {
  expect(page).toContain('<link rel="icon" href="data:');
  expect(page).not.toMatch(
    /<script|<img|<link(?! rel="icon" href="data:)|<iframe|<form|\sstyle="|\son[a-z]+="|javascript:/i,
  );
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(referenceHeaders['content-security-policy']).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; ` +
      `base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  expect(referenceHeaders['content-type']).toBe('text/html;charset=UTF-8');
});

test('tags are closed in their order', () => {
  const open: string[] = [];
  const problems: string[] = [];
  const empty = new Set(['meta', 'link', '!doctype']);
  for (const [, slash, name = ''] of page.matchAll(/<(\/?)([!a-z][a-z0-9]*)(?: [^>]*)?>/gi)) {
    if (empty.has(name.toLowerCase())) continue;
    if (slash === '') open.push(name);
    else if (open.pop() !== name) problems.push(name);
  }
  expect([problems, open]).toEqual([[], []]);
});

test('headings descend one level at a time', () => {
  const levels = [...page.slice(page.indexOf('<main')).matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
  expect(levels[0]).toBe(1);
  expect(levels.filter((level, index) => level > (levels[index - 1] ?? 1) + 1)).toEqual([]);
});

test('escapes all texts of rows and rules', () => {
  const hostileTitle = `"><script>alert('x')</script>&`;
  const operation: ApiOperation = {
    method: 'POST',
    path: '/v1/x',
    summary: hostileTitle,
    accepts: { a: text([1, 9], hostileTitle, { example: hostileTitle }) },
    needs: ['a'],
    rules: [{ name: 'a', message: hostileTitle, holds: () => true }],
  };
  expect(referencePage([operation])).not.toContain('<script');
  expect(html`<p>${hostileTitle}</p>`.html).toBe(
    '<p>&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;</p>',
  );
});

test.each([
  ['amount', ''],
  ['card.number', 'card.'],
  ['shipping.city', 'shipping.'],
  ['shipping.customer.email', 'shipping.customer.'],
  ['merchant.name', 'merchant.'],
  ['merchant.billing.city', 'merchant.billing.'],
  ['cart.items[n].name', 'cart.items['],
  ['customParameters[key]', 'customParameters['],
])('%s is in the chapter of %s', (name, prefix) => {
  expect(chapterOf(name)?.prefix).toBe(prefix);
});

test('structures have chapters of their own', () => {
  const names = operations.flatMap(({ accepts }) => Object.keys(accepts));
  const without = names.filter((name) => chapterOf(name)?.prefix === '' && /[.[]/.test(name));
  expect([...new Set(without)]).toEqual([]);
  expect(new Set(chapters.map(({ title }) => title)).size).toBe(chapters.length);
});
