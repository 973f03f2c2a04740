/** Somebody else's PIN for one action: whoever may do it allows it at the till, and the request is made again. */
import type { Permission } from '../../staff/roles.ts';
import { Refused } from '../api.ts';
import { storeOf } from './store.ts';

export type AskedOverride = { permission: Permission; answer: (word: string | undefined) => void };

/** What somebody is asked to allow: the page shows the dialog for it. */
export const askedOverride = storeOf<AskedOverride | undefined>(undefined);

/**
 * Opens the dialog: people who may do this, and their PIN. Gives the word for the header `X-Override`, good once and
 * for a minute; nothing when it was closed. One question at a time: a second one closes the first.
 */
export const askOverride = (permission: Permission): Promise<string | undefined> =>
  new Promise((resolve) => {
    askedOverride.get()?.answer(undefined);
    askedOverride.set({
      permission,
      answer(word) {
        askedOverride.set(undefined);
        resolve(word);
      },
    });
  });

const permissionWanted = (error: unknown): Permission | undefined =>
  error instanceof Refused && error.problem.code === 'session.notAllowed'
    ? (error.problem.facts?.['permission'] as Permission | undefined)
    : undefined;

/**
 * Runs a request. When the till refuses it for want of a permission (403, `session.notAllowed`), asks for the PIN of
 * somebody who has it and runs the request again with their word, otherwise unchanged: hand on `headers`, and keep the
 * idempotency key out of `run`. Throws what `run` throws; the refusal itself when nobody allowed it.
 *
 *     const key = freshKey();
 *     const begin = (headers) => got(api.sales.$post({ json }, { headers: { ...headers, 'idempotency-key': key } }));
 *     await withOverride(begin);
 */
export const withOverride = async <T>(run: (headers: Record<string, string>) => Promise<T>): Promise<T> => {
  try {
    return await run({});
  } catch (error) {
    const permission = permissionWanted(error);
    const word = permission && (await askOverride(permission));
    if (word === undefined) throw error;
    return run({ 'x-override': word });
  }
};
