/** A language's table may be the first thing that is loaded: nothing of it needs the page's other words before. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';

/** What a thread says that has loaded nothing but this file: `expression` of its module `it`. */
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

test('the words are loaded before what is said', async () => {
  expect(await saidFirst('translation.ts', "it.row('a', 'b', 'c').next")).toBe('c');
});
