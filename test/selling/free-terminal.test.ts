/** A register that begins its next sale as soon as it learns of the last ending is never refused. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { counterRig, eur, type Rig } from './counter-rig.ts';
import {
  counters,
  customers,
  fourTerminals,
  type Heard,
  listenTo,
  protocolsBehindFirst,
  routesOf,
} from './listeners-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = counterRig();
});
afterEach(() => rig.remove());

type SaleHeard = Extract<Heard, { on: 'sale' }>['sale'];

const SALES_EACH = 5;

test.each<[string, (sale: SaleHeard) => boolean, terminalFree: boolean]>([
  ['its result', ({ result }) => result !== undefined, false],
  ['its phase “ended”', ({ phase }) => phase === 'ended', true],
])('at each terminal, at %s', async (_, isMoment, terminalFree) => {
  let nextCustomer = 0;
  const takeCustomer = () => customers[nextCustomer++ % customers.length] ?? customers[0];
  const open = await rig.open({
    ...{ counters: 4, protocol: protocolsBehindFirst },
    around: fourTerminals(rig.clock, takeCustomer),
  });
  const app = routesOf({ ...open, clock: rig.clock });
  const answers: string[] = [];
  const begin = async (counter: string): Promise<string> => {
    const key = `key-${String(answers.push('asked')).padStart(6, '0')}`;
    const index = answers.length - 1;
    const answer = await app.request('/sales', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ amount: eur(`${answers.length}.00`), counter }),
    });
    answers[index] = `${counter} ${answer.status}`;
    return ((await answer.json()) as { id: string }).id;
  };
  const free = new Map<string, boolean>();
  const runDay = async (counter: string): Promise<void> => {
    const finished = Promise.withResolvers<void>();
    let [left, id] = [SALES_EACH, ''];
    void listenTo(app, {}, (event) => {
      if (event.on !== 'sale' || event.sale.id !== id || !isMoment(event.sale)) return true;
      free.set(id, event.sale.terminalFree);
      left -= 1;
      id = '';
      if (left === 0) finished.resolve();
      else
        void begin(counter).then((started) => {
          id = started;
        });
      return left > 0;
    });
    id = await begin(counter);
    await finished.promise;
  };
  await rig.clock.until(Promise.all(counters.map(runDay)));
  expect(answers.toSorted()).toEqual(counters.flatMap((counter) => Array(SALES_EACH).fill(`${counter} 201`)));
  expect([...free.values()]).toEqual(Array(4 * SALES_EACH).fill(terminalFree));
  await rig.clock.advance(60_000);
  await open.close();
});
