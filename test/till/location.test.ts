/** The shop's location: fixed in the intent, and sent with each request in which a terminal takes part. */
import { afterEach, expect, test } from 'vitest';
import type { Parameters } from '../../src/till/ports.ts';
import { LIFE_MS, type Rig, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
afterEach(() => rig.remove());

const vienna = { latitude: '48.2082', longitude: '16.37380000', accuracy: '10' };
const wire = {
  'pos.location.latitude': '48.2082',
  'pos.location.longitude': '16.37380000',
  'pos.location.accuracy': '10',
};

const heard = () => {
  const sent: Parameters[] = [];
  const { host } = rig;
  return {
    sent,
    host: {
      ...host,
      pay: (parameters: Parameters, key: string) => {
        sent.push(parameters);
        return host.pay(parameters, key);
      },
      refer: (payment: string, parameters: Parameters, key: string) => {
        sent.push(parameters);
        return host.refer(payment, parameters, key);
      },
    },
  };
};

test('a sale and its void include the location; a gift card payment has no terminal', async () => {
  rig = tillRig();
  const { sent, host } = heard();
  const run = rig.open({ host, parts: { location: vienna } });
  const sold = await rig.clock.until(run.sell(1_000n).done);
  expect(sold.intent.location).toEqual(vienna);
  await rig.clock.until(run.till.follow({ receipt: sold.intent.receipt, operation: 'void' }, () => {}).done);
  const gift = run.till.payByGiftCard({ amount: sold.intent.amount, number: '9900000000000010' }, () => {});
  expect((await rig.clock.until(gift.done)).intent).not.toHaveProperty('location');
  expect(sent.map((one) => one['pos.location.latitude'])).toEqual(['48.2082', '48.2082', undefined]);
  for (const one of sent.slice(0, 2)) expect(one).toMatchObject(wire);
  run.close();
});

test('a repeated request has the location where it began', async () => {
  rig = tillRig();
  const { sent, host } = heard();
  const first = rig.open({ host, parts: { location: vienna } });
  const sold = await rig.clock.until(first.sell(1_000n).done);
  rig.fates.push('requestLost');
  await rig.clock.until(first.till.follow({ receipt: sold.intent.receipt, operation: 'void' }, () => {}).done);
  first.close();
  const moved = rig.open({ host, parts: { location: { latitude: '-33.8', longitude: '151.2' } } });
  await moved.passTime(3, LIFE_MS);
  expect(sent.length).toBeGreaterThan(2);
  for (const one of sent.slice(1)) expect(one).toEqual(sent[1]);
  moved.close();
});
