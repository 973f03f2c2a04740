import fc from 'fast-check';
import { expect, test } from 'vitest';
import { returnUrlOf } from '../../../src/gateway/checkout/return-url.ts';
import { parseWebUrl } from '../../../src/gateway/spec/return-url.ts';

const checkout = { id: 'AB12.tillgate-tx01', kind: 'payment' } as const;
const added = 'id=AB12.tillgate-tx01&resourcePath=%2Fv1%2Fcheckouts%2FAB12.tillgate-tx01%2Fpayment';

test.each([
  ['https://shop.test/back', `https://shop.test/back?${added}`],
  ['https://shop.test', `https://shop.test/?${added}`],
  ['https://shop.test/back?', `https://shop.test/back?${added}`],
  ['https://shop.test/back?order=7', `https://shop.test/back?order=7&${added}`],
  // The shop's own query is not changed, not even to an equivalent spelling.
  ['https://shop.test/b?a=%20b+c&x&y=&a=1', `https://shop.test/b?a=%20b+c&x&y=&a=1&${added}`],
  ['https://shop.test/back#paid', `https://shop.test/back?${added}#paid`],
  ['https://shop.test/?a=1#/route?b=2', `https://shop.test/?a=1&${added}#/route?b=2`],
  ['https://shop.test/back?id=mine', `https://shop.test/back?id=mine&${added}`],
  ['http://127.0.0.1:8080/back', `http://127.0.0.1:8080/back?${added}`],
  ['https://käse.example/ö', `https://xn--kse-qla.example/%C3%B6?${added}`],
])('%s becomes a return address with the checkout’s id and path', (address, to) => {
  expect(returnUrlOf(address, checkout)).toBe(to);
});

test.each([
  'javascript:alert(1)',
  'JavaScript://shop.test/%0aalert(1)',
  'data:text/html,x',
  '//evil.example/',
  '/back',
  'shop.test/back',
  'https:evil.example',
  'https:///evil.example',
  'https://shop.test@evil.example/',
  'https://user:secret@shop.test/',
  'ftp://shop.test/',
  'shop://paid',
  'file:///etc/passwd',
  'https://',
  '',
  'https://shop.test:99999/',
  'https://shop.test/a b',
  'https://shop.test/a\r\nset-cookie: x=1',
])('refuses %s as a return address', (address) => {
  expect(parseWebUrl(address)).toBeUndefined();
  expect(returnUrlOf(address, checkout)).toBeUndefined();
});

test('no address ends a header line or leads elsewhere', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (suffix) => {
      const to = returnUrlOf(`https://shop.test/${suffix}`, checkout);
      if (to === undefined) return;
      expect(to).toMatch(/^https:\/\/shop\.test\/[\x21-\x7e]*$/);
      expect(new URL(to).host).toBe('shop.test');
      expect(new URL(to).searchParams.getAll('resourcePath').at(-1)).toBe('/v1/checkouts/AB12.tillgate-tx01/payment');
    }),
  );
});
