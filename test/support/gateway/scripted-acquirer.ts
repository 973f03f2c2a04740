/** An acquirer that approves everything, unless the test scripts something else for its next requests. */
import { Fault } from '../../../src/base/fault.ts';
import type { Acquirer, Authorisation, Reference } from '../../../src/gateway/payments/acquirer.ts';
import type { AcquirerAnswer } from '../../../src/gateway/spec/acquirer-answer.ts';

/** What happens to one request. */
export type Step = Partial<AcquirerAnswer> & {
  /** Waits for this before it answers. */
  after?: Promise<void>;
  /** `request`: never arrives. `answer`: is carried out, but the answer is lost. Both throw. */
  lostPart?: 'request' | 'answer';
};

export type ScriptedAcquirer = Acquirer & {
  /** The steps of the next requests, in order. */
  next(...steps: Step[]): void;
  /** Decides how a known request has ended: inquiries get this answer from now on. */
  decide(id: string, ending: Partial<AcquirerAnswer>): void;
  /** All requests that it received. */
  readonly authorised: readonly Authorisation[];
  readonly referred: readonly Reference[];
  /** The ids that it was inquired about. */
  readonly inquired: readonly string[];
  /** From now on inquiries fail, or work again. */
  setDeaf(hearingState: 'deaf' | 'hearing'): void;
};

const approval: AcquirerAnswer = { resultCode: '000.100.110', details: { AcquirerResponse: '00' } };

export const scriptedAcquirer = (): ScriptedAcquirer => {
  const steps: Step[] = [];
  const known = new Map<string, AcquirerAnswer>();
  const authorised: Authorisation[] = [];
  const referred: Reference[] = [];
  const inquired: string[] = [];
  let hearing: 'deaf' | 'hearing' = 'hearing';

  const answer = async (id: string): Promise<AcquirerAnswer> => {
    const { after, lostPart, ...outcome } = steps.shift() ?? {};
    await after;
    if (lostPart === 'request') throw new Fault('host.silent', { why: 'the script lost the request' });
    const input = known.get(id) ?? { ...approval, ...outcome };
    known.set(id, input);
    if (lostPart === 'answer') throw new Fault('host.silent', { why: 'the script lost the answer' });
    return input;
  };

  return {
    authorise(request) {
      authorised.push(request);
      return answer(request.id);
    },
    refer(request) {
      referred.push(request);
      return answer(request.id);
    },
    async inquire(id) {
      inquired.push(id);
      if (hearing === 'deaf') throw new Fault('host.silent', { why: 'the script is deaf' });
      return known.get(id);
    },
    next: (...added) => void steps.push(...added),
    decide: (id, ending) => void known.set(id, { ...approval, ...ending }),
    authorised,
    referred,
    inquired,
    setDeaf(hearingState) {
      hearing = hearingState;
    },
  };
};
