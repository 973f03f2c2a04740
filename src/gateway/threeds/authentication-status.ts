/** How a payment stands, after whatever can be done for it now: a challenge that is over, a time that is, the money. */
import type { AcquirerAnswer, Authorisation } from '../acquirers/acquirer.ts';
import { meaningOf } from '../spec/results.ts';
import { authenticationAnswer, pendingAnswer, refusalAnswer, withProof } from './answers.ts';
import type { Authentication } from './authentication-record.ts';
import type { ResultsRequest } from './messages.ts';
import type { CardRequest } from './plan.ts';
import { handedOver, openedRequest, policyOf, refused, type Tools, timedOut } from './transitions.ts';
import { type Proof, verdictOf } from './verdict.ts';

/** Undefined: nothing was done, and nothing will be. */
export const authenticationStatus =
  (tools: Tools) =>
  async (id: string, began: number): Promise<AcquirerAnswer | undefined> => {
    const record = await settled(tools, id);
    if (record === undefined) return undefined;
    if (record.state === 'refused') return refusalAnswer.of(record);
    if (record.state === 'authorising') return handOver(tools, record, { id, began });
    if (record.state !== 'handedOver') return pendingAnswer(id, record);
    if (record.only) return authenticationAnswer(record.proof);
    const answer = await tools.acquirer.inquire(id, began);
    return answer && withProof(answer, record.proof);
  };

/** With what came of a challenge meanwhile, or with the end of its time. */
const settled = async (tools: Tools, id: string): Promise<Authentication | undefined> => {
  const { records, directory, clock } = tools;
  const record = await records.read(id);
  if (record === undefined || record.state === 'closed') return undefined;
  const waits = record.state === 'challenge' || record.state === 'decoupled';
  const result = waits ? await directory.resultOf(record.threeDSServerTransID) : undefined;
  const late = clock.now() >= record.until;
  if (result === undefined && !late) return record;
  return records.change(id, (now) => {
    // The acquirer may have been asked: it is, from now on, only what became of it.
    if (now.state === 'authorising' && late) return handedOver(now, now.proof);
    if (now.state === 'device') return timedOut(now);
    if (now.state !== 'challenge' && now.state !== 'decoupled') return undefined;
    return result === undefined ? timedOut(now) : decided(tools, now, result);
  });
};

const decided = (tools: Tools, now: Authentication, result: ResultsRequest): Authentication | undefined => {
  const verdict = verdictOf(result, policyOf(tools, now));
  if (verdict.kind === 'asked') return undefined;
  const mandated = now.response?.acsChallengeMandated;
  const proof = {
    ...verdict.proof,
    flow: now.state,
    version: now.version,
    ...(mandated === undefined ? {} : { challengeMandatedIndicator: mandated }),
  };
  return verdict.kind === 'refused' ? refused(now, { ...verdict, proof }) : { ...now, state: 'authorising', proof };
};

type Of = { id: string; began: number };

/** Asks for the money, with the proof. Whoever else does so at the same time asks for the same id. */
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
  // In doubt: another one may have asked a moment before.
  const known = meaningOf(answer.resultCode) === 'unknown' ? await acquirer.inquire(id, began) : answer;
  return known && withProof(known, proof);
};

/**
 * The proof as external proof comes: threeDSecure.eci, .verificationId …, for the acquirer (spec 2.29). Where there is
 * none, the eci alone says so.
 */
const provedRequest = (request: CardRequest, proof: Proof): Authorisation => {
  const { flow: _, cardHolderInfo: __, ...told } = proof['authenticationStatus'] === 'N' ? only(proof, 'eci') : proof;
  const named = Object.fromEntries(Object.entries(told).map(([name, value]) => [`threeDSecure.${name}`, value]));
  return { ...request, parameters: { ...request.parameters, ...named } };
};

const only = (proof: Proof, name: string): Proof => (proof[name] === undefined ? {} : { [name]: proof[name] });
