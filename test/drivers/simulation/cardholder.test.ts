import { expect, test } from 'vitest';
import {
  cardholderOf,
  choosingCardholder,
  parseScenario,
  repeatingCardholder,
  scriptedCardholder,
  seededRandom,
} from '../../../drivers/simulation/cardholder.ts';
import { Fault } from '../../../src/base/fault.ts';
import { testCard } from '../../../src/emv/test-cards.ts';

const chip = { card: testCard('visa-credit'), by: 'chip' } as const;
const tap = { card: testCard('mastercard-tap'), by: 'tap' } as const;

test('plays a script in order, then nobody comes', () => {
  const next = scriptedCardholder([chip, tap]);
  expect([next(), next()]).toEqual([chip, tap]);
  expect(next().never).toBe(true);
});

test('a repeated list starts over; without a list one customer comes again and again', () => {
  const next = repeatingCardholder([chip, tap]);
  expect([next(), next(), next()]).toEqual([chip, tap, chip]);
  const anyone = repeatingCardholder();
  expect([anyone(), anyone()]).toEqual([chip, chip]);
});

test('a choice is the same for the same seed, and eventually takes every presentation', () => {
  const play = (seed: number) => {
    const next = choosingCardholder([chip, tap], seededRandom(seed));
    return Array.from({ length: 40 }, () => next().by).join();
  };
  expect(play(3)).toBe(play(3));
  expect(play(3)).not.toBe(play(4));
  expect(new Set(play(3).split(','))).toEqual(new Set(['chip', 'tap']));
});

test('a scenario file', () => {
  const scenario = parseScenario(
    JSON.stringify({
      says: 'A bad day',
      play: 'once',
      presentations: [{ card: 'visa-credit', by: 'tap', pin: 'cancel', afterMs: 100 }, { card: 'visa-stolen' }],
      faults: [
        { kind: 'staleBytes', bytes: '01FF' },
        { kind: 'linkDrop', atMessage: 3, when: 'midway' },
        { kind: 'reset', atCommand: 4 },
        { kind: 'unknownMessage', atCommand: 5 },
        { kind: 'repeatedRequest', times: 2 },
      ],
      device: { tampered: true, batteryPercent: 3, clockOffsetMs: -60_000 },
    }),
    'day.json',
  );
  expect(scenario).toEqual({
    says: 'A bad day',
    play: 'once',
    presentations: [
      { card: testCard('visa-credit'), by: 'tap', pin: 'cancel', afterMs: 100 },
      { card: testCard('visa-stolen'), by: 'chip' },
    ],
    faults: [
      { kind: 'staleBytes', bytes: Uint8Array.of(1, 255) },
      { kind: 'linkDrop', atMessage: 3, when: 'midway' },
      { kind: 'reset', atCommand: 4 },
      { kind: 'unknownMessage', atCommand: 5 },
      { kind: 'repeatedRequest', times: 2 },
    ],
    device: { tampered: true, batteryPercent: 3, clockOffsetMs: -60_000 },
  });
  const next = cardholderOf(scenario, seededRandom(1));
  expect([next().card.says, next().card.says, next().never]).toEqual([
    testCard('visa-credit').says,
    testCard('visa-stolen').says,
    true,
  ]);
});

test.each([
  ['nonsense', 'it is not JSON'],
  ['[]', 'the whole'],
  ['{"presentations":[]}', 'presentations'],
  ['{"presentations":[{"card":"amex"}]}', 'presentations.0.card'],
  ['{"presentations":[{"card":"visa-credit","pin":"12"}]}', 'presentations.0.pin'],
  ['{"presentations":[{"card":"visa-credit","by":"wave"}]}', 'presentations.0.by'],
  ['{"presentations":[{"card":"visa-credit"}],"faults":[{"kind":"fire"}]}', 'faults.0.kind'],
  ['{"presentations":[{"card":"visa-credit"}],"faults":[{"kind":"silence","atCommand":0}]}', 'faults.0.atCommand'],
  ['{"presentations":[{"card":"visa-credit"}],"device":{"batteryPercent":101}}', 'device.batteryPercent'],
  ['{"presentations":[{"card":"visa-credit"}],"extra":1}', 'the whole'],
])('refuses %s with its place', (text, place) => {
  const read = () => parseScenario(text, 'day.json');
  expect(read).toThrowError(Fault);
  expect(read).toThrowError(expect.objectContaining({ code: 'config.malformed' }));
  expect(read).toThrowError(place);
});
