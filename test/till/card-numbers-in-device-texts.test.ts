/** Texts from terminals and gateways are stored without card data, however they are written. */
import { expect, test } from 'vitest';
import { cardFacts } from '../../src/till/machine/facts.ts';
import { paymentFacts, slipOf } from '../../src/till/machine/terminal-facts.ts';

const PAN = '4761739001010010';
const spellings = [
  PAN,
  '4761 7390 0101 0010',
  '4761.7390.0101.0010',
  [...PAN].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).join(''),
  `;${PAN}=31122011143804400000?`,
  'CVV 987',
];

test.each(spellings)('%s', (written) => {
  const slip = slipOf({ customerLines: [`no. ${written}`], merchantLines: ['TOTAL 12.50 EUR'] });
  const payment = paymentFacts({
    amount: { minor: 1_250n, currency: 'EUR' },
    receiptNumber: '0017',
    cardName: written,
    authorisationCode: written,
  });
  const card = cardFacts({ entryMode: 'ICC', maskedPan: written, sred: [], verification: 'none', label: written });
  for (const text of [slip.customer[0], payment.cardName, payment.authorisationCode, card.maskedPan, card.label]) {
    // Only the last four digits of a card number are kept, and no digits of any other text.
    expect((text ?? '').replace(/\P{Nd}/gu, '').length).toBeLessThanOrEqual(4);
    expect(text).not.toContain('987');
  }
  expect(slip.merchant).toEqual(['TOTAL 12.50 EUR']);
  expect(payment.receiptNumber).toBe('0017');
});
