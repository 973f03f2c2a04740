/** The known client libraries of this interface, from their public sources and test suites. */
import type { Dialect } from '../dialect.ts';
import { activemerchant, cardprocess, complete } from './activemerchant.ts';
import { hyperswitch, mandate } from './hyperswitch.ts';
import { catalystpay, hyperpay, laravel, omnipay, omnipayCustomer, phpOppwa, samples } from './php.ts';
import { payunity, pretix, vrpay, zeitlabs, zeitlabsCustomer } from './shops.ts';

export const dialects: readonly Dialect[] = [
  {
    client: 'activemerchant opp, minimal',
    signIn: 'alias',
    encoding: 'ruby',
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
    steps: activemerchant({}),
  },
  {
    client: 'activemerchant opp, complete',
    signIn: 'alias',
    encoding: 'ruby',
    refuses: ['customer.mobile', 'customer.phone', 'shipping.givenName', 'shipping.surname', 'threeDSecure.xid'],
    steps: activemerchant(complete),
  },
  {
    client: 'activemerchant cardprocess',
    signIn: 'body',
    encoding: 'ruby',
    refuses: ['customer.givenName', 'customer.surname'],
    steps: cardprocess,
  },
  { client: 'php-oppwa', signIn: 'body', encoding: 'form', steps: phpOppwa },
  { client: 'omnipay-oppwa', signIn: 'header', encoding: 'form', steps: omnipay },
  {
    client: 'omnipay-oppwa, a customer without names',
    signIn: 'header',
    encoding: 'form',
    refuses: ['customer.givenName', 'customer.surname'],
    steps: omnipayCustomer,
  },
  { client: 'omnipay-oppwa, first releases', signIn: 'body', encoding: 'form', steps: omnipay },
  {
    client: 'omnipay-hyperpay',
    signIn: 'header',
    encoding: 'form',
    headers: { accept: 'application/json' },
    steps: hyperpay,
  },
  { client: 'samples of the operator', signIn: 'body', encoding: 'plain', steps: samples },
  { client: 'hyperswitch aci', signIn: 'header', encoding: 'form', steps: hyperswitch },
  {
    client: 'hyperswitch aci, mandates',
    signIn: 'header',
    encoding: 'form',
    refuses: ['recurringType'],
    steps: mandate,
  },
  {
    client: 'pretix-oppwa',
    signIn: 'header',
    encoding: 'form',
    headers: { 'user-agent': 'python-requests/2.32.3', 'accept-encoding': 'gzip, deflate' },
    steps: pretix,
  },
  { client: 'zeitlabs-hyperpay', signIn: 'header', encoding: 'form', steps: zeitlabs },
  {
    client: 'zeitlabs-hyperpay, a customer without names',
    signIn: 'header',
    encoding: 'form',
    refuses: ['customer.givenName'],
    steps: zeitlabsCustomer,
  },
  { client: 'payunity bundle of digital-blueprint', signIn: 'header', encoding: 'form', steps: payunity },
  { client: 'INT.VrPay.Client', signIn: 'body', encoding: 'form', steps: vrpay },
  { client: 'catalystpay-php-sdk', signIn: 'header', encoding: 'form', steps: catalystpay },
  { client: 'laravel-hyperpay', signIn: 'header', encoding: 'form', steps: laravel },
];
