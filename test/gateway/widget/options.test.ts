/** The options that shops set, and their mistakes. */
import { expect, test } from 'vitest';
import { optionsOf } from '../../../src/gateway/widget/browser/options.ts';

test.each([undefined, null, 7, 'text', [], {}])('%s gives the default options', (value) => {
  const options = optionsOf(value);
  expect(options.style).toBe('card');
  expect(options.requireCvv).toBe(true);
  expect(options.callbacks).toEqual({});
  expect([options.locale, options.billingAddress]).toEqual([undefined, undefined]);
});

test('an option of the wrong type counts as not set', () => {
  const options = optionsOf({ style: 'red', inlineFlow: 'PAYPAL', onReady: 'x', labels: { payNow: 7 }, locale: 3 });
  expect(options).toEqual(optionsOf({}));
});

test('flags may be texts, as pages write them', () => {
  expect(optionsOf({ requireCvv: 'false', maskCvv: 'true' })).toMatchObject({ requireCvv: false, maskCvv: true });
});

test('accepts texts by names that shops know from other widgets', () => {
  const { labels, errorMessages } = optionsOf({
    labels: { submit: 'Buy', cardHolder: 'Who' },
    errorMessages: { expiryMonthError: 'Month?' },
  });
  expect(labels).toEqual({ payNow: 'Buy', cardHolder: 'Who' });
  expect(errorMessages).toEqual({ expiryError: 'Month?' });
});

test('required billing fields, as a list or as flags', () => {
  expect(optionsOf({ mandatoryBillingFields: ['city'] }).mandatoryBillingFields).toEqual(['city']);
  expect(optionsOf({ mandatoryBillingFields: { city: true, country: false } }).mandatoryBillingFields).toEqual([
    'city',
  ]);
});
