/** The short reasons used as facts: each is used somewhere, and none that people can see stays in English. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { knownResultCodes, lockWords, resultOf } from '../../drivers/zvt/protocol/codes.ts';
import { gatewayFact } from '../../src/base/localized-message.ts';
import { resultCodes } from '../../src/gateway/spec/results.ts';
import { load } from '../../src/locales/load.ts';
import { facts as german } from '../../src/locales/messages/de/facts.ts';
import { translateFact, translateFault, translateReason } from '../../src/locales/translate.ts';

const facts = Object.keys(german);

const sources = globSync([
  'src/{till,journal,app,books,folder,ledger,line,offline}/**/*.ts',
  'src/{printing,recovery,selling,staff,takeover,terminals}/**/*.ts',
  'src/base/system-error-text.ts',
  'drivers/**/*.ts',
])
  .filter((path) => !/simulat|tape|memory|pty/.test(path))
  .map((path) => readFileSync(path, 'utf8'));
/** The texts of a ZVT terminal, and of its host, for each code of two hex digits. */
const zvtCodes = Array.from({ length: 256 }, (_, index) => index.toString(16).toUpperCase().padStart(2, '0'));
const zvtSays = [
  ...zvtCodes.filter((code) => code !== '00').map((code) => resultOf(code).says),
  ...Object.values(lockWords),
];
const declined = new Set([
  ...resultCodes.map(({ description }) => gatewayFact(description)),
  ...zvtSays.map((text) => text.replace(/ \(\d\d\)$/, '')),
]);

test.each(facts)('“%s” is a reason of the till, a driver or the gateway', (fact) => {
  expect(declined.has(fact) || sources.some((text) => text.includes(`'${fact}'`))).toBe(true);
});

/** The literal reasons that a cashier or technician can see, including those of thrown faults. */
const usedFacts =
  /new Fault\(\s*'(?:terminal\.(?:unready|refused|unclear)|link\.lost|gift\.malformed|till\.cannotFollow|books\.overrideMalformed)',[^;]{0,160}?why: '([^'\n]+)'/g;

test('each literal reason that people can see is among them', () => {
  const reasons = sources.flatMap((text) => [...text.matchAll(usedFacts)].map(([, reason = '']) => reason));
  expect(reasons.length).toBeGreaterThan(25);
  expect(reasons.filter((reason) => !facts.includes(reason))).toEqual([]);
});

test('each reason with which a bank declines a card in a shop is among them too', () => {
  const inShopCodes = resultCodes.filter(({ code }) => /^800\.100\.1(5[1-9]|6[0-8]|7[0-6]|78|79)$/.test(code));
  expect(inShopCodes.length).toBeGreaterThan(25);
  const reasons = inShopCodes.map(({ description }) => gatewayFact(description));
  expect(reasons.filter((reason) => !facts.includes(reason))).toEqual([]);
});

test.each(['de', 'fr', 'es', 'ar'] as const)('%s: the text of ZVT terminal or host for each code', async (tag) => {
  const { messages } = await load[tag]();
  const untranslated = zvtSays.filter((text) => translateFact(messages.facts, text) === text);
  expect(knownResultCodes().length).toBeGreaterThan(70);
  expect(untranslated).toEqual([]);
  expect(translateFact(messages.facts, 'declined by the host (06)')).toMatch(/^(?!declined).+ \(06\)$/);
});

test.each(['de', 'fr', 'es', 'ar'] as const)('%s: a decline and a fault contain no English', async (tag) => {
  const { messages } = await load[tag]();
  const result = { reason: 'refusedByHost', why: 'transaction declined (stolen card)' } as never;
  expect(translateReason({ messages, language: tag }, result).says).not.toContain('stolen');
  const problem = {
    code: 'terminal.unready',
    says: '',
    money: '',
    next: '',
    facts: { why: 'it has no PIN key' },
  } as never;
  expect(translateFault({ messages, language: tag }, problem).says).not.toContain('key');
  const unknown = { reason: 'refusedByHost', why: 'toString' } as never;
  expect(translateReason({ messages, language: tag }, unknown).says).toContain('toString');
});

test.each([
  ['de', '20,00 EUR'],
  ['fr', '20,00 EUR'],
  ['es', '20,00 EUR'],
  ['ar', '\u206820.00 EUR\u2069'],
] as const)('%s: an amount among the facts is written as %s', async (tag, amount) => {
  const { messages } = await load[tag]();
  const facts = { left: '20.00 EUR', receipt: 7 };
  const problem = { code: 'till.refundTooHigh', says: '', money: '', next: '', facts } as never;
  const { says, next } = translateFault({ messages, language: tag }, problem);
  expect(`${says} ${next}`).toContain(amount);
});
