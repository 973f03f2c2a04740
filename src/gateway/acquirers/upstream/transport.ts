/** The line to one processor: few standing connections, bounds on time and size, and proof of what was never sent. */
import { Agent, buildConnector } from 'undici';
import { provingConnector } from '../../client/failed-call.ts';

type Line = {
  /**
   * Sends it once and reads the whole answer; a redirect is an answer like others. Rejects with `host.unreachable` when
   * no connection came to stand, so that no byte of the request was written; with anything else nobody knows.
   */
  fetch(request: Request): Promise<Response>;
  /** Resolves when the connections are closed. Calls under way are cut. */
  close(): Promise<void>;
};

export type LineOptions = {
  /** For an answer, headers and body each, ms. The caller's own bound ends a call earlier. */
  timeoutMs: number;
  /** Further certificate authorities, PEM: a processor's own. */
  ca?: string;
};

/** Connecting may take this long; a handshake that hangs is a certain failure. */
const CONNECT_WITHIN_MS = 5_000;
const CONNECTIONS = 16;
const ANSWER_MAX = 1024 * 1024;
/** Answers without a body: a Response refuses to have one. */
const BODYLESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Opens no connection yet. Certificates are verified whatever the environment says. */
export const openLine = ({ timeoutMs, ca }: LineOptions): Line => {
  const agent = new Agent({
    connect: provingConnector(connectorOf(ca)),
    connections: CONNECTIONS,
    // One request at a time on a connection: a broken one takes no other request with it, and none is written again.
    pipelining: 1,
    allowH2: false,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: ANSWER_MAX,
  });
  return {
    async fetch(request) {
      const { origin, pathname, search } = new URL(request.url);
      const answer = await agent.request({
        origin,
        path: `${pathname}${search}`,
        method: request.method === 'GET' ? 'GET' : 'POST',
        headers: Object.fromEntries(request.headers),
        body: request.method === 'GET' ? null : await request.text(),
        signal: request.signal,
      });
      const bytes = await answer.body.arrayBuffer();
      return new Response(BODYLESS.has(answer.statusCode) ? null : bytes, { status: answer.statusCode });
    },
    close: () => agent.destroy(),
  };
};

/** Certificates are verified by it. */
const connectorOf = (ca: string | undefined): buildConnector.connector =>
  buildConnector({ timeout: CONNECT_WITHIN_MS, allowH2: false, rejectUnauthorized: true, ca });
