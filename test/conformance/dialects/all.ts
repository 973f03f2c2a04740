/** The known client libraries of this interface, from their public sources and test suites. */
import type { Dialect } from '../dialect.ts';
import { activemerchant, cardprocess, complete } from './activemerchant.ts';
import { hyperswitch, mandate } from './hyperswitch.ts';
import { catalystpay, hyperpay, laravel, omnipay, omnipayCustomer, phpOppwa, samples } from './php.ts';
import { payunity, pretix, vrpay, zeitlabs, zeitlabsCustomer } from './shops.ts';

export const dialects: readonly Dialect[] = [
  {
    client: 'activemerchant opp, minimal',
    signsIn: 'alias',
    encodes: 'ruby',
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
    steps: activemerchant({}),
  },
  {
    client: 'activemerchant opp, complete',
    signsIn: 'alias',
    encodes: 'ruby',
    refused: ['customer.mobile', 'customer.phone', 'shipping.givenName', 'shipping.surname', 'threeDSecure.xid'],
    steps: activemerchant(complete),
  },
  {
    client: 'activemerchant cardprocess',
    signsIn: 'body',
    encodes: 'ruby',
    refused: ['customer.givenName', 'customer.surname'],
    steps: cardprocess,
  },
  { client: 'php-oppwa', signsIn: 'body', encodes: 'form', steps: phpOppwa },
  { client: 'omnipay-oppwa', signsIn: 'header', encodes: 'form', steps: omnipay },
  {
    client: 'omnipay-oppwa, a customer without names',
    signsIn: 'header',
    encodes: 'form',
    refused: ['customer.givenName', 'customer.surname'],
    steps: omnipayCustomer,
  },
  { client: 'omnipay-oppwa, first releases', signsIn: 'body', encodes: 'form', steps: omnipay },
  {
    client: 'omnipay-hyperpay',
    signsIn: 'header',
    encodes: 'form',
    headers: { accept: 'application/json' },
    steps: hyperpay,
  },
  { client: 'samples of the operator', signsIn: 'body', encodes: 'plain', steps: samples },
  { client: 'hyperswitch aci', signsIn: 'header', encodes: 'form', steps: hyperswitch },
  {
    client: 'hyperswitch aci, mandates',
    signsIn: 'header',
    encodes: 'form',
    refused: ['recurringType'],
    steps: mandate,
  },
  {
    client: 'pretix-oppwa',
    signsIn: 'header',
    encodes: 'form',
    headers: { 'user-agent': 'python-requests/2.32.3', 'accept-encoding': 'gzip, deflate' },
    steps: pretix,
  },
  { client: 'zeitlabs-hyperpay', signsIn: 'header', encodes: 'form', steps: zeitlabs },
  {
    client: 'zeitlabs-hyperpay, a customer without names',
    signsIn: 'header',
    encodes: 'form',
    refused: ['customer.givenName'],
    steps: zeitlabsCustomer,
  },
  { client: 'payunity bundle of digital-blueprint', signsIn: 'header', encodes: 'form', steps: payunity },
  { client: 'INT.VrPay.Client', signsIn: 'body', encodes: 'form', steps: vrpay },
  { client: 'catalystpay-php-sdk', signsIn: 'header', encodes: 'form', steps: catalystpay },
  { client: 'laravel-hyperpay', signsIn: 'header', encodes: 'form', steps: laravel },
];
