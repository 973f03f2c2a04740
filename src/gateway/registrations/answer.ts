/** The JSON answer about a registration: its id, the masked account, and its state. No amount. */
import { type Answer, answerFrame, type Body, formatTimestamp, unexpectedFields } from '../payments/response.ts';
import { nestedOf } from '../spec/json.ts';
import { describe, statusOf } from '../spec/results.ts';
import type { Registration } from '../store/records.ts';

/** The requested operation: RG registers, DR deletes, TE extends. `code` is its result. */
type RegistrationRequest = { paymentType?: 'RG' | 'DR' | 'TE'; code: string; requestId: string; at: number };

export const registrationAnswer = (
  registration: Registration,
  { paymentType, code, requestId, at }: RegistrationRequest,
): Answer => {
  const { id, entityId, paymentBrand, facts } = registration;
  const { card, bankAccount, virtualAccount, ...echo } = nestedOf(facts.echo) as Body;
  return {
    status: statusOf(code),
    body: {
      id,
      paymentType,
      paymentBrand,
      ...echo,
      result: {
        code,
        description: describe(code),
        ...unexpectedFields(id, { live: facts.live, testMode: facts.echo['testMode'] }),
      },
      card: facts.card,
      bankAccount: facts.bankAccount,
      virtualAccount: facts.virtualAccount,
      parameterWarnings: facts.warnings,
      registration: { state: registration.state, keptUntil: formatTimestamp(registration.keptUntil) },
      ...answerFrame(entityId, requestId, at),
    },
  };
};
