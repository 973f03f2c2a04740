/** A row of the read tests: a tape of one reading, its outcome, its events; and how a row is played. */
import { expect } from 'vitest';
import type { CardInterface, TerminalEvent } from '../../../drivers/terminal.ts';
import { sealed } from './cards.ts';
import { beginning, bench } from './mpi-tape.ts';

export type Row = {
  says: string;
  /** By default chip, tap and swipe. */
  accept?: readonly CardInterface[];
  messages: string;
  expected: unknown;
  events?: readonly TerminalEvent[];
};

export const chipOnly: readonly CardInterface[] = ['chip'];
export const stripeToo: readonly CardInterface[] = ['chip', 'swipe'];

export const card = (more: Record<string, unknown>) => expect.objectContaining({ sred: sealed, ...more });
export const notRead = (reason: string) => ({ kind: 'notRead', why: reason });

/** The display asks again, for ways other than at the beginning. */
export const promptFor = (interfaces: string): string => beginning(interfaces).split('\n').slice(5).join('\n');

/** Plays the tape to its end. No clear card data may come out, and nothing may be left running. */
export const playRow = async ({ accept, messages, expected, events }: Row): Promise<void> => {
  const { read, link, unsolicited, clock, terminal, events: reports } = await bench(messages);
  const outcome = await read(accept ?? ['chip', 'tap', 'swipe']);
  expect(link.left()).toEqual([]);
  expect(outcome).toEqual(expected);
  if (events !== undefined) expect(reports).toEqual(events);
  expect(unsolicited).toEqual([]);
  expect(JSON.stringify(outcome)).not.toMatch(/4761739001010119|D1512|412F42/);
  await terminal.close();
  expect(clock.waiting()).toBe(0);
};
