/** Words that the till tells by code: every language of the screens has every code, with the facts that it is given. */
import { expect, test } from 'vitest';
import { wantWords } from '../../src/base/field-wants.ts';
import { messageFactory, withTexts } from '../../src/base/localized-message.ts';
import { formatsOf } from '../../src/locales/formats.ts';
import { load } from '../../src/locales/load.ts';
import { auditTexts, closingWords, itemWords, replayWords } from '../../src/locales/messages/en/books.ts';
import { checkWords, goingLiveWords, lineWords } from '../../src/locales/messages/en/machine.ts';
import {
  claimWords,
  declineWords,
  evidenceWords,
  openWords,
  outcomeWords,
} from '../../src/locales/messages/en/sales.ts';
import { explanations } from '../../src/locales/messages/en/settlement.ts';
import { translate } from '../../src/locales/translate.ts';

const says = (part: 'says' | 'next') =>
  Object.fromEntries(Object.entries(explanations).map(([name, row]) => [name, row[part]]));

const english: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  outcome: outcomeWords,
  decline: declineWords,
  claim: claimWords,
  evidence: evidenceWords,
  open: openWords,
  item: itemWords,
  closing: closingWords,
  settlement: says('says'),
  settlementNext: says('next'),
  replay: replayWords,
  audit: auditTexts,
  check: checkWords,
  line: lineWords,
  goingLive: goingLiveWords,
  want: wantWords,
};

/** Sentences of this program, or of a driver, in English: another language leaves them out. */
const ours = ['{why}', '{differs}'];
const others = ['de', 'fr', 'es', 'ar'] as const;

test('no words for screens name a command, nor do those of a language tell our English', async () => {
  const texts = Object.values(english).flatMap((table) => Object.values(table));
  expect(texts.filter((text) => /npm run|--\w/.test(text))).toEqual([]);
  for (const tag of others) {
    const tables = (await load[tag]()).messages.texts as typeof english;
    const theirs = Object.values(tables).flatMap((table) => Object.values(table));
    expect([tag, theirs.filter((text) => ours.some((blank) => text.includes(blank)))]).toEqual([tag, []]);
  }
});

const reader = async (language: 'de' | 'ar' | 'en') => ({
  ...(await load[language]()),
  language,
  dateTime: formatsOf({ language, timeZone: 'Europe/Berlin' }).dateTime,
});

const tell = messageFactory('open', openWords);

test('words within words and moments are told in the reader’s language, in the store’s time', async () => {
  const tried = tell('tried', { count: 2, last: tell('noAnswerYet') });
  const one = tell('forward', { from: { at: Date.UTC(2026, 6, 1, 10, 5) }, tried });
  expect(one.says).toBe(
    'From 2026-07-01 10:05:00 UTC on, the till sends it to the gateway. Attempts so far: 2; the last one: no answer yet.',
  );
  expect(translate(await reader('de'), one)).toBe(
    'Ab 01.07.2026 12:05 sendet die Kasse sie ans Gateway. Bisherige Versuche: 2; der letzte: noch keine Antwort.',
  );
  expect(translate(await reader('en'), tell('overdue', { minutes: 30, next: one }))).toBe(
    'It has not ended within 30 minutes. The till is still trying. ' +
      'From 01/07/2026 12:05 on, the till sends it to the gateway. Attempts so far: 2; the last one: no answer yet.',
  );
});

test('an ending is told by its reason, an unknown code and an unknown room by the till’s own words', async () => {
  const known = tell('known', {
    says: { code: 'reason.terminalFailed.says', says: 'The terminal failed: x', facts: { why: 'x' } },
    money: { code: 'outcome.notRefund', says: '' },
  });
  const de = await reader('de');
  expect(translate(de, known)).toBe('Fehler am Terminal: x. Es wurde nichts erstattet.');
  expect(translate(de, [known, { code: 'open.toString', says: 'as said' }])).toMatch(/as said$/);
  expect(translate(de, { code: 'constructor.name', says: 'as said' })).toBe('as said');
});

test('in Arabic what is given keeps its own direction; a fact is never read as a blank', async () => {
  const one = tell('afterReceipt', { receipt: '{receipt}' });
  expect(translate(await reader('ar'), one)).toBe('بعد الإيصال \u2068{receipt}\u2069');
});

test('texts among the facts are cleaned wherever they stand', () => {
  const one = tell('known', { says: tell('gatewaySaid', { answer: 'bad' }), money: 'bad' });
  const clean = withTexts(one, (text) => text.replaceAll('bad', '*'));
  expect(JSON.stringify(clean)).not.toContain('bad');
});
