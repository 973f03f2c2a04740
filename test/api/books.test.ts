/** The manager's day over the local API: permissions, and the same money in every answer. */
import { afterEach, expect, test } from 'vitest';
import type { Role } from '../../src/api/contract/roles.ts';
import { booksRig, type Life, MERCHANT, type Rig } from '../books/manager-rig.ts';
import { cells, csv } from '../reconciliation/settlement-lines.ts';
import { apiClient } from '../support/api/api-client.ts';

let rig: Rig;
afterEach(() => rig?.remove());

const SIGNATURE = { 'x-override': 'Max-closeBatch' };

const openClient = (till: Life, role: Role) => {
  const services = { books: till.service, events: { listen: () => () => {}, tell: () => {} } };
  const { ask } = apiClient(services, { role, until: (work) => rig.done(work) });
  return (method: string, path: string, body?: unknown, language = 'en') =>
    // A close needs the PIN of the person who closes.
    ask(method, path, body, { 'accept-language': language, ...(path === '/closing' && SIGNATURE) });
};

test('a cashier sees nothing of the books; a technician sees them and changes nothing', async () => {
  rig = booksRig();
  const till = await rig.open();
  const rows: [string, string, unknown, cashier: number, technician: number][] = [
    ['GET', '/today', undefined, 403, 200],
    ['GET', '/batches', undefined, 403, 200],
    ['GET', '/open-items', undefined, 403, 200],
    ['GET', '/limits', undefined, 403, 200],
    ['PUT', '/limits', { changes: { total: '1.00' } }, 403, 403],
    ['POST', '/open-items/1', { action: 'sayCharged', reason: 'because', evidence: 'paper' }, 403, 403],
    ['GET', '/downloads/sales/csv', undefined, 403, 200],
  ];
  const [cashier, technician] = [openClient(till, 'cashier'), openClient(till, 'technician')];
  for (const [method, path, body, one, other] of rows) {
    expect([path, (await cashier(method, path, body)).status]).toEqual([path, one]);
    expect([path, (await technician(method, path, body)).status]).toEqual([path, other]);
  }
  await till.close();
});

test('a day: limits, a settlement file, a resolved difference, the close, and downloads', async () => {
  rig = booksRig();
  const till = await rig.open();
  const ask = openClient(till, 'manager');
  const { intent, answer } = await till.sell(1_000n);
  expect((await ask('GET', '/today')).body).toMatchObject({ taken: { amount: '10.00', currency: 'EUR' } });
  const wrong = await ask('PUT', '/limits', { changes: { total: 'much' } });
  expect([wrong.status, wrong.body]).toMatchObject([400, { problem: { fields: [{ name: 'total' }] } }]);
  const operations = 'sale,preauthorisation,completion,void,release';
  expect((await ask('PUT', '/limits', { changes: { total: '70', operations } })).status).toBe(200);
  expect((await ask('POST', '/limits/replay', { changes: {} })).body).toMatchObject({ asked: 0 });

  const line = { MerchantId: MERCHANT, UniqueID: answer?.payment ?? '', TransactionId: intent.sale };
  const form = new FormData();
  // The file is larger than any other request may be.
  const padding = '\n'.repeat(5_000_000);
  const text = csv([cells({ ...line, SettlementDate: '2026-01-02', SettlementAmount: '9.82' })]) + padding;
  form.append('file', new File([text], 'january.csv'));
  const dropped = await ask('POST', '/reconciliations', form);
  expect([dropped.status, dropped.body]).toMatchObject([201, { file: 'january.csv', differences: 1 }]);
  const { id } = dropped.body as { id: string };
  const resolved = await ask('POST', `/reconciliations/${id}/differences/1`, { choice: 'short', note: '' });
  expect(resolved.body).toMatchObject({ resolved: 1, findings: [{ resolution: { by: 'Max' } }] });
  expect((await ask('POST', `/reconciliations/${id}/differences/9`, { choice: 'x', note: '' })).status).toBe(404);
  expect((await ask('GET', '/reconciliations/none')).status).toBe(404);

  expect((await ask('GET', '/closing')).body).toMatchObject({ mayClose: true });
  expect((await ask('GET', '/closing/wait')).body).not.toHaveProperty('waits');
  expect((await ask('POST', '/closing/cancel')).status).toBe(200);
  expect((await ask('POST', '/closing', {})).body).toMatchObject({ state: 'closed', z: 1 });
  expect((await ask('GET', '/batches/9')).status).toBe(404);
  for (const path of [
    'sales/csv',
    'audit/csv',
    'batch/csv?batch=1',
    'batch/pdf?batch=1',
    `reconciliation/pdf?id=${id}`,
  ]) {
    const { status, headers } = await ask('GET', `/downloads/${path}`);
    expect([path, status, headers.get('content-disposition')]).toEqual([
      path,
      200,
      expect.stringMatching(/^attachment/),
    ]);
  }
  for (const path of ['sales/pdf', 'secrets/csv', 'batch/csv', 'batch/csv?batch=x', 'reconciliation/csv'])
    expect([path, (await ask('GET', `/downloads/${path}`)).status]).toEqual([path, 400]);
  await till.close();
});

test('reports are in the reader’s language, and an empty Accept-Language header is accepted', async () => {
  rig = booksRig();
  const till = await rig.open();
  const ask = openClient(till, 'manager');
  await till.sell(1_000n);
  const fetchPaper = async (language: string) => {
    const { body } = await ask('POST', '/x-reports', undefined, language);
    return (body as { paper: string[] }).paper.join('\n');
  };
  expect(await fetchPaper('de-AT,de;q=0.9,en;q=0.8')).toContain('X-BERICHT 1');
  expect(await fetchPaper('tlh;q=0.9, fr;q=0.8')).toContain('RAPPORT X 2');
  for (const header of ['', '*', ';;;q=', ',', 'x'.repeat(2_000), '=;"'])
    expect(await fetchPaper(header)).toContain('X REPORT');
  expect((await ask('POST', '/closing', {}, 'es')).body).toMatchObject({
    paper: expect.arrayContaining([expect.stringContaining('INFORME Z 1')]),
  });
  expect((await ask('GET', '/batches/1', undefined, 'de')).body).toMatchObject({
    paper: expect.arrayContaining([expect.stringContaining('DUPLIKAT')]),
  });
  await till.close();
});

test('a close needs the PIN of a person who may close; nobody else is asked for theirs', async () => {
  rig = booksRig();
  const till = await rig.open();
  await till.sell(1_000n);
  const services = { books: till.service, events: { listen: () => () => {}, tell: () => {} } };
  const close = async (role: Role, body: object, headers = {}) => {
    const { ask } = apiClient(services, { role, until: (work) => rig.done(work) });
    const answer = await ask('POST', '/closing', body, headers);
    return { status: answer.status, ...(answer.body as { problem?: { code: string; says: string }; z?: number }) };
  };
  expect(await close('manager', {})).toMatchObject({ status: 403, problem: { code: 'session.pinNeeded' } });
  for (const role of ['cashier', 'technician'] as const)
    expect(await close(role, {})).toMatchObject({
      status: 403,
      problem: { code: 'session.notAllowed', says: expect.stringMatching(/ may not close the batch$/) },
    });
  // An approval for another act does not sign a close.
  expect(await close('manager', {}, { 'x-override': 'Max-refund' })).toMatchObject({ status: 403 });
  expect(await close('manager', { override: 'the van leaves' }, SIGNATURE)).toMatchObject({ status: 403 });
  expect(await close('technician', {}, SIGNATURE)).toMatchObject({ status: 201, z: 1 });
  await till.close();
});
