/** The till's mode in the answers of the local API: in each that tells of sales or money, and in a header of all. */
import type { Context } from 'hono';
import type { DisplayMode } from '../base/mode.ts';
import type { Env } from './actor.ts';

export type InMode<T> = T & {
  /** Whether money moves at this till: only `live` does. */
  mode: DisplayMode;
};

/** On every answer, refusals and files too. */
export const MODE_HEADER = 'x-tillgate-mode';

export const inMode = <T extends object>(context: Context<Env>, answer: T): InMode<T> => ({
  ...answer,
  mode: context.get('mode'),
});

/** For a bare list, which has no place of its own for it. */
export const eachInMode = <T extends object>(context: Context<Env>, rows: readonly T[]): InMode<T>[] =>
  rows.map((row) => inMode(context, row));
