/**
 * A manager's approval for one action: a person who may do it enters their PIN at the till, and the request is
 * repeated.
 */
import type { Permission } from '../../api/contract/roles.ts';
import { RequestRefused } from '../api.ts';
import { createStore } from '../store.ts';

/** Headers to add to a request: the approval, if one was needed. */
export type OverrideHeaders = Record<string, string>;

/** `permissions`: one for most actions; a configuration change may need several, approved with one PIN. */
export type OverrideRequest = {
  permissions: readonly Permission[];
  /** The action is signed: the person signed in enters their own PIN. */
  isSigned: boolean;
  answer: (approval: string | undefined) => void;
};

/** The approval being requested; the page shows the dialog for it. */
export const overrideRequest = createStore<OverrideRequest | undefined>(undefined);

/**
 * Opens the dialog: people who may do this, and their PIN. Returns the value for the `X-Override` header, valid once
 * and for a minute; undefined when the dialog was closed. A second request closes the first.
 */
export const askOverride = (permissions: readonly Permission[], isSigned = false): Promise<string | undefined> =>
  new Promise((resolve) => {
    overrideRequest.get()?.answer(undefined);
    overrideRequest.set({
      permissions,
      isSigned,
      answer(approval) {
        overrideRequest.set(undefined);
        resolve(approval);
      },
    });
  });

/** The fact in a refusal that names the missing permission. */
const wantedIn: Readonly<Record<string, string>> = {
  'session.notAllowed': 'permission',
  'session.pinNeeded': 'permission',
  'config.notAllowed': 'permissions',
};

const permissionsWanted = (error: unknown): readonly Permission[] => {
  if (!(error instanceof RequestRefused)) return [];
  const { code, facts } = error.problem;
  const permissionFact = facts?.[wantedIn[code] ?? ''];
  return typeof permissionFact === 'string' ? (permissionFact.split(',') as Permission[]) : [];
};

/**
 * Runs a request. When the till refuses it because of missing permissions (403, `session.notAllowed`,
 * `config.notAllowed`) or a missing signature (`session.pinNeeded`), asks for the PIN of somebody who has them, and
 * runs the request again with their approval, otherwise unchanged: pass on `headers`, and create the idempotency key
 * outside `run`. Throws as `run` does, and the refusal itself when nobody approved it.
 *
 * const key = freshKey();
 * const begin = (headers) => got(api.sales.$post({ json }, { headers: { ...headers, 'idempotency-key': key } }));
 * await withOverride(begin);
 */
export const withOverride = async <T>(run: (headers: OverrideHeaders) => Promise<T>): Promise<T> => {
  try {
    return await run({});
  } catch (error) {
    const permissions = permissionsWanted(error);
    const isSigned = error instanceof RequestRefused && error.problem.code === 'session.pinNeeded';
    const approval = permissions.length === 0 ? undefined : await askOverride(permissions, isSigned);
    if (approval === undefined) throw error;
    return run({ 'x-override': approval });
  }
};
