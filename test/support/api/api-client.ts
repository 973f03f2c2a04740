/** A person signed in at a local API of these services: every answer is checked against its contract. */
import { type ApiPorts, localApi } from '../../../src/api/app.ts';
import type { Role } from '../../../src/api/contract/roles.ts';
import { scriptedSessions } from '../screens/stage.ts';
import { answerCheck } from './api-answers.ts';

const HOST = '127.0.0.1:8800';

/** `until`: advances a test's own clock while an answer is made. */
export const apiClient = (
  services: Partial<Omit<ApiPorts, 'sessions'>>,
  { role, until = (work) => work }: { role: Role; until?<T>(work: Promise<T>): Promise<T> },
) => {
  const app = localApi({ sessions: scriptedSessions(role), ...services } as ApiPorts, {
    hosts: () => [HOST],
    answerCheck,
  });
  const open = (method: string, path: string, body?: unknown, sent: Record<string, string> = {}): Promise<Response> => {
    const isForm = body instanceof FormData;
    const headers = {
      ...{ host: HOST, cookie: 'tillgate-8800=x', 'x-csrf-token': 'a-word' },
      // An undefined header would be sent as the word `undefined`.
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...sent,
    };
    const payload = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) };
    return until(Promise.resolve(app.request(`http://${HOST}/api${path}`, { method, headers, ...payload })));
  };
  return {
    app,
    open,
    /** `received`: the JSON of the answer, or each line of long work; undefined for a file. */
    async ask(method: string, path: string, body?: unknown, sent: Record<string, string> = {}) {
      const answer = await open(method, path, body, sent);
      const type = answer.headers.get('content-type') ?? '';
      const isFile = answer.headers.has('content-disposition') || !/^application\/(json|x-ndjson)/.test(type);
      const text = isFile ? '' : await until(answer.text());
      const received: unknown[] =
        text === ''
          ? []
          : text
              .trim()
              .split('\n')
              .map((line) => JSON.parse(line));
      return { status: answer.status, ok: answer.ok, type, headers: answer.headers, received, body: received[0] };
    },
  };
};
