/** Evidence that a cashier shows a customer: what happened, without anything that a bank says about a card. */
import { expect, test } from 'vitest';
import type { Facts } from '../../src/base/localized-message.ts';
import { type EvidenceCode, tellEvidence } from '../../src/locales/messages/en/sales.ts';
import { atCounter } from '../../src/selling/from-books.ts';

const stolen = '800.100.159 transaction declined (stolen card), payment 8ac7';
const shown = (name: EvidenceCode, facts?: Facts) => {
  const message = tellEvidence(name, facts as never);
  return atCounter({ at: 7, words: message.says, told: message });
};

test.each<[name: EvidenceCode, facts: Facts, words: string]>([
  ['hostDeclined', { answer: stolen }, 'the gateway declined: This card was declined'],
  ['sentDeclined', { answer: stolen }, 'sent later, declined: This card was declined'],
  ['search', { whom: 'X', answer: stolen }, 'X was asked for this sale: This card was declined'],
  ['notApproved', { answer: `: ${stolen}` }, 'the gateway had not approved it'],
  ['terminalDeclined', { answer: '2B declined, card stolen' }, 'the terminal declined: This card was declined'],
  ['hostDeclined', { answer: '800.100.166 x (Incorrect PIN)' }, 'the gateway declined: The PIN was wrong'],
])('%s shows only its group', (name, facts, text) => {
  const line = shown(name, facts);
  expect([line.at, line.words, line.told.says]).toEqual([7, text, text]);
  expect(JSON.stringify(line)).not.toContain('stolen');
});

test.each<[name: EvidenceCode, facts?: Facts]>([
  ['hostApproved', { answer: '000.100.110 done, payment 8ac7' }],
  ['begun', { amount: '12.50 EUR' }],
  ['cancelAsked'],
])('%s is shown unchanged', (name, facts) => {
  expect(shown(name, facts).told).toEqual(tellEvidence(name, facts as never));
});
