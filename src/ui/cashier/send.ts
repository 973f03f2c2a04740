/** The requests of intents, and what became of those that have no answer. */
import type { LiveSale } from '../../api/ports/selling.ts';
import { api, got, Refused } from '../api.ts';
import { withOverride } from '../parts/override.ts';
import { type CashierIntent, isOfTheDoor } from './intents.ts';

/**
 * Sends an intent under its key; somebody's PIN is asked for where whoever is signed in may not do it. Throws
 * `Refused`.
 */
export const sendIntent = ({ key, send }: CashierIntent): Promise<LiveSale> =>
  withOverride(async (override) => {
    const headers = { ...override, 'Idempotency-Key': key };
    if (send.do === 'begin') return (await got(api.sales.$post({ json: send.body as never }, { headers }))) as LiveSale;
    const param = { receipt: String(send.receipt), operation: send.operation };
    const answer = api.sales[':receipt'][':operation'].$post({ param, json: send.body as never }, { headers });
    return (await got(answer)) as LiveSale;
  });

/**
 * Whether the till itself said no: then nothing was begun. Everything else may have arrived. `before`: it was sent
 * before this time.
 */
export const saidNo = (error: unknown, before = false): error is Refused =>
  error instanceof Refused &&
  error.status !== 0 &&
  error.problem.code !== 'program.failed' &&
  !(before && isOfTheDoor(error.problem.code));
