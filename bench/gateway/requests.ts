/** The requests of the benchmark: a payment of 20 parameters with a public test card. */
import { luhnDigit } from '../../src/emv/luhn.ts';
import { formRequest } from './load.ts';

export const channel = { entityId: '8a8294174b7ecb28014b9699220015ca', token: 'bench-token' };

export const authorization = { authorization: `Bearer ${channel.token}` };

/** Numbers with a right check digit in a public test range, so that payments spread over many accounts. */
const cards = Array.from({ length: 500 }, (_, index) => {
  const partial = `4200000000${String(index).padStart(5, '0')}`;
  return `${partial}${luhnDigit(partial)}`;
});

let count = 0;

/** The next payment: 20 parameters. */
export const nextPayment = (): Buffer => {
  count += 1;
  const form = new URLSearchParams({
    entityId: channel.entityId,
    amount: '12.50',
    currency: 'EUR',
    paymentType: 'DB',
    paymentBrand: 'VISA',
    merchantTransactionId: `bench-${process.pid}-${count}`,
    'card.number': cards[count % cards.length] ?? '4200000000000000',
    'card.holder': 'Jane Jones',
    'card.expiryMonth': '05',
    'card.expiryYear': '2034',
    'card.cvv': '123',
    'customer.givenName': 'Jane',
    'customer.surname': 'Jones',
    'customer.email': 'jane@example.com',
    'customer.ip': '192.0.2.7',
    'billing.street1': 'Market Street 1',
    'billing.city': 'Graz',
    'billing.postcode': '8010',
    'billing.country': 'AT',
    'customParameters[order]': 'A-1007',
  });
  return formRequest('/v1/payments', form.toString(), authorization);
};
