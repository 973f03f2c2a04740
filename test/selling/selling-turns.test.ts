/**
 * Operations on an earlier payment at a terminal that authorises by itself: each waits for its turn between two sales,
 * is shown meanwhile, and is given up after a while.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { IntegratedTerminal } from '../../drivers/integrated-terminal.ts';
import type { SellingPort } from '../../src/api/ports/selling.ts';
import { integratedDevice } from '../support/till/scripted-integrated-terminal.ts';
import { anna, counterRig, eur, type Rig } from './counter-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = counterRig();
});
afterEach(() => rig.remove());

const sale = (amount = '7.00') => ({ operation: 'sale', amount: eur(amount), counter: 'T2' }) as const;

/** A terminal that authorises by itself at T2, with one payment taken and one in progress. */
const sellingAtT2 = async (wrap: (terminal: IntegratedTerminal) => IntegratedTerminal = (one) => one) => {
  const device = integratedDevice({ clock: rig.clock, nextTurn: () => 'works', lines: { customer: [], merchant: [] } });
  const terminals = device.keep();
  const around = { integrated: () => ({ ...terminals, get: async () => wrap(await terminals.get()) }) };
  const open = await rig.open({ counters: 2, protocol: 'zvt', around });
  const paid = await open.ended(await open.service.begin(sale('5.00'), anna, 'key-00001'));
  const selling = await open.service.begin(sale('7.00'), anna, 'key-00002');
  const turn = (request: Parameters<NonNullable<SellingPort['turn']>>[0], signal?: AbortSignal) =>
    open.service.turn?.(request, signal) ?? Promise.reject(new Error('there are no turns'));
  return { ...open, device, paid, selling, turn };
};

const state = async (promise: Promise<unknown>): Promise<'waits' | 'goes on'> => {
  const waits = Symbol('waits');
  return (await Promise.race([promise, Promise.resolve(waits)])) === waits ? 'waits' : 'goes on';
};

test('a void waits until the sale in progress has ended, is shown, and comes before the next sale', async () => {
  const { service, device, told, ended, close, paid, selling, turn } = await sellingAtT2();
  const request = { receipt: paid.receipt, operation: 'void' } as const;
  const ownTurn = turn(request);
  await rig.clock.advance(100);
  expect(await state(ownTurn)).toBe('waits');
  const waiting = [{ receipt: paid.receipt, operation: 'void', behind: selling.receipt }];
  expect(service.counters()).toMatchObject([{ name: 'T1' }, { name: 'T2', sale: selling.id, waiting }]);
  expect(told.findLast(({ on }) => on === 'counters')).toMatchObject({ counters: [{}, { waiting }] });
  // A new sale is refused at once while a customer is at the terminal: nobody knows how long they will take.
  const leaveTurn = await turn(sale('8.00'));
  await expect(service.begin(sale('8.00'), anna, 'key-00003')).rejects.toMatchObject({ code: 'terminal.busy' });
  leaveTurn();

  const first = await ended(selling);
  expect(first.result).toMatchObject({ ending: 'approved' });
  const finish = await ownTurn;
  const next = turn(sale('9.00'));
  await rig.clock.advance(10);
  expect(await state(next)).toBe('waits');
  const voided = await service.follow(request, anna, 'key-00004');
  finish();
  await rig.clock.advance(10);
  expect(await state(next)).toBe('waits');
  expect((await ended(voided)).result).toMatchObject({ ending: 'approved', reason: 'reversedAtTerminal' });
  const leaveNext = await rig.clock.until(next);
  const last = await service.begin(sale('9.00'), anna, 'key-00005');
  leaveNext();
  expect((await ended(last)).result).toMatchObject({ ending: 'approved' });
  expect(device.charged(500n)).toBe(0n);
  expect(service.counters()[1]?.waiting).toBeUndefined();
  await close();
});

test('two voids of one payment wait in order, and the second is refused by name', async () => {
  const { service, device, ended, close, paid, selling, turn } = await sellingAtT2();
  const request = { receipt: paid.receipt, operation: 'void' } as const;
  const turns = [turn(request), turn(request)];
  await ended(selling);
  const one = await turns[0];
  await rig.clock.advance(10);
  expect(await state(turns[1] as Promise<unknown>)).toBe('waits');
  const voided = await service.follow(request, anna, 'key-00003');
  one?.();
  await ended(voided);
  const two = await rig.clock.until(turns[1] as Promise<() => void>);
  await expect(service.follow(request, anna, 'key-00004')).rejects.toMatchObject({ code: 'till.cannotFollow' });
  two();
  expect(device.charged(500n)).toBe(0n);
  await close();
});

test('a turn waits for at most a minute and a half, and not for a client that has disconnected', async () => {
  const finished = Promise.withResolvers<void>();
  let slow = false;
  const { service, close, ended, paid, selling, turn } = await sellingAtT2((terminal) => ({
    ...terminal,
    async pay(request, listener) {
      if (slow) await finished.promise;
      return terminal.pay(request, listener);
    },
  }));
  await ended(selling);
  slow = true;
  const long = await service.begin(sale('8.00'), anna, 'key-00003');
  await rig.clock.advance(1_000);
  const requested = { receipt: paid.receipt, operation: 'refund' } as const;
  const controller = new AbortController();
  const hasty = turn(requested, controller.signal);
  const late = turn(requested);
  const refusal = expect(late).rejects.toMatchObject({
    code: 'terminal.turn',
    facts: { counter: 'T2', what: 'another sale', seconds: 90 },
  });
  controller.abort();
  await expect(hasty).rejects.toMatchObject({ code: 'terminal.busy' });
  expect(service.counters()[1]?.waiting).toHaveLength(1);
  await rig.clock.advance(91_000);
  await refusal;
  expect(service.counters()[1]?.waiting).toBeUndefined();
  finished.resolve();
  await ended(long);
  await close();
});
