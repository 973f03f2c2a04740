/** The shopper, and addresses (spec 2.10 to 2.15). */
import { needed, type Rule } from '../operation.ts';
import { bothOrNeither, onlyWith } from './pairs.ts';
import { uses } from './structures.ts';

export const customerRules: readonly Rule[] = [
  ...needed(
    uses('customer'),
    ['customer.givenName', 'customer.surname'],
    'may not be empty when any other customer parameter is sent',
  ),
  ...['customer', 'shipping.customer'].flatMap((of) =>
    bothOrNeither(`${of}.identificationDocType`, `${of}.identificationDocId`),
  ),
];

/** A street that is digits only is a house number in the wrong place. */
const streetHasName = (address: string): Rule => {
  const [first, second] = [`${address}.street1`, `${address}.street2`];
  return {
    name: first,
    says: `may not be digits only, together with ${second}`,
    holds: (sent) => !/^[0-9]+$/.test(`${sent[first] ?? ''}${sent[second] ?? ''}`),
  };
};

export const addressRules: readonly Rule[] = [
  ...['billing', 'merchant.billing'].map(streetHasName),
  ...['billing', 'shipping', 'merchant.billing', 'merchant.shipping'].flatMap((address) =>
    onlyWith(`${address}.houseNumber2`, `${address}.houseNumber1`),
  ),
];
