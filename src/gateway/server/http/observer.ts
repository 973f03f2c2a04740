/** What may be told of an answered request: to the log, to the metrics. What is not listed here is told to nobody. */

export type RequestFacts = {
  /** Ends the answer's ndc; the header X-Request-Id. */
  requestId: string;
  method: string;
  /** The path as the routes write it, `/v1/payments/:id`, never as it was asked for. Absent: no route. */
  endpoint?: string;
  status: number;
  resultCode?: string;
  /** Of the admitted channel, never one that was only claimed. */
  entityId?: string;
  /** The payment that the answer speaks of. */
  paymentId?: string;
  /** Its paymentType: set when the request asked for money to move. */
  paymentType?: string;
  /** From the request's head to the answer, monotonic ms. */
  durationMs: number;
  /** Of the answer's body. */
  bytes: number;
};

export interface Observer {
  /** Called once for each answer. Throws nothing and waits for nothing: a payment must not hang on its log. */
  answered(facts: RequestFacts): void;
}

/** The header that carries a request's id back, so that a caller can name it to support. */
export const REQUEST_ID = 'x-request-id';
