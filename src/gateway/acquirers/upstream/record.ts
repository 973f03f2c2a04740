/** The record of each operation at a processor: written before it is sent, and again before it is answered. */
import { Fault } from '../../../base/fault.ts';
import type { Money } from '../../../base/money.ts';
import type { AcquirerAnswer } from '../../spec/acquirer-answer.ts';
import { meaningOf } from '../../spec/results.ts';
import type { AcquirerMemory } from '../../store/documents.ts';

/** The fields that identify an operation. */
export type UpstreamIntent = {
  /** The channel whose processor receives it. */
  entityId: string;
  /** paymentType, as it is sent. */
  type: string;
  /** Amount in minor units. */
  minor: string;
  currency: string;
  /** Our id of the operation it follows. */
  of?: string;
  /** A partial approval is a valid answer. */
  partial?: true;
};

export type UpstreamOperation = {
  kind: 'operation';
  /** Wall time, ms. From this time on it may have been sent. */
  at: number;
  intent: UpstreamIntent;
  /** Where a shopper who returns from the processor goes next: the merchant's address, with our id. */
  returnTo?: string;
  /** The processor's id, once it is known. */
  upstreamId?: string;
  /** The processor's latest answer. Absent: no answer, so the result is unknown. */
  answer?: AcquirerAnswer;
  /** The processor's ids of the last capture and the last chargeback that it approved. */
  last?: { capture?: string; chargeback?: string };
};

/**
 * `closed`: nothing was ever sent, or the processor still knows nothing after the grace period; nothing will be sent.
 */
export type RecordOf = UpstreamOperation | { kind: 'closed' };

export type UpstreamRecords = {
  read(id: string): Promise<RecordOf | undefined>;
  /**
   * Records that the operation is about to be sent. Undefined: recorded. Otherwise returns the existing record, and
   * then nothing may be sent.
   */
  begin(id: string, operation: UpstreamOperation): Promise<RecordOf | undefined>;
  /**
   * Records the processor's answer and returns the resulting record. A known ending is never overwritten, nor is
   * `closed`.
   */
  recordAnswer(id: string, answer: UpstreamAnswer): Promise<RecordOf>;
  /** Closes an id without a known result, or returns the record that prevents it. */
  close(id: string, reason: 'unsent' | 'unanswered'): Promise<RecordOf>;
};

export type UpstreamAnswer = { answer: AcquirerAnswer; upstreamId?: string };

/**
 * Stores documents `upstream/<our id>` in the acquirers' memory. Throws what the memory throws, and `gateway.state`.
 */
export const openRecords = (memory: AcquirerMemory): UpstreamRecords => {
  const keyOf = (id: string): string => `upstream/${id}`;
  const entryOf = (id: string, record: RecordOf) => ({ key: keyOf(id), value: JSON.stringify(record) });

  return {
    read: async (id) => parse(await memory.get(keyOf(id))),
    begin: (id, operation) =>
      memory.withLocks([keyOf(id)], async (documents) => {
        const existing = parse(await documents.get(keyOf(id)));
        if (existing === undefined) await documents.set([entryOf(id, operation)]);
        return existing;
      }),
    async recordAnswer(id, reply) {
      const earlier = parse(await memory.get(keyOf(id)));
      const root = earlier?.kind === 'operation' ? earlier.intent.of : undefined;
      const names = [keyOf(id), ...(root === undefined ? [] : [keyOf(root)])];
      return memory.withLocks(names, async (documents) => {
        const existing = parse(await documents.get(keyOf(id)));
        if (existing?.kind !== 'operation') return { kind: 'closed' };
        if (isEnded(existing)) return existing;
        const { answer, upstreamId } = reply;
        const updated: UpstreamOperation = { ...existing, answer, upstreamId: upstreamId ?? existing.upstreamId };
        const entries = [entryOf(id, updated)];
        const start = root === undefined ? undefined : parse(await documents.get(keyOf(root)));
        const markedRoot = start?.kind === 'operation' ? withLatestId(start, updated) : undefined;
        if (root !== undefined && markedRoot !== undefined) entries.push(entryOf(root, markedRoot));
        await documents.set(entries);
        return updated;
      });
    },
    close: (id, reason) =>
      memory.withLocks([keyOf(id)], async (documents) => {
        const existing = parse(await documents.get(keyOf(id)));
        // Between the read and the transaction another process may have started or answered the operation.
        const isKept = reason === 'unsent' || existing?.kind === 'closed' || isAnswered(existing);
        if (existing !== undefined && isKept) return existing;
        await documents.set([entryOf(id, { kind: 'closed' })]);
        return { kind: 'closed' };
      }),
  };
};

/** Whether the processor's answer is final. */
export const isEnded = ({ answer }: UpstreamOperation): boolean =>
  answer !== undefined && !['pending', 'unknown'].includes(meaningOf(answer.resultCode));

const isAnswered = (existing: UpstreamOperation | undefined): boolean =>
  existing?.answer !== undefined && meaningOf(existing.answer.resultCode) !== 'unknown';

const isApproved = ({ answer }: UpstreamOperation): boolean =>
  answer !== undefined && meaningOf(answer.resultCode) === 'approved';

export const intentOf = (entityId: string, type: string, amount: Money): UpstreamIntent => ({
  entityId,
  type,
  minor: amount.minor.toString(),
  currency: amount.currency,
});

/** The record of the chain's start with the ids that later operations refer to, if `child` is such an operation. */
const withLatestId = (start: UpstreamOperation, child: UpstreamOperation): UpstreamOperation | undefined => {
  const { upstreamId, intent } = child;
  if (!isApproved(child) || upstreamId === undefined) return undefined;
  if (intent.type === 'CP') return { ...start, last: { ...start.last, capture: upstreamId } };
  if (intent.type === 'CB') return { ...start, last: { ...start.last, chargeback: upstreamId } };
  return undefined;
};

const parse = (document: string | undefined): RecordOf | undefined => {
  if (document === undefined) return undefined;
  let json: unknown;
  try {
    json = JSON.parse(document);
  } catch (error) {
    throw new Fault('gateway.state', { why: 'the record of an operation at a processor is not JSON' }, error);
  }
  if (isRecord(json)) return json;
  throw new Fault('gateway.state', { why: 'the record of an operation at a processor has an unknown kind' });
};

/** Only this file writes records, so checking the kind is enough. */
const isRecord = (json: unknown): json is RecordOf =>
  typeof json === 'object' && json !== null && 'kind' in json && (json.kind === 'operation' || json.kind === 'closed');
