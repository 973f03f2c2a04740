/** The gateway syncs a payment to the disk before it answers: observed from outside, system call by system call. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runTraced, syncsIn } from '../support/disk/sync-trace.ts';
import { entityId, payment, token } from '../support/gateway/gateway.ts';
import { gatewayArguments, listeningGateway } from '../support/gateway/gateway-process.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-sync-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('no payment is answered before its record is synced', async () => {
  const traceFile = join(folder, 'notes');
  const channel = { entityId, token };
  const command = [process.execPath, ...gatewayArguments(join(folder, 'data'), [channel])];
  const gateway = await listeningGateway(spawn(...runTraced(traceFile, command)), channel);
  try {
    const pay = async (n: number) => (await gateway.post('v1/payments', payment({ amount: `${n}.00` }))).status;
    // One after another, so that each write belongs to the payment answered next.
    for (let n = 1; n <= 10; n += 1) expect(await pay(n)).toBe(200);
  } finally {
    await gateway.end('SIGTERM');
  }
  const { answers, writes, early } = syncsIn(readFileSync(traceFile, 'latin1'), '-wal');
  expect({ answers, early }).toEqual({ answers: 10, early: 0 });
  expect(writes).toBeGreaterThanOrEqual(answers);
});
