/** What became of an operation at the processor: by asking, never by posting. */
import type { Clock } from '../../../base/clock.ts';
import { Fault } from '../../../base/fault.ts';
import type { GatewayClient } from '../../client/client.ts';
import { meaningOf } from '../../spec/results.ts';
import type { Acquirer } from '../acquirer.ts';
import { judgeLook, judgeQuery, type UpstreamVerdict } from './judge.ts';
import { isEnded, type RecordOf, type UpstreamOperation, type UpstreamRecords } from './record.ts';

type Options = {
  host: GatewayClient;
  records: UpstreamRecords;
  clock: Clock;
  /** So long after an operation was begun, "not found" and words of doubt are not believed. */
  graceMs: number;
};

/**
 * The acquirer's `inquire`. An ending that is known is given without asking. An id that nothing was written of is
 * closed: nothing was sent, and nothing will be. "Not found" closes it only after the grace.
 */
export const inquirer = ({ host, records, clock, graceMs }: Options): Acquirer['inquire'] => {
  const ask = async (id: string, { intent, upstreamId }: UpstreamOperation): Promise<UpstreamVerdict> => {
    if (upstreamId === undefined) {
      return judgeQuery(await host.get('v1/query', { merchantTransactionId: id }), { ...intent, id });
    }
    return judgeLook(await host.get(`v1/payments/${upstreamId}`), { ...intent, id, upstreamId });
  };

  return async (id, began) => {
    const known = (await records.read(id)) ?? (await records.close(id, 'unsent'));
    if (known.kind === 'closed' || isEnded(known)) return recordedAnswer(known);
    const verdict = await ask(id, known);
    const young = clock.now() < Math.max(began, known.at) + graceMs;
    if (verdict.kind === 'said') {
      const { resultCode } = verdict.answer;
      if (young && meaningOf(resultCode) === 'unknown') throw silent(`it is in doubt: ${resultCode}`);
      return recordedAnswer(await records.learn(id, verdict));
    }
    if (verdict.kind === 'notFound' && known.upstreamId === undefined && !young) {
      return recordedAnswer(await records.close(id, 'unanswered'));
    }
    throw silent(verdict.kind === 'notFound' ? 'it is not found, and may still be on its way' : verdict.why);
  };
};

const recordedAnswer = (record: RecordOf) => (record.kind === 'operation' ? record.answer : undefined);

const silent = (why: string): Fault => new Fault('host.silent', { why });
