/**
 * A twin of the payment gateway as the till sees it: it keeps books, answers a repeated key with its first answer,
 * and on request loses requests, loses answers, or takes a request long after its sender gave up.
 */
import type { Clock } from '../../src/base/clock.ts';
import { pause } from '../../src/base/clock.ts';
import { Fault } from '../../src/base/fault.ts';
import type { Host, HostReply } from '../../src/till/ports.ts';
import { type Approval, type Booking, type IssuerBooks, issuerBooks, meaningOf, replyOf } from './issuer-books.ts';

export type { Booking } from './issuer-books.ts';

/** What becomes of one request. `doubled`: the network brings it twice, the second time as late as it can. */
export type Fate =
  | 'answered'
  | 'notReached'
  | 'requestLost'
  | 'answerLost'
  | 'answerLate'
  | 'takenLate'
  | 'doubled'
  | 'throttled'
  | 'nonsense';

export type LineOptions = {
  clock: Clock;
  fate(): Fate;
  /** How long an answered request takes, ms. */
  takesMs(): number;
  timeoutMs: number;
  /** After this a request that was sent is certainly taken or lost. */
  requestLifeMs: number;
};

export type BookkeepingOptions = LineOptions & {
  /** Whether the issuer says yes to this amount. */
  approves(amount: string): Approval;
};

export type BookkeepingHost = Host & { readonly books: readonly Booking[] };

export const bookkeepingHost = (options: BookkeepingOptions): BookkeepingHost => {
  const issuer = issuerBooks(options.approves);
  return { ...lineTo(issuer, options), books: issuer.books };
};

/** One till's line to the books: what becomes of each of its requests is told by `fate`. */
export const lineTo = (issuer: IssuerBooks, options: LineOptions): Host => {
  const { clock, timeoutMs, requestLifeMs } = options;
  const silent = (): HostReply => ({ kind: 'silent', fault: new Fault('host.silent', { why: 'timed out' }) });

  const travel = async (take: () => HostReply): Promise<HostReply> => {
    const fate = options.fate();
    if (fate === 'notReached') return { kind: 'notSent', fault: new Fault('host.unreachable', { why: 'refused' }) };
    if (fate === 'throttled') return replyOf('800.120.100', {});
    if (fate === 'takenLate') void pause(clock, timeoutMs + (requestLifeMs - timeoutMs) / 2).then(take);
    if (fate === 'doubled') void pause(clock, requestLifeMs - 1).then(take);
    const takesMs = Math.min(options.takesMs(), timeoutMs - 1);
    await pause(clock, takesMs);
    if (fate === 'answered' || fate === 'doubled') return take();
    if (fate === 'answerLate') {
      const reply = take();
      await pause(clock, timeoutMs - 1 - takesMs);
      return reply;
    }
    if (fate === 'nonsense') {
      take();
      return replyOf('999.999.999', {});
    }
    if (fate === 'answerLost') take();
    await pause(clock, timeoutMs - takesMs);
    return silent();
  };

  return {
    pay: (parameters, key) => travel(() => issuer.take(parameters, key)),
    refer: (payment, parameters, key) => travel(() => issuer.take(parameters, key, payment)),
    find: (reference) => travel(() => issuer.find(reference)),
    meaningOf,
  };
};
