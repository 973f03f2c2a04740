/** Calls of notificationUrl (spec 2.31) that are due later, and the interface of their store. */

export type NotificationCall = {
  /** The id of its subject: a payment, a registration, a checkout. */
  id: string;
  entityId: string;
  /** Complete, with id and resourcePath. */
  url: string;
  /** The payment whose ending it waits for. */
  paymentId?: string;
  /** The earliest time of the call, wall time, ms. */
  dueAt: number;
  givesUpAt: number;
  attempts: number;
};

export interface HeldNotifications {
  /** Records the call, unless one with its id exists. */
  add(call: NotificationCall): Promise<void>;
}

export interface Notifications {
  /** Calls due by `now` (ms) whose payment has ended; the longest overdue first. */
  due(key: { now: number; limit: number }): Promise<readonly NotificationCall[]>;
  /** Whether this call reserved it, as it was read, until that time (ms): only one of all gateways that try does. */
  lease(call: NotificationCall, until: number): Promise<boolean>;
  /** An attempt failed: try again at that time (ms). */
  retryAt(id: string, dueAt: number): Promise<void>;
  /** Removes a call that was accepted or given up. */
  remove(id: string): Promise<void>;
  /** The earliest due time after `now` (ms); undefined if there is none. */
  next(now: number): Promise<number | undefined>;
  /** Whether any due call waits for its payment. */
  isAwaitingPayment(now: number): Promise<boolean>;
}
