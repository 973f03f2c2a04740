/** The tools of an authentication's steps, and the transitions of its record: pure, apart from decryption. */
import type { Clock } from '../../base/clock.ts';
import type { Acquirer } from '../payments/acquirer.ts';
import type { AcquirerMemory } from '../store/documents.ts';
import type { Vault } from '../vault/vault.ts';
import type { Authentication, AuthenticationRecords } from './authentication-record.ts';
import type { CardRequest } from './plan.ts';
import type { DirectoryServer } from './schemes.ts';
import type { ThreeDSecureSettings } from './settings.ts';
import { codes, type Proof } from './verdict.ts';

export type AuthenticatingOptions = {
  acquirer: Acquirer;
  memory: AcquirerMemory;
  vault: Vault;
  directory: DirectoryServer;
  clock: Clock;
  random: (length: number) => Uint8Array;
  /** The channel's settings; undefined if it has none. */
  settingsOf: (entityId: string) => ThreeDSecureSettings | undefined;
  report: (error: unknown) => void;
};

export type Tools = AuthenticatingOptions & { records: AuthenticationRecords };

type Refused = { resultCode: string; why: string; proof: Proof };

/** Without the data key: nobody can decrypt the request any more. */
export const removeSealed = ({ sealed: _, ...record }: Authentication): Authentication => record as Authentication;

export const refuse = (record: Authentication, { resultCode, why, proof }: Refused): Authentication =>
  removeSealed({ ...record, state: 'refused', resultCode, why, proof: { ...proof, version: record.version } });

export const timeOut = (record: Authentication): Authentication =>
  refuse(record, { resultCode: codes.timedOut, why: 'The cardholder did not answer in time.', proof: {} });

/** Whether its cardholder, or the browser, can still answer. */
export const isWaiting = ({ state }: Authentication): boolean =>
  state === 'device' || state === 'challenge' || state === 'decoupled';

/** Withdrawn before its cardholder answered: it can have no effect any more. */
export const withdraw = (record: Authentication): Authentication =>
  refuse(record, { resultCode: codes.withdrawn, why: 'It was withdrawn before the cardholder answered.', proof: {} });

export const handOver = (record: Authentication, proof: Proof): Authentication =>
  removeSealed({ ...record, state: 'handedOver', proof } as Authentication);

export const policyOf = ({ settingsOf }: Pick<Tools, 'settingsOf'>, { entityId, scheme }: Authentication) => ({
  scheme,
  whenNotPossible: settingsOf(entityId)?.whenNotPossible ?? ('refuse' as const),
});

/** The waiting request; undefined once its key is destroyed. Throws what the vault throws. */
export const openRequest = (
  { vault }: Pick<Tools, 'vault'>,
  id: string,
  { sealed, entityId }: Authentication,
): CardRequest | undefined => sealed && parseRequest(vault.openWaiting(sealed, { id, entityId }));

/** Its amount is written as digits in JSON. */
const parseRequest = (text: string): CardRequest => {
  const { amount, ...rest } = JSON.parse(text) as Omit<CardRequest, 'amount'> & {
    amount: { minor: string; currency: string };
  };
  return { ...rest, amount: { minor: BigInt(amount.minor), currency: amount.currency } };
};
