/** Two terminals on one till sell at the same time, with crashes in between, and the totals of each are right. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LiveSale } from '../../src/api/contract/sales.ts';
import { money } from '../../src/base/money.ts';
import type { FullLedger } from '../../src/ledger/ledger.ts';
import { dice } from '../support/chance/dice.ts';
import { byNight } from '../support/night/night.ts';
import { diskFull } from '../support/till/till-rig.ts';
import { anna, counterRig, eur, type Rig } from './counter-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = counterRig();
});
afterEach(() => rig.remove());

const saleAt = (counter: string, amount = '5.00') => ({ operation: 'sale', counter, amount: eur(amount) }) as const;

test('each counter sells independently, with its own numbers and shared receipt numbers', async () => {
  const { service, running, ended, close } = await rig.open({ counters: 2 });
  expect(running.counters.map(({ name, terminalId }) => [name, terminalId])).toEqual([
    ['T1', running.config.terminalId],
    ['T2', '20000000'],
  ]);
  const one = await service.begin(saleAt('T1'), anna, 'key-00001');
  const two = await service.begin(saleAt('T2'), anna, 'key-00002');
  expect(service.counters()).toMatchObject([
    { name: 'T1', state: 'busy', sale: one.id },
    { name: 'T2', state: 'busy', sale: two.id },
  ]);
  await expect(service.begin(saleAt('T2'), anna, 'key-00003')).rejects.toMatchObject({ code: 'terminal.busy' });
  await ended(one);
  await ended(two);
  const third = await ended(await service.begin(saleAt('T2'), anna, 'key-00004'));
  const details = [one, two, third].map(({ receipt }) => service.sale(receipt));
  expect(details.map(({ receipt, counter, sequence, ending }) => [receipt, counter, sequence, ending])).toEqual([
    [1, 'T1', 1, 'approved'],
    [2, 'T2', 1, 'approved'],
    [3, 'T2', 2, 'approved'],
  ]);
  // A follow-up that needs no terminal runs beside the sale at that counter.
  const four = await service.begin(saleAt('T2'), anna, 'key-00005');
  const refund = await service.follow({ receipt: 2, operation: 'refund' }, anna, 'key-00006');
  expect([refund.counter, refund.beside]).toEqual(['T2', true]);
  await ended(refund);
  await ended(four);
  await close();
});

test('a recovery at one counter does not touch a sale running at the other', async () => {
  let fails = false;
  const ledger = (full: FullLedger): FullLedger => ({
    ...full,
    record(sale, event, message) {
      if (fails && event.on === 'hostApproved') {
        fails = false;
        throw diskFull();
      }
      full.record(sale, event, message);
    },
  });
  const { service, running, ended, close } = await rig.open({ counters: 2, around: { ledger } });
  fails = true;
  const one = await service.begin(saleAt('T1', '7.00'), anna, 'key-00001');
  await rig.clock.advance(500);
  const two = await service.begin(saleAt('T2', '8.00'), anna, 'key-00002');
  const failed = await ended(one);
  expect(failed.result?.ending).toBe('unknown');
  // T1 begins again, and first ends its own open sale.
  const retried = await service.begin(saleAt('T1', '9.00'), anna, 'key-00003');
  expect(service.liveSale(two.id).phase).not.toBe('ended');
  expect((await ended(two)).result).toMatchObject({ ending: 'approved' });
  expect((await ended(retried)).result).toMatchObject({ ending: 'approved' });
  expect(running.ledger.events(two.id).map(({ on }) => on)).not.toContain('restarted');
  expect(service.sale(two.receipt).ending).toBe('approved');
  await rig.clock.advance(60_000);
  await rig.clock.until(running.forwarder.drain('all'));
  expect(service.sale(one.receipt).ending).toBe('declined');
  await close();
});

test('each terminal has its own batches, and each is closed with its own sales', async () => {
  const { service, running, ended, close } = await rig.open({ counters: 2 });
  await ended(await service.begin(saleAt('T1', '5.00'), anna, 'key-00001'));
  await ended(await service.begin(saleAt('T2', '6.00'), anna, 'key-00002'));
  const [first, second] = running.counters;
  expect(second?.books.x()).toMatchObject({ terminalId: '20000000', number: 1, batch: 1 });
  const z1 = await rig.clock.until(first.books.close());
  expect(z1).toMatchObject({ terminalId: running.config.terminalId, number: 1, batch: 1 });
  const z2 = second && (await rig.clock.until(second.books.close()));
  expect(z2).toMatchObject({ terminalId: '20000000', number: 1, batch: 1 });
  expect(() => second?.books.batchToClose()).toThrowError(expect.objectContaining({ code: 'books.nothingToClose' }));
  await ended(await service.begin(saleAt('T1', '5.00'), anna, 'key-00003'));
  // The other terminal's batch is not closed from here.
  expect(() => second?.books.batchToClose()).toThrowError(expect.objectContaining({ code: 'books.nothingToClose' }));
  await rig.clock.until(first.books.close());
  expect(running.books.batches().map(({ terminalId, state }) => [terminalId, state])).toEqual([
    [running.config.terminalId, 'closed'],
    ['20000000', 'closed'],
    [running.config.terminalId, 'closed'],
  ]);
  expect(JSON.stringify(z1)).not.toContain('6.00');
  expect(JSON.stringify(z2)).not.toContain('"5.00"');
  await close();
});

/** Seeds 1 and 2 include every fate of a request, a crash and cancellations. */
const seeds = byNight({ day: [1, 2], night: [1, 2, 3, 4, 5, 6] });

test.each(seeds)('days at two counters with crashes and a bad line: till and gateway agree (seed %i)', async (seed) => {
  rig.remove();
  rig = counterRig(seed);
  const chance = dice(seed);
  let key = 0;
  for (let life = 0; life < 3; life++) {
    const { service, ended, close, kill } = await rig.open({ counters: 2 });
    const inProgress: LiveSale[] = [];
    for (let n = 0; n < 8; n++) {
      const fate = chance.between(0, 9);
      if (fate < 4)
        rig.fates.push((['answerLost', 'requestLost', 'takenLate', 'notReached'] as const)[fate] ?? 'answered');
      for (const counter of ['T1', 'T2']) {
        if (service.counters().find(({ name }) => name === counter)?.state === 'busy') continue;
        key += 1;
        const amount = `${chance.between(1, 49)}.${String(chance.between(0, 99)).padStart(2, '0')}`;
        const started = await service.begin(saleAt(counter, amount), anna, `key-${String(key).padStart(6, '0')}`);
        inProgress.push(started);
        if (chance.between(0, 5) === 0) service.cancel(started.id);
      }
      await rig.clock.advance(chance.between(100, 30_000));
    }
    if (life < 2 && chance.between(0, 1) === 0) {
      await kill();
      continue;
    }
    for (const one of inProgress) await ended(one);
    await close();
  }
  const { running, close } = await rig.open({ counters: 2 });
  rig.fates.splice(0);
  for (let n = 0; n < 6; n++) {
    await rig.clock.advance(120_000);
    await rig.clock.until(running.forwarder.drain('all'));
  }
  expect(running.ledger.openSales()).toEqual([]);
  const sales = [...running.ledger.all()];
  const held = sales
    .filter((sale) => sale.at === 'ended' && sale.ending === 'approved')
    .reduce((sum, { intent }) => sum + intent.amount.minor, 0n);
  const booked = rig.host.books
    .filter(({ code }) => code === '000.100.110')
    .reduce(
      (sum, { paymentType, amount }) => sum + (paymentType === 'DB' ? 1n : -1n) * BigInt(amount.replace('.', '')),
      0n,
    );
  expect(money(held, 'EUR')).toEqual(money(booked, 'EUR'));
  for (const { terminalId } of running.counters) {
    const sequences = sales
      .filter(({ intent }) => intent.terminalId === terminalId)
      .map(({ intent }) => intent.sequence);
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
    const batches = running.books.batches().filter((batch) => batch.terminalId === terminalId);
    expect(batches.flatMap((batch) => running.books.sales(batch)).length).toBe(sequences.length);
  }
  await close();
});
