/** The shape of the rules in a configuration: a rule that protects nothing is refused. */
import { expect, test } from 'vitest';
import type { RiskRules } from '../../../src/gateway/risk/facts.ts';
import { riskRulesSchema } from '../../../src/gateway/risk/schema.ts';

const completeRules: RiskRules = {
  amountMax: '500.00',
  velocity: [{ per: 'card', withinMinutes: 60, most: 5, total: '1000' }],
  deny: {
    bins: ['411111', '41111111', '411111-411119', '41111100-41111199'],
    emails: ['jane@example.com', '@example.com'],
    ips: ['10.0.0.1', '10.0.0.0/8', '2001:db8::/32'],
    countries: ['DE'],
  },
  allow: { emails: ['jane@example.com'], ips: ['::1'], customers: ['C1'] },
  score: { refuseFrom: 100 },
};

test.each<[string, RiskRules]>([
  ['nothing', {}],
  ['everything', completeRules],
  ['empty lists', { velocity: [], deny: {}, allow: { emails: [] } }],
])('accepts %s unchanged', (_, rules) => {
  expect(riskRulesSchema.parse(rules)).toEqual(rules);
});

test.each<[string, unknown]>([
  ['amountMax', { amountMax: '5,00' }],
  ['amountMax', { amountMax: 5 }],
  ['amountMax', { amountMax: '5.0' }],
  ['amountMax', { amountMax: '-5.00' }],
  ['velocity.0.per', { velocity: [{ per: 'phone', withinMinutes: 1, most: 1 }] }],
  ['velocity.0.withinMinutes', { velocity: [{ per: 'card', withinMinutes: 0, most: 1 }] }],
  ['velocity.0.most', { velocity: [{ per: 'card', withinMinutes: 1, most: 1.5 }] }],
  ['velocity.0', { velocity: [{ per: 'card', withinMinutes: 1 }] }],
  ['deny.bins.0', { deny: { bins: ['41111'] } }],
  ['deny.bins.0', { deny: { bins: ['411111111'] } }],
  ['deny.bins.0', { deny: { bins: ['411119-411111'] } }],
  ['deny.bins.0', { deny: { bins: ['411111-41111199'] } }],
  ['deny.bins.0', { deny: { bins: ['4111 11'] } }],
  ['deny.emails.0', { deny: { emails: ['example.com'] } }],
  ['deny.emails.0', { deny: { emails: ['@'] } }],
  ['allow.emails.0', { allow: { emails: ['@example.com'] } }],
  ['deny.ips.0', { deny: { ips: ['10.0.0.0/33'] } }],
  ['allow.ips.0', { allow: { ips: ['localhost'] } }],
  ['deny.countries.0', { deny: { countries: ['de'] } }],
  ['allow.customers.0', { allow: { customers: [''] } }],
  ['score.refuseFrom', { score: { refuseFrom: 100_000 } }],
  ['score', { score: {} }],
  ['', { amountMaximum: '5.00' }],
  ['deny', { deny: { email: [] } }],
])('names the mistake in %s', (path, rules) => {
  const { success, error } = riskRulesSchema.safeParse(rules);
  expect(success).toBe(false);
  expect(error?.issues.some((issue) => issue.path.join('.').startsWith(path))).toBe(true);
});
