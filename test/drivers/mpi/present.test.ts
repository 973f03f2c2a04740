/** A card inserted before the amount is known: the device reports it, and the card is not read. */
import { expect, test } from 'vitest';
import type { Fault } from '../../../src/base/fault.ts';
import { beginning, bench, inserted, pulled, sale, startChip } from './mpi-tape.ts';

const reports = `
  > D0601F00
  < 9000`;

test('an insertion ends the wait; the read after it finds the card in the slot', async () => {
  const { terminal, clock, link } = await bench(`${reports}
    ! ${inserted}
    ${beginning('INSERT')}
    > ${startChip}
    < 9F41`);
  const events: string[] = [];
  expect(await clock.until(terminal.present?.(60_000, (event) => events.push(event)) ?? Promise.resolve(false))).toBe(
    true,
  );
  expect(events).toEqual(['cardInserted']);
  await clock.until(terminal.read({ ...sale, accept: ['chip'] }, () => {}));
  expect(link.left()).toEqual([]);
});

test('a card that was removed again does not count; without a card the wait ends', async () => {
  const { terminal, clock } = await bench(`${reports}
    ! ${pulled}`);
  expect(await clock.until(terminal.present?.(60_000, () => {}) ?? Promise.resolve(true))).toBe(false);
  expect(clock.waiting()).toBe(0);
});

test('a cancel ends the wait without a message to the device, and the device is free again', async () => {
  const { terminal, clock, link } = await bench(`${reports}
    > EEE00000
    < E105 DFAE010107 9000`);
  const waiting = terminal.present?.(60_000, () => {});
  await clock.settle();
  await expect(terminal.echo()).rejects.toMatchObject({ code: 'terminal.busy' });
  await clock.until(terminal.cancel());
  expect(await clock.until(waiting ?? Promise.resolve(true))).toBe(false);
  expect(clock.waiting()).toBe(0);
  expect(await clock.until(terminal.keys())).not.toEqual([]);
  expect(link.left()).toEqual([]);
});

test('reports a line that breaks meanwhile as a fault', async () => {
  const { terminal, clock } = await bench(`${reports}
    x`);
  const waiting = terminal.present?.(60_000, () => {}).catch((error: Fault) => error.code);
  expect(await clock.until(waiting ?? Promise.resolve(true))).toBe('link.lost');
});
