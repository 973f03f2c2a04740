/** In a busy shop, repeated comparisons ask the gateway only for what is new, and find payments that appear late. */
import { afterEach, expect, test } from 'vitest';
import { booksRig, type Life, max, type Options, type Rig } from './manager-rig.ts';

let rig: Rig;
let till: Life;
/** The requests to the gateway: lists as `list of 3`, and the sales that were asked about one by one. */
let requests: string[] = [];
afterEach(async () => {
  await till.close();
  rig.remove();
});

const counted = () => {
  const { host } = rig;
  return {
    host: () => ({
      ...host,
      find: (reference: string, linked?: 'linked') => {
        requests.push(reference);
        return host.find(reference, linked);
      },
      list: async (period: Parameters<typeof host.list>[0]) => {
        const reply = await host.list(period);
        const { payments = [] } = (reply.kind === 'answered' ? reply.body : {}) as { payments?: unknown[] };
        requests.push(`list of ${payments.length}`);
        return reply;
      },
    }),
  };
};

const open = async (request: Options = {}): Promise<void> => {
  requests = [];
  rig = booksRig(request);
  till = await rig.open(counted());
};

const look = async () => (await rig.done(till.service.closing())).checks.find(({ what }) => what === 'gatewayAgrees');

/** One sale a second, as with several counters. */
const sellEach = async (seconds: number): Promise<void> => {
  for (let n = 0; n < seconds; n += 1) {
    const startedAt = rig.clock.now();
    await till.sell(100n);
    await rig.clock.advance(Math.max(0, 1_000 - (rig.clock.now() - startedAt)));
  }
};

/** The number of payments in each list from the gateway. */
const listedCounts = (): number[] => requests.map((one) => Number(/^list of (\d+)$/.exec(one)?.[1]));

test('successive comparisons list only the last seconds, and ask about no sale that a list contained', async () => {
  await open();
  await sellEach(60);
  expect(await look()).toMatchObject({ ok: true });
  requests = [];
  for (let lookCount = 0; lookCount < 5; lookCount += 1) {
    await sellEach(2);
    expect(await look()).toMatchObject({ ok: true });
  }
  expect(listedCounts()).toHaveLength(5);
  for (const count of listedCounts()) expect(count).toBeLessThan(15);
});

const closed = async () => {
  await rig.done(till.service.close({}, max));
  return till.running.books.batches().findLast(({ z }) => z !== undefined)?.z;
};

test('a payment that appears a minute late is found at once by a close, and by looks within a minute', async () => {
  for (const isClosed of [true, false]) {
    await open();
    await sellEach(70);
    expect(await look()).toMatchObject({ ok: true });
    await sellEach(2);
    expect(await look()).toMatchObject({ ok: true });
    const [first] = rig.host.books;
    (rig.host.books as unknown[]).push({ ...first, id: 'f'.repeat(32), at: rig.clock.now() - 60_000 });
    if (isClosed) {
      expect((await closed())?.differences).toMatchObject([{ till: '1.00 EUR', gateway: '2.00 EUR' }]);
      await till.close();
      rig.remove();
    } else {
      await sellEach(60);
      expect(await look()).toMatchObject({ ok: false, open: [{ receipt: 1 }] });
    }
  }
});

test('sales that never reached the gateway are asked about by each close, and once by comparisons', async () => {
  await open({ limits: { chip: { upTo: '0.00' }, deferred: { upTo: '0.00' } } });
  await till.sell(1_000n);
  rig.line.up = false;
  const lost = [await till.sell(200n), await till.sell(300n), await till.sell(400n)];
  expect(lost.map(({ ending }) => ending)).toEqual(['notSent', 'notSent', 'notSent']);
  rig.line.up = true;
  expect(await look()).toMatchObject({ ok: true });
  requests = [];
  expect(await look()).toMatchObject({ ok: true });
  expect(requests).toEqual(['list of 1']);
  await closed();
  expect(requests).toEqual(expect.arrayContaining(lost.map(({ intent }) => intent.sale)));
});
