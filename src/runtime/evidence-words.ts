/** What was asked about a sale and what was answered: a line of words for each entry that says something of money. */
import { printMoney } from '../base/money.ts';
import type { Entry } from '../journal/chain.ts';
import { eventIn } from '../till/event-text.ts';
import type { SaleEvent } from '../till/events.ts';
import type { Asked, Heard, Listed } from '../till/evidence.ts';
import type { HostAnswer } from '../till/facts.ts';

export type EvidenceLine = {
  /** Wall time of the entry, ms. */
  readonly at: number;
  readonly entry: number;
  readonly words: string;
  /** The event as it was written down. */
  readonly event: SaleEvent;
};

export const evidenceOf = (entries: readonly Entry[]): EvidenceLine[] =>
  entries.flatMap(({ at, entry, body }) => {
    const event = eventIn(body);
    const words = wordsOfEvent(event);
    return words === undefined ? [] : [{ at, entry, words, event }];
  });

const questions: Readonly<Record<Asked['what'], string>> = {
  search: 'asked what it has of this sale',
  reversal: 'asked to take it back',
  request: 'sent the request',
  last: 'asked for its last payment',
};

const wordsOfEvent = (event: SaleEvent): string | undefined => {
  switch (event.on) {
    case 'intended':
      return `begun: ${printMoney(event.intent.amount)}`;
    case 'asked':
      return `the ${event.whom} was ${questions[event.what]}: ${heardWords(event.heard)}`;
    case 'hostApproved':
    case 'hostDeclined':
    case 'hostRefused':
      return `the gateway ${hostWords[event.on]}: ${answerWords(event.answer)}`;
    case 'hostNotReached':
      return `the request was not sent: ${event.why}`;
    case 'hostSilent':
      return `the request was sent: ${event.why}`;
    case 'reversed':
      return `${reversalWords[event.how]}${event.answer === undefined ? '' : `: ${answerWords(event.answer)}`}`;
    case 'forwarded':
      return `sent later, ${event.approved ? 'approved' : 'declined'}: ${answerWords(event.answer)}`;
    case 'approvedLate':
      return `asked once more after its ending, the gateway had approved it: ${answerWords(event.answer)}`;
    case 'cardDataExpired':
      return `not sent within ${event.days} days: its card data was destroyed`;
    case 'cancelAsked':
      return 'a cancel was asked for';
    case 'restarted':
      return 'the till was started again';
    case 'personSaid':
      return saidWords(event);
    default:
      return terminalWords(event);
  }
};

const hostWords = {
  hostApproved: 'approved',
  hostDeclined: 'declined',
  hostRefused: 'refused the request',
} as const;

const reversalWords = {
  reversed: 'taken back',
  notFound: 'the gateway never had it',
  notApproved: 'the gateway had not approved it',
} as const;

const terminalWords = (event: SaleEvent): string | undefined => {
  switch (event.on) {
    case 'terminalApproved':
      return `the terminal approved ${printMoney(event.payment.amount)}, its receipt ${event.payment.receiptNumber}`;
    case 'terminalDeclined':
      return `the terminal declined: ${event.code} ${event.why}`;
    case 'terminalNotBegun':
      return `the terminal did not begin: ${event.code} ${event.why}`;
    case 'terminalSilent':
      return `the terminal was lost: ${event.why}`;
    case 'terminalUnchanged':
      return 'the terminal’s last payment is still the one before';
    case 'terminalUnclear':
      return `the terminal cannot tell: ${event.why}`;
    case 'terminalReversed':
      return event.how === 'reversed'
        ? 'the terminal took it back'
        : `the terminal does not take it back: ${event.why ?? ''}`;
    default:
      return undefined;
  }
};

const saidWords = ({ charged, by }: Extract<SaleEvent, { on: 'personSaid' }>): string => {
  const what = charged ? 'it was made' : 'it was not made';
  return by === undefined
    ? `a person said that ${what}`
    : `${by.who} (${by.role}) said that ${what}. Reason: ${by.reason}. Evidence: ${by.evidence}`;
};

const answerWords = ({ code, description, payment }: HostAnswer): string =>
  `${code} ${description}${payment === undefined ? '' : `, payment ${payment}`}`;

const heardWords = ({ said, code, words, payments }: Heard): string => {
  if (said === 'notSent' || said === 'silent') return words ?? 'no answer';
  const list = payments?.map(listedWords).join('; ');
  const answer = `${code ?? ''} ${words ?? ''}`.trim();
  return list === undefined || list === '' ? answer : `${answer} (${list})`;
};

const listedWords = ({ paymentType = '', code, amount, payment }: Listed): string =>
  [paymentType, amount && printMoney(amount), code, payment]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
