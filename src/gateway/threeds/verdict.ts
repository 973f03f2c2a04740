/** The meaning of an issuer's answer for the payment: whether it continues, with which result, or how it is refused. */
import { withoutUndefined } from '../../base/present.ts';
import { codes as resultCodes } from '../../base/result-codes.ts';
import type { AuthenticationResponse, ResultsRequest } from './messages.ts';
import { eciOf, type Scheme } from './schemes.ts';

/** The result of the authentication, by the names of spec 2.29 without their prefix. */
export type Proof = Readonly<Record<string, string>>;

type AuthenticationVerdict =
  | { kind: 'proceeds'; proof: Proof }
  | { kind: 'refused'; resultCode: string; why: string; proof: Proof }
  /** There is a challenge. */
  | { kind: 'asked'; flow: 'challenge' | 'decoupled' };

type Policy = { scheme: Scheme; whenNotPossible: 'proceed' | 'refuse' };

/**
 * Result codes of the catalogue; 000.400.110 and .120 are never returned: clients of different ages read them
 * differently.
 */
export const codes = {
  unlisted: resultCodes.authenticationUnlisted,
  absent: resultCodes.authenticationAbsent,
  older: resultCodes.authenticationAbsent,
  notEnrolled: resultCodes.cardNotEnrolled,
  technical: resultCodes.authenticationTechnical,
  silent: resultCodes.authenticationSilent,
  rejected: resultCodes.authenticationRejected,
  device: resultCodes.authenticationDevice,
  failed: resultCodes.authenticationFailed,
  cancelled: resultCodes.cancelledByShopper,
  timedOut: resultCodes.timedOutPending,
  withdrawn: resultCodes.withdrawnPending,
} as const;

/** No card record. The cardholder was not denied: the payment can continue without 3-D Secure. */
const CARD_UNKNOWN = '08';
const DEVICE = '03';

export const verdictOf = (response: AuthenticationResponse | ResultsRequest, policy: Policy): AuthenticationVerdict => {
  const { transStatus: status, transStatusReason: reason } = response;
  const proof = proofOf(response, policy.scheme);
  const refuse = (resultCode: string, reason: string): AuthenticationVerdict => ({
    kind: 'refused',
    resultCode,
    why: reason,
    proof,
  });
  const refuseOrProceed = (resultCode: string, reason: string): AuthenticationVerdict =>
    policy.whenNotPossible === 'proceed' ? { kind: 'proceeds', proof } : refuse(resultCode, reason);
  switch (status) {
    case 'Y':
    case 'A':
    case 'I':
      return { kind: 'proceeds', proof };
    case 'C':
      return { kind: 'asked', flow: 'challenge' };
    case 'D':
      return { kind: 'asked', flow: 'decoupled' };
    case 'U':
      return reason === DEVICE
        ? refuseOrProceed(codes.device, 'The issuer requires a challenge, which was not possible.')
        : refuseOrProceed(codes.technical, 'The issuer’s authentication had a technical problem: try again later.');
    case 'R':
      return refuse(codes.rejected, 'The issuer rejected the payment. It must not be tried again.');
    case 'N':
      if (response.messageType === 'RReq' && response.challengeCancel !== undefined)
        return refuse(codes.cancelled, 'The cardholder cancelled the authentication.');
      if (response.messageType === 'RReq' || reason !== CARD_UNKNOWN)
        return refuse(codes.failed, 'The cardholder was not authenticated.');
      return policy.whenNotPossible === 'proceed'
        ? { kind: 'proceeds', proof: { ...proof, eci: eciOf(policy.scheme, status) } }
        : refuse(codes.notEnrolled, 'The issuer does not know the card for 3-D Secure.');
  }
};

const proofOf = (response: AuthenticationResponse | ResultsRequest, scheme: Scheme): Proof => {
  const { transStatus, transStatusReason, authenticationValue, dsTransID, acsTransID, cardholderInfo } = response;
  const noAnswer = transStatus === 'U' || transStatus === 'R';
  // Whatever else the issuer's answer contains, a cardholder who was not authenticated does not count as an attempt.
  const eci = transStatus === 'N' ? undefined : (response.eci ?? (noAnswer ? undefined : eciOf(scheme, transStatus)));
  return withoutUndefined({
    eci,
    verificationId: transStatus === 'N' ? undefined : authenticationValue,
    authenticationStatus: transStatus,
    dsTransactionId: dsTransID,
    acsTransactionId: acsTransID,
    challengeMandatedIndicator: response.messageType === 'ARes' ? response.acsChallengeMandated : undefined,
    transactionStatusReason: transStatusReason,
    cardHolderInfo: cardholderInfo,
  });
};
