/** What is queued for a sale, and the content of the queue's messages when their turn comes. */
import { followRequest, saleRequest, textOf } from './gateway/request.ts';
import type { OutgoingKind, Sale } from './machine/sale.ts';
import type { OutgoingMessage } from './ports.ts';
import type { Run } from './run-context.ts';

/**
 * The body of a reversal: which payment, if it is known, and since when the gateway may have the request, in ms since
 * the machine was started: setting the wall clock forward must not shorten the wait.
 */
export type ReversalBody = { payment?: string; sentAt: number };

/**
 * The body of an unanswered follow-up: it is sent again unchanged. `sentAt` as in a reversal; older tills wrote none.
 */
export type RepeatBody = { payment: string; parameters: Readonly<Record<string, string>>; sentAt?: number };

/** The body of a stored follow-up: no card data. The payment's id comes from the parent's answer. */
export type FollowBody = { parameters: Readonly<Record<string, string>> };

/** The readable part of an offline sale, which the exposure list adds up. */
export type ForwardBody = { minor: string; currency: string };

export const messageFor = (outgoing: OutgoingKind, run: Run, sale: Sale): OutgoingMessage | undefined => {
  const { parts } = run;
  switch (outgoing) {
    case 'reverse':
      return reversalFor(sale, { key: parts.ids.next(), sentAt: parts.clock.monotonic() });
    case 'repeat':
      return repeatFor(sale, parts.clock.monotonic());
    case 'follow':
      return followFor(sale);
    case 'forward':
      return forwardFor(run, sale);
  }
};

const forwardFor = ({ held }: Run, sale: Sale): OutgoingMessage | undefined => {
  const { intent } = sale;
  const { card, info: terminal, finalIcc, finalSred } = held;
  // A deferred authorisation sends the cryptogram that asked to go online; an offline approval the one that approved.
  const offline = sale.at === 'ended' && sale.offline !== 'stored' ? sale.offline : undefined;
  if (card === undefined || terminal === undefined || offline === undefined) return undefined;
  // The queued type has no field for a PIN.
  const { pin: _, ...read } = card;
  const stored = offline === 'chip' && finalSred !== undefined ? { ...read, sred: [finalSred] } : read;
  const last = offline === 'chip' && finalIcc !== undefined ? { finalIcc } : {};
  const body: ForwardBody = { minor: intent.amount.minor.toString(), currency: intent.amount.currency };
  return {
    kind: 'forward',
    sale: intent.sale,
    key: intent.key,
    body: JSON.stringify(body),
    secret: textOf(saleRequest(intent, { card: stored, terminal, offline, ...last })),
  };
};

export const reversalFor = (sale: Sale, { key, sentAt }: { key: string; sentAt: number }): OutgoingMessage => {
  const payment = sale.answer?.payment;
  const body: ReversalBody = { payment, sentAt };
  return { kind: 'reversal', sale: sale.intent.sale, key, body: JSON.stringify(body) };
};

export const repeatFor = ({ intent }: Sale, sentAt: number): OutgoingMessage | undefined => {
  if (intent.follows === undefined) return undefined;
  const body: RepeatBody = { payment: intent.follows.payment, parameters: followRequest(intent), sentAt };
  return { kind: 'repeat', sale: intent.sale, key: intent.key, body: JSON.stringify(body), tried: true };
};

/** The message of a stored follow-up: it waits for the answer to its payment, and is sent with that payment's id. */
export const followFor = ({ intent }: Sale): OutgoingMessage | undefined => {
  if (intent.follows === undefined) return undefined;
  const body: FollowBody = { parameters: followRequest(intent) };
  const { sale, key, follows } = intent;
  return { kind: 'follow', sale, key, body: JSON.stringify(body), after: follows.sale };
};
