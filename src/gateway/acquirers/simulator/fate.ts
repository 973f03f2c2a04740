/** What a trigger does to a request on its way here and to its answer on its way back. */
import { pause } from '../../../base/clock.ts';
import { meaningOf } from '../../spec/results.ts';
import type { AcquirerAnswer } from '../acquirer.ts';
import { noAnswer } from './answers.ts';
import type { SimulatorContext } from './rooms.ts';
import type { Trigger } from './triggers.ts';

type Befallen = { id: string; trigger: Trigger | undefined };

/**
 * Lets the trigger befall the work. A request answered before, and one that was declined, is answered at once and is
 * never lost: who asks again learns the truth.
 */
export const underTrigger = (
  rooms: SimulatorContext,
  { id, trigger }: Befallen,
  work: () => Promise<AcquirerAnswer>,
): Promise<AcquirerAnswer> =>
  trigger === undefined || trigger.kind === 'response' ? work() : onItsWay(rooms, { id, trigger }, work);

const onItsWay = async (
  { ledger, clock }: SimulatorContext,
  { id, trigger }: { id: string; trigger: Exclude<Trigger, { kind: 'response' }> },
  work: () => Promise<AcquirerAnswer>,
): Promise<AcquirerAnswer> => {
  if (trigger.kind === 'requestLost') return noAnswer;
  const repeated = (await ledger.read('outcome', id)) !== undefined;
  const answer = await work();
  if (repeated || !['approved', 'pending'].includes(meaningOf(answer.resultCode))) return answer;
  if (trigger.kind === 'slow') await pause(clock, trigger.ms);
  return trigger.kind === 'answerLost' ? noAnswer : answer;
};
