/**
 * An acquirer that first authenticates the cardholder, if the channel requires it (EMV 3-D Secure 2).
 *
 * Each step is recorded before the next is taken, and each may be taken twice: by the returning browser, by a query of
 * the payment, by another gateway, by the next start. Only the acquirer's rule that an id counts once lets money move,
 * so it moves once.
 */
import { withoutUndefined } from '../../base/present.ts';
import { codes } from '../../base/result-codes.ts';
import type { Acquirer, Authorisation } from '../payments/acquirer.ts';
import type { AcquirerAnswer } from '../spec/acquirer-answer.ts';
import { meaningOf } from '../spec/results.ts';
import { addProof, authenticationAnswer, pendingAnswer, refusalAnswer } from './answers.ts';
import { type Authentication, type AuthenticationRecords, openRecords } from './authentication-record.ts';
import type { BrowserData } from './authentication-request.ts';
import type { ResultsRequest } from './messages.ts';
import { type CardRequest, planOf } from './plan.ts';
import { requestAuthentication, startAuthentication } from './start-authentication.ts';
import {
  type AuthenticatingOptions,
  handOver,
  isWaiting,
  openRequest,
  policyOf,
  refuse,
  type Tools,
  timeOut,
  withdraw,
} from './transitions.ts';
import { type Proof, verdictOf } from './verdict.ts';

export type Authenticating = Acquirer & {
  records: Pick<AuthenticationRecords, 'read'>;
  /**
   * Receives the browser's data, or the end of the method step: then sends the request to the directory server unless
   * that was done.
   */
  recordDevice(id: string, browser: BrowserData): Promise<void>;
  /**
   * The issuer's method step is over. Returns whether it belongs to this authentication; a repetition changes nothing.
   */
  recordMethodDone(id: string, threeDSServerTransID: string): Promise<boolean>;
};

const CLOSED: AcquirerAnswer = { resultCode: codes.acquirerStateWrong, details: {} };

/** Throws what the acquirer and the memory throw; a failing directory server leads to an answer. */
export const createAuthentication = (options: AuthenticatingOptions): Authenticating => {
  const { acquirer, memory, clock, settingsOf } = options;
  const records = openRecords(memory);
  const tools = { ...options, records };
  const steps = { ask: requestAuthentication(tools), stand: authenticationStatus(tools) };
  const planFor = (request: Authorisation) => planOf(request, settingsOf(request.parameters['entityId'] ?? ''));
  return {
    records,
    async authorise(request) {
      const plan = planFor(request);
      if (plan.kind === 'none' && request.only === undefined) return acquirer.authorise(request);
      if (plan.kind !== 'authenticate') return refusalAnswer.missing(plan.kind === 'missing' ? plan.names : []);
      const started = await startAuthentication(tools, plan);
      if (started.kind === 'closed') return CLOSED;
      if (started.kind === 'passes') return acquirer.authorise(request);
      if (started.kind === 'refused') return started.answer;
      if (started.record.state === 'device' && !started.waits) await steps.ask(request.id, {});
      return (await steps.stand(request.id, request.at)) ?? CLOSED;
    },
    authoriseInTransaction: (documents, request) =>
      planFor(request).kind === 'none' && request.only === undefined
        ? acquirer.authoriseInTransaction?.(documents, request)
        : undefined,
    openCard: (pos, parameters) => acquirer.openCard?.(pos, parameters),
    refer: (request) => acquirer.refer(request),
    async withdraw(id, startedAt) {
      if ((await records.read(id)) === undefined) return acquirer.withdraw?.(id, startedAt);
      // A challenge that was completed meanwhile counts: its cardholder was first.
      const recorded = await steps.stand(id, startedAt);
      if (recorded === undefined || meaningOf(recorded.resultCode) !== 'pending') return recorded;
      const now = await records.change(id, (record) => (isWaiting(record) ? withdraw(record) : undefined));
      return now?.state === 'handedOver' ? acquirer.withdraw?.(id, startedAt) : steps.stand(id, startedAt);
    },
    async inquire(id, startedAt) {
      const record = await records.read(id);
      if (record !== undefined) return steps.stand(id, startedAt);
      const answer = await acquirer.inquire(id, startedAt);
      if (answer !== undefined) return answer;
      // Nobody knows the payment. Its cardholder must not be challenged for it any more.
      const recorded = await records.begin(id, { state: 'closed' });
      return recorded.state === 'closed' ? undefined : steps.stand(id, startedAt);
    },
    recordDevice: (id, browser) => steps.ask(id, browser),
    async recordMethodDone(id, threeDSServerTransID) {
      let isAsked = false;
      await records.change(id, (record) => {
        isAsked = record.threeDSServerTransID === threeDSServerTransID;
        return isAsked && record.state === 'device' && clock.now() < record.until
          ? { ...record, methodDone: 'Y' }
          : undefined;
      });
      return isAsked;
    },
  };
};

// The payment's state after every step that is possible now: a completed challenge, an expired time, the request for
// the money.

/** Undefined: nothing was done, and nothing will be. */
const authenticationStatus =
  (tools: Tools) =>
  async (id: string, startedAt: number): Promise<AcquirerAnswer | undefined> => {
    const record = await settleAuthentication(tools, id);
    if (record === undefined) return undefined;
    if (record.state === 'refused') return refusalAnswer.of(record);
    if (record.state === 'authorising') return handOverToAcquirer(tools, record, { id, beganAt: startedAt });
    if (record.state !== 'handedOver') return pendingAnswer(id, record);
    if (record.only) return authenticationAnswer(record.proof);
    const answer = await tools.acquirer.inquire(id, startedAt);
    return answer && addProof(answer, record.proof);
  };

/** Applies the result of a challenge, or the end of its time. */
const settleAuthentication = async (tools: Tools, id: string): Promise<Authentication | undefined> => {
  const { records, directory, clock } = tools;
  const record = await records.read(id);
  if (record === undefined || record.state === 'closed') return undefined;
  const isPending = record.state === 'challenge' || record.state === 'decoupled';
  const result = isPending ? await directory.resultOf(record.threeDSServerTransID) : undefined;
  const isLate = clock.now() >= record.until;
  if (result === undefined && !isLate) return record;
  return records.change(id, (now) => {
    // The acquirer may have been asked: from now on it is only inquired about.
    if (now.state === 'authorising' && isLate) return handOver(now, now.proof);
    if (now.state === 'device') return timeOut(now);
    if (now.state !== 'challenge' && now.state !== 'decoupled') return undefined;
    return result === undefined ? timeOut(now) : decideResult(tools, now, result);
  });
};

const decideResult = (tools: Tools, now: Authentication, result: ResultsRequest): Authentication | undefined => {
  const verdict = verdictOf(result, policyOf(tools, now));
  if (verdict.kind === 'asked') return undefined;
  const challengeMandatedIndicator = now.response?.acsChallengeMandated;
  const proof = withoutUndefined({
    ...verdict.proof,
    flow: now.state,
    version: now.version,
    challengeMandatedIndicator,
  });
  return verdict.kind === 'refused' ? refuse(now, { ...verdict, proof }) : { ...now, state: 'authorising', proof };
};

type InquiredPayment = { id: string; beganAt: number };

/** Asks the acquirer for the money, with the authentication's result. Parallel calls use the same id. */
const handOverToAcquirer = async (
  tools: Tools,
  record: Authentication & { state: 'authorising' },
  { id, beganAt: began }: InquiredPayment,
): Promise<AcquirerAnswer | undefined> => {
  const { acquirer, records } = tools;
  const { proof } = record;
  const request = openRequest(tools, id, record);
  const markHandedOver = () => records.change(id, (now) => handOver(now, proof));
  if (record.only || request === undefined) {
    await markHandedOver();
    return record.only ? authenticationAnswer(proof) : acquirer.inquire(id, began);
  }
  const answer = await acquirer.authorise(addProofToRequest(request, proof));
  await markHandedOver();
  // Uncertain: another call may have asked a moment before.
  const finalAnswer = meaningOf(answer.resultCode) === 'unknown' ? await acquirer.inquire(id, began) : answer;
  return finalAnswer && addProof(finalAnswer, proof);
};

/**
 * The result in the form of an external authentication: threeDSecure.eci, .verificationId …, for the acquirer (spec
 * 2.29). Without an authentication only the eci says so.
 */
const addProofToRequest = (request: CardRequest, proof: Proof): Authorisation => {
  const {
    flow: _,
    cardHolderInfo: __,
    ...proofFields
  } = proof['authenticationStatus'] === 'N' ? pickField(proof, 'eci') : proof;
  const proofParameters = Object.fromEntries(
    Object.entries(proofFields).map(([name, value]) => [`threeDSecure.${name}`, value]),
  );
  return { ...request, parameters: { ...request.parameters, ...proofParameters } };
};

const pickField = (proof: Proof, name: string): Proof => withoutUndefined({ [name]: proof[name] });
