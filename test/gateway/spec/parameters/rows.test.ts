import { describe, expect, test } from 'vitest';
import type { ParameterRow } from '../../../../src/gateway/spec/parameters/row.ts';
import { allRows, limitsOf, parseAlone, sendable } from './cases.ts';

const acceptorOf = (template: string, row: ParameterRow) => {
  const parse = parseAlone(template, row);
  return (value: string, name = sendable(template)) => {
    const parsed = parse({ [name]: value });
    return 'request' in parsed && parsed.request[name] === value;
  };
};

describe.each(allRows)('%s: %s', (_, name, row) => {
  const { allowed, refused: disallowed } = limitsOf(row);
  const isAccepted = acceptorOf(name, row);

  test('accepts values just inside, refuses values just outside', () => {
    expect(allowed.filter((value) => !isAccepted(value))).toEqual([]);
    expect(disallowed.filter((value) => isAccepted(value))).toEqual([]);
    expect([allowed.length > 0, disallowed.length > 1]).toEqual([true, true]);
  });

  test('has a description, and a valid example', () => {
    expect([row.description, row.mustBe].filter((text) => text.trim() === '')).toEqual([]);
    expect(isAccepted(row.example)).toBe(true);
  });
});

const lists = allRows.filter(([, name]) => name.includes('[n]'));

test('there are lists, and lists within lists', () => {
  expect(lists.length).toBeGreaterThan(80);
  expect(lists.some(([, name]) => name === 'airline.passengers[n].legs[n].fareAmount')).toBe(true);
});

test.each(lists)('%s: %s runs from 0 to 999', (_, template, row) => {
  const isAccepted = acceptorOf(template, row);
  const places = template.split('[n]').length - 1;
  const nameAt = (place: number, index: string) => {
    const parts = template.split('[n]');
    return parts.reduce((name, part, each) => `${name}[${each - 1 === place ? index : '7'}]${part}`);
  };
  for (let place = 0; place < places; place += 1) {
    const isIndexAccepted = (index: string) => isAccepted(row.example, nameAt(place, index));
    expect(['0', '9', '10', '99', '100', '999'].filter((index) => !isIndexAccepted(index))).toEqual([]);
    expect(['1000', '01', '00', '-1', '+1', '1.0', 'x', '', 'n', ' 1', '１'].filter(isIndexAccepted)).toEqual([]);
  }
});

const maps = allRows.filter(([, name]) => name.endsWith('[key]'));

test('lists which names are maps', () => {
  expect(maps.map(([, name]) => name)).toEqual([
    'overridePaymentType[key]',
    'merchant.data[key]',
    'risk.parameters[key]',
    'customParameters[key]',
  ]);
});

test.each(maps)('%s: keys of %s', (_, template, row) => {
  const isAccepted = acceptorOf(template, row);
  const isKeyAccepted = (key: string) => isAccepted(row.example, template.replace('[key]', `[${key}]`));
  const [min, max, signs] = template.startsWith('override') ? [1, 32, '_'] : [3, 64, '._'];
  const validKeys = ['a'.repeat(min), 'a'.repeat(max), `A1${signs}z`, 'key', '123', '__proto__', 'constructor'];
  const bad = ['', 'a'.repeat(min - 1), 'a'.repeat(max + 1), 'a-b', 'a b', 'äöü', 'a[b', 'a]b', 'abc][def', 'abc\n'];
  expect(validKeys.filter((key) => !isKeyAccepted(key))).toEqual([]);
  expect(bad.filter(isKeyAccepted)).toEqual([]);
});

test('parameters that may not be stored are not returned, and each account is in its expected place', () => {
  const secrets = allRows.filter(([, , { secret }]) => secret === 'account' || secret === 'authentication');
  expect(secrets.filter(([, , { echo }]) => echo === true)).toEqual([]);
  expect(secrets.map(([, name, { secret }]) => `${secret} ${name}`).sort()).toEqual([
    'account applePay.paymentToken',
    'account bankAccount.iban',
    'account bankAccount.number',
    'account card.number',
    'account giftCard.number',
    'account googlePay.paymentToken',
    'account pos.encryptedPin.ksn',
    'account pos.encryptedSred.data',
    'account pos.encryptedSred.ksn',
    'account pos.iccDataRequest',
    'account recipient.accountNumber',
    'account risk.accountToken',
    'account samsungPay.paymentToken',
    'account sender.accountNumber',
    'account tokenAccount.number',
    'account virtualAccount.accountId',
    'account webhook.secret',
    'authentication card.cvv',
    'authentication giftCard.pin',
    'authentication pos.encryptedPin.data',
    'authentication tokenAccount.cryptogram',
    'authentication tokenAccount.dtvc',
  ]);
});

test('a lenient channel accepts errors only in customer and address data', () => {
  const structures = allRows
    .filter(([, , { lenient }]) => lenient === true)
    .map(([, name]) => name.replace(/\.[^.]*$/, ''));
  const tops = new Set(structures.map((name) => name.split('.')[0]));
  expect([...tops].sort()).toEqual([
    'billing',
    'cart',
    'corporate',
    'customer',
    'merchant',
    'recipient',
    'sender',
    'shipping',
  ]);
  expect(allRows.filter(([, , { lenient }]) => lenient === 'short').map(([, name]) => name)).toEqual([
    'merchantTransactionId',
  ]);
  expect(structures.filter((name) => name.startsWith('cart') && name !== 'cart.items[n].recipient')).toEqual([]);
});
