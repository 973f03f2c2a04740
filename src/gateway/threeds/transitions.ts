/** How the record of an authentication goes from one state to the next. Pure, but for opening what was sealed. */
import type { AuthenticatingOptions } from './authenticating.ts';
import type { Authentication } from './authentication-record.ts';
import type { CardRequest } from './plan.ts';
import { codes, type Proof } from './verdict.ts';

export type Refused = { resultCode: string; why: string; proof: Proof };

/** The data key goes with it: nobody can open the request any more. */
export const withoutSeal = ({ sealed: _, ...record }: Authentication): Authentication => record as Authentication;

export const refused = (record: Authentication, { resultCode, why, proof }: Refused): Authentication =>
  withoutSeal({ ...record, state: 'refused', resultCode, why, proof: { ...proof, version: record.version } });

export const timedOut = (record: Authentication): Authentication =>
  refused(record, { resultCode: codes.timedOut, why: 'The cardholder did not answer in time.', proof: {} });

/** Whether its cardholder, or his browser, may still answer. */
export const isWaiting = ({ state }: Authentication): boolean =>
  state === 'device' || state === 'challenge' || state === 'decoupled';

/** It is taken back before its cardholder answered: nothing can come of it any more. */
export const withdrawn = (record: Authentication): Authentication =>
  refused(record, { resultCode: codes.withdrawn, why: 'It was taken back before the cardholder answered.', proof: {} });

export const handedOver = (record: Authentication, proof: Proof): Authentication =>
  withoutSeal({ ...record, state: 'handedOver', proof } as Authentication);

export const policyOf = (
  { settingsOf }: Pick<AuthenticatingOptions, 'settingsOf'>,
  { entityId, scheme }: Authentication,
) => ({ scheme, whenNotPossible: settingsOf(entityId)?.whenNotPossible ?? ('refuse' as const) });

/** The request that waits; undefined once its seal is gone. Throws what the vault throws. */
export const openedRequest = (
  { vault }: Pick<AuthenticatingOptions, 'vault'>,
  id: string,
  { sealed, entityId }: Authentication,
): CardRequest | undefined => sealed && unprinted(vault.openWaiting(sealed, { id, entityId }));

/** Its amount is digits in JSON. */
const unprinted = (text: string): CardRequest => {
  const { amount, ...rest } = JSON.parse(text) as Omit<CardRequest, 'amount'> & {
    amount: { minor: string; currency: string };
  };
  return { ...rest, amount: { minor: BigInt(amount.minor), currency: amount.currency } };
};
