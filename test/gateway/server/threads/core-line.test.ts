/** What the edge learns when its core dies or sends an unexpected message. */
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { type CoreListeners, startCore } from '../../../../src/gateway/server/threads/core-line.ts';

const ignoringListeners: CoreListeners = { onFault: () => {}, onCommit: () => {}, onAnswer: () => {} };

/** A thread that opens, and then runs `then` with each list of messages. */
const core = (then: string): Worker =>
  new Worker(
    `const { parentPort } = require('node:worker_threads');
     parentPort.postMessage([{ kind: 'open', secret: new Uint8Array(32) }]);
     parentPort.on('message', (messages) => { ${then} });`,
    { eval: true },
  );

test('a core that dies at work leaves no caller waiting, and is reported', async () => {
  const { ping, failed } = await startCore(core(`throw new Error('out of its mind')`), ignoringListeners);
  const outcomes = await Promise.allSettled([ping(), ping()]);
  const fault = { code: 'gateway.state', facts: { why: 'out of its mind' } };
  expect(outcomes).toMatchObject([
    { status: 'rejected', reason: fault },
    { status: 'rejected', reason: fault },
  ]);
  await expect(failed).rejects.toMatchObject(fault);
  await expect(ping()).rejects.toMatchObject({ code: 'gateway.state' });
});

test('a core that ends silently is noticed too', async () => {
  const { ping, failed } = await startCore(core('process.exit(0)'), ignoringListeners);
  await expect(ping()).rejects.toMatchObject({ code: 'gateway.state' });
  await expect(failed).rejects.toMatchObject({ facts: { why: 'its core has ended' } });
});

test('a core that cannot open reports why, and is gone', async () => {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     parentPort.postMessage([{ kind: 'shut', failure: { code: 'gateway.state', facts: { why: 'it is taken' } } }]);
     parentPort.on('message', () => {});`,
    { eval: true },
  );
  const closed = new Promise((resolve) => worker.once('exit', resolve));
  await expect(startCore(worker, ignoringListeners)).rejects.toMatchObject({
    code: 'gateway.state',
    facts: { why: 'it is taken' },
  });
  await closed;
});

test('an answer of another kind is an error', async () => {
  const { ping, request, close } = await startCore(
    core(`for (const { call } of messages) parentPort.postMessage([{ kind: 'done', call }]);`),
    ignoringListeners,
  );
  await ping();
  await expect(request({ method: 'GET', url: 'http://a/', headers: [] })).rejects.toThrow('the core answered done');
  await close();
});
