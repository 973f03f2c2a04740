/**
 * A person's intended actions, each with its own `Idempotency-Key`, stored by the browser until its ending is known.
 * After a reload, a step back or a lost connection, the same key finds the same sale, and nothing is sold twice.
 */
import type { BeginRequest } from '../../api/contract/sale-requests.ts';
import type { FollowOperation } from '../../api/contract/sales.ts';
import type { Amount } from '../../api/contract/wire.ts';

export type Send =
  | { do: 'begin'; body: BeginRequest }
  | {
      do: 'follow';
      receipt: number;
      operation: FollowOperation;
      body: { amount?: Amount; tip?: Amount; keepRest?: boolean; counter?: string; again?: readonly number[] };
    };

export type CashierIntent = {
  key: string;
  /** When it was requested, ms. */
  at: number;
  send: Send;
  /** The sale that it became. */
  sale?: string;
  /** It was sent before, and may have arrived. */
  sent?: true;
};

/** The used part of `sessionStorage`. */
export type IntentStorage = Pick<Storage, 'getItem' | 'setItem'>;

const KEY = 'tillgate.intents';

const read = (storage: IntentStorage): CashierIntent[] => {
  try {
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? (stored as CashierIntent[]) : [];
  } catch {
    return [];
  }
};

export type Intents = {
  all(): CashierIntent[];
  /** The intent for this request. While it has no answer it is reused, so that a second press is a repetition. */
  open(send: Send, newIntent: { key: string; at: number }): CashierIntent;
  /** Marks it as sent. Returns whether it was sent before. */
  markSent(key: string): boolean;
  /** It became this sale. */
  linkSale(key: string, sale: string): void;
  /** It was refused, and nothing began. */
  forget(key: string): void;
  /** This sale has its ending. */
  forgetSale(sale: string): void;
};

export const openIntents = (storage: IntentStorage): Intents => {
  const write = (intents: CashierIntent[]): void => storage.setItem(KEY, JSON.stringify(intents));
  return {
    all: () => read(storage),
    open(send, { key, at }) {
      const requestText = JSON.stringify(send);
      const pending = read(storage).find((one) => one.sale === undefined && JSON.stringify(one.send) === requestText);
      if (pending !== undefined) return pending;
      const intent = { key, at, send };
      write([...read(storage), intent]);
      return intent;
    },
    markSent(key) {
      const wasSent = read(storage).some((one) => one.key === key && one.sent === true);
      write(read(storage).map((one) => (one.key === key ? { ...one, sent: true } : one)));
      return wasSent;
    },
    linkSale(key, sale) {
      write(read(storage).map((one) => (one.key === key ? { ...one, sale } : one)));
    },
    forget(key) {
      write(read(storage).filter((one) => one.key !== key));
    },
    forgetSale(sale) {
      write(read(storage).filter((one) => one.sale !== sale));
    },
  };
};

const codesBeforeKey: ReadonlySet<string> = new Set([
  'session.needed',
  'session.changed',
  'request.foreign',
  'till.stopping',
]);

/** Whether the API refuses with this code before it looks up the key: an earlier request may then have arrived. */
export const isRefusedUnread = (code: string): boolean => codesBeforeKey.has(code);
