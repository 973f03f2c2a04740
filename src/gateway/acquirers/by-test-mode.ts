/**
 * Selects the acquirer of an operation: a test channel's simulators or, with testMode=EXTERNAL (spec 2.2), its
 * processor; a live channel's processor always.
 */
import { Fault } from '../../base/fault.ts';
import { codes } from '../../base/result-codes.ts';
import type { Acquirer, Authorisation } from '../payments/acquirer.ts';
import type { AcquirerAnswer } from '../spec/acquirer-answer.ts';
import type { AcquirerMemory } from '../store/documents.ts';
import { openRecords, type RecordOf, type UpstreamOperation } from './upstream/record.ts';

export type ByTestModeOptions = {
  simulator: Acquirer;
  /** The processor of a channel. Undefined if the channel has none; EXTERNAL is then refused. */
  upstreamOf: (entityId: string) => Acquirer | undefined;
  /** Whether the channel is live. No request of a live channel ever goes to the simulators. */
  isLive: (entityId: string) => boolean;
  memory: AcquirerMemory;
};

/**
 * One acquirer that covers the simulators and the processor. A follow-up or an inquiry goes where the payment went;
 * that is recorded, so a channel's processor may be added or removed meanwhile. Throws `host.silent` if the payment
 * went to a processor that its channel no longer has.
 */
export const acquirerByTestMode = ({ simulator, upstreamOf, isLive, memory }: ByTestModeOptions): Acquirer => {
  const records = openRecords(memory);
  const processorOf = (entityId: string): Acquirer => {
    const upstream = upstreamOf(entityId);
    if (upstream !== undefined) return upstream;
    throw new Fault('host.silent', { why: 'the channel no longer has the processor that has the payment' });
  };
  const processorOfOperation = ({ intent: { entityId } }: UpstreamOperation): Acquirer => processorOf(entityId);
  /** Undefined if the request needs a test system that the channel no longer has, or never had. */
  const acquirerFor = ({ testMode, entityId }: Authorisation['parameters']): Acquirer | undefined => {
    if (entityId === undefined) return simulator;
    if (isLive(entityId)) return processorOf(entityId);
    return testMode === 'EXTERNAL' ? upstreamOf(entityId) : simulator;
  };

  return {
    async authorise(request) {
      return acquirerFor(request.parameters)?.authorise(request) ?? noProcessor;
    },
    openCard(pos, parameters) {
      const { entityId = '', testMode } = parameters;
      // A live channel's processor has its own keys, which never come here.
      if (isLive(entityId)) return undefined;
      const acquirer = testMode === 'EXTERNAL' ? upstreamOf(entityId) : simulator;
      return acquirer?.openCard?.(pos, parameters);
    },
    async refer(request) {
      // The follow-up's own testMode does not decide: it need not repeat the payment's.
      const start = await records.read(request.of);
      if (start?.kind === 'operation') return processorOfOperation(start).refer(request);
      const { entityId } = request.parameters;
      return entityId !== undefined && isLive(entityId) ? madeInTest : simulator.refer(request);
    },
    async withdraw(id, startedAt) {
      const existing = await records.read(id);
      return (isOperation(existing) ? processorOfOperation(existing) : simulator).withdraw?.(id, startedAt);
    },
    authoriseInTransaction: (documents, request) =>
      acquirerFor(request.parameters) === simulator
        ? simulator.authoriseInTransaction?.(documents, request)
        : undefined,
    async inquire(id, startedAt) {
      const existing = await records.read(id);
      if (isOperation(existing)) return processorOfOperation(existing).inquire(id, startedAt);
      const answer = await simulator.inquire(id, startedAt);
      if (answer !== undefined) return answer;
      // Neither acquirer has the payment. A request still on its way to a processor must not be sent after this.
      const closedRecord = await records.close(id, 'unsent');
      return isOperation(closedRecord) ? processorOfOperation(closedRecord).inquire(id, startedAt) : undefined;
    },
  };
};

/** A follow-up on a live channel of a payment made while it was a test channel: there is no money to move. */
const madeInTest: AcquirerAnswer = {
  resultCode: codes.notConfigured,
  details: {
    ExtendedDescription: 'The payment was made in test mode, and its channel is live now: no money was moved.',
  },
};

/** The answer for a schedule from when the channel had a processor: the simulators must not answer in its place. */
const noProcessor: AcquirerAnswer = {
  resultCode: codes.notConfigured,
  details: { ExtendedDescription: 'The channel has no processor, whose test system testMode=EXTERNAL is for.' },
};

const isOperation = (record: RecordOf | undefined): record is UpstreamOperation => record?.kind === 'operation';
