/** After a sale's ending: what became of an unresolved one, and a terminal that the sale still occupies. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pause } from '../../src/base/clock.ts';
import { anna, counterRig, eur, type Rig } from './counter-rig.ts';

let rig: Rig;
beforeEach(() => {
  rig = counterRig();
});
afterEach(() => rig.remove());

const sale = { operation: 'sale', amount: eur('12.50') } as const;

test('a resolved sale shows its new ending by its id, its key, in lists and in an event', async () => {
  const { service, running, told, ended, close } = await rig.open();
  rig.fates.push('requestLost', 'requestLost', ...Array<'notReached'>(20).fill('notReached'));
  const started = await ended(await service.begin(sale, anna, 'key-00001'));
  expect(started.result).toMatchObject({ ending: 'unknown', state: 'unknown' });
  rig.fates.splice(0);
  const before = told.length;
  await rig.clock.advance(60_000);
  await rig.clock.until(running.forwarder.drain('all'));
  await rig.clock.advance(3_000);
  const became = { ending: 'notSent', state: 'declined' };
  expect(service.sale(started.receipt)).toMatchObject({ ending: 'notSent', result: became });
  expect(service.liveSale(started.id).result).toMatchObject(became);
  expect(service.live()).toMatchObject([{ id: started.id, result: became }]);
  expect((await service.begin(sale, anna, 'key-00001')).result).toMatchObject(became);
  expect(service.cancel(started.id).result).toMatchObject(became);
  // Reported once.
  const events = told.slice(before).flatMap((event) => (event.on === 'sale' ? [event.sale] : []));
  expect(events).toMatchObject([{ id: started.id, phase: 'ended', result: became }]);
  await close();
});

test('an older sale at the same terminal shows its new ending too, as does one from before a restart', async () => {
  const first = await rig.open();
  const cutLine = (): void =>
    void rig.fates.push('requestLost', 'requestLost', ...Array<'notReached'>(60).fill('notReached'));
  cutLine();
  const lost = await first.ended(await first.service.begin(sale, anna, 'key-00001'));
  const other = { ...sale, amount: eur('7.00') };
  cutLine();
  const next = await first.ended(await first.service.begin(other, anna, 'key-00002'));
  expect([lost, next].map(({ result }) => result?.ending)).toEqual(['unknown', 'approved']);
  await first.close();
  const { service, running, told, close } = await rig.open();
  rig.fates.splice(0);
  await rig.clock.advance(60_000);
  await rig.clock.until(running.forwarder.drain('all'));
  await rig.clock.advance(3_000);
  expect(service.liveSale(lost.id).result?.ending).toBe('notSent');
  // One sale has a new ending; the other's is unchanged, because that sale was only sent.
  const events = told.flatMap((event) =>
    event.on === 'sale' || event.on === 'amended' ? [[event.sale.id, event.on, event.sale.result?.ending]] : [],
  );
  expect(events.toSorted()).toEqual(
    [
      [lost.id, 'sale', 'notSent'],
      [next.id, 'amended', 'approved'],
    ].toSorted(),
  );
  await close();
});

/** A till whose customer leaves the card in the terminal until told to remove it. */
const withCardIn = async () => {
  const out = Promise.withResolvers<void>();
  const open = await rig.open({
    terminal: (one) => ({
      ...one,
      async waitForRemoval() {
        await out.promise;
        return true;
      },
    }),
  });
  const started = await open.service.begin(sale, anna, 'key-00001');
  await rig.clock.advance(5_000);
  const first = open.service.liveSale(started.id);
  expect(first).toMatchObject({ phase: 'removeCard', terminalFree: false, result: { ending: 'approved' } });
  return { ...open, first, takeCardOut: out.resolve };
};

test('a result before the terminal is free says so; the next sale waits for the card, then begins', async () => {
  const { service, first, takeCardOut, ended, close } = await withCardIn();
  let isFree = false;
  const waitingTurn = service.turn?.(sale).then((leaveTurn) => {
    isFree = true;
    leaveTurn();
  });
  // An operation at the gateway alone does not wait for the card.
  const refund = { receipt: first.receipt, operation: 'refund' } as const;
  await service.turn?.(refund);
  await rig.clock.advance(1_000);
  expect(isFree).toBe(false);
  takeCardOut();
  await rig.clock.until(Promise.resolve(waitingTurn));
  expect(service.liveSale(first.id)).toMatchObject({ phase: 'ended', terminalFree: true });
  const second = await service.begin(sale, anna, 'key-00002');
  expect(second).toMatchObject({ receipt: 2, terminalFree: false });
  // A sale in progress is not waited for: `begin` refuses.
  const leaveTurn = await service.turn?.(sale);
  await expect(service.begin(sale, anna, 'key-00003')).rejects.toMatchObject({ code: 'terminal.busy' });
  leaveTurn?.();
  await ended(second);
  await close();
});

test('nothing is begun for a client that has disconnected, nor at a till that is stopping', async () => {
  const { service, takeCardOut, close } = await withCardIn();
  const controller = new AbortController();
  const turnRequests = [service.turn?.(sale, controller.signal), service.turn?.(sale, AbortSignal.abort())];
  controller.abort();
  for (const turnRequest of turnRequests) await expect(turnRequest).rejects.toMatchObject({ code: 'terminal.busy' });
  const last = service.turn?.(sale);
  service.endWaits?.();
  takeCardOut();
  await expect(last).rejects.toMatchObject({ code: 'till.stopping' });
  await rig.clock.advance(1_000);
  await close();
});

test('a terminal whose card is never removed is no longer waited for, and the next sale begins', async () => {
  const { service, close } = await rig.open({
    terminal: (one) => ({
      ...one,
      async waitForRemoval() {
        await pause(rig.clock, 600_000);
        return true;
      },
    }),
  });
  await service.begin(sale, anna, 'key-00001');
  await rig.clock.advance(5_000);
  const waitingTurn = service.turn?.(sale);
  await rig.clock.advance(60_000);
  await waitingTurn;
  await expect(service.begin(sale, anna, 'key-00002')).resolves.toMatchObject({ receipt: 2 });
  await rig.clock.advance(700_000);
  await close();
});
