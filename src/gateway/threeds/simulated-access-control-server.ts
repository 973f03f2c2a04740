/**
 * The simulated issuers' access control server: its answer to an authentication request, and the result of a challenge.
 * Its documents contain no card number, and are in the acquirers' memory, so that any gateway can serve it.
 */
import { createHash } from 'node:crypto';
import { currencyOfNumeric } from '../../base/money.ts';
import { createVerificationValue } from '../acquirers/simulator/verification-value.ts';
import type { AcquirerMemory, Documents } from '../store/documents.ts';
import type { AuthenticationRequest, AuthenticationResponse, ResultsRequest, TransactionStatus } from './messages.ts';
import { transactionId } from './messages.ts';
import { type DirectoryServer, eciOf, type Scheme, versions } from './schemes.ts';
import { type Behaviour, requestedCard } from './simulated-cards.ts';

export const methodPath = '/v1/simulators/acs/method';
export const challengePath = '/v1/simulators/acs/challenge';
export const appPath = '/v1/simulators/acs/app';

/** One authentication, by its threeDSServerTransID. */
export type AcsTransaction = {
  response: AuthenticationResponse;
  scheme: Scheme;
  /** First six and last four digits. */
  card: string;
  shown: { shop: string; amount?: string; last4Digits: string };
  /** The address for the browser's CRes; absent if there is no browser. */
  notificationUrl?: string;
  /** The address that the 3-D Secure server wants notified of a result. */
  resultsUrl?: string;
  wrongCodes: number;
  result?: ResultsRequest;
};

export type AcsContext = { memory: AcquirerMemory; random: (length: number) => Uint8Array };
type AcsRequest = {
  request: AuthenticationRequest;
  scheme: Scheme;
  origin: string;
  custom: Readonly<Record<string, string>>;
  dsTransID: string;
};

const keyOf = (id: string): string => `simulator/acs/${id}`;

export const readTransaction = async (
  memory: Pick<Documents, 'get'>,
  id: string,
): Promise<AcsTransaction | undefined> => {
  const stored = await memory.get(keyOf(id));
  return stored === undefined ? undefined : (JSON.parse(stored) as AcsTransaction);
};

/** The answer to a request; a repeat under its id gets the same one. */
const authenticate = ({ memory, random }: AcsContext, request: AcsRequest): Promise<AuthenticationResponse> => {
  const { threeDSServerTransID: id, acctNumber } = request.request;
  return memory.withLocks([keyOf(id)], async (documents) => {
    const current = await readTransaction(documents, id);
    if (current !== undefined) return current.response;
    const card = acctNumber.slice(0, 6) + acctNumber.slice(-4);
    const response = createResponse({ random }, request);
    const transaction: AcsTransaction = {
      response,
      scheme: request.scheme,
      card,
      shown: displayedPurchase(request.request),
      notificationUrl: textOf(request.request['notificationURL']),
      resultsUrl: textOf(request.request['threeDSServerURL']),
      wrongCodes: 0,
    };
    await documents.set([{ key: keyOf(id), value: JSON.stringify(transaction) }]);
    return response;
  });
};

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const displayedPurchase = (request: AuthenticationRequest): AcsTransaction['shown'] => {
  const { purchaseAmount: digits, purchaseExponent, purchaseCurrency, acctNumber, merchantName } = request;
  const places = Number(purchaseExponent ?? 0);
  const text = typeof digits === 'string' ? digits.padStart(places + 1, '0') : undefined;
  const amount = text && (places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`);
  return {
    shop: typeof merchantName === 'string' ? merchantName : '',
    amount: amount === undefined ? undefined : `${amount} ${currencyOfNumeric(String(purchaseCurrency)) ?? ''}`,
    last4Digits: acctNumber.slice(-4),
  };
};

const statuses: Readonly<Record<Behaviour, TransactionStatus>> = {
  frictionless: 'Y',
  attempt: 'A',
  challenge: 'C',
  error: 'U',
  notEnrolled: 'N',
  absent: 'U',
  rejected: 'R',
  denied: 'N',
};

/** transStatusReason of EMV 3-D Secure: no card record, authentication failed, suspected fraud, technical issue. */
const reasons: Partial<Record<Behaviour, string>> = { notEnrolled: '08', denied: '01', rejected: '11', error: '22' };

const CALL_US = 'Your bank did not allow this payment. Please call the number on the back of your card.';
const UNSUPPORTED_DEVICE = '03';

const createResponse = ({ random }: Pick<AcsContext, 'random'>, requested: AcsRequest): AuthenticationResponse => {
  const { request, scheme, origin, custom, dsTransID } = requested;
  const behaviour = requestedCard(request.acctNumber, custom)?.behaviour ?? 'error';
  const status = statusFor(request, statuses[behaviour]);
  const reason = status === statuses[behaviour] ? reasons[behaviour] : status === 'U' ? UNSUPPORTED_DEVICE : undefined;
  const mandated = request['threeDSRequestorChallengeInd'] === '04';
  return {
    messageType: 'ARes',
    messageVersion: request.messageVersion,
    threeDSServerTransID: request.threeDSServerTransID,
    dsTransID,
    acsTransID: transactionId(random),
    transStatus: status,
    transStatusReason: reason,
    ...proofOf({ scheme, status, behaviour, number: request.acctNumber, dsTransID, random }),
    acsURL: status === 'C' ? `${origin}${challengePath}` : undefined,
    acsChallengeMandated: status === 'C' ? (mandated ? 'Y' : 'N') : undefined,
    acsDecConInd: status === 'D' ? 'Y' : undefined,
    cardholderInfo: status === 'R' || behaviour === 'denied' ? CALL_US : undefined,
  };
};

/** The status that the card would get, changed by the request's own indicators. */
const statusFor = (request: AuthenticationRequest, usualStatus: TransactionStatus): TransactionStatus => {
  const options = request['threeDSRequestorChallengeInd'];
  const isRequestorInitiated = request.deviceChannel === '03';
  const wantedStatus =
    (usualStatus === 'Y' || usualStatus === 'A') && options === '04' && !isRequestorInitiated ? 'C' : usualStatus;
  if (wantedStatus !== 'C') return wantedStatus;
  // A risk analysis was already done, or the data are only shared: noted, without a challenge.
  if (options === '05' || options === '06') return 'I';
  if (request['threeDSRequestorDecReqInd'] === 'Y') return 'D';
  return isRequestorInitiated ? 'U' : 'C';
};

type Proof = {
  scheme: Scheme;
  status: TransactionStatus;
  behaviour?: Behaviour;
  number: string;
  dsTransID: string;
  random: AcsContext['random'];
};

const proofOf = ({ scheme, status, behaviour, ...of }: Proof): { eci?: string; authenticationValue?: string } => {
  if (status === 'Y' || status === 'A') {
    return { eci: eciOf(scheme, status), authenticationValue: createVerificationValue({ ...of, status }) };
  }
  if (status === 'I') return { eci: eciOf(scheme, 'I') };
  return {};
};

/** The cardholder's action, on the page or in the app. */
export type Choice = 'authenticates' | 'fails' | 'cancels' | 'wrongCode';

export const WRONG_CODES_MAX = 3;

/** Records the decision; returns the stored transaction. The first decision counts. */
export const decide = (
  { memory, random }: AcsContext,
  id: string,
  choice: Choice,
): Promise<AcsTransaction | undefined> =>
  memory.withLocks([keyOf(id)], async (documents) => {
    const transaction = await readTransaction(documents, id);
    const { transStatus } = transaction?.response ?? {};
    if (transaction === undefined || transaction.result !== undefined) return transaction;
    if (transStatus !== 'C' && transStatus !== 'D') return transaction;
    const wrongCodes = transaction.wrongCodes + (choice === 'wrongCode' ? 1 : 0);
    const isRetryAllowed = choice === 'wrongCode' && wrongCodes < WRONG_CODES_MAX;
    const updated = {
      ...transaction,
      wrongCodes,
      result: isRetryAllowed ? undefined : resultOf(transaction, choice, random),
    };
    await documents.set([{ key: keyOf(id), value: JSON.stringify(updated) }]);
    return updated;
  });

const resultOf = (
  { response, scheme, card }: AcsTransaction,
  choice: Choice,
  random: AcsContext['random'],
): ResultsRequest => {
  const { threeDSServerTransID, dsTransID, acsTransID } = response;
  const status = choice === 'authenticates' ? 'Y' : 'N';
  return {
    messageType: 'RReq',
    threeDSServerTransID,
    dsTransID,
    acsTransID,
    transStatus: status,
    challengeCancel: choice === 'cancels' ? '01' : undefined,
    transStatusReason: status === 'N' ? (choice === 'wrongCode' ? '19' : '01') : undefined,
    ...proofOf({ scheme, status, number: card, dsTransID, random }),
  };
};

// The simulated schemes' directory servers: the range of a card, and the connection to its issuer.

export type SimulatedDirectoryOptions = { memory: AcquirerMemory; random: (length: number) => Uint8Array };

/** Uses the acquirers' memory: any number of gateways may share it. */
export const simulatedDirectoryServer = ({ memory, random }: SimulatedDirectoryOptions): DirectoryServer => ({
  async rangeOf({ number, origin, custom }) {
    const card = requestedCard(number, custom);
    if (card === undefined) return 'unlisted';
    if (card.behaviour === 'absent') return 'absent';
    return { versions, threeDSMethodUrl: card.method ? `${origin}${methodPath}` : undefined };
  },
  authenticate: (request, context) =>
    authenticate({ memory, random }, { request, ...context, dsTransID: dsTransIDof(request.threeDSServerTransID) }),
  async resultOf(id) {
    return (await readTransaction(memory, id))?.result;
  },
});

/** A UUID for each transaction, the same at each repeat. */
const dsTransIDof = (id: string): string => {
  const hex = createHash('sha256').update(`simulated directory ${id}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
