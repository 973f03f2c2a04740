/** A gateway that answers every request with one code for ever; its answer to inquiries is set separately. */
import { meaningOf } from '../../../src/gateway/spec/results.ts';
import type { Host, HostReply, Parameters } from '../../../src/till/ports.ts';
import { textParameters } from '../../support/till/card-parameters.ts';
import { createReply } from '../../support/till/till-rig.ts';

/** listed: each request as a payment with the code. nothing: none. same: the inquiry gets the code too. */
export type Inquiry = 'listed' | 'nothing' | 'same';

type Listed = Record<string, unknown> & { merchantTransactionId: string; paymentType: string };

export const endlessGateway = (real: Host) => {
  const now: { code: string | undefined; inquiry: Inquiry; requestCount: number } = {
    code: undefined,
    inquiry: 'listed',
    requestCount: 0,
  };
  const listed: Listed[] = [];
  const keys = new Set<string>();

  const answer = (parameters: Parameters, key: string): HostReply => {
    const { code = '' } = now;
    const { merchantTransactionId = '', paymentType = '', amount, currency } = parameters;
    now.requestCount += 1;
    const means = meaningOf(code);
    const payment: Listed = {
      ...{ id: String(listed.length + 1).padStart(32, 'f'), merchantTransactionId, paymentType },
      ...(means === 'approved' && { amount, currency }),
      result: { code, description: code },
    };
    if (!keys.has(key)) listed.push(payment);
    keys.add(key);
    return createReply(code, means, payment);
  };

  const host: Host = {
    ...real,
    meaningOf,
    pay: async (parameters, key) =>
      now.code === undefined ? real.pay(parameters, key) : answer(textParameters(parameters), key),
    refer: async (payment, parameters, key) =>
      now.code === undefined ? real.refer(payment, parameters, key) : answer(parameters, key),
    async find(reference) {
      const found = await real.find(reference);
      if (now.code === undefined) return found;
      if (now.inquiry === 'same') return createReply(now.code, meaningOf(now.code));
      const before = found.kind === 'answered' && Array.isArray(found.body['payments']) ? found.body['payments'] : [];
      const since = now.inquiry === 'nothing' ? [] : listed.filter((each) => each.merchantTransactionId === reference);
      const payments = [...before, ...since];
      return payments.length === 0
        ? createReply('700.400.580', 'refused')
        : createReply('000.000.100', 'approved', { payments });
    },
  };
  return { host, now };
};
