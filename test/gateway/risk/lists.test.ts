/** Deny lists, the allow list and the maximum amount. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RiskRules } from '../../../src/gateway/risk/facts.ts';
import { meaningOf, resultCodes } from '../../../src/gateway/spec/results.ts';
import { payment, type SentValues, screening } from './screening.ts';

type Row = readonly [name: string, rules: RiskRules, values: SentValues, verdict: string];

const denyRules = (lists: RiskRules['deny']): RiskRules => ({ deny: lists ?? {} });

test.each<Row>([
  ['no rules', {}, {}, 'passed'],
  ['the whole beginning', denyRules({ bins: ['453957'] }), {}, '800.300.401'],
  ['eight digits', denyRules({ bins: ['45395787'] }), {}, '800.300.401'],
  ['eight digits, another last one', denyRules({ bins: ['45395788'] }), {}, 'passed'],
  ['the first of a range', denyRules({ bins: ['453957-453960'] }), {}, '800.300.401'],
  ['the last of a range', denyRules({ bins: ['453950-453957'] }), {}, '800.300.401'],
  ['one below a range', denyRules({ bins: ['453958-453960'] }), {}, 'passed'],
  ['one above a range', denyRules({ bins: ['453950-453956'] }), {}, 'passed'],
  ['a range of eight digits', denyRules({ bins: ['45395780-45395787'] }), {}, '800.300.401'],
  ['digits elsewhere in the number', denyRules({ bins: ['578763'] }), {}, 'passed'],
  ['a card encrypted by a terminal', denyRules({ bins: ['453957'] }), { 'card.number': '' }, 'passed'],
  ['an e-mail in other case', denyRules({ emails: ['jANE@example.com'] }), {}, '800.300.200'],
  ['another e-mail of its domain', denyRules({ emails: ['john@example.com'] }), {}, 'passed'],
  ['a domain', denyRules({ emails: ['@Example.com'] }), {}, '800.300.200'],
  ['the parent of its domain', denyRules({ emails: ['@com'] }), {}, 'passed'],
  ['the end of its domain', denyRules({ emails: ['@ample.com'] }), {}, 'passed'],
  ['a domain above it', denyRules({ emails: ['@example.com'] }), { 'customer.email': 'a@b.example.com' }, 'passed'],
  ['two @', denyRules({ emails: ['@example.com'] }), { 'customer.email': '"a@b"@example.com' }, '800.300.200'],
  ['an IP address', denyRules({ ips: ['192.0.2.7'] }), {}, '800.300.301'],
  ['an IP range', denyRules({ ips: ['192.0.2.0/29'] }), {}, '800.300.301'],
  ['one beyond an IP range', denyRules({ ips: ['192.0.2.0/29'] }), { 'customer.ip': '192.0.2.8' }, 'passed'],
  ['IPv4 written as IPv6', denyRules({ ips: ['192.0.2.0/29'] }), { 'customer.ip': '::FFFF:192.0.2.1' }, '800.300.301'],
  ['IPv6', denyRules({ ips: ['2001:db8::/32'] }), { 'customer.ip': '2001:DB8:1::5' }, '800.300.301'],
  [
    'a text that is not an IP address',
    denyRules({ ips: ['0.0.0.0/0', '::/0'] }),
    { 'customer.ip': 'unknown' },
    'passed',
  ],
  ['a country', denyRules({ countries: ['AT', 'DE'] }), {}, '800.300.102'],
  ['a country in lower case', denyRules({ countries: ['DE'] }), { 'billing.country': 'de' }, '800.300.102'],
  ['the shipping country', denyRules({ countries: ['AT'] }), { 'shipping.country': 'AT' }, 'passed'],
  ['the first matching list', denyRules({ countries: ['DE'], emails: ['@example.com'] }), {}, '800.300.200'],
])('deny: %s', async (_, rules, form, verdict) => {
  expect(await screening(rules).verdict(payment(form))).toBe(verdict);
});

describe('the maximum amount', () => {
  test.each<[string, string, SentValues, string]>([
    ['exactly', '10.00', {}, 'passed'],
    ['one cent above', '9.99', {}, '100.550.312'],
    ['written without decimals', '9', {}, '100.550.312'],
    ['risk.amount above', '10.00', { 'risk.amount': '10.01' }, '100.550.601'],
    ['risk.amount below', '9.00', { 'risk.amount': '9.00' }, 'passed'],
    ['no minor unit, exactly', '1000.00', { amount: '1000.00', currency: 'JPY' }, 'passed'],
    ['no minor unit, one above', '999.99', { amount: '1000', currency: 'JPY' }, '100.550.312'],
    ['three decimals, exactly', '1.25', { amount: '1.25', currency: 'KWD' }, 'passed'],
    ['three decimals, above', '1.24', { amount: '1.25', currency: 'KWD' }, '100.550.312'],
    ['beyond what a float holds', '9999999999.98', { amount: '9999999999.99' }, '100.550.312'],
  ])('%s', async (_, amountMax, form, verdict) => {
    expect(await screening({ amountMax }).verdict(payment(form))).toBe(verdict);
  });

  test('is reported with the parameter and the limit', async () => {
    const { refused: refusal } = await screening({ amountMax: '5.00' }).pay(payment());
    expect(refusal?.why).toBe('amount is above the channel’s limit of 5.00 EUR');
  });
});

describe('the allow list overrides everything', () => {
  const allRules: RiskRules = {
    amountMax: '0.01',
    velocity: [{ per: 'ip', withinMinutes: 60, most: 1, total: '0.01' }],
    deny: { bins: ['453957'], emails: ['@example.com'], ips: ['0.0.0.0/0', '::/0'], countries: ['DE'] },
    score: { refuseFrom: -99_999 },
  };

  test('each rule alone refuses, otherwise this would prove nothing', async () => {
    const { deny: lists, ...others } = allRules;
    const alone = [...Object.entries(others).map(([name, rule]) => ({ [name]: rule }))];
    for (const rules of [
      ...alone,
      ...Object.entries(lists ?? {}).map(([name, list]) => ({ deny: { [name]: list } })),
    ]) {
      const firstScreening = screening(rules);
      await firstScreening.pay(payment());
      expect(await firstScreening.verdict(payment())).not.toBe('passed');
    }
  });

  test.each<[string, NonNullable<RiskRules['allow']>]>([
    ['e-mail', { emails: ['jane@EXAMPLE.com'] }],
    ['IP address', { ips: ['192.0.2.7'] }],
    ['IP range', { ips: ['192.0.2.0/24'] }],
    ['customer', { customers: ['C1'] }],
  ])('by %s', async (_, allow) => {
    const { verdict } = screening({ ...allRules, allow });
    expect([await verdict(payment()), await verdict(payment())]).toEqual(['passed', 'passed']);
  });

  test.each<[string, NonNullable<RiskRules['allow']>]>([
    ['a domain', { emails: ['@example.com'] }],
    ['another customer', { customers: ['c1'] }],
    ['another IP address', { ips: ['192.0.2.8'] }],
    ['nothing', {}],
  ])('but not by %s', async (_, allow) => {
    expect(await screening({ ...allRules, allow }).verdict(payment())).not.toBe('passed');
  });

  test('for any payment and any rules', async () => {
    const optionalPart = <T>(args: readonly T[]) => fc.option(fc.subarray([...args]), { nil: undefined });
    const rules = fc.record({
      amountMax: fc.constantFrom('0.01', '10.00'),
      bins: optionalPart(['453957', '400000-499999']),
      ips: optionalPart(['::/0', '0.0.0.0/0', '192.0.2.7']),
      most: fc.integer({ min: 1, max: 3 }),
      refuseFrom: fc.integer({ min: -99_999, max: 99_999 }),
    });
    const sent = fc.record({ amount: fc.constantFrom('0.01', '10.00', '9999999999.99'), 'customer.ip': fc.ipV6() });
    await fc.assert(
      fc.asyncProperty(rules, fc.array(sent, { minLength: 1, maxLength: 5 }), async (drawn, payments) => {
        const { amountMax, bins = [], ips = [], most: velocityMax, refuseFrom } = drawn;
        const { verdict } = screening({
          amountMax,
          deny: { bins, ips },
          velocity: [{ per: 'card', withinMinutes: 5, most: velocityMax, total: amountMax }],
          score: { refuseFrom },
          allow: { customers: ['C1'] },
        });
        for (const each of payments) expect(await verdict(payment(each))).toBe('passed');
      }),
    );
  });
});

test('rules that no payment could match are refused, not ignored', async () => {
  await expect(screening({ deny: { ips: ['10.0.0.0/40'] } }).pay(payment())).rejects.toMatchObject({
    code: 'config.malformed',
  });
});

test('no refusal reveals anything about the customer', async () => {
  const lists = { bins: ['453957'], emails: ['@example.com'], ips: ['192.0.2.7'], countries: ['DE'] };
  for (const [name, list] of Object.entries(lists)) {
    const { refused: refusal } = await screening({ deny: { [name]: list } }).pay(payment());
    expect(refusal?.why).not.toMatch(/453957|example|192\.0|DE/);
  }
});

const codes = ['800.300.102', '800.300.200', '800.300.301', '800.300.401', '100.550.312', '100.550.601', '100.400.002'];
const velocityCodes = ['101', '102', '103', '201', '202', '203', '401'].map((last) => `800.120.${last}`);

test.each([...codes, ...velocityCodes])('%s is in the catalogue and means that nothing was charged', (code) => {
  expect(resultCodes.map((row) => row.code)).toContain(code);
  expect(['declined', 'refused']).toContain(meaningOf(code));
});
