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
export type Shelf = Pick<Storage, 'getItem' | 'setItem'>;

const PLACE = 'tillgate.intents';

const read = (shelf: Shelf): CashierIntent[] => {
  try {
    const found: unknown = JSON.parse(shelf.getItem(PLACE) ?? '[]');
    return Array.isArray(found) ? (found as CashierIntent[]) : [];
  } catch {
    return [];
  }
};

export type Intents = {
  all(): CashierIntent[];
  /** The intent for this request. While it has no answer it is reused, so that a second press is a repetition. */
  open(send: Send, fresh: { key: string; at: number }): CashierIntent;
  /** Marks it as sent. Returns whether it was sent before. */
  sends(key: string): boolean;
  became(key: string, sale: string): void;
  /** It was refused, and nothing began. */
  refused(key: string): void;
  ended(sale: string): void;
};

export const intentsOn = (shelf: Shelf): Intents => {
  const write = (intents: CashierIntent[]): void => shelf.setItem(PLACE, JSON.stringify(intents));
  return {
    all: () => read(shelf),
    open(send, { key, at }) {
      const expected = JSON.stringify(send);
      const standing = read(shelf).find((one) => one.sale === undefined && JSON.stringify(one.send) === expected);
      if (standing !== undefined) return standing;
      const intent = { key, at, send };
      write([...read(shelf), intent]);
      return intent;
    },
    sends(key) {
      const before = read(shelf).some((one) => one.key === key && one.sent === true);
      write(read(shelf).map((one) => (one.key === key ? { ...one, sent: true } : one)));
      return before;
    },
    became(key, sale) {
      write(read(shelf).map((one) => (one.key === key ? { ...one, sale } : one)));
    },
    refused(key) {
      write(read(shelf).filter((one) => one.key !== key));
    },
    ended(sale) {
      write(read(shelf).filter((one) => one.sale !== sale));
    },
  };
};

const atTheDoor: ReadonlySet<string> = new Set([
  'session.needed',
  'session.changed',
  'request.foreign',
  'till.stopping',
]);

/** Whether the API refuses with this code before it looks up the key: an earlier request may then have arrived. */
export const isRefusedUnread = (code: string): boolean => atTheDoor.has(code);
