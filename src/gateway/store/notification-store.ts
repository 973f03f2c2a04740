/** Calls of notificationUrl (spec 2.31) that wait for their time: what is kept of them, and who keeps it. */

export type NotificationCall = {
  /** Of what it tells of: a payment, a registration, a checkout. */
  id: string;
  entityId: string;
  /** Whole, with id and resourcePath. */
  url: string;
  /** Whose ending it waits for. */
  paymentId?: string;
  /** Wall time, ms, before which nobody calls. */
  dueAt: number;
  givesUpAt: number;
  /** How often it was tried. */
  attempts: number;
};

export interface HeldNotifications {
  /** Puts the call down, unless there is one with its id. */
  add(call: NotificationCall): Promise<void>;
}

export interface Notifications {
  /** Those whose time has come by `now` (ms), and whose payment has ended; the longest overdue first. */
  due(of: { now: number; limit: number }): Promise<readonly NotificationCall[]>;
  /** Whether this took the call, as it was read, until that time (ms): of all gateways that try, one. */
  lease(call: NotificationCall, until: number): Promise<boolean>;
  /** It was tried in vain: once more then (ms). */
  again(id: string, dueAt: number): Promise<void>;
  /** It was taken, or nobody tries any more. */
  remove(id: string): Promise<void>;
  /** When the earliest behind that time (ms) falls due; undefined if there is none. */
  next(now: number): Promise<number | undefined>;
  /** Whether any that is due waits for its payment. */
  awaitsPayment(now: number): Promise<boolean>;
}
