/**
 * An acquirer that first authenticates the cardholder, if the channel requires it (EMV 3-D Secure 2).
 *
 * Each step is recorded before the next is taken, and each may be taken twice: by the returning browser, by a query of
 * the payment, by another gateway, by the next start. Only the acquirer's rule that an id counts once lets money move,
 * so it moves once.
 */
import { present } from '../../base/present.ts';
import { codes } from '../../base/result-codes.ts';
import type { Acquirer, Authorisation } from '../payments/acquirer.ts';
import type { AcquirerAnswer } from '../spec/acquirer-answer.ts';
import { meaningOf } from '../spec/results.ts';
import { authenticationAnswer, pendingAnswer, refusalAnswer, withProof } from './answers.ts';
import { type Authentication, type AuthenticationRecords, openRecords } from './authentication-record.ts';
import type { BrowserData } from './authentication-request.ts';
import type { ResultsRequest } from './messages.ts';
import { type CardRequest, planOf } from './plan.ts';
import { requestAuthentication, startAuthentication } from './start-authentication.ts';
import {
  type AuthenticatingOptions,
  handedOver,
  isWaiting,
  openedRequest,
  policyOf,
  refuse,
  type Tools,
  timedOut,
  withdrawn,
} from './transitions.ts';
import { type Proof, verdictOf } from './verdict.ts';

export type Authenticating = Acquirer & {
  records: Pick<AuthenticationRecords, 'read'>;
  /**
   * Receives the browser's data, or the end of the method step: then sends the request to the directory server unless
   * that was done.
   */
  deviceSeen(id: string, browser: BrowserData): Promise<void>;
  /**
   * The issuer's method step is over. Returns whether it belongs to this authentication; a repetition changes nothing.
   */
  methodDone(id: string, threeDSServerTransID: string): Promise<boolean>;
};

const CLOSED: AcquirerAnswer = { resultCode: codes.acquirerStateWrong, details: {} };

/** Throws what the acquirer and the memory throw; a failing directory server leads to an answer. */
export const authenticating = (options: AuthenticatingOptions): Authenticating => {
  const { acquirer, memory, clock, settingsOf } = options;
  const records = openRecords(memory);
  const tools = { ...options, records };
  const steps = { ask: requestAuthentication(tools), stand: authenticationStatus(tools) };
  const planned = (request: Authorisation) => planOf(request, settingsOf(request.parameters['entityId'] ?? ''));
  return {
    records,
    async authorise(request) {
      const plan = planned(request);
      if (plan.kind === 'none' && request.only === undefined) return acquirer.authorise(request);
      if (plan.kind !== 'authenticate') return refusalAnswer.missing(plan.kind === 'missing' ? plan.names : []);
      const begun = await startAuthentication(tools, plan);
      if (begun.kind === 'closed') return CLOSED;
      if (begun.kind === 'passes') return acquirer.authorise(request);
      if (begun.kind === 'refused') return begun.answer;
      if (begun.record.state === 'device' && !begun.waits) await steps.ask(request.id, {});
      return (await steps.stand(request.id, request.at)) ?? CLOSED;
    },
    authoriseWithin: (documents, request) =>
      planned(request).kind === 'none' && request.only === undefined
        ? acquirer.authoriseWithin?.(documents, request)
        : undefined,
    openCard: (pos, parameters) => acquirer.openCard?.(pos, parameters),
    refer: (request) => acquirer.refer(request),
    async withdraw(id, startedAt) {
      if ((await records.read(id)) === undefined) return acquirer.withdraw?.(id, startedAt);
      // A challenge that was completed meanwhile counts: its cardholder was first.
      const stands = await steps.stand(id, startedAt);
      if (stands === undefined || meaningOf(stands.resultCode) !== 'pending') return stands;
      const now = await records.change(id, (record) => (isWaiting(record) ? withdrawn(record) : undefined));
      return now?.state === 'handedOver' ? acquirer.withdraw?.(id, startedAt) : steps.stand(id, startedAt);
    },
    async inquire(id, startedAt) {
      const record = await records.read(id);
      if (record !== undefined) return steps.stand(id, startedAt);
      const answer = await acquirer.inquire(id, startedAt);
      if (answer !== undefined) return answer;
      // Nobody has it. A cardholder who is about to be challenged for it must not be.
      const stands = await records.begin(id, { state: 'closed' });
      return stands.state === 'closed' ? undefined : steps.stand(id, startedAt);
    },
    deviceSeen: (id, browser) => steps.ask(id, browser),
    async methodDone(id, threeDSServerTransID) {
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
    const record = await settled(tools, id);
    if (record === undefined) return undefined;
    if (record.state === 'refused') return refusalAnswer.of(record);
    if (record.state === 'authorising') return handOver(tools, record, { id, began: startedAt });
    if (record.state !== 'handedOver') return pendingAnswer(id, record);
    if (record.only) return authenticationAnswer(record.proof);
    const answer = await tools.acquirer.inquire(id, startedAt);
    return answer && withProof(answer, record.proof);
  };

/** Applies the result of a challenge, or the end of its time. */
const settled = async (tools: Tools, id: string): Promise<Authentication | undefined> => {
  const { records, directory, clock } = tools;
  const record = await records.read(id);
  if (record === undefined || record.state === 'closed') return undefined;
  const waits = record.state === 'challenge' || record.state === 'decoupled';
  const result = waits ? await directory.resultOf(record.threeDSServerTransID) : undefined;
  const late = clock.now() >= record.until;
  if (result === undefined && !late) return record;
  return records.change(id, (now) => {
    // The acquirer may have been asked: from now on it is only inquired about.
    if (now.state === 'authorising' && late) return handedOver(now, now.proof);
    if (now.state === 'device') return timedOut(now);
    if (now.state !== 'challenge' && now.state !== 'decoupled') return undefined;
    return result === undefined ? timedOut(now) : decided(tools, now, result);
  });
};

const decided = (tools: Tools, now: Authentication, result: ResultsRequest): Authentication | undefined => {
  const verdict = verdictOf(result, policyOf(tools, now));
  if (verdict.kind === 'asked') return undefined;
  const challengeMandatedIndicator = now.response?.acsChallengeMandated;
  const proof = present({ ...verdict.proof, flow: now.state, version: now.version, challengeMandatedIndicator });
  return verdict.kind === 'refused' ? refuse(now, { ...verdict, proof }) : { ...now, state: 'authorising', proof };
};

type Of = { id: string; began: number };

/** Asks the acquirer for the money, with the authentication's result. Parallel calls use the same id. */
const handOver = async (
  tools: Tools,
  record: Authentication & { state: 'authorising' },
  { id, began }: Of,
): Promise<AcquirerAnswer | undefined> => {
  const { acquirer, records } = tools;
  const { proof } = record;
  const request = openedRequest(tools, id, record);
  const over = () => records.change(id, (now) => handedOver(now, proof));
  if (record.only || request === undefined) {
    await over();
    return record.only ? authenticationAnswer(proof) : acquirer.inquire(id, began);
  }
  const answer = await acquirer.authorise(provedRequest(request, proof));
  await over();
  // Uncertain: another call may have asked a moment before.
  const known = meaningOf(answer.resultCode) === 'unknown' ? await acquirer.inquire(id, began) : answer;
  return known && withProof(known, proof);
};

/**
 * The result in the form of an external authentication: threeDSecure.eci, .verificationId …, for the acquirer (spec
 * 2.29). Without an authentication only the eci says so.
 */
const provedRequest = (request: CardRequest, proof: Proof): Authorisation => {
  const { flow: _, cardHolderInfo: __, ...told } = proof['authenticationStatus'] === 'N' ? only(proof, 'eci') : proof;
  const named = Object.fromEntries(Object.entries(told).map(([name, value]) => [`threeDSecure.${name}`, value]));
  return { ...request, parameters: { ...request.parameters, ...named } };
};

const only = (proof: Proof, name: string): Proof => present({ [name]: proof[name] });
