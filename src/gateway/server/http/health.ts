/** The operator's checks: whether the gateway is alive, whether it may receive requests, its metrics. */
import type { StoreReadiness } from './readiness.ts';
import { securityHeaders } from './security-headers.ts';
import type { GatewayApp } from './server.ts';

export type Stage = 'starting' | 'ready' | 'stopping';

export type HealthParts = {
  /** `starting` until the payments that an earlier process left open are ended. */
  currentStage: () => Stage;
  storeReadiness: StoreReadiness;
  /** The text of /metrics and its type. */
  metrics: () => Promise<{ text: string; contentType: string }>;
};

const whyNot: Readonly<Record<Exclude<Stage, 'ready'>, string>> = {
  starting: 'The gateway is starting: unfinished payments are being ended.',
  stopping: 'The gateway is stopping.',
};

/** /healthz, /readyz and /metrics, to be served by `listen`. */
export const healthApp = (parts: HealthParts): Pick<GatewayApp, 'fetch' | 'refuse'> => {
  const { currentStage, metrics, storeReadiness } = parts;
  const routes: Readonly<Record<string, () => Promise<Response>>> = {
    '/healthz': async () => jsonResponse(200, { status: 'ok' }),
    '/readyz': async () => {
      const now = currentStage();
      if (now !== 'ready') return jsonResponse(503, { status: 'unready', why: whyNot[now] });
      const reason = await storeReadiness();
      return reason === undefined
        ? jsonResponse(200, { status: 'ready' })
        : jsonResponse(503, { status: 'unready', why: reason });
    },
    '/metrics': async () => {
      const { text, contentType } = await metrics();
      return new Response(text, { headers: { ...securityHeaders, 'content-type': contentType } });
    },
  };
  return {
    async fetch({ method, url }) {
      const { pathname } = new URL(url);
      const route = Object.hasOwn(routes, pathname) ? routes[pathname] : undefined;
      if (route === undefined)
        return jsonResponse(404, { why: `Not found. The paths are ${Object.keys(routes).join(', ')}.` });
      return method === 'GET' || method === 'HEAD'
        ? route()
        : jsonResponse(405, { why: 'Ask with GET.' }, { allow: 'GET' });
    },
    refuse: (status, reason) => jsonResponse(status, { why: reason }),
  };
};

const HEALTH = /^[a-z]+:\/\/[^/]*\/(?:healthz|readyz|metrics)(?:\?|$)/;

/** The gateway with its health checks on the same port. */
export const withHealth = <A extends Pick<GatewayApp, 'fetch'>>(app: A, health: Pick<GatewayApp, 'fetch'>): A => ({
  ...app,
  fetch: (request: Request, base?: string) =>
    HEALTH.test(request.url) ? health.fetch(request) : app.fetch(request, base),
});

const jsonResponse = (
  status: number,
  body: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
): Response =>
  new Response(JSON.stringify(body), {
    status,
    headers: { ...securityHeaders, 'content-type': 'application/json;charset=UTF-8', ...headers },
  });
