/** The inquiries about a sale and their answers: one line of text for each journal entry that concerns money. */
import type { Fact, LocalizedMessage } from '../base/localized-message.ts';
import { printMoney } from '../base/money.ts';
import type { Entry } from '../journal/chain.ts';
import { tellEvidence } from '../locales/messages/en/sales.ts';
import { eventIn } from '../till/machine/event-text.ts';
import type { ReadEvent, SaleEvent } from '../till/machine/events.ts';
import type { HostAnswer, InquiryAnswer, Intent, Listed } from '../till/machine/facts.ts';

export type EvidenceLine = {
  /** Wall time of the entry, ms. */
  readonly at: number;
  readonly entry: number;
  readonly words: string;
  /** For screens. */
  readonly told: LocalizedMessage;
  /** The event as it is in the journal. */
  readonly event: ReadEvent;
};

export const evidenceOf = (entries: readonly Entry[]): EvidenceLine[] =>
  entries.flatMap(({ at, entry, body }) => {
    const event = eventIn(body);
    const message = eventMessage(event);
    return message === undefined ? [] : [{ at, entry, words: message.says, told: message, event }];
  });

const eventMessage = (event: ReadEvent): LocalizedMessage | undefined => {
  switch (event.on) {
    case 'intended':
      return begunMessage(event.intent);
    case 'asked':
      return tellEvidence(event.what, { whom: tellEvidence(event.whom), answer: inquiryAnswerFact(event.heard) });
    case 'hostApproved':
    case 'hostDeclined':
    case 'hostOtherMode':
    case 'hostRefused':
      return tellEvidence(event.on, { answer: answerWords(event.answer) });
    case 'hostNotReached':
    case 'hostSilent':
      return tellEvidence(event.on, { why: event.why });
    case 'reversed':
      return tellEvidence(event.how, { answer: event.answer === undefined ? '' : `: ${answerWords(event.answer)}` });
    case 'forwarded':
      return tellEvidence(event.approved ? 'sentApproved' : 'sentDeclined', { answer: answerWords(event.answer) });
    case 'approvedLate':
      return tellEvidence('approvedLate', { answer: answerWords(event.answer) });
    case 'movedTo':
      return tellEvidence('movedTo', { gateway: event.gateway });
    case 'cardDataExpired':
      return tellEvidence('cardDataExpired', { days: event.days });
    case 'cancelAsked':
    case 'restarted':
      return tellEvidence(event.on);
    case 'unread':
      return tellEvidence(event.isCritical ? 'unread' : 'passedOver', { what: event.what });
    case 'personSaid':
      return personMessage(event);
    case 'unpaidEnded':
      return tellEvidence(event.end.how, { ...event.end, missing: printMoney(event.missing) });
    default:
      return terminalMessage(event);
  }
};

/** A yes to the till's question is evidence: somebody confirmed that there were two customers. */
const begunMessage = ({ amount, again, chargesAgain }: Intent): LocalizedMessage => {
  if (chargesAgain !== undefined)
    return tellEvidence('begunForUnpaid', { amount: printMoney(amount), receipt: chargesAgain.receipt });
  return again === undefined
    ? tellEvidence('begun', { amount: printMoney(amount) })
    : tellEvidence('begunAgain', { amount: printMoney(amount), receipts: { list: again.map(String) } });
};

const terminalMessage = (event: ReadEvent): LocalizedMessage | undefined => {
  switch (event.on) {
    case 'terminalApproved': {
      const { amount, receiptNumber } = event.payment;
      return tellEvidence('terminalApproved', { amount: printMoney(amount), receipt: receiptNumber });
    }
    case 'terminalDeclined':
    case 'terminalNotBegun':
      return tellEvidence(event.on, { answer: `${event.code} ${event.why}` });
    case 'terminalSilent':
    case 'terminalUnclear':
      return tellEvidence(event.on, { why: event.why });
    case 'terminalUnchanged':
      return tellEvidence('terminalUnchanged');
    case 'terminalReversed':
      return event.how === 'reversed'
        ? tellEvidence('terminalReversed')
        : tellEvidence(event.how === 'other' ? 'terminalTookAnother' : 'terminalKeeps', { why: event.why ?? '' });
    case 'terminalTook':
      return tellEvidence('terminalTook');
    default:
      return undefined;
  }
};

const personMessage = ({ charged, by }: Extract<SaleEvent, { on: 'personSaid' }>): LocalizedMessage => {
  if (by === undefined) return tellEvidence(charged ? 'somebodySaidMade' : 'somebodySaidNot');
  const { who, role, reason, evidence } = by;
  return tellEvidence(charged ? 'saidMade' : 'saidNot', { who, role, reason, evidence });
};

const answerWords = ({ code, description, payment }: HostAnswer): string =>
  `${code} ${description}${payment === undefined ? '' : `, payment ${payment}`}`;

const inquiryAnswerFact = ({ said, code, words, payments }: InquiryAnswer): Fact => {
  if (said === 'notSent' || said === 'silent') return tellEvidence('noAnswer', { why: words ?? 'no answer' });
  const list = payments?.map(listedWords).join('; ');
  const answer = `${code ?? ''} ${words ?? ''}`.trim();
  return list === undefined || list === '' ? answer : `${answer} (${list})`;
};

const listedWords = ({ paymentType = '', code, amount, payment }: Listed): string =>
  [paymentType, amount && printMoney(amount), code, payment]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
