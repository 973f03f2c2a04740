/** Devices whose chip data and PIN are inside the encrypted account data: the till sells without seeing them. */
import { afterEach, expect, test } from 'vitest';
import type { CardData, HostVerdict } from '../../drivers/terminal.ts';
import { fromHex } from '../../src/base/hex.ts';
import { textParameters } from '../support/till/card-parameters.ts';
import { chipCard, type Rig, tillRig } from '../support/till/till-rig.ts';

let rig: Rig;
afterEach(() => rig.remove());

const { icc: _, ...withoutIcc } = chipCard;
const sealed: CardData = {
  ...withoutIcc,
  sred: [{ data: fromHex('ABCD'), ksn: 'FFFF9876543210E00001' }],
  verification: 'onlinePin',
};

test('the request has only the container, and the chip gets the host’s answer', async () => {
  rig = tillRig(sealed);
  const sent: Readonly<Record<string, string>>[] = [];
  const verdicts: HostVerdict[] = [];
  const run = rig.open({
    host: {
      ...rig.host,
      async pay(parameters, key) {
        sent.push(textParameters(parameters));
        const reply = await rig.host.pay(parameters, key);
        if (reply.kind !== 'answered') return reply;
        return { ...reply, body: { ...reply.body, pos: { iccDataResponse: '8A023030910A1122334455667788AABB' } } };
      },
    },
    terminal: (terminal) => ({
      ...terminal,
      complete: (verdict) => {
        verdicts.push(verdict);
        return terminal.complete(verdict);
      },
    }),
  });
  const sale = await rig.clock.until(run.sell(1_000n).done);
  expect([sale.ending, sale.card?.verification]).toEqual(['approved', 'onlinePin']);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ 'pos.entryMode': 'ICC', 'pos.encryptedSred.data': 'ABCD' });
  for (const name of ['pos.iccDataRequest', 'pos.encryptedPin.data', 'pos.encryptedPin.ksn'])
    expect(sent[0]).not.toHaveProperty([name]);
  expect(verdicts).toEqual([{ kind: 'approved', icc: '8A023030910A1122334455667788AABB' }]);
  run.close();
});

test('of several ciphertexts the first is sent, and the journal records how many there were', async () => {
  const pair = (data: string) => ({ data: fromHex(data), ksn: 'FFFF9876543210E00001' });
  rig = tillRig({ ...sealed, sred: [pair('ABCD'), pair('EF01')] });
  const sent: Readonly<Record<string, string>>[] = [];
  const pay: typeof rig.host.pay = (parameters, key) => {
    sent.push(textParameters(parameters));
    return rig.host.pay(parameters, key);
  };
  const run = rig.open({ host: { ...rig.host, pay } });
  const sale = await rig.clock.until(run.sell(1_000n).done);
  expect(sent.map((parameters) => parameters['pos.encryptedSred.data'])).toEqual(['ABCD']);
  expect(sale.card?.sredCount).toBe(2);
  expect(JSON.stringify(sale.card)).not.toMatch(/ABCD|EF01/);
  run.close();
});

test('a hidden PIN is for the bank: the sale is never taken offline, and nothing of it is stored', async () => {
  rig = tillRig(sealed);
  const run = rig.open();
  rig.fates.push('notReached');
  const sale = await rig.clock.until(run.sell(1_000n).done);
  expect([sale.ending, sale.reason, sale.why]).toEqual([
    'notSent',
    'offlineRefused',
    'this card’s PIN can only be checked by the bank',
  ]);
  expect(run.outbox.waiting()).toEqual([]);
  run.close();
});

test('without a PIN it may go offline: the card’s final data is sent with the container', async () => {
  rig = tillRig({ ...sealed, verification: 'none' });
  const sent: Readonly<Record<string, string>>[] = [];
  const run = rig.open({
    host: {
      ...rig.host,
      pay: (parameters, key) => {
        sent.push(textParameters(parameters));
        return rig.host.pay(parameters, key);
      },
    },
  });
  rig.fates.push('notReached');
  const sale = await rig.clock.until(run.sell(1_000n).done);
  expect([sale.ending, sale.offline]).toEqual(['approved', 'chip']);
  await run.drain();
  expect(sent.at(-1)).toMatchObject({ 'pos.iccDataRequest': '9F270140', 'pos.encryptedSred.data': 'ABCD' });
  run.close();
});

test.each([
  [
    'the card’s final data replaces it',
    { data: fromHex('EF01'), ksn: 'FFFF9876543210E00002' },
    ['approved', 'chip'],
    'EF01',
  ],
  ['without final data there is no sale', undefined, ['notSent', undefined], undefined],
])('encrypted data that may contain a PIN is never stored: %s', async (_, sred, ending, stored) => {
  rig = tillRig({ ...sealed, verification: 'none', mayHoldPin: true });
  const sent: Readonly<Record<string, string>>[] = [];
  const run = rig.open({
    host: {
      ...rig.host,
      pay: (parameters, key) => {
        sent.push(textParameters(parameters));
        return rig.host.pay(parameters, key);
      },
    },
    terminal: (terminal) => ({
      ...terminal,
      async complete(verdict) {
        const finished = await terminal.complete(verdict);
        return finished.kind === 'approved' && sred !== undefined ? { ...finished, sred } : finished;
      },
    }),
  });
  rig.fates.push('notReached');
  const sale = await rig.clock.until(run.sell(1_000n).done);
  expect([sale.ending, sale.offline]).toEqual(ending);
  await run.drain();
  expect(sent.slice(1).map((parameters) => parameters['pos.encryptedSred.data'])).toEqual(stored ? [stored] : []);
  run.close();
});
