import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sections } from '../../../../src/gateway/spec/parameters/all.ts';
import type { Rows } from '../../../../src/gateway/spec/parameters/row.ts';
import { allRows, parserFor, sendable } from './cases.ts';

const { query: _query, reporting: _reporting, ...otherSections } = sections;
const allParameters: Rows = Object.assign({}, ...Object.values<Rows>(otherSections));
const parse = parserFor(allParameters);
const numbered = (count: number, name: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), 'x']));
const errorsOf = (form: Readonly<Record<string, string>>) => {
  const parsed = parse(form);
  return 'errors' in parsed ? parsed.errors : [];
};

describe('errors are reported by name, all at once', () => {
  const rules = [
    { name: 'currency', message: 'must go with an amount', holds: (sent: Rows | object) => 'amount' in sent },
    { name: 'amount', message: 'is never reported: the amount is already wrong', holds: () => false },
  ];
  const parseStrictly = parserFor(allParameters, { needs: ['entityId', 'paymentType'], rules });

  test('reports formats, missing parameters and rules', () => {
    expect(parseStrictly({ amount: '1,5', 'card.number': '42', 'customer.phone': '(0)' })).toEqual({
      errors: [
        { name: 'amount', value: '1,5', message: 'must be up to 10 digits, then optionally a dot and 2 decimals' },
        { name: 'card.number', value: '****', message: 'must be 8 to 32 digits' },
        {
          name: 'customer.phone',
          value: '(0)',
          message:
            'must be up to 25 characters: a plus sign or a digit, then digits, spaces, dots, parentheses, slashes or hyphens',
        },
        { name: 'entityId', value: null, message: 'may not be empty' },
        { name: 'paymentType', value: null, message: 'may not be empty' },
      ],
    });
  });

  test('reports a broken rule beside a wrong format', () => {
    const parsed = parseStrictly({ entityId: 'x', paymentType: 'DB', currency: 'EUR' });
    expect('errors' in parsed && parsed.errors.map(({ name, message }) => [name, message])).toEqual([
      ['entityId', 'must be 32 lower-case hexadecimal digits'],
      ['currency', 'must go with an amount'],
      ['amount', 'is never reported: the amount is already wrong'],
    ]);
  });

  test('reports unknown names with the probable name', () => {
    const form = {
      entityID: 'x',
      'card.numbr': '4200000000000000',
      'cart.items[01].name': 'x',
      'cart.items[1000].name': 'x',
      'cart.items[n].name': 'x',
      'customParameter[abc]': 'x',
      'threeDSecure.schemeData[CB-USECSE]': '01',
      shoeSize: '43',
    };
    expect(errorsOf(form).map(({ name, value, message }) => [name, value, message.split(', ')[1]])).toEqual([
      ['entityID', '****', 'did you mean entityId?'],
      ['card.numbr', '****', 'did you mean card.number?'],
      ['cart.items[01].name', '****', 'did you mean cart.items[n].name with n from 0 to 999?'],
      ['cart.items[1000].name', '****', 'did you mean cart.items[n].name with n from 0 to 999?'],
      ['cart.items[n].name', '****', 'did you mean cart.items[n].name with n from 0 to 999?'],
      ['customParameter[abc]', '****', 'did you mean customParameters[key]?'],
      ['threeDSecure.schemeData[CB-USECSE]', '****', undefined],
      ['shoeSize', '****', undefined],
    ]);
  });

  test('reports at most a hundred', () => {
    expect(errorsOf(numbered(2000, (index) => `stranger${index}`))).toHaveLength(100);
    expect(errorsOf(numbered(300, (index) => `cart.items[${index}].price`))).toHaveLength(100);
    const parsed = parseStrictly(numbered(2000, (index) => `stranger${index}`));
    expect('errors' in parsed && parsed.errors.length).toBe(100);
  });
});

describe('maps', () => {
  test.each(['customParameters', 'risk.parameters', 'merchant.data'])('%s has at most 100 names', (map) => {
    expect(errorsOf(numbered(100, (index) => `${map}[key${index}]`))).toEqual([]);
    expect(errorsOf({ ...numbered(100, (index) => `${map}[key${index}]`), [`${map}[key]`]: 'x' })).toEqual([
      { name: `${map}[key]`, value: null, message: `${map} has more than 100 names` },
    ]);
  });

  test('each map has its own count', () => {
    const bothLists = { ...numbered(100, (index) => `risk.parameters[k_${index}]`), 'customParameters[abc]': 'x' };
    expect(errorsOf(bothLists)).toEqual([]);
  });
});

describe('names that other programs stumble over', () => {
  const names = [
    '__proto__',
    'constructor',
    'toString',
    'customParameters',
    'customParameters[]',
    'customParameters[a][b]',
    'customParameters[[abc]]',
    'customParameters[abc]x',
    'customParameters[abc',
    'cart.items[0]',
    'cart.items[0][0].name',
    'cart.items.0.name',
    '[n]',
    '[key]',
    '[0]',
    ']',
    '['.repeat(5000),
    `cart.items${'[0]'.repeat(2000)}`,
    '',
  ];

  test.each(names)('%.40s is refused', (name) => {
    expect(errorsOf({ [name]: 'x' })).toHaveLength(1);
    const lenient = parse({ [name]: 'x' }, 'lenient');
    const request = 'request' in lenient ? Object.keys(lenient.request) : undefined;
    expect(request === undefined || request.length === 0).toBe(true);
  });

  test('an own __proto__ is an ordinary name', () => {
    const form = JSON.parse('{"__proto__":"x","customParameters[__proto__]":"y"}') as Record<string, string>;
    expect(errorsOf(form).map(({ name }) => name)).toEqual(['__proto__']);
    const parsed = parse({ 'customParameters[__proto__]': 'y' });
    expect('request' in parsed && Object.entries(parsed.request)).toEqual([['customParameters[__proto__]', 'y']]);
  });
});

describe('a lenient channel', () => {
  const form = { 'customer.phone': '(!?)555-5555', 'shipping.givenName': 'Jane', amount: '1.00' };

  test('keeps malformed customer data, drops unknown names, and warns', () => {
    expect(parse(form, 'lenient')).toEqual({
      request: { 'customer.phone': '(!?)555-5555', amount: '1.00' },
      warnings: [
        { name: 'customer.phone', message: expect.stringContaining('must be up to 25 characters') },
        { name: 'shipping.givenName', message: expect.stringContaining('is not an allowed parameter') },
      ],
    });
    expect(errorsOf(form).map(({ name }) => name)).toEqual(['customer.phone', 'shipping.givenName']);
  });

  test.each([
    ['amount', '1,00'],
    ['card.number', '42'],
    ['shipping.cost', '4.9'],
    ['cart.items[0].price', 'free'],
    ['customer.phone', 'x'.repeat(2049)],
    ['unknown', 'x'.repeat(2049)],
  ])('refuses %s=%.10s', (name, value) => {
    expect(parse({ [name]: value }, 'lenient')).toHaveProperty('errors.0.name', name);
  });

  test('refuses missing parameters, and returns at most a hundred warnings', () => {
    const parseWithNeeds = parserFor(allParameters, { needs: ['entityId'] });
    expect(parseWithNeeds(form, 'lenient')).toHaveProperty('errors.0.name', 'entityId');
    const parsed = parse(
      numbered(2000, (index) => `stranger${index}`),
      'lenient',
    );
    expect('request' in parsed && [Object.keys(parsed.request).length, parsed.warnings.length]).toEqual([0, 100]);
  });
});

test('the examples of all rows together form one valid request', () => {
  const form = Object.fromEntries(
    allRows.filter(([, name]) => name in allParameters).map(([, name, row]) => [sendable(name), row.example]),
  );
  expect(parse(form)).toEqual({ request: form, warnings: [] });
  expect(Object.keys(form).length).toBeGreaterThan(450);
});

const anyName = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constantFrom(...Object.keys(allParameters)),
  fc
    .tuple(fc.constantFrom(...Object.keys(allParameters)), fc.string({ maxLength: 8 }))
    .map(([name, key]) => name.replace(/\[n\]|\[key\]/g, `[${key}]`)),
);
const anyValue = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom('', '0', '*/0', '2026-02-30'));

test('no names and values make it throw, and it passes on only what was sent', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyName, anyValue), { maxLength: 20 }), fc.boolean(), (pairs, lenient) => {
      const form: Record<string, string> = Object.create(null);
      for (const [name, value] of pairs) form[name] = value;
      const parsed = parse(form, lenient ? 'lenient' : 'strict');
      if ('errors' in parsed) return parsed.errors.length > 0 && parsed.errors.length <= 100;
      return Object.entries(parsed.request).every(([name, value]) => form[name] === value);
    }),
    { numRuns: 300 },
  );
});
