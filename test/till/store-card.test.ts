/** A payment that stores its card: requested, recorded in the journal, reported; and when a card cannot be stored. */
import { afterEach, expect, test } from 'vitest';
import type { Parameters } from '../../src/till/ports.ts';
import { chipCard, eur, type Rig, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
afterEach(() => rig.remove());

const stored = '8ac7a4a1123456789012345678901234';

/** A gateway that stores cards: its answer has a registration if one was requested. */
const createStoringHost = () => {
  const sent: Parameters[] = [];
  const { host } = rig;
  const pay = async (parameters: Parameters, key: string) => {
    sent.push(parameters);
    const reply = await host.pay(parameters, key);
    if (reply.kind !== 'answered' || parameters['createRegistration'] !== 'true') return reply;
    return { ...reply, body: { ...reply.body, registrationId: stored } };
  };
  return { sent, host: { ...host, pay } };
};

test('the registration is in the journal, only for the sale that requested it', async () => {
  rig = tillRig();
  const { sent, host } = createStoringHost();
  const run = rig.open({ host });
  const sell = (more: object) => rig.clock.until(run.till.sell({ amount: eur(1_000n), ...more }, () => {}).done);
  const [request, plain] = [await sell({ storeCard: true }), await sell({})];
  expect(sent.map((one) => one['createRegistration'])).toEqual(['true', undefined]);
  run.close();
  const later = rig.open({ host });
  const found = [request, plain].map(({ intent }) => later.till.find(intent.receipt));
  expect(found.map((sale) => ('answer' in sale ? sale.answer?.registrationId : 'none'))).toEqual([stored, undefined]);
  expect(found.map(({ intent }) => intent.storeCard)).toEqual([true, undefined]);
  later.close();
});

test('a sale that goes offline stores no card: its payment must not be refused for that', async () => {
  rig = tillRig(chipCard);
  const { sent, host } = createStoringHost();
  const run = rig.open({ host });
  rig.fates.push('notReached');
  const storedSale = await rig.clock.until(run.till.sell({ amount: eur(1_000n), storeCard: true }, () => {}).done);
  expect([storedSale.ending, storedSale.offline]).toEqual(['approved', 'chip']);
  await run.passTime(1);
  expect(sent.map((one) => one['createRegistration'])).toEqual(['true', undefined]);
  expect(run.says(storedSale.intent.sale).charged).toBe(1_000n);
  run.close();
});

test('a request to store a gift card is refused, and nothing is written', () => {
  rig = tillRig();
  const run = rig.open();
  const pay = () =>
    run.till.payByGiftCard({ amount: eur(1_000n), storeCard: true, number: '9900000000000010' }, () => {});
  expect(pay).toThrow('a gift card cannot be stored');
  expect(run.journal.length).toBe(0);
  run.close();
});
