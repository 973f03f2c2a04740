/** Somebody else's PIN for one action: whoever may do it allows it at the till, and the request is made again. */
import type { Permission } from '../../api/ports/roles.ts';
import { Refused } from '../api.ts';
import { storeOf } from '../store.ts';

/** Headers that a request takes along: a manager's word, where one was needed. */
export type OverrideHeaders = Record<string, string>;

/** `permissions`: one for most actions; a configuration may change what takes several, approved by one PIN. */
export type OverrideRequest = {
  permissions: readonly Permission[];
  /** It is signed: whoever is signed in gives their own PIN for it. */
  isSigned: boolean;
  answer: (word: string | undefined) => void;
};

/** What somebody is asked to allow: the page shows the dialog for it. */
export const overrideRequest = storeOf<OverrideRequest | undefined>(undefined);

/**
 * Opens the dialog: people who may do this, and their PIN. Gives the word for the header `X-Override`, good once and
 * for a minute; nothing when it was closed. One question at a time: a second one closes the first.
 */
export const askOverride = (permissions: readonly Permission[], isSigned = false): Promise<string | undefined> =>
  new Promise((resolve) => {
    overrideRequest.get()?.answer(undefined);
    overrideRequest.set({
      permissions,
      isSigned,
      answer(word) {
        overrideRequest.set(undefined);
        resolve(word);
      },
    });
  });

/** The fact that names what a refusal is for want of. */
const wantedIn: Readonly<Record<string, string>> = {
  'session.notAllowed': 'permission',
  'session.pinNeeded': 'permission',
  'config.notAllowed': 'permissions',
};

const permissionsWanted = (error: unknown): readonly Permission[] => {
  if (!(error instanceof Refused)) return [];
  const { code, facts } = error.problem;
  const named = facts?.[wantedIn[code] ?? ''];
  return typeof named === 'string' ? (named.split(',') as Permission[]) : [];
};

/**
 * Runs a request. When the till refuses it for want of permissions (403, `session.notAllowed`, `config.notAllowed`), or
 * of a signature (`session.pinNeeded`),
 * asks for the PIN of somebody who has them and runs the request again with their word, otherwise unchanged: hand on
 * `headers`, and keep the idempotency key out of `run`. Throws what `run` throws; the refusal itself when nobody
 * allowed it.
 *
 *     const key = freshKey();
 *     const begin = (headers) => got(api.sales.$post({ json }, { headers: { ...headers, 'idempotency-key': key } }));
 *     await withOverride(begin);
 */
export const withOverride = async <T>(run: (headers: OverrideHeaders) => Promise<T>): Promise<T> => {
  try {
    return await run({});
  } catch (error) {
    const permissions = permissionsWanted(error);
    const isSigned = error instanceof Refused && error.problem.code === 'session.pinNeeded';
    const word = permissions.length === 0 ? undefined : await askOverride(permissions, isSigned);
    if (word === undefined) throw error;
    return run({ 'x-override': word });
  }
};
