/** An answer over HTTP: JSON with its length, in one write, so that the first piece read is the whole answer. */
import type { Answer } from '../../payments/response.ts';
import type { Observer, RequestFacts } from './observer.ts';
import { REQUEST_ID } from './observer.ts';
import { securityHeaders } from './security-headers.ts';

const CONTENT_TYPE = 'application/json;charset=UTF-8';

/** An answer with its JSON text, and the facts for observers. Plain data: it may pass between threads. */
export type WrittenAnswer = Pick<Answer, 'status' | 'headers'> & { text: string; facts: AnswerFacts };
export type AnswerFacts = Pick<RequestFacts, 'status' | 'resultCode' | 'paymentId' | 'paymentType'>;

export const writeAnswer = (answer: Answer): WrittenAnswer => ({
  status: answer.status,
  text: JSON.stringify(answer.body),
  headers: answer.headers,
  facts: factsOf(answer),
});

export type Served = { response: Response; bytes: number };

export const respond = ({ status, text, headers }: WrittenAnswer, requestId: string): Served => {
  const bytes = Buffer.byteLength(text);
  const response = new Response(text, {
    status,
    headers: {
      'content-type': CONTENT_TYPE,
      'content-length': String(bytes),
      [REQUEST_ID]: requestId,
      ...securityHeaders,
      ...headers,
    },
  });
  return { response, bytes };
};

/** The facts for observers: only fields of ours, whatever the request contained. */
const factsOf = ({ body, status }: Answer): AnswerFacts => {
  const { id, paymentType, result } = body;
  const code = typeof result === 'object' && result !== null && 'code' in result ? result.code : undefined;
  return {
    status,
    resultCode: typeof code === 'string' ? code : undefined,
    paymentId: typeof id === 'string' ? id : undefined,
    paymentType: typeof paymentType === 'string' ? paymentType : undefined,
  };
};

export const notifyObservers = (observers: readonly Observer[], facts: RequestFacts): void => {
  for (const observer of observers) observer.onAnswer(facts);
};
