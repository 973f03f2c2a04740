/** A refusal is stored under the Idempotency-Key of its request, except for a key that must not be stored. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { payment, testGateway } from '../support/gateway/gateway.ts';
import { scanForCardData } from '../support/leaks/leak-scan.ts';
import { secrets } from './entities.ts';

test('a card number as Idempotency-Key of its own payment is refused, and reaches no file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-key-'));
  const gateway = await testGateway({ path: join(folder, 'gateway.db') });
  const { pan } = secrets;
  for (const key of [pan, `sale-${pan.slice(0, 8)}-${pan.slice(8)}`]) {
    const reply = await gateway.post('v1/payments', payment({ 'card.number': pan }), { 'idempotency-key': key });
    expect(reply).toMatchObject({ status: 400, code: '200.300.404' });
    const errors = [{ name: 'Idempotency-Key', value: '****', message: 'must not hold the card number' }];
    expect(reply.body).toMatchObject({ result: { parameterErrors: errors } });
  }
  expect(scanForCardData({ roots: [folder], needles: [pan] })).toEqual([]);
  await gateway.app.close();
  await gateway.store.close();
  rmSync(folder, { recursive: true });
});
