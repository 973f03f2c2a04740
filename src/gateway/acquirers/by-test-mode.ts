/** Which acquirer has an operation: the simulators, or with testMode=EXTERNAL its channel’s processor (spec 2.2). */
import { Fault } from '../../base/fault.ts';
import type { Acquirer, AcquirerMemory } from './acquirer.ts';
import { type Operation, openRecords, type RecordOf } from './upstream/record.ts';

export type ByTestModeOptions = {
  simulator: Acquirer;
  /** The processor of a channel. Undefined: it has none, and EXTERNAL goes to the simulators. */
  upstreamOf: (entityId: string) => Acquirer | undefined;
  memory: AcquirerMemory;
};

/**
 * One acquirer over both. What follows a payment, and who asks what became of one, goes where the payment went: that
 * is written down, so that a channel's processor may be added or taken away meanwhile. Throws `host.silent` when it
 * went to a processor that its channel no longer has.
 */
export const acquirerByTestMode = ({ simulator, upstreamOf, memory }: ByTestModeOptions): Acquirer => {
  const records = openRecords(memory);
  const keeperOf = ({ intent: { entityId } }: Operation): Acquirer => {
    const upstream = upstreamOf(entityId);
    if (upstream !== undefined) return upstream;
    throw new Fault('host.silent', { why: 'the channel no longer has the processor that has the payment' });
  };

  return {
    authorise(request) {
      const { testMode, entityId } = request.parameters;
      const upstream = testMode === 'EXTERNAL' && entityId !== undefined ? upstreamOf(entityId) : undefined;
      return (upstream ?? simulator).authorise(request);
    },
    async refer(request) {
      // Not by its own testMode: a follow-up need not repeat it.
      const start = await records.read(request.of);
      return (start?.kind === 'operation' ? keeperOf(start) : simulator).refer(request);
    },
    async withdraw(id, began) {
      const known = await records.read(id);
      return (isOperation(known) ? keeperOf(known) : simulator).withdraw?.(id, began);
    },
    authoriseWithin: (documents, request) =>
      request.parameters['testMode'] === 'EXTERNAL' ? undefined : simulator.authoriseWithin?.(documents, request),
    async inquire(id, began) {
      const known = await records.read(id);
      if (isOperation(known)) return keeperOf(known).inquire(id, began);
      const answer = await simulator.inquire(id, began);
      if (answer !== undefined) return answer;
      // Nobody has it. A request that is still on its way to a processor must not be sent after this.
      const after = await records.close(id, 'unsent');
      return isOperation(after) ? keeperOf(after).inquire(id, began) : undefined;
    },
  };
};

const isOperation = (record: RecordOf | undefined): record is Operation => record?.kind === 'operation';
