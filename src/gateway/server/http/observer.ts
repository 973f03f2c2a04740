/**
 * The facts about an answered request that the log and the metrics may use. Anything not listed here is never passed
 * on.
 */

export type RequestFacts = {
  /** The end of the answer's ndc; the header X-Request-Id. */
  requestId: string;
  method: string;
  /** The path as the routes write it, `/v1/payments/:id`, never as requested. Absent: no route. */
  endpoint?: string;
  status: number;
  resultCode?: string;
  /** The authenticated channel's, never one that was only claimed. */
  entityId?: string;
  paymentId?: string;
  /** Its paymentType: set if the request asked for money to move. */
  paymentType?: string;
  /** From the request's head to the answer, monotonic ms. */
  durationMs: number;
  /** The size of the answer's body. */
  bytes: number;
};

export interface Observer {
  /** Called once for each answer. Must not throw or wait: a payment must not depend on its log. */
  onAnswer(facts: RequestFacts): void;
}

/** The header that returns a request's id, so that a caller can give it to support. */
export const REQUEST_ID = 'x-request-id';
