/** What a cashier does after a decline: every code of the gateway and of ZVT terminals is in one of five groups. */
import { expect, test } from 'vitest';
import { knownResultCodes, resultOf } from '../../drivers/zvt/protocol/codes.ts';
import { meaningOf } from '../../src/base/code-meanings.ts';
import { codes, type DeclineGroup, declineGroupOf, declineRows } from '../../src/base/result-codes.ts';
import { resultCodes } from '../../src/gateway/spec/results.ts';
import { load } from '../../src/locales/load.ts';
import { declineWords } from '../../src/locales/messages/en/sales.ts';
import { languages } from '../../src/locales/screens.ts';

/** ISO 8583 field 39 as a ZVT terminal gives it: in binary. */
const hostCode = (code: number): string => code.toString(16).toUpperCase().padStart(2, '0');

test.each<[code: string, group: DeclineGroup]>([
  [codes.cardStolen, 'otherCard'],
  [codes.cardLost, 'otherCard'],
  [codes.pickUpCard, 'otherCard'],
  [codes.fraudSuspected, 'otherCard'],
  [codes.fundsInsufficient, 'otherCard'],
  [codes.issuerUnavailable, 'sameCard'],
  [codes.authenticationNeeded, 'sameCard'],
  [codes.pinWrong, 'wrongPin'],
  [codes.pinTriesUsedUp, 'callBank'],
  [codes.limitExceeded, 'callBank'],
  [codes.merchantLimitExceeded, 'shopLimit'],
  [codes.tooManyOfCard, 'shopLimit'],
  [hostCode(4), 'otherCard'],
  [hostCode(41), 'otherCard'],
  [hostCode(43), 'otherCard'],
  [hostCode(59), 'otherCard'],
  [hostCode(51), 'otherCard'],
  [hostCode(91), 'sameCard'],
  [hostCode(55), 'wrongPin'],
  [hostCode(75), 'callBank'],
  ['6C', 'sameCard'],
  ['6c', 'sameCard'],
  ['6E', 'otherCard'],
  ['C3', 'shopLimit'],
  ['', 'otherCard'],
  ['constructor', 'otherCard'],
])('%s: %s', (code, group) => {
  expect(declineGroupOf(code)).toBe(group);
});

test('a decline without a code asks for another card', () => {
  expect(declineGroupOf(undefined)).toBe('otherCard');
});

test('each row has only declines, and no code is in two rows', () => {
  const listed = declineRows.flatMap(({ gateway }) => gateway.filter((code) => /^\d{3}\.\d{3}\.\d{3}$/.test(code)));
  expect(new Set(listed).size).toBe(listed.length);
  for (const code of listed) expect([code, meaningOf(code)]).toEqual([code, 'declined']);
  const ofTerminals = declineRows.flatMap(({ terminal, host }) => [...terminal, ...host.map(hostCode)]);
  expect(new Set(ofTerminals).size).toBe(ofTerminals.length);
  for (const code of ofTerminals) expect([code, resultOf(code).worth]).toEqual([code, 'declined']);
});

/** What the cashier is never shown about a card. */
const never = /stolen|lost|fraud|manipulat|pick|keep the card|block/i;

test('a code that speaks of theft, loss or fraud looks like any other decline', () => {
  const explicit = [
    ...resultCodes.filter(({ code }) => meaningOf(code) === 'declined'),
    ...[...knownResultCodes(), ...Array.from({ length: 99 }, (_, index) => hostCode(index + 1))].map((code) => ({
      ...{ code, description: resultOf(code).says },
    })),
  ].filter(({ description }) => /stolen|lost|fraud|manipulat|pick up|keep the card/i.test(description));
  expect(explicit.length).toBeGreaterThan(6);
  expect(explicit.filter(({ code }) => declineGroupOf(code) !== 'otherCard')).toEqual([]);
});

test.each(Object.keys(languages) as (keyof typeof languages)[])('%s: no group tells the bank’s reason', async (tag) => {
  const { texts, reasons } = (await load[tag]()).messages;
  const words = Object.values((texts as { decline?: Record<string, string> } | undefined)?.decline ?? declineWords);
  expect(words).toHaveLength(10);
  for (const text of words) expect(text).not.toMatch(never);
  for (const reason of ['declinedByHost', 'declinedAtTerminal', 'declinedOnForwarding', 'storedRefused'] as const)
    expect(reasons[reason]?.says ?? '').not.toContain('{why}');
});
