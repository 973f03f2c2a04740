/** A row of the read tests: a tape of one reading, what it gives, what the till is told; and how a row is played. */
import { expect } from 'vitest';
import type { CardInterface, TerminalEvent } from '../../../drivers/terminal.ts';
import { sealed } from './cards.ts';
import { begins, bench } from './mpi-tape.ts';

export type Row = {
  says: string;
  /** Chip, tap and swipe unless given. */
  accept?: readonly CardInterface[];
  messages: string;
  gives: unknown;
  events?: readonly TerminalEvent[];
};

export const chipOnly: readonly CardInterface[] = ['chip'];
export const stripeToo: readonly CardInterface[] = ['chip', 'swipe'];

export const card = (more: Record<string, unknown>) => expect.objectContaining({ sred: sealed, ...more });
export const notRead = (why: string) => ({ kind: 'notRead', why });

/** The display asks again, for other ways than at the beginning. */
export const asksFor = (ways: string): string => begins(ways).split('\n').slice(5).join('\n');

/** Plays the tape to its end. Clear card data must not come out, nor anything be left running. */
export const plays = async ({ accept, messages, gives, events }: Row): Promise<void> => {
  const { read, link, strays, clock, terminal, events: told } = await bench(messages);
  const outcome = await read(accept ?? ['chip', 'tap', 'swipe']);
  expect(link.left()).toEqual([]);
  expect(outcome).toEqual(gives);
  if (events !== undefined) expect(told).toEqual(events);
  expect(strays).toEqual([]);
  expect(JSON.stringify(outcome)).not.toMatch(/4761739001010119|D1512|412F42/);
  await terminal.close();
  expect(clock.waiting()).toBe(0);
};
