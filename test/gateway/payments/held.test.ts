/** Money that was held and never captured is released: the same card can pay with it again. */
import { expect, test } from 'vitest';
import { idOf, type Parameters, payment, testGateway } from '../../support/gateway/gateway.ts';
import { openShop } from './gateway-in-memory.ts';

const CARD = { paymentBrand: 'MASTER', 'card.number': '5454545454545454' };
const euros = (amount: string): Parameters => ({ amount, currency: 'EUR' });

/** The requests that follow a hold of 5,000.00, all the card's funds; and the funds that remain afterwards. */
const stories: Readonly<
  Record<string, { authorisationParameters?: Parameters; follow: readonly Parameters[]; remaining: string }>
> = {
  'a capture marked as the last one': {
    follow: [{ paymentType: 'CP', ...euros('100.00'), sequence: 'FINAL' }],
    remaining: '4900.00',
  },
  'the last of the allowed captures': {
    authorisationParameters: { numberOfCaptures: '2' },
    follow: [
      { paymentType: 'CP', ...euros('100.00') },
      { paymentType: 'CP', ...euros('200.00') },
    ],
    remaining: '4700.00',
  },
  'a reversal of the rest after a capture': {
    follow: [{ paymentType: 'CP', ...euros('100.00') }, { paymentType: 'RV' }],
    remaining: '4900.00',
  },
  'a reversal of a part of the rest': {
    follow: [
      { paymentType: 'CP', ...euros('100.00') },
      { paymentType: 'RV', ...euros('900.00') },
    ],
    remaining: '900.00',
  },
};

test.each(Object.entries(stories))('%s', async (_, { authorisationParameters = {}, follow, remaining }) => {
  const { gateway, post } = await openShop();
  try {
    const pay = async (amount: string) => (await post('v1/payments', payment({ ...CARD, ...euros(amount) }))).code;
    const start = await post(
      'v1/payments',
      payment({ ...CARD, ...euros('5000.00'), paymentType: 'PA', ...authorisationParameters }),
    );
    expect(start.code).toBe('000.100.110');
    for (const each of follow) expect((await post(`v1/payments/${idOf(start)}`, each)).code).toBe('000.100.110');
    const cent = (BigInt(remaining.replace('.', '')) + 1n).toString();
    expect([await pay(`${cent.slice(0, -2)}.${cent.slice(-2)}`), await pay(remaining)]).toEqual([
      '800.100.155',
      '000.100.110',
    ]);
  } finally {
    await gateway.close();
  }
});

test.each([
  ['marked as the last', {}, { sequence: 'FINAL' }, 1],
  ['the last of the allowed number', { numberOfCaptures: '2' }, {}, 2],
])('the acquirer is told that a capture is the last one: %s', async (_, request, sequenceField, captures) => {
  const gateway = await testGateway();
  const firstReply = await gateway.post('v1/payments', payment({ paymentType: 'PA', ...request }));
  const capture = { paymentType: 'CP', amount: '1.00', currency: 'EUR', ...sequenceField };
  for (let index = 0; index < captures; index += 1) await gateway.post(`v1/payments/${idOf(firstReply)}`, capture);
  const messages = gateway.acquirer.referred.map(({ parameters }) => parameters['sequence']);
  expect(messages).toEqual([...Array<undefined>(captures - 1).fill(undefined), 'FINAL']);
  await gateway.store.close();
});

test('the acquirer gets the last capture once the captures in progress have ended', async () => {
  const gateway = await testGateway();
  const firstReply = await gateway.post('v1/payments', payment({ paymentType: 'PA', numberOfCaptures: '2' }));
  const capture = () =>
    gateway.post(`v1/payments/${idOf(firstReply)}`, { paymentType: 'CP', amount: '1.00', currency: 'EUR' });
  const { promise: after, resolve: answers } = Promise.withResolvers<void>();
  gateway.acquirer.next({ after });
  const replies = [capture(), capture()];
  await gateway.clock.settle();
  expect(gateway.acquirer.referred.map(({ parameters }) => parameters['sequence'])).toEqual([undefined]);
  answers();
  expect((await Promise.all(replies)).map(({ code }) => code)).toEqual(['000.100.110', '000.100.110']);
  expect(gateway.acquirer.referred.map(({ parameters }) => parameters['sequence'])).toEqual([undefined, 'FINAL']);
  await gateway.store.close();
});
