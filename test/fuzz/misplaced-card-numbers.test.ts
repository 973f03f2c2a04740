/** Data that are never stored must not come in under another name: card data in a stored parameter, in any spelling. */
import { expect, test } from 'vitest';
import { misplacedCardNumbers } from '../../src/gateway/spec/parameters/misplaced-card-numbers.ts';
import { secrets } from './entities.ts';

const { pan, pinBlock, sred } = secrets;
const groupPan = (separator: string): string => pan.replace(/\d{4}(?=\d)/g, `$&${separator}`);
const fullWidthPan = [...pan].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).join('');

const errorsFor = (sent: Readonly<Record<string, string>>, key?: string): string[] =>
  misplacedCardNumbers(sent, key).map(({ name, message }) => `${name}: ${message}`);

test.each(['', ' ', '-', '.', '/', '_', '*', ', ', '|', ':', ' - ', '\u00a0', '\u200b', '\u00ad', '\ufeff', '\u2013'])(
  'a card number in groups separated by %j is found in a note, a name and a key',
  (separator) => {
    const written = `no. ${groupPan(separator)}!`;
    const message = 'must not hold the card number';
    expect(errorsFor({ 'card.number': pan, merchantMemo: written })).toEqual([`merchantMemo: ${message}`]);
    expect(errorsFor({ 'card.number': pan, [`customParameters[${written}]`]: 'x' })).toHaveLength(1);
    expect(errorsFor({ 'card.number': pan }, written)).toEqual([`Idempotency-Key: ${message}`]);
  },
);

test('a card number in full-width digits is found', () => {
  expect(errorsFor({ 'card.number': pan, merchantMemo: `(${fullWidthPan})` })).toHaveLength(1);
});

test.each([
  ['pos.encryptedPin.data', pinBlock, 'PIN block'],
  ['pos.encryptedSred.data', sred, 'encrypted card data'],
  ['pos.iccDataRequest', '9F02060000000010009C01005F2A020978', 'chip data'],
  ['tokenAccount.cryptogram', 'AgAAAAAABk4DWZ4C28yUQAAAAAA=', 'cryptogram'],
])('%s is found in a note', (name, value, called) => {
  expect(errorsFor({ [name]: value, merchantMemo: `sent ${value.toLowerCase()}` })).toEqual([
    `merchantMemo: must not hold the ${called}`,
  ]);
});

test('other numbers are allowed, and so are the parameters that are never stored', () => {
  const other = '7200000000000003';
  const sent = {
    'card.number': pan,
    merchantMemo: `${other} of ${pan.slice(0, 11)}`,
    'pos.iccDataRequest': `5A08${pan}`,
  };
  expect(errorsFor(sent)).toEqual([]);
});
