/** What PostgreSQL and its driver throw, in the gateway's words, and never with a password in them. */
import type { DiskTrouble } from '../../base/databases.ts';
import { Fault, isFault, wordsOf } from '../../base/fault.ts';

/** Connection lost (class 08), or the server going away or starting (57P01 to 57P03). */
const LOST = /^(08\w{3}|57P0[123]|ECONNRESET|EPIPE)$/;
const LOST_WORDS = /^(Connection terminated|Client has encountered a connection error)/;

/** disk_full, read_only_sql_transaction (a setting, or a standby) and io_error. */
const troubles: Readonly<Record<string, DiskTrouble>> = {
  '53100': 'diskFull',
  '25006': 'readOnly',
  '58030': 'diskFails',
};

/** Whether the connection is gone, and another one may do. */
export const isLost = (error: unknown): boolean => LOST.test(codeOf(error)) || LOST_WORDS.test(wordsOf(error));

/**
 * `gateway.state` for whatever was thrown, without it as a cause: the driver's errors hold rows and addresses.
 * `secrets` are taken out of the words.
 */
export const postgresFault = (error: unknown, secrets: readonly string[]): Fault => {
  if (isFault(error)) return error;
  const words = wordsOf(error);
  const code = codeOf(error);
  const said = [words, code === '' || words.includes(code) ? '' : `(${code})`].filter((each) => each !== '').join(' ');
  const clean = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), said);
  const why = `PostgreSQL: ${clean === '' ? 'no answer' : clean}`;
  const trouble = Object.hasOwn(troubles, code) ? troubles[code] : undefined;
  return new Fault('gateway.state', { why, ...(trouble === undefined ? {} : { trouble }) });
};

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
