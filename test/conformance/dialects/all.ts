/** The known client libraries of this interface, from their public sources and test suites. */
import type { Dialect } from '../dialect.ts';
import { activemerchant, cardprocess, complete } from './activemerchant.ts';
import { hyperswitch, mandate } from './hyperswitch.ts';
import { catalystpay, hyperpay, laravel, omnipay, omnipayCustomer, phpOppwa, samples } from './php.ts';
import { payunity, pretix, vrpay, zeitlabs, zeitlabsCustomer } from './shops.ts';

export const dialects: readonly Dialect[] = [
  {
    client: 'activemerchant opp, minimal',
    authentication: 'alias',
    encoding: 'ruby',
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
    steps: activemerchant({}),
  },
  {
    client: 'activemerchant opp, complete',
    authentication: 'alias',
    encoding: 'ruby',
    refusedParameters: [
      'customer.mobile',
      'customer.phone',
      'shipping.givenName',
      'shipping.surname',
      'threeDSecure.xid',
    ],
    steps: activemerchant(complete),
  },
  {
    client: 'activemerchant cardprocess',
    authentication: 'body',
    encoding: 'ruby',
    refusedParameters: ['customer.givenName', 'customer.surname'],
    steps: cardprocess,
  },
  { client: 'php-oppwa', authentication: 'body', encoding: 'form', steps: phpOppwa },
  { client: 'omnipay-oppwa', authentication: 'header', encoding: 'form', steps: omnipay },
  {
    client: 'omnipay-oppwa, a customer without names',
    authentication: 'header',
    encoding: 'form',
    refusedParameters: ['customer.givenName', 'customer.surname'],
    steps: omnipayCustomer,
  },
  { client: 'omnipay-oppwa, first releases', authentication: 'body', encoding: 'form', steps: omnipay },
  {
    client: 'omnipay-hyperpay',
    authentication: 'header',
    encoding: 'form',
    headers: { accept: 'application/json' },
    steps: hyperpay,
  },
  { client: 'samples of the operator', authentication: 'body', encoding: 'plain', steps: samples },
  { client: 'hyperswitch aci', authentication: 'header', encoding: 'form', steps: hyperswitch },
  {
    client: 'hyperswitch aci, mandates',
    authentication: 'header',
    encoding: 'form',
    refusedParameters: ['recurringType'],
    steps: mandate,
  },
  {
    client: 'pretix-oppwa',
    authentication: 'header',
    encoding: 'form',
    headers: { 'user-agent': 'python-requests/2.32.3', 'accept-encoding': 'gzip, deflate' },
    steps: pretix,
  },
  { client: 'zeitlabs-hyperpay', authentication: 'header', encoding: 'form', steps: zeitlabs },
  {
    client: 'zeitlabs-hyperpay, a customer without names',
    authentication: 'header',
    encoding: 'form',
    refusedParameters: ['customer.givenName'],
    steps: zeitlabsCustomer,
  },
  { client: 'payunity bundle of digital-blueprint', authentication: 'header', encoding: 'form', steps: payunity },
  { client: 'INT.VrPay.Client', authentication: 'body', encoding: 'form', steps: vrpay },
  { client: 'catalystpay-php-sdk', authentication: 'header', encoding: 'form', steps: catalystpay },
  { client: 'laravel-hyperpay', authentication: 'header', encoding: 'form', steps: laravel },
];
