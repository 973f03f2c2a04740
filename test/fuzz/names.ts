/** Parameter names: real ones, near misses, and names that a careless program takes for its own. */
import { sections } from '../../src/gateway/spec/parameters/all.ts';
import type { ParameterRow, Rows } from '../../src/gateway/spec/parameters/row.ts';
import type { Dice } from '../support/chance/dice.ts';
import { oddValue } from './values.ts';

const rows: readonly (readonly [string, ParameterRow])[] = Object.values<Rows>(sections).flatMap((each) =>
  Object.entries(each),
);
const [first, ...otherRows] = rows;
if (first === undefined) throw new Error('no parameter is known');
const knownRows: readonly [readonly [string, ParameterRow], ...(readonly [string, ParameterRow])[]] = [
  first,
  ...otherRows,
];

const ODD = [
  '__proto__',
  '__proto__[polluted]',
  'constructor',
  'constructor[prototype][polluted]',
  'toString',
  'customParameters[__proto__]',
  'customParameters[constructor]',
  'customParameters[]',
  'customParameters[a][b]',
  'customParameters[a.b.c]',
  'customParameters[',
  'customParameters]',
  'customParameters[forceResultCode]',
  'customParameters[offline]',
  'risk.parameters[__proto__]',
  'cart.items[0]',
  'cart.items[-1].name',
  'cart.items[01].name',
  'cart.items[1000].name',
  'cart.items[999].name',
  'cart.items[n].name',
  'cart.items[__proto__].name',
  'cart.items[0].__proto__.name',
  'cart.items.0.name',
  'airline.passengers[0].legs[999].flightNumber',
  'simulator.baseUrl',
  'simulator.resourcePath',
  'authentication.entityId',
  'authentication.userId',
  'authentication.password',
  'entityID',
  '.',
  '..',
  '[',
  ']',
  '[]',
  '0',
  '-1',
] as const;

const index = (dice: Dice): string => String(dice.percent(80) ? dice.between(0, 3) : dice.between(0, 1200));
const key = (dice: Dice): string =>
  dice.one(['abc', 'forceResultCode', 'x', '__proto__', '3ds.v2', 'a]b', '日本'] as const);

/** A row's name as sent: with numbers and keys in its brackets. */
const encodeName = (dice: Dice, name: string): string =>
  name.replaceAll('[n]', () => `[${index(dice)}]`).replace('[key]', `[${key(dice)}]`);

/** Changes one letter, its case, a bracket or a dot. */
const missed = (dice: Dice, name: string): string => {
  const index = dice.between(0, name.length - 1);
  const changedName = dice.one([
    '',
    'x',
    '.',
    '[',
    ']',
    name.charAt(index).toUpperCase(),
    name.charAt(index).repeat(2),
    '\u0130',
  ] as const);
  return name.slice(0, index) + changedName + name.slice(index + 1);
};

/** A name and a value for it: both valid, or either odd. */
export const oddPair = (dice: Dice): readonly [string, string] => {
  const [name, row] = dice.one(knownRows);
  if (dice.percent(20)) return [dice.percent(80) ? dice.one(ODD) : oddValue(dice), oddValue(dice)];
  if (dice.percent(20)) return [missed(dice, encodeName(dice, name)), row.example];
  return [encodeName(dice, name), dice.percent(50) ? row.example : oddValue(dice)];
};
