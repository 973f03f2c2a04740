/** A technician who tries to raise the offline limits, redirect payments and sell, through each route. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Config } from '../../src/folder/config.ts';
import { type GuardedTill, guardedTill, people, type Visitor } from '../support/till/guarded-till.ts';

let till: GuardedTill;
let max: Visitor;
let tess: Visitor;
beforeEach(async () => {
  till = await guardedTill(1);
  [max, tess] = [await till.signIn('Max'), await till.signIn('Tess')];
});
afterEach(() => till.close());

const amount = { amount: '5.00', currency: 'EUR' };
const file = (change: (config: Config) => Config): { text: string } => ({
  text: JSON.stringify(change(till.config())),
});
const raiseLimits = (config: Config): Config => ({
  ...config,
  offline: { ...config.offline, chip: { upTo: '900.00' }, hours: 8_760 },
});
const moveGateway = (config: Config): Config => ({
  ...config,
  gateway: { ...config.gateway, baseUrl: 'https://elsewhere.example/' },
});
const setFooter = (config: Config): Config => ({ ...config, paper: { footer: ['Thank you'] } });

type Row = [tries: string, door: readonly [string, string], body: () => unknown, refused: Record<string, string>];
const lackOf = (permission: string) => ({ code: 'session.notAllowed', permission });
const mayNot = (fields: string, permissions: string) => ({ code: 'config.notAllowed', fields, permissions });
const raised = { changes: { 'chip.upTo': '900.00' } };

test.each<Row>([
  ['raises a limit', ['PUT', '/limits'], () => raised, lackOf('changeLimits')],
  [
    'raises limits by importing a configuration',
    ['PUT', '/configuration'],
    () => file(raiseLimits),
    mayNot('offline.chip.upTo, offline.hours', 'changeLimits'),
  ],
  [
    'hides a limit behind a new footer',
    ['PUT', '/configuration'],
    () => file((config) => setFooter(raiseLimits(config))),
    mayNot('offline.chip.upTo, offline.hours', 'changeLimits'),
  ],
  [
    'changes the meaning of the same limits',
    ['PUT', '/configuration'],
    () => file((config) => ({ ...config, currency: 'KWD' })),
    mayNot('currency', 'changeLimits'),
  ],
  [
    'sends payments elsewhere',
    ['PUT', '/configuration'],
    () => file(moveGateway),
    mayNot('gateway.baseUrl', 'changeGateway'),
  ],
  [
    'does both at once',
    ['PUT', '/configuration'],
    () => file((config) => raiseLimits(moveGateway(config))),
    mayNot('offline.chip.upTo, gateway.baseUrl, offline.hours', 'changeLimits,changeGateway'),
  ],
  ['sells', ['POST', '/sales'], () => ({ amount }), lackOf('sell')],
  ['gives money back', ['POST', '/sales/1/refund'], () => ({}), lackOf('refund')],
  ['voids a sale', ['POST', '/sales/1/void'], () => ({}), lackOf('void')],
  ['credits a card', ['POST', '/sales'], () => ({ amount, operation: 'credit' }), lackOf('credit')],
  ['makes a key for selling', ['POST', '/pos-keys'], () => ({ name: 'Kiosk' }), lackOf('approveKey')],
  ['cancels a sale', ['POST', '/live/any/cancel'], () => undefined, lackOf('sell')],
])('%s', async (_, door, body, { code, ...facts }) => {
  const [config, entries] = [till.config(), till.length()];
  const answer = await till.ask({ ...tess, 'idempotency-key': 'one-of-tess' }, door, body());
  expect(answer).toMatchObject({ status: 403, code, body: { problem: { facts: { who: 'Tess', ...facts } } } });
  expect([till.config(), till.since(entries)]).toEqual([config, []]);
});

test('undoing a manager’s import is a change like any other', async () => {
  const lowerLimits = (config: Config): Config => ({
    ...config,
    offline: { ...config.offline, chip: { upTo: '1.00' } },
  });
  const before = till.config().offline;
  expect(await till.ask(max, ['PUT', '/configuration'], file(lowerLimits))).toMatchObject({ status: 200 });
  const refused = await till.ask(tess, ['POST', '/configuration/undo']);
  expect(refused).toMatchObject({ status: 403, code: 'config.notAllowed' });
  expect(till.config().offline.chip.upTo).toBe('1.00');
  expect(await till.ask(max, ['POST', '/configuration/undo'])).toMatchObject({ status: 200 });
  expect(till.config().offline).toEqual(before);
});

const approval = async (permission: string): Promise<string> => {
  const { body } = await till.ask(tess, ['POST', '/override'], { name: 'Max', pin: people.Max.pin, permission });
  return (body as { word: string }).word;
};

test('a technician’s own changes need no approval, and the plan lists the others', async () => {
  expect(await till.ask(tess, ['PUT', '/configuration'], file(setFooter))).toMatchObject({ status: 200 });
  const { body } = await till.ask(
    tess,
    ['POST', '/configuration/plan'],
    file((config) => raiseLimits(moveGateway(config))),
  );
  expect(body).toMatchObject({
    changes: [
      { field: 'offline.chip.upTo', needs: 'changeLimits' },
      { field: 'gateway.baseUrl', needs: 'changeGateway' },
      { field: 'offline.hours', needs: 'changeLimits' },
    ],
  });
});

test('with a manager’s approval everything is applied at once, and the journal names both', async () => {
  const broughtFile = file((config) => raiseLimits(moveGateway(config)));
  const one = await approval('changeLimits');
  const lacking = await till.ask({ ...tess, 'x-override': one }, ['PUT', '/configuration'], broughtFile);
  expect(lacking).toMatchObject({ status: 403, code: 'config.notAllowed' });
  // The refusal does not use up one of the two approvals.
  const both = { 'x-override': `${await approval('changeGateway')},${one}` };
  expect(await till.ask({ ...tess, ...both }, ['PUT', '/configuration'], broughtFile)).toMatchObject({ status: 200 });
  expect(till.config()).toMatchObject({
    offline: { hours: 8_760 },
    gateway: { baseUrl: 'https://elsewhere.example/' },
  });
  const { body } = await till.ask(max, ['GET', '/audit?most=10']);
  const { rows } = body as { rows: { kind: string; by: string; words: string }[] };
  expect(rows.slice(0, 4).map(({ by, words }) => `${by} ${words}`)).toEqual([
    expect.stringMatching(
      /^Tess changed the offline limits, approved by Max: Card approves offline: One sale, up to: 50.00 → 900.00/,
    ),
    'Tess imported a configuration that changed offline.chip.upTo, gateway.baseUrl and offline.hours, approved by Max',
    'Max allowed Tess to change the gateway for payments, once',
    'Max allowed Tess to change the offline limits, once',
  ]);
  const signInAgain = await till.ask(
    { ...tess, ...both },
    ['PUT', '/configuration'],
    file((config) => ({ ...config, currency: 'KWD' })),
  );
  expect(signInAgain).toMatchObject({ status: 403, code: 'config.notAllowed' });
});

test('a person who needs approval for the route too brings both, and one of each kind is used', async () => {
  const anna = await till.signIn('Anna');
  const words = [await approval('pairTerminal'), await approval('changeLimits'), await approval('changeLimits')];
  const all = { ...anna, 'x-override': words.join(', ') };
  expect(await till.ask(all, ['PUT', '/configuration'], file(raiseLimits))).toMatchObject({ status: 200 });
  const left = { ...tess, 'x-override': words.join(',') };
  expect(await till.ask(left, ['POST', '/configuration/undo'])).toMatchObject({ status: 200 });
  expect(await till.ask(left, ['PUT', '/limits'], raised)).toMatchObject({ status: 403 });
});
