/** Localized messages: every language of the screens has every code, with its facts. */
import { expect, test } from 'vitest';
import { wantWords } from '../../src/base/field-wants.ts';
import { messageFactory, withTexts } from '../../src/base/localized-message.ts';
import { formatsOf } from '../../src/locales/formats.ts';
import { load } from '../../src/locales/load.ts';
import { auditTexts, closingWords, itemWords, replayWords } from '../../src/locales/messages/en/books.ts';
import { checkWords, goingLiveWords, lineWords, tellLine } from '../../src/locales/messages/en/machine.ts';
import {
  claimWords,
  declineWords,
  evidenceWords,
  openWords,
  outcomeWords,
} from '../../src/locales/messages/en/sales.ts';
import { explanations } from '../../src/locales/messages/en/settlement.ts';
import { translate } from '../../src/locales/translate.ts';

const toText = (part: 'says' | 'next') =>
  Object.fromEntries(Object.entries(explanations).map(([name, row]) => [name, row[part]]));

const english: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  outcome: outcomeWords,
  decline: declineWords,
  claim: claimWords,
  evidence: evidenceWords,
  open: openWords,
  item: itemWords,
  closing: closingWords,
  settlement: toText('says'),
  settlementNext: toText('next'),
  replay: replayWords,
  audit: auditTexts,
  check: checkWords,
  line: lineWords,
  goingLive: goingLiveWords,
  want: wantWords,
};

/** English sentences of this program or of a driver: other languages leave them out. */
const ours = ['{why}', '{differs}'];
const otherTags = ['de', 'fr', 'es', 'ar'] as const;

test('no text for screens names a command, and no translation contains our English', async () => {
  const texts = Object.values(english).flatMap((table) => Object.values(table));
  expect(texts.filter((text) => /npm run|--\w/.test(text))).toEqual([]);
  for (const tag of otherTags) {
    const tables = (await load[tag]()).messages.texts as typeof english;
    const theirTexts = Object.values(tables).flatMap((table) => Object.values(table));
    expect([tag, theirTexts.filter((text) => ours.some((blank) => text.includes(blank)))]).toEqual([tag, []]);
  }
});

const reader = async (language: keyof typeof load) => ({
  ...(await load[language]()),
  language,
  dateTime: formatsOf({ language, timeZone: 'Europe/Berlin' }).dateTime,
});

const createMessage = messageFactory('open', openWords);

test('messages within messages, and times, are in the reader’s language and the store’s time zone', async () => {
  const triedMessage = createMessage('tried', { count: 2, last: createMessage('noAnswerYet') });
  const one = createMessage('forward', { from: { at: Date.UTC(2026, 6, 1, 10, 5) }, tried: triedMessage });
  expect(one.says).toBe(
    'From 2026-07-01 10:05:00 UTC on, the till sends it to the gateway. Attempts so far: 2; the last one: no answer yet.',
  );
  expect(translate(await reader('de'), one)).toBe(
    'Ab 01.07.2026 12:05 sendet die Kasse sie ans Gateway. Bisherige Versuche: 2; der letzte: noch keine Antwort.',
  );
  expect(translate(await reader('en'), createMessage('overdue', { minutes: 30, next: one }))).toBe(
    'It has not ended within 30 minutes. The till is still trying. ' +
      'From 01/07/2026 12:05 on, the till sends it to the gateway. Attempts so far: 2; the last one: no answer yet.',
  );
});

test('an ending is translated by its reason; an unknown code or room keeps the till’s own text', async () => {
  const known = createMessage('known', {
    says: { code: 'reason.terminalFailed.says', says: 'The terminal failed: x', facts: { why: 'x' } },
    money: { code: 'outcome.notRefund', says: '' },
  });
  const de = await reader('de');
  expect(translate(de, known)).toBe('Fehler am Terminal: x. Es wurde nichts erstattet.');
  expect(translate(de, [known, { code: 'open.toString', says: 'as said' }])).toMatch(/as said$/);
  expect(translate(de, { code: 'constructor.name', says: 'as said' })).toBe('as said');
});

test('in Arabic facts keep their own direction; a fact is never read as a placeholder', async () => {
  const one = createMessage('afterReceipt', { receipt: '{receipt}' });
  expect(translate(await reader('ar'), one)).toBe('بعد الإيصال \u2068{receipt}\u2069');
});

test('texts among the facts are cleaned at every level', () => {
  const one = createMessage('known', { says: createMessage('gatewaySaid', { answer: 'bad' }), money: 'bad' });
  const cleaned = withTexts(one, (text) => text.replaceAll('bad', '*'));
  expect(JSON.stringify(cleaned)).not.toContain('bad');
});

test.each([
  ['en', 'till.example is at 10.0.0.1, 10.0.0.2 and ::1.'],
  ['de', 'till.example ist unter 10.0.0.1, 10.0.0.2 und ::1.'],
  ['fr', 'till.example est à 10.0.0.1, 10.0.0.2 et ::1.'],
  ['es', 'till.example está en 10.0.0.1, 10.0.0.2 y ::1.'],
] as const)('in %s a list is joined as the language does', async (language, text) => {
  const message = tellLine('nameFound', { host: 'till.example', addresses: { list: ['10.0.0.1', '10.0.0.2', '::1'] } });
  expect(message.says).toBe('till.example is at 10.0.0.1, 10.0.0.2 and ::1.');
  expect(translate(await reader(language), message)).toBe(text);
});
