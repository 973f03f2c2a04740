/** An operation with the code that answers it, closed over its own parser. */
import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import type { Acquirer } from '../acquirers/acquirer.ts';
import type { Channel } from '../http/authentication.ts';
import { ERRORS_MAX, type ParameterError, type Sent } from '../parameters/errors.ts';
import type { Rows } from '../parameters/section.ts';
import type { Opened, Processing } from '../processing.ts';
import { type Answer, type Body, frame, paymentAnswer, refusal, UNCERTAIN } from '../response.ts';
import type { Store } from '../store/store.ts';
import { mapsOf, type Operation, type Parameters, parserOf } from './operation.ts';

/** What the operations work with. */
export type Gateway = { store: Store; acquirer: Acquirer; processing: Processing; clock: Clock; ids: Ids };

/** One authenticated request, decoded and not yet parsed. */
export type Incoming = {
  channel: Channel;
  sent: Sent;
  /** The payment in the path; undefined where the path has none. */
  id?: string;
  /** What the decoder found wrong with single parameters. */
  errors: readonly ParameterError[];
  fingerprint: string;
  /** The Idempotency-Key header. */
  key?: string;
  requestId: string;
  /** Wall time, ms. */
  at: number;
};

export type Call<P> = Omit<Incoming, 'sent' | 'errors'> & { request: P };

export type Endpoint = {
  operation: Operation;
  maps: ReadonlySet<string>;
  answer: (gateway: Gateway, incoming: Incoming) => Promise<Answer>;
};

/** Parses, refuses by name what is wrong, and hands the rest to `handle` with its types. */
export const endpoint = <R extends Rows, N extends keyof R>(
  operation: Operation<R, N>,
  handle: (gateway: Gateway, call: Call<Parameters<R, N>>) => Promise<Answer>,
): Endpoint => {
  const parse = parserOf(operation);
  return {
    operation: operation as unknown as Operation,
    maps: mapsOf(operation),
    async answer(gateway, { sent, errors, ...rest }) {
      const parsed = parse(sent);
      const repeated = new Set(errors.map(({ name }) => name));
      const wrong = 'errors' in parsed ? parsed.errors.filter(({ name }) => !repeated.has(name)) : [];
      if (errors.length + wrong.length > 0 || !('request' in parsed)) {
        return refusal(
          { code: '200.300.404', parameterErrors: [...errors, ...wrong].slice(0, ERRORS_MAX) },
          endOf(rest),
        );
      }
      return handle(gateway, { ...rest, request: parsed.request });
    },
  };
};

/** The closing fields of an answer to this request. */
export const endOf = ({ channel, requestId, at }: Pick<Incoming, 'channel' | 'requestId' | 'at'>): Body =>
  frame(channel.entityId, requestId, at);

/**
 * The answer to a request that was carried out, now or before. A key that came back with another body is refused as a
 * duplicate, 800.110.100: nothing was done for it.
 */
export const openedAnswer = (opened: Exclude<Opened, { kind: 'nothing' }>, call: Call<unknown>): Answer =>
  opened.kind === 'payment'
    ? paymentAnswer(opened.payment, opened.doubt ?? UNCERTAIN)
    : refusal(
        {
          code: '800.110.100',
          why: `The first request with this identity had another body and became payment ${opened.paymentId}.`,
        },
        endOf(call),
      );
