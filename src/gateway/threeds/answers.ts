/**
 * Answers that an authentication gives in place of the acquirer: there is a challenge, or the authentication failed.
 */
import { withoutUndefined } from '../../base/present.ts';
import { codes } from '../../base/result-codes.ts';
import type { AcquirerAnswer, Precondition } from '../spec/acquirer-answer.ts';
import type { Authentication } from './authentication-record.ts';
import { encodeMessage } from './messages.ts';
import { executePath, methodNotificationPath } from './paths.ts';
import { appPath } from './simulated-access-control-server.ts';
import type { Proof } from './verdict.ts';

const resultAnswer = (resultCode: string, reason: string): AcquirerAnswer => ({
  resultCode,
  statusText: 'DECLINED',
  details: { ExtendedDescription: reason },
});

export const refusalAnswer = {
  said: resultAnswer,
  of: ({ resultCode, why, proof }: Authentication & { state: 'refused' }): AcquirerAnswer => ({
    ...resultAnswer(resultCode, why),
    threeDSecure: proof,
  }),
  /** Names all missing parameters together. If none is missing, the channel has no 3-D Secure for this card. */
  missing: (names: readonly string[]): AcquirerAnswer =>
    names.length === 0
      ? resultAnswer(codes.notConfigured, 'This channel has no 3-D Secure for this account.')
      : resultAnswer(
          codes.parameterInvalid,
          `3-D Secure needs ${names.join(', ')}. Without customer.browser the gateway collects the browser’s data itself.`,
        ),
};

/** Success of an authentication without a payment, at the simulators. */
export const authenticationAnswer = (proof: Proof): AcquirerAnswer =>
  addProof({ resultCode: codes.succeededInTest, details: {} }, proof);

export const addProof = (answer: AcquirerAnswer, proof: Proof): AcquirerAnswer => ({
  ...answer,
  threeDSecure: Object.keys(proof).length === 0 ? answer.threeDSecure : proof,
  details: proof['eci'] === undefined ? answer.details : { ...answer.details, '3ds.acsEci': proof['eci'] },
});

/** A pending answer with the shopper's redirect. */
export const pendingAnswer = (id: string, record: Authentication): AcquirerAnswer => {
  const { origin, version, response, threeDSServerTransID } = record;
  const threeDSecure = withoutUndefined({
    version,
    authenticationStatus: response?.transStatus,
    dsTransactionId: response?.dsTransID,
    acsTransactionId: response?.acsTransID,
  });
  const start = { resultCode: codes.pending, threeDSecure };
  // The page waits with the shopper until they have answered in the app; without a return address there is no page.
  const app = `${origin}${appPath}/${threeDSServerTransID}`;
  const details: Record<string, string> = record.state === 'decoupled' ? { SimulatedBankingApp: app } : {};
  if (record.returnTo === '') return { ...start, details };
  const redirect = { url: `${origin}${executePath(id)}`, method: 'GET', parameters: [] } as const;
  return { ...start, redirect: { ...redirect, preconditions: preconditionsOf(id, record) }, details };
};

/** The method step (EMV 3-D Secure 2.2, 5.8.1): a client that skips it has it done by the page of the redirect. */
const preconditionsOf = (id: string, record: Authentication): readonly Precondition[] => {
  if (record.state !== 'device' || record.threeDSMethodUrl === undefined || record.methodDone === 'Y') return [];
  return [
    {
      origin: 'iframe#hidden',
      url: record.threeDSMethodUrl,
      method: 'POST',
      parameters: [{ name: 'threeDSMethodData', value: methodDataOf(id, record) }],
      waitUntil: 'iframe#onload',
      description: 'Hidden iframe post for 3D Secure 2.0',
    },
  ];
};

export const methodDataOf = (id: string, { threeDSServerTransID, origin }: Authentication): string =>
  encodeMessage({ threeDSServerTransID, threeDSMethodNotificationURL: `${origin}${methodNotificationPath(id)}` });
