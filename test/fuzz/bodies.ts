/** Bodies that are not forms, forms that are not ours, and forms with a seeded card in them. */
import type { Dice } from '../support/chance/dice.ts';
import { type Entity, legacy, secrets } from './entities.ts';
import { oddPair } from './names.ts';
import { validForm, validPairs } from './valid-requests.ts';
import { badBytes, badEscape } from './values.ts';

type Pair = readonly [name: string, value: string];

/** As in a form or a query. */
export const escapeText = (text: string): string => encodeURIComponent(text.toWellFormed());

/** A form of odd pairs, a valid or damaged one, or bytes of another kind. */
export const bodyOf = (dice: Dice, entity: Entity): Uint8Array => {
  const kind = dice.between(1, 100);
  if (kind <= 45) return encode(oddForm(dice, entity));
  if (kind <= 70) return damageBytes(dice, encode(validForm(dice, entity)));
  if (kind <= 82) return encode(validForm(dice, entity));
  if (kind <= 86) return encode(`${validForm(dice, entity)}&x=${badEscape(dice)}`);
  if (kind <= 92) return badBytes(dice);
  if (kind <= 95) return encode(JSON.stringify(Object.fromEntries(validPairs(dice, entity))));
  if (kind <= 97) return encode(multipart(validPairs(dice, entity)));
  return encode(dice.percent(30) ? manyParameters(dice, entity) : '&='.repeat(dice.between(1, 200)));
};

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

export const joined = (pairs: readonly Pair[]): string =>
  pairs.map(([name, value]) => `${escapeText(name)}=${escapeText(value)}`).join('&');

/** Real parameters with one or more odd ones among them, sometimes sent twice. */
const oddForm = (dice: Dice, entity: Entity): string => {
  const pairs: Pair[] = validPairs(dice, entity);
  for (let count = dice.between(1, 4); count > 0; count -= 1) pairs.push(oddPair(dice));
  if (dice.percent(15)) pairs.push(...pairs.slice(0, 1));
  const uniquePairs = dice.percent(60) ? [...new Map(pairs)] : pairs;
  return joined(uniquePairs);
};

/** Very many parameters: unknown names, one name, or items of a cart. */
const manyParameters = (dice: Dice, entity: Entity): string => {
  const count = dice.one([100, 1_000, 10_000, 61_000] as const);
  const name = dice.one([
    (n: number) => `n${n}`,
    (n: number) => `${n * 65_536}`,
    () => 'same',
    (n: number) => `cart.items[${n % 1100}].name`,
    (n: number) => `customParameters[k${n}]`,
  ] as const);
  return `${validForm(dice, entity)}&${Array.from({ length: count }, (_, n) => `${name(n)}=${n}`).join('&')}`;
};

const multipart = (pairs: readonly Pair[]): string =>
  pairs.map(([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('');

/** Bits flipped; a part removed, doubled or moved; the end cut off. */
const damageBytes = (dice: Dice, original: Uint8Array): Uint8Array => {
  const bytes = Buffer.from(original);
  for (let count = dice.between(0, 3); count > 0; count -= 1) {
    const offset = dice.between(0, bytes.length - 1);
    bytes[offset] = (bytes[offset] ?? 0) ^ (1 << dice.between(0, 7));
  }
  const [from, to] = [dice.between(0, bytes.length), dice.between(0, bytes.length)].sort((a, b) => a - b);
  const kind = dice.between(1, 4);
  if (kind === 1) return bytes.subarray(0, to);
  if (kind === 2) return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  if (kind === 3) return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
  return bytes;
};

export const groupPan = (separator: string): string => secrets.pan.replace(/\d{4}(?=\d)/g, `$&${separator}`);

/** A number typed at a terminal, and the PIN with it. */
const keyedWithPin = [
  ['pos.entryMode', 'MANUAL'],
  ['pos.terminalId', '70001234'],
  ['pos.encryptedPin.data', secrets.pinBlock],
  ['pos.encryptedPin.ksn', 'FFFF9876543210E00003'],
] as const;

/** The seeded card with its number in a second place, as people and programs write numbers. */
export const withSecrets = (dice: Dice, entity: Entity): string => {
  const { pan, cvv, pinBlock } = secrets;
  const written = dice.one([
    pan,
    groupPan(' '),
    groupPan('-'),
    groupPan('.'),
    groupPan('\u200b'),
    groupPan('*'),
    groupPan(' - '),
  ]);
  const [name] = oddPair(dice);
  const secretPair = dice.one<Pair>([
    ['customParameters[note]', written],
    ['merchantTransactionId', `order ${written}`],
    ['descriptor', written],
    [name, written],
    [written, 'x'],
    [`customParameters[${pan}]`, 'x'],
    ['card.holder', `Jane ${written}`],
    ['customParameters[pin]', pinBlock],
    ['authentication.password', legacy.password],
    ['shopperResultUrl', `https://shop.example.com/?card=${encodeURIComponent(written)}`],
  ]);
  const pairs = new Map(validPairs(dice, entity, 'card'));
  pairs.set('card.number', pan).set('card.cvv', cvv);
  if (dice.percent(60) || secretPair[1] === pinBlock) for (const [pin, value] of keyedWithPin) pairs.set(pin, value);
  if (!['card.number', 'card.cvv', 'pos.encryptedPin.data'].includes(secretPair[0])) pairs.set(...secretPair);
  return joined([...pairs]);
};
