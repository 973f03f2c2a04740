/**
 * The evidence of an open sale: each inquiry about it and each answer, written to the journal next to its events. The
 * events say what the sale became; the evidence says why.
 */
import { safeText } from '../../emv/card-text.ts';
import type { SaleEvent } from '../machine/events.ts';
import type { Inquiry, InquiryAnswer, Listed } from '../machine/facts.ts';
import { type EndedSale, replay } from '../machine/sale.ts';
import type { CardParameters, Host, HostReply, Parameters, TillParts } from '../ports.ts';
import { amountIn, answerOf, textAt } from './answer.ts';
import { forwardResult } from './delivered.ts';

/** The parts, with a gateway that records evidence of inquiries about sales that have begun. */
export const withEvidence = (parts: TillParts): TillParts => ({ ...parts, host: createRecordingHost(parts) });

const createRecordingHost = ({ host, ledger, report }: TillParts): Host => {
  const note = (sale: string | undefined, what: Inquiry['what'], reply: HostReply): void => {
    if (sale === undefined) return;
    try {
      recordInquiry(ledger, sale, { whom: 'gateway', what, heard: inquiryAnswerIn(reply) });
    } catch (error) {
      // A failure is only reported: the effect of the answer is an event of its own, or the gateway is asked again.
      report(error);
    }
  };
  /** The first request of a sale is part of its events; later requests concern an ended sale. */
  const endedAs = (sale: string | undefined): EndedSale | undefined => {
    const known = sale === undefined ? undefined : replay(ledger.events(sale));
    return known?.at === 'ended' ? known : undefined;
  };

  const referenceOf = ({ merchantTransactionId: sale }: CardParameters): string | undefined =>
    typeof sale === 'string' ? sale : undefined;
  const kindOf = ({ paymentType }: Parameters): Inquiry['what'] => (paymentType === 'RV' ? 'reversal' : 'request');

  return {
    meaningOf: (code, body) => host.meaningOf(code, body),
    list: (period) => host.list(period),
    async find(reference, linked) {
      const reply = await host.find(reference, linked);
      note(reference, 'search', reply);
      return reply;
    },
    async pay(parameters, key) {
      const sale = referenceOf(parameters);
      const ended = endedAs(sale);
      const reply = await host.pay(parameters, key);
      if (ended !== undefined && !isSettledBy(reply, ended)) note(sale, 'request', reply);
      return reply;
    },
    async refer(payment, parameters, key) {
      const sale = parameters['merchantTransactionId'];
      const ended = endedAs(sale);
      const reply = await host.refer(payment, parameters, key);
      if (ended !== undefined) note(sale, kindOf(parameters), reply);
      return reply;
    },
  };
};

/** An answer that settles the sale is recorded by its event. A live charge for a test till must be reversed first. */
const isSettledBy = (reply: HostReply, { intent, offline, forwarded: before }: EndedSale): boolean => {
  if (offline === undefined || before !== undefined) return false;
  const isCharged = reply.kind === 'answered' && reply.means === 'liveAnswer';
  return !isCharged && forwardResult(reply, undefined, intent).event !== undefined;
};

/** The same answer to the same question is written once, however long a line is down: the queue counts the tries. */
export const recordInquiry = (ledger: TillParts['ledger'], sale: string, request: Inquiry): void => {
  const event: SaleEvent = { on: 'asked', ...request };
  const events = ledger.events(sale);
  if (events.length === 0) return;
  const last = events.at(-1);
  if (last?.on === 'asked' && isNoAnswer(last.heard) && isNoAnswer(request.heard)) return;
  const before = events.findLast((one) => one.on === 'asked' && one.whom === request.whom && one.what === request.what);
  if (before !== undefined && last?.on === 'asked' && isSame(before, event)) return;
  ledger.record(sale, event);
};

/** While a line is down, only the first failure is recorded. */
const isNoAnswer = ({ said }: InquiryAnswer): boolean => said === 'notSent' || said === 'silent';

const isSame = (one: unknown, other: unknown): boolean => textOf(one) === textOf(other);

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? part.toString() : part));

export const inquiryAnswerIn = (reply: HostReply): InquiryAnswer => {
  if (reply.kind !== 'answered') return { said: reply.kind, words: safeText(reply.fault.message) };
  const { payments } = reply.body;
  const { code, description } = answerOf(reply);
  const listed = Array.isArray(payments) ? { payments: payments.map(listedIn) } : {};
  const payment = Array.isArray(payments) ? {} : oneIn(reply.body);
  return { said: reply.means, code: safeText(code, 20), words: description, ...listed, ...payment };
};

const oneIn = (body: unknown): Pick<InquiryAnswer, 'payments'> => {
  const { code: _, ...listed } = listedIn(body);
  return Object.values(listed).every((one) => one === undefined) ? {} : { payments: [listed] };
};

const listedIn = (body: unknown): Listed => {
  const payment = textAt(body, 'id');
  const paymentType = textAt(body, 'paymentType');
  const code = textAt(body, 'result.code');
  const amount = amountIn(body);
  return {
    payment: payment !== undefined && /^[0-9A-Za-z]{32}$/.test(payment) ? payment : undefined,
    paymentType: paymentType === undefined ? undefined : safeText(paymentType, 4),
    code: code === undefined ? undefined : safeText(code, 20),
    amount,
  };
};
