/** A day's thread is ended for what it does itself, not for what the machine does besides. */
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { answered } from './players.ts';

const task = { seed: 1 };
const limits = { cpuMs: 300, realMs: 600_000, everyMs: 10 };
let worker: Worker;

const thread = (work: string): Worker => {
  worker = new Worker(`require('node:worker_threads').parentPort.on('message', () => { ${work} })`, { eval: true });
  return worker;
};
afterEach(() => worker.terminate());

const answer = "require('node:worker_threads').parentPort.postMessage({ seed: 1 });";

test('one that goes round for ever is ended once it has used up its time of the processor', async () => {
  expect(await answered(thread('for (;;);'), task, limits)).toBeUndefined();
});

test('one that gets hardly anything of the processor is waited for', async () => {
  const late = `setTimeout(() => { ${answer} }, 900);`;
  expect(await answered(thread(late), task, limits)).toEqual({ seed: 1 });
});

test('what a thread has used for earlier days is not counted', async () => {
  const busy = `const until = performance.now() + 150; while (performance.now() < until); ${answer}`;
  const seasoned = thread(busy);
  for (let day = 0; day < 4; day++) expect(await answered(seasoned, task, limits)).toEqual({ seed: 1 });
});

test('one that waits for what never comes is ended at last', async () => {
  expect(await answered(thread(''), task, { ...limits, realMs: 200 })).toBeUndefined();
});

test('one that throws tells what', async () => {
  await expect(answered(thread("throw new Error('no such day')"), task, limits)).rejects.toThrow('no such day');
});
