/** The record of an operation: started once, its ending stays, and an answered operation is never closed. */
import { expect, test } from 'vitest';
import { openRecords } from '../../../../src/gateway/acquirers/upstream/record.ts';
import type { AcquirerAnswer } from '../../../../src/gateway/spec/acquirer-answer.ts';
import { acquirerMemory } from '../../../support/gateway/acquirer-memory.ts';

const startedOperation = {
  kind: 'operation',
  at: 1,
  intent: { entityId: 'e', type: 'DB', minor: '1250', currency: 'EUR' },
} as const;
const closedOperation = { kind: 'closed' };
const answerWith = (resultCode: string): { answer: AcquirerAnswer } => ({ answer: { resultCode, details: {} } });

test('an id is started once', async () => {
  const records = openRecords(acquirerMemory());
  const all = await Promise.all([
    records.begin('a', startedOperation),
    records.begin('a', startedOperation),
    records.begin('a', startedOperation),
  ]);
  expect(all.filter((each) => each === undefined)).toHaveLength(1);
});

test.each([
  ['approved', '000.100.110', '800.100.151', '000.100.110'],
  ['declined', '800.100.151', '000.100.110', '800.100.151'],
  ['pending', '000.200.000', '000.100.110', '000.100.110'],
  ['in doubt', '900.100.400', '800.100.151', '800.100.151'],
])('%s stays until there is an ending', async (_, first, second, storedCode) => {
  const records = openRecords(acquirerMemory());
  await records.begin('a', startedOperation);
  await records.recordAnswer('a', answerWith(first));
  expect(await records.recordAnswer('a', answerWith(second))).toEqual({
    ...startedOperation,
    ...answerWith(storedCode),
  });
  expect(await records.read('a')).toEqual({ ...startedOperation, ...answerWith(storedCode) });
});

test.each([
  ['nothing', [], closedOperation, closedOperation],
  ['an operation without an answer', ['begin'], startedOperation, closedOperation],
  ['one in doubt', ['begin', '900.100.400'], { ...startedOperation, ...answerWith('900.100.400') }, closedOperation],
  ['a pending one', ['begin', '000.200.000'], { ...startedOperation, ...answerWith('000.200.000') }, undefined],
  ['an approved one', ['begin', '000.100.110'], { ...startedOperation, ...answerWith('000.100.110') }, undefined],
] as const)('%s is closed as unsent or as unanswered only if that is true', async (_, steps, unsent, closedAs) => {
  for (const when of ['unsent', 'unanswered'] as const) {
    const records = openRecords(acquirerMemory());
    for (const step of steps) {
      if (step === 'begin') await records.begin('a', startedOperation);
      else await records.recordAnswer('a', answerWith(step));
    }
    expect(await records.close('a', when)).toEqual(when === 'unsent' ? unsent : (closedAs ?? unsent));
  }
});

test('a closed id stays closed', async () => {
  const records = openRecords(acquirerMemory());
  await records.close('a', 'unsent');
  expect(await records.begin('a', startedOperation)).toEqual(closedOperation);
  expect(await records.recordAnswer('a', answerWith('000.100.110'))).toEqual(closedOperation);
  expect(await records.read('a')).toEqual(closedOperation);
});

test.each(['{', '7', 'null', '{"kind":"other"}'])('refuses a document with the content %s by name', async (text) => {
  const memory = acquirerMemory();
  memory.documents.set('upstream/a', text);
  await expect(openRecords(memory).read('a')).rejects.toMatchObject({ code: 'gateway.state' });
});
