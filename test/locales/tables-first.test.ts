/** A language's table can be the first module that is loaded: it needs no other texts of the page. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

/** The value of `expression` in a thread that has loaded only this file, as the module `it`. */
const saidFirst = async (file: string, expression: string): Promise<unknown> => {
  const url = JSON.stringify(new URL(`../../src/locales/${file}`, import.meta.url).href);
  const program = `import(${url}).then((it) => require('node:worker_threads').parentPort.postMessage(${expression}))`;
  const thread = new Worker(program, { eval: true, execArgv: [] });
  const [output] = await once(thread, 'message');
  await thread.terminate();
  return output;
};

test.each(['de', 'fr', 'es', 'ar'])('%s is loaded before English', async (language) => {
  expect(await saidFirst(`screens/${language}/catalogue.ts`, "it.catalogue.messages.faults['till.away'].says")).toMatch(
    /./,
  );
});

test('the texts are loaded before the messages', async () => {
  expect(await saidFirst('translation.ts', "it.row('a', 'b', 'c').next")).toBe('c');
});
