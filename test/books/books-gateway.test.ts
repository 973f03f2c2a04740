/** What the gateway knows when a batch is closed: it is asked by period, and reports what only it knows. */
import { afterEach, expect, test } from 'vitest';
import type { Host } from '../../src/till/ports.ts';
import { booksRig, type Life, max, type Rig } from './manager-rig.ts';

let rig: Rig;
let till: Life;
afterEach(async () => {
  await till.close();
  rig.remove();
});

const open = async (requests: string[] = []) => {
  rig = booksRig();
  const { host } = rig;
  const counting = (real: Host): Host => ({
    ...real,
    find: (reference, linked) => {
      requests.push(reference);
      return host.find(reference, linked);
    },
    list: (period) => {
      requests.push('period');
      return host.list(period);
    },
  });
  till = await rig.open({ host: () => counting(host) });
};

/** A payment that somebody else made at the gateway. */
const payAtGateway = (parameters: Record<string, string>, payment?: string) =>
  rig.done(
    payment === undefined
      ? rig.host.pay({ amount: '9.00', currency: 'EUR', paymentType: 'DB', ...parameters }, rig.chance.ids.next())
      : rig.host.refer(payment, parameters, `${payment}${parameters['paymentType']}`),
  );

const isGatewayAgreeing = async () =>
  (await rig.done(till.service.closing())).checks.find(({ what }) => what === 'gatewayAgrees');

const closed = async () => {
  await rig.done(till.service.close({}, max));
  return till.running.books.batches().findLast(({ z }) => z !== undefined)?.z;
};

test('a batch is asked about by its period, once for the closing page and once for the close', async () => {
  const requests: string[] = [];
  await open(requests);
  for (let n = 0; n < 12; n += 1) await till.sell(1_000n);
  expect(await isGatewayAgreeing()).toMatchObject({ ok: true });
  expect(await closed()).toMatchObject({ differences: [], brands: [{ till: '120.00', gateway: '120.00' }] });
  expect(requests).toEqual(['period', 'period']);
});

test('a sale that is missing from the list, or differs there, is asked about individually', async () => {
  const requests: string[] = [];
  await open(requests);
  const [first, , third] = [await till.sell(1_000n), await till.sell(2_000n), await till.sell(3_000n)];
  const { list } = rig.host;
  rig.host.list = async (period) => {
    const reply = await list(period);
    if (reply.kind !== 'answered') return reply;
    const { payments } = reply.body as { payments: { merchantTransactionId: string; amount: string }[] };
    const withoutFirst = payments.filter((one) => one.merchantTransactionId !== first.intent.sale);
    const off = withoutFirst.map((one) =>
      one.merchantTransactionId === third.intent.sale ? { ...one, amount: '3.01' } : one,
    );
    return { ...reply, body: { ...reply.body, payments: off } };
  };
  expect(await closed()).toMatchObject({ differences: [], brands: [{ till: '60.00', gateway: '60.00' }] });
  expect(requests).toEqual(['period', first.intent.sale, third.intent.sale]);
});

test('a reversal made at the gateway is a difference, although it has no reference of the till', async () => {
  await open();
  const sale = await till.sell(1_000n);
  await till.sell(500n);
  await payAtGateway({ paymentType: 'RV' }, sale.answer?.payment);
  expect(await isGatewayAgreeing()).toMatchObject({ ok: false, open: [{ receipt: sale.intent.receipt }] });
  expect((await closed())?.differences).toMatchObject([{ till: '10.00 EUR', gateway: '0.00 EUR' }]);
});

test('payments of this terminal that the journal lacks are in the Z report once, and on its paper', async () => {
  await open();
  const { intent } = await till.sell(1_000n);
  const other = { 'pos.terminalId': intent.terminalId };
  await payAtGateway({ ...other, merchantTransactionId: 'c0ffee01', amount: '9.00' });
  await payAtGateway({ 'pos.terminalId': '4711', merchantTransactionId: 'c0ffee02', amount: '8.00' });
  await payAtGateway({ merchantTransactionId: 'c0ffee03', amount: '7.00' });
  const check = await isGatewayAgreeing();
  expect(check).toMatchObject({ ok: false, open: [], why: { code: 'closing.unknownHere' } });
  expect(check?.why?.says).toContain('9.00 EUR');
  const { paper = [] } = await rig.done(till.service.close({}, max));
  const z = till.running.books.batch(1).z;
  expect(z?.unknownHere).toMatchObject([{ paymentType: 'DB', amount: '9.00 EUR' }]);
  expect(z).toMatchObject({ differences: [], brands: [{ till: '10.00', gateway: '10.00' }] });
  expect(paper.join('\n')).toMatch(/AT THE GATEWAY UNDER THIS TERMINAL[\s\S]*9\.00 EUR[\s\S]*Another till/);
  expect(paper.join('\n')).not.toMatch(/8\.00 EUR|7\.00 EUR/);
  await till.sell(2_000n);
  expect(await isGatewayAgreeing()).toMatchObject({ ok: true });
  expect((await closed())?.unknownHere).toBeUndefined();
});

test.each(['reversed there', 'gone there', 'reversed in a later batch'])(
  'a hold that is %s is reported as lost',
  async (missing) => {
    await open();
    const hold = await rig.done(
      till.running.till.preauthorise({ amount: { minor: 5_000n, currency: 'EUR' } }, () => {}).done,
    );
    const isLater = missing.endsWith('later batch');
    if (isLater) {
      expect((await closed())?.differences).toEqual([]);
      await till.sell(1_000n);
    }
    if (missing === 'gone there') (rig.host.books as unknown[]).length = 0;
    else await payAtGateway({ paymentType: 'RV' }, hold.answer?.payment);
    expect(await isGatewayAgreeing()).toMatchObject({
      ok: false,
      open: [
        {
          receipt: hold.intent.receipt,
          amount: '50.00 EUR',
          told: { why: { code: 'closing.holdGone' }, next: { code: 'closing.holdAgain' } },
        },
      ],
    });
    const z = await closed();
    expect(z?.differences).toEqual([
      {
        ...{ receipt: hold.intent.receipt, till: '50.00 EUR', gateway: '0.00 EUR' },
        why: 'no longer held there: no charge on it will be approved. Ask for the card again, and release this hold',
      },
    ]);
    expect(z?.brands.map(({ till: tillSum, gateway }) => [tillSum, gateway])).toEqual([
      isLater ? ['10.00', '10.00'] : ['0.00', '0.00'],
    ]);
  },
);
