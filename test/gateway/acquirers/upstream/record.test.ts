/** The record of an operation: started once, its ending stays, and an answered operation is never closed. */
import { expect, test } from 'vitest';
import { openRecords } from '../../../../src/gateway/acquirers/upstream/record.ts';
import type { AcquirerAnswer } from '../../../../src/gateway/spec/acquirer-answer.ts';
import { acquirerMemory } from '../../../support/gateway/acquirer-memory.ts';

const begun = {
  kind: 'operation',
  at: 1,
  intent: { entityId: 'e', type: 'DB', minor: '1250', currency: 'EUR' },
} as const;
const closed = { kind: 'closed' };
const said = (resultCode: string): { answer: AcquirerAnswer } => ({ answer: { resultCode, details: {} } });

test('an id is started once', async () => {
  const records = openRecords(acquirerMemory());
  const all = await Promise.all([records.begin('a', begun), records.begin('a', begun), records.begin('a', begun)]);
  expect(all.filter((each) => each === undefined)).toHaveLength(1);
});

test.each([
  ['approved', '000.100.110', '800.100.151', '000.100.110'],
  ['declined', '800.100.151', '000.100.110', '800.100.151'],
  ['pending', '000.200.000', '000.100.110', '000.100.110'],
  ['in doubt', '900.100.400', '800.100.151', '800.100.151'],
])('%s stays until there is an ending', async (_, first, second, stands) => {
  const records = openRecords(acquirerMemory());
  await records.begin('a', begun);
  await records.recordAnswer('a', said(first));
  expect(await records.recordAnswer('a', said(second))).toEqual({ ...begun, ...said(stands) });
  expect(await records.read('a')).toEqual({ ...begun, ...said(stands) });
});

test.each([
  ['nothing', [], closed, closed],
  ['an operation without an answer', ['begin'], begun, closed],
  ['one in doubt', ['begin', '900.100.400'], { ...begun, ...said('900.100.400') }, closed],
  ['a pending one', ['begin', '000.200.000'], { ...begun, ...said('000.200.000') }, undefined],
  ['an approved one', ['begin', '000.100.110'], { ...begun, ...said('000.100.110') }, undefined],
] as const)('%s is closed as unsent or as unanswered only if that is true', async (_, steps, unsent, unanswered) => {
  for (const when of ['unsent', 'unanswered'] as const) {
    const records = openRecords(acquirerMemory());
    for (const step of steps) {
      if (step === 'begin') await records.begin('a', begun);
      else await records.recordAnswer('a', said(step));
    }
    expect(await records.close('a', when)).toEqual(when === 'unsent' ? unsent : (unanswered ?? unsent));
  }
});

test('a closed id stays closed', async () => {
  const records = openRecords(acquirerMemory());
  await records.close('a', 'unsent');
  expect(await records.begin('a', begun)).toEqual(closed);
  expect(await records.recordAnswer('a', said('000.100.110'))).toEqual(closed);
  expect(await records.read('a')).toEqual(closed);
});

test.each(['{', '7', 'null', '{"kind":"other"}'])('refuses a document with the content %s by name', async (text) => {
  const memory = acquirerMemory();
  memory.documents.set('upstream/a', text);
  await expect(openRecords(memory).read('a')).rejects.toMatchObject({ code: 'gateway.state' });
});
