/**
 * Printers and paper over the local API: each answer matches the contract, and each form of a receipt its media type.
 */
import { afterEach, expect, test } from 'vitest';
import { openApiOf } from '../../src/api/openapi.ts';
import { bar, paperRig } from '../printing/paper-rig.ts';
import { apiClient } from '../support/api/api-client.ts';

type Rig = Awaited<ReturnType<typeof paperRig>>;
let rig: Rig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

const openClient = ({ service, events, clock }: Rig) => {
  const { app, ask } = apiClient(
    { paper: service, events },
    { role: 'technician', until: (work) => clock.until(work) },
  );
  return {
    app,
    async ask(method: string, path: string, body?: unknown) {
      const { ok, type, body: received } = await ask(method, path, body);
      expect(ok, path).toBe(true);
      return { type, received };
    },
  };
};

test('a printer is added, tested, used and removed', async () => {
  rig = await paperRig({ printers: [] });
  const { ask } = openClient(rig);
  expect((await ask('POST', '/printers', bar)).received).toMatchObject({ name: 'Bar' });
  await ask('GET', '/printers');
  await ask('POST', '/printers/Bar/test');
  const { receipt } = await rig.sell();
  await ask('POST', `/sales/${receipt}/print`, { copy: 'customer', width: 80 });
  await ask('POST', '/reports/print', { lines: ['A LINE'] });
  await ask('DELETE', '/printers/Bar');
});

test('each form of a receipt has a media type from the document', async () => {
  rig = await paperRig();
  const { app, ask } = openClient(rig);
  const { paths } = openApiOf(app, '1') as unknown as {
    paths: Record<string, { get: { responses: { '2XX': { content: Record<string, unknown> } } } }>;
  };
  const mediaTypes = paths['/api/sales/{receipt}/receipt']?.get.responses['2XX'].content ?? {};
  const { receipt } = await rig.sell();
  const input = new Set<string>();
  for (const form of ['text', 'svg', 'pdf', 'escpos', 'receiptline', 'email'])
    input.add((await ask('GET', `/sales/${receipt}/receipt?form=${form}`)).type.split(';')[0] ?? '');
  expect([...input].sort()).toEqual(Object.keys(mediaTypes).sort());
});

test('the receipt of a sale in progress does not exist yet, and can be requested again', async () => {
  rig = await paperRig();
  const { clock, service, events } = rig;
  const { ask } = apiClient({ paper: service, events }, { role: 'technician', until: (work) => clock.until(work) });
  const { receipt } = await rig.begun();
  const { status, headers, body } = await ask('GET', `/sales/${receipt}/receipt?form=text`);
  expect([status, headers.get('retry-after')]).toEqual([409, '5']);
  expect(body).toMatchObject({ problem: { code: 'receipt.notYet', facts: { receipt }, remedy: 'retry' } });
  expect(JSON.stringify(body)).not.toMatch(/may have been charged|manager/);
  await clock.advance(10_000);
  expect((await ask('GET', `/sales/${receipt}/receipt?form=text`)).status).toBe(200);
});
