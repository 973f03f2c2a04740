/** What the check of the bundles finds, and what it accepts. */
import { describe, expect, test } from 'vitest';
import { lookAtScript, newerCssSyntax, newerInSheet, newerSyntax } from './newer.ts';

describe('names in scripts', () => {
  test.each([
    ['a static method of an interface that has others', 'URL.parse(a)', ['URL.parse']],
    ['a static method with a new name', 'Promise.withResolvers()', ['withResolvers']],
    ['a method', 'a.difference(b)', ['difference']],
    ['a function of the window', 'requestIdleCallback(a)', ['requestIdleCallback']],
    ['an interface', 'new CookieStore()', ['CookieStore']],
    ['one behind an unrelated condition', 'if (a) a.moveBefore(b)', ['moveBefore']],
  ])('finds %s', (_, code, names) => {
    expect(lookAtScript(code).newer).toEqual(names);
  });

  test.each([
    ['what the oldest browsers have', 'structuredClone(a.toSorted()); JSON.parse(a); Array.from(a); a.at(-1)'],
    ['the name of an own property', 'const a = { withResolvers: 1 }'],
    ['what is checked for with in', '"moveBefore" in a ? a.moveBefore(b) : 0'],
    ['what is checked for with typeof', 'typeof requestIdleCallback === "function" && requestIdleCallback(a)'],
    ['what is checked for directly', 'if (a.moveBefore !== undefined) a.moveBefore(b)'],
    ['an optional call', 'a.moveBefore?.(b)'],
  ])('lets pass %s', (_, code) => {
    expect(lookAtScript(code).newer).toEqual([]);
  });
});

describe('syntax of scripts', () => {
  test.each([
    ['a newer regular expression flag', '/[\\p{L}--[a-z]]/v.test(a)'],
    ['a using declaration', '{ using a = b; }'],
  ])('finds %s', (_, code) => {
    expect(newerSyntax(code)).toBeDefined();
  });

  test('accepts what the oldest browsers parse', () => {
    expect(
      newerSyntax('class A { static { a ??= b?.c } #d = /(?<!e)f/u } async () => { for await (const a of b); }'),
    ).toBe(undefined);
  });
});

describe('modules that wait', () => {
  test.each([
    ['await a;', true],
    ['for await (const a of b);', true],
    ['if (a) { b(await c) }', true],
    ['const a = async () => { await b };', false],
    ['class A { async b() { await c } }', false],
  ])('%s %s', (code, waits) => {
    expect(lookAtScript(code).waits).toBe(waits);
  });
});

describe('stylesheets', () => {
  test.each([
    ['a function', 'a{color:light-dark(#000,#fff)}', ['light-dark()']],
    ['a value', 'a{text-box-trim:none;position:fixed;width:stretch}', ['text-box-trim', 'width: stretch']],
    ['a property', 'a{field-sizing:content}', ['field-sizing']],
    ['a selector', 'a::details-content{color:red}', ['::details-content']],
    ['a rule', '@starting-style{a{opacity:0}}', ['@starting-style']],
  ])('finds %s', (_, css, names) => {
    expect(newerInSheet(css)).toEqual(names);
  });

  test.each([
    ['what is checked for with @supports', '@supports (color:light-dark(#000,#fff)){a{color:light-dark(#000,#fff)}}'],
    ['what the oldest browsers have', '@container (min-width:1px){a:has(b){inset-inline:0;width:clamp(1px,2vh,3px)}}'],
    ['what is in a string or an address', 'a{background:url(data:x;text-wrap:balance);content:"::details-content"}'],
  ])('lets pass %s', (_, css) => {
    expect(newerInSheet(css)).toEqual([]);
  });

  test('finds nested rules', () => {
    expect(newerCssSyntax('a{color:red;& b{color:blue}}')).toBeDefined();
    expect(newerCssSyntax('a{color:red}')).toBeUndefined();
  });
});
