/**
 * An acquirer before which the cardholder is authenticated, where the channel wants it (EMV 3-D Secure 2).
 *
 * Each step is written before the next is taken, and each may be taken twice: by the browser that comes back, by
 * whoever asks for the payment, by another gateway, by the next start. Only the acquirer's own rule that an id counts
 * once lets money move, so that it moves once.
 */
import { codes } from '../../base/result-codes.ts';
import type { Acquirer, AcquirerAnswer, Authorisation } from '../acquirers/acquirer.ts';
import { meaningOf } from '../spec/results.ts';
import { refusalAnswer } from './answers.ts';
import { type AuthenticationRecords, openRecords } from './authentication-record.ts';
import type { BrowserData } from './authentication-request.ts';
import { authenticationStatus } from './authentication-status.ts';
import { planOf } from './plan.ts';
import { requestAuthentication, startAuthentication } from './start-authentication.ts';
import { type AuthenticatingOptions, isWaiting, withdrawn } from './transitions.ts';

export type Authenticating = Acquirer & {
  records: Pick<AuthenticationRecords, 'read'>;
  /** The browser tells of itself, or the method step is over: asks the directory if that is still to be done. */
  deviceSeen(id: string, browser: BrowserData): Promise<void>;
  /** The issuer has looked at the browser. Whether this authentication asked it to; saying so again changes nothing. */
  methodDone(id: string, threeDSServerTransID: string): Promise<boolean>;
};

const CLOSED: AcquirerAnswer = { resultCode: codes.acquirerStateWrong, details: {} };

/** Throws what the acquirer and the memory throw; a directory that fails is an answer. */
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
    async withdraw(id, began) {
      if ((await records.read(id)) === undefined) return acquirer.withdraw?.(id, began);
      // What came of a challenge meanwhile counts: its cardholder was first.
      const stands = await steps.stand(id, began);
      if (stands === undefined || meaningOf(stands.resultCode) !== 'pending') return stands;
      const now = await records.change(id, (record) => (isWaiting(record) ? withdrawn(record) : undefined));
      return now?.state === 'handedOver' ? acquirer.withdraw?.(id, began) : steps.stand(id, began);
    },
    async inquire(id, began) {
      const record = await records.read(id);
      if (record !== undefined) return steps.stand(id, began);
      const answer = await acquirer.inquire(id, began);
      if (answer !== undefined) return answer;
      // Nobody has it. A cardholder who is about to be asked for it must not be.
      const stands = await records.begin(id, { state: 'closed' });
      return stands.state === 'closed' ? undefined : steps.stand(id, began);
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
