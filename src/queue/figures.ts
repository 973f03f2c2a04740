/** How much lies in the queue, and for how long: counted without reading a message. */
import type { Sql } from '../journal/sql.ts';

export type QueueFigures = {
  waiting: number;
  parked: number;
  /** When the oldest message that waits entered the queue, ms. */
  oldestPutAt: number | undefined;
};

export const queueFigures = (sql: Sql): QueueFigures => {
  const of = (state: 'waiting' | 'parked') =>
    sql.get(`SELECT count(*) AS count, min(put_at) AS oldest FROM message WHERE state = '${state}'`);
  const waiting = of('waiting');
  const oldest = waiting?.['oldest'];
  return {
    waiting: Number(waiting?.['count'] ?? 0),
    parked: Number(of('parked')?.['count'] ?? 0),
    oldestPutAt: typeof oldest === 'number' ? oldest : undefined,
  };
};
