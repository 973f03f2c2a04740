/** The names of offline limits for people: each limit, its values, and descriptions of changes. */
import { expect, test } from 'vitest';
import { formatsOf } from '../../src/locales/formats.ts';
import { load } from '../../src/locales/load.ts';
import { limitValue, nameOfPart, wholeLimitName } from '../../src/locales/names.ts';
import { languages } from '../../src/locales/screens.ts';
import { translate } from '../../src/locales/translate.ts';
import { auditKinds, auditWords } from '../../src/staff/audit/audit-words.ts';

const tags = Object.keys(languages) as (keyof typeof languages)[];
/** Internal names of the program. */
const inside = /MASTER|GIFTCARD|OTHER|NFC|ICC|upTo|per[A-Z]|without|[a-z][A-Z]/;

const keys = [
  ...['chip.upTo', 'deferred.total', 'chip.perCard.count', 'deferred.perCashier.total', 'chip.perHour.count'],
  ...['chip.brands.MASTER.upTo', 'chip.brands.other.total', 'deferred.cardTypes.prepaid.count'],
  ...['chip.cardTypes.unknown.upTo', 'chip.entryModes.NFC_ICC.upTo', 'refunds.upTo', 'total', 'hours', 'operations'],
  ...['keepFreeMegabytes', 'withoutDataAuthentication'],
];

test.each(tags)('%s: each limit has a readable name', async (tag) => {
  const { manager } = (await load[tag]()).words;
  for (const key of keys) expect([key, wholeLimitName(key, manager)]).toEqual([key, expect.not.stringMatching(inside)]);
  for (const brand of ['MASTER', 'GIFTCARD', 'OTHER'])
    expect(nameOfPart('brands', brand, manager)).not.toMatch(/MASTER|GIFTCARD|OTHER/);
});

test.each([
  ['withoutDataAuthentication', undefined, 'Off'],
  ['withoutDataAuthentication', 'true', 'On'],
  ['hours', undefined, 'No limit'],
  ['hours', '24', '24'],
  ['chip.upTo', '"50.00"', '50.00'],
  ['operations', '["sale","preauthorisation"]', 'Sale and Hold'],
])('%s of %s is %s', async (key, json, value) => {
  expect(limitValue(key, json, { names: (await load.en()).words.manager, language: 'en' })).toBe(value);
});

const changed = (before: object, after: object) =>
  auditWords('limitsChanged', JSON.stringify({ on: 'limitsChanged', by: 'Ana', before, after })).told;

test('a change is described in the reader’s language', async () => {
  const one = changed({ chip: { upTo: '20.00' } }, { chip: { upTo: '50.00' }, withoutDataAuthentication: true });
  expect(one.says).toBe(
    'changed the offline limits: Card approves offline: One sale, up to: 20.00 → 50.00; Also cards whose data the terminal did not authenticate: Off → On',
  );
  const reader = {
    ...(await load.de()),
    language: 'de' as const,
    dateTime: formatsOf({ language: 'de', timeZone: 'UTC' }).dateTime,
  };
  const text = translate(reader, one);
  expect(text).toContain('20,00 → 50,00');
  expect(text).toContain('Auch Karten, deren Daten das Terminal nicht geprüft hat: Aus → An');
});

test.each(tags)('%s: every kind of the audit list has a name', async (tag) => {
  const { kinds } = (await load[tag]()).words.manager.audit;
  expect(Object.keys(auditKinds).filter((kind) => !Object.hasOwn(kinds, kind))).toEqual([]);
});
