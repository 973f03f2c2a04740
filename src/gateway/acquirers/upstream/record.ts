/** What is remembered of each operation at a processor: written before it is sent, and again before it is answered. */
import { Fault } from '../../../base/fault.ts';
import type { Money } from '../../../base/money.ts';
import type { AcquirerAnswer } from '../../spec/acquirer-answer.ts';
import { meaningOf } from '../../spec/results.ts';
import type { AcquirerMemory } from '../../store/documents.ts';

/** What makes an operation the one that it is. */
export type UpstreamIntent = {
  /** The channel whose processor it goes to. */
  entityId: string;
  /** paymentType, as it is sent. */
  type: string;
  /** Amount in minor units. */
  minor: string;
  currency: string;
  /** Our id of what it follows. */
  of?: string;
  /** An approval of less is an answer to it. */
  partial?: true;
};

export type UpstreamOperation = {
  kind: 'operation';
  /** Wall time, ms. From here on it may have been sent. */
  at: number;
  intent: UpstreamIntent;
  /** Where the shopper goes on coming back from the processor: the merchant's address, with our id. */
  returnTo?: string;
  /** The processor's id of it, once that is known. */
  upstreamId?: string;
  /** What the processor has said last. Absent: nothing, and nobody knows. */
  answer?: AcquirerAnswer;
  /** The processor's ids of the last capture and the last chargeback that it approved. */
  last?: { capture?: string; chargeback?: string };
};

/** `closed`: nothing was ever sent, or the processor has had its time and knows nothing; and nothing will be. */
export type RecordOf = UpstreamOperation | { kind: 'closed' };

export type UpstreamRecords = {
  read(id: string): Promise<RecordOf | undefined>;
  /** Writes that it is about to be sent. Undefined: so it is. Else what stands there, and nothing may be sent. */
  begin(id: string, operation: UpstreamOperation): Promise<RecordOf | undefined>;
  /** Writes what the processor said; what stands then. An ending that is known already stays, and so does `closed`. */
  learn(id: string, said: UpstreamAnswer): Promise<RecordOf>;
  /** Ends an id that nothing is known of. What stands under it otherwise. */
  close(id: string, when: 'unsent' | 'unanswered'): Promise<RecordOf>;
};

export type UpstreamAnswer = { answer: AcquirerAnswer; upstreamId?: string };

/** Documents `upstream/<our id>` in the acquirers' memory. Its faults are the memory's, and `gateway.state`. */
export const openRecords = (memory: AcquirerMemory): UpstreamRecords => {
  const keyOf = (id: string): string => `upstream/${id}`;
  const entryOf = (id: string, record: RecordOf) => ({ key: keyOf(id), value: JSON.stringify(record) });

  return {
    read: async (id) => parse(await memory.get(keyOf(id))),
    begin: (id, operation) =>
      memory.exclusively([keyOf(id)], async (documents) => {
        const known = parse(await documents.get(keyOf(id)));
        if (known === undefined) await documents.set([entryOf(id, operation)]);
        return known;
      }),
    async learn(id, said) {
      const before = parse(await memory.get(keyOf(id)));
      const root = before?.kind === 'operation' ? before.intent.of : undefined;
      const names = [keyOf(id), ...(root === undefined ? [] : [keyOf(root)])];
      return memory.exclusively(names, async (documents) => {
        const known = parse(await documents.get(keyOf(id)));
        if (known?.kind !== 'operation') return { kind: 'closed' };
        if (isEnded(known)) return known;
        const { answer, upstreamId } = said;
        const learnt: UpstreamOperation = { ...known, answer, upstreamId: upstreamId ?? known.upstreamId };
        const entries = [entryOf(id, learnt)];
        const start = root === undefined ? undefined : parse(await documents.get(keyOf(root)));
        const marked = start?.kind === 'operation' ? marking(start, learnt) : undefined;
        if (root !== undefined && marked !== undefined) entries.push(entryOf(root, marked));
        await documents.set(entries);
        return learnt;
      });
    },
    close: (id, when) =>
      memory.exclusively([keyOf(id)], async (documents) => {
        const known = parse(await documents.get(keyOf(id)));
        // Between the look and the turn it may have been begun, or answered.
        const stays = when === 'unsent' || known?.kind === 'closed' || isAnswered(known);
        if (known !== undefined && stays) return known;
        await documents.set([entryOf(id, { kind: 'closed' })]);
        return { kind: 'closed' };
      }),
  };
};

/** Whether the processor's word is one that nothing can change. */
export const isEnded = ({ answer }: UpstreamOperation): boolean =>
  answer !== undefined && !['pending', 'unknown'].includes(meaningOf(answer.resultCode));

const isAnswered = (known: UpstreamOperation | undefined): boolean =>
  known?.answer !== undefined && meaningOf(known.answer.resultCode) !== 'unknown';

const isApproved = ({ answer }: UpstreamOperation): boolean =>
  answer !== undefined && meaningOf(answer.resultCode) === 'approved';

export const intentOf = (entityId: string, type: string, amount: Money): UpstreamIntent => ({
  entityId,
  type,
  minor: amount.minor.toString(),
  currency: amount.currency,
});

/** The start of the chain with what later operations refer to, if this one is such. */
const marking = (start: UpstreamOperation, child: UpstreamOperation): UpstreamOperation | undefined => {
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
    throw new Fault('gateway.state', { why: 'a processor’s record is not JSON' }, error);
  }
  if (isRecord(json)) return json;
  throw new Fault('gateway.state', { why: 'a processor’s record is of an unknown kind' });
};

/** Written by this file alone: its kind tells the rest. */
const isRecord = (json: unknown): json is RecordOf =>
  typeof json === 'object' && json !== null && 'kind' in json && (json.kind === 'operation' || json.kind === 'closed');
