import { expect, test } from 'vitest';
import { isEchoed, isNotStored, isTraceless } from '../../../../src/gateway/spec/parameters/all.ts';
import { misplacedCardNumbers } from '../../../../src/gateway/spec/parameters/misplaced-card-numbers.ts';

test.each([
  ['merchantTransactionId', 'echoed'],
  ['cart.items[0].name', 'echoed'],
  ['airline.passengers[1].legs[2].flightNumber', 'echoed'],
  ['customParameters[abc]', 'echoed'],
  ['risk.parameters[abc]', 'echoed'],
  ['threeDSecure.verificationId', 'echoed'],
  ['card.number', 'unkept'],
  ['bankAccount.iban', 'unkept'],
  ['applePay.paymentToken', 'unkept'],
  ['card.cvv', 'unkept, traceless'],
  ['giftCard.pin', 'unkept, traceless'],
  ['tokenAccount.cryptogram', 'unkept, traceless'],
  ['entityId', ''],
  ['cart.items[n].name', ''],
  ['cart.items[1000].name', ''],
  ['no.such.name', ''],
  ['__proto__', ''],
])('%s is %s', (name, marks) => {
  const found = { echoed: isEchoed(name), unkept: isNotStored(name), traceless: isTraceless(name) };
  expect(
    Object.entries(found)
      .filter(([, isMarked]) => isMarked)
      .map(([mark]) => mark)
      .join(', '),
  ).toBe(marks);
});

const CARD = '4200000000000000';
const IBAN = 'AT611904300234573201';

test.each<[parameters: Record<string, string>, errors: string[]]>([
  [{ 'card.number': CARD, merchantMemo: `card ${CARD}` }, ['merchantMemo must not hold the card number']],
  [{ 'card.number': CARD, merchantMemo: 'no. 4200 0000-0000.0000!' }, ['merchantMemo must not hold the card number']],
  [
    { 'card.number': CARD, 'cart.items[3].description': CARD },
    ['cart.items[3].description must not hold the card number'],
  ],
  [
    { 'card.number': CARD, [`customParameters[${CARD}]`]: 'x' },
    ['customParameters[420000******0000] must not hold the card number'],
  ],
  [{ 'card.number': CARD, merchantMemo: '4200000000000001' }, []],
  [{ 'card.number': CARD, 'pos.encryptedSred.data': CARD, 'sender.accountNumber': CARD }, []],
  [{ 'card.number': '42000000000', merchantMemo: '42000000000' }, []],
  [{ 'bankAccount.iban': IBAN, descriptor: 'at61 1904 3002 3457 3201' }, ['descriptor must not hold the IBAN']],
  [{ 'bankAccount.iban': IBAN, 'sender.accountNumber': IBAN }, []],
  [
    { 'bankAccount.number': '123456789012', merchantMemo: 'x123456789012x' },
    ['merchantMemo must not hold the bank account number'],
  ],
  [
    { 'tokenAccount.number': '4895370012003478', 'customer.merchantCustomerId': '4895370012003478' },
    ['customer.merchantCustomerId must not hold the token'],
  ],
  [
    { 'giftCard.number': '6036 2800 0000 0000', 'giftCard.message': '6036280000000000' },
    ['giftCard.message must not hold the gift card number'],
  ],
  // Any other card's number too, and card data.
  [{ merchantMemo: CARD }, ['merchantMemo must not hold a card number']],
  [{ 'customer.givenName': 'Jane, CVV 123' }, ['customer.givenName must not hold a card security code']],
  [{ 'customParameters[cvc]': '123' }, ['customParameters[cvc] must not hold a card security code']],
  [{ descriptor: `;${CARD}=31122011143804400000?` }, ['descriptor must not hold a track']],
  // Serial numbers come from machines.
  [{ 'pos.deviceId': CARD, 'pos.iccDataRequest': `5A08${CARD}` }, []],
])('strays of %j', (form, errors) => {
  const found = misplacedCardNumbers(form, undefined);
  expect(found.map(({ name, message }) => `${name} ${message}`)).toEqual(errors);
  expect(found.every(({ value }) => value === '****')).toBe(true);
});

test('the Idempotency-Key must not contain it either', () => {
  expect(misplacedCardNumbers({ 'card.number': CARD }, `sale-${CARD}`)).toEqual([
    { name: 'Idempotency-Key', value: '****', message: 'must not hold the card number' },
  ]);
});
