/** The fault table as people read it, and how code tells the faults apart. */
import { describe, expect, test } from 'vitest';
import { errorText, Fault, isFault } from '../../src/base/fault.ts';
import { type FaultRow, faults } from '../../src/base/faults.ts';

describe('every row of the table', () => {
  test.each(Object.entries<FaultRow>(faults))('%s', (code, { says, money, next, remedy }) => {
    expect(code).toMatch(/^[a-z][a-zA-Z]*\.[a-zA-Z]+$/);
    expect(['retry', 'inquire', 'queue', 'halt', 'refuse']).toContain(remedy);
    // The text of what happened has no full stop, since other sentences include it. Advice may end with a command.
    expect(says).toMatch(/^[A-Z"{].*[^.]$/);
    expect(money).toMatch(/^[A-Z].*\.$/);
    expect(next).toMatch(/^[A-Z].*(\.|: .+)$/);
    // A text must not promise that nothing was charged when the code has to ask first.
    if (remedy === 'inquire') expect(money).not.toMatch(/nothing was charged|not charged/i);
  });
});

/** Areas in which no money is involved. */
const aside =
  /^(staff|browser|books|settlement|posKey|printer|live|training|boot|screens|config|tape|secrets|folder)\./;
/** Checks that run before payments and before everything else. */
const before = /^(file|request|session|text)\./;

test.each(Object.keys(faults).filter((code) => aside.test(code) || before.test(code)))(
  '%s does not mention charges, since nobody asked',
  (code) => {
    expect(faults[code as keyof typeof faults].money).not.toMatch(/was charged|not charged/i);
  },
);

test('placeholders are filled with the facts once, and a missing fact stays visible', () => {
  const fault = new Fault('terminal.silent', { command: '{ms}', ms: 500 });
  expect(fault.message).toBe('The terminal did not answer {ms} within 500 ms');
  expect(new Fault('terminal.silent', { ms: 500 }).message).toBe('The terminal did not answer ? within 500 ms');
  const entry = new Fault('journal.corrupt', { entry: 7, why: 'hash', data: 'till' });
  expect(entry.money).toContain('before 7 can');
  expect(entry.next).toContain('--data till');
});

test('carries its code, remedy, facts and cause', () => {
  const cause = new Error('cable');
  const fault = new Fault('link.lost', { port: 'COM1', why: 'unplugged' }, cause);
  expect(fault).toMatchObject({
    name: 'Fault',
    code: 'link.lost',
    remedy: 'inquire',
    facts: { port: 'COM1', why: 'unplugged' },
    cause,
  });
  expect('cause' in new Fault('link.lost', { port: 'COM1', why: 'unplugged' })).toBe(false);
});

test.each([
  [new Fault('pin.block', { format: 0, why: 'short' }), ['pin.block'], true],
  [new Fault('pin.block', { format: 0, why: 'short' }), ['hex.malformed', 'pin.block'], true],
  [new Fault('pin.block', { format: 0, why: 'short' }), ['hex.malformed'], false],
  [new Fault('pin.block', { format: 0, why: 'short' }), [], true],
  [new Error('pin.block'), [], false],
  [{ code: 'pin.block' }, ['pin.block'], false],
  [undefined, [], false],
] as const)('isFault(%s, %j) is %s', (error, codes, expected) => {
  expect(isFault(error, ...codes)).toBe(expected);
});

test.each([
  [new Fault('hex.malformed', { length: 3 }), 'A hex text of 3 characters is malformed'],
  [new TypeError('broken'), 'broken'],
  ['text', 'text'],
  [undefined, 'undefined'],
  [null, 'null'],
])('the words of %s are %j', (thrown, text) => {
  expect(errorText(thrown)).toBe(text);
});
