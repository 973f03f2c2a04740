/** A terminal fault, stored as English text, is recognised by its code and so can be shown in any language. */
import { expect, test } from 'vitest';
import { Fault } from '../../src/base/fault.ts';
import { type FaultCode, faults } from '../../src/base/faults.ts';
import { faultMessageOf, localizedEnding } from '../../src/ledger/outcome.ts';
import { load } from '../../src/locales/load.ts';
import { translateEnding } from '../../src/locales/translate.ts';
import type { EndedSale } from '../../src/till/machine/states.ts';

const facts = {
  port: 'tcp://10.0.0.9:20007',
  why: 'nothing listens there',
  command: 'status',
  ms: 3000,
  bytes: 7,
  count: 7,
  seconds: 7,
};
const ofTerminals = (Object.keys(faults) as FaultCode[]).filter((code) => /^(link|terminal)\./.test(code));

test.each(ofTerminals.filter((code) => code !== 'terminal.warned'))('%s is recognised by its text', (code) => {
  const names = [...faults[code].says.matchAll(/\{(\w+)[},]/g)].map(([, name = '']) => name);
  const given = Object.fromEntries(names.map((name) => [name, facts[name as keyof typeof facts] ?? `a ${name}`]));
  const { message } = new Fault(code, given);
  const text = faultMessageOf(message);
  expect(text).toMatchObject({ code: `fault.${code}`, says: message });
  expect(text?.facts ?? {}).toEqual(Object.fromEntries(names.map((name) => [name, String(given[name])])));
});

test.each(['it broke', '', 'The port', 'unplugged'])('“%s” is no fault’s', (text) => {
  expect(faultMessageOf(text)).toBeUndefined();
});

test.each([
  ['de', 'Fehler am Terminal: Der Anschluss tcp://10.0.0.9:20007 lässt sich nicht öffnen: „dort antwortet nichts“'],
  ['fr', 'rien ne répond à cette adresse'],
  ['es', 'allí no responde nada'],
  ['ar', 'لا شيء يستمع هناك'],
] as const)('in %s, an unplugged terminal is reported without any English', async (language, words) => {
  const sale = {
    ...{ at: 'ended', ending: 'notSent', reason: 'terminalFailed' },
    intent: { operation: 'sale', amount: { minor: 500n, currency: 'EUR' } },
    why: new Fault('link.unavailable', facts).message,
  } as unknown as EndedSale;
  const { words: all, messages } = await load[language]();
  const reader = { messages, words: all, language, dateTime: String };
  const { says } = translateEnding(reader, { told: localizedEnding(sale) } as never);
  expect(says).toContain(words);
  expect(says).not.toMatch(/cannot be opened|nothing listens/);
});
