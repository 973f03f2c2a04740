/**
 * Health and metrics for an operator's monitoring. No session is needed, so
 * there are no amounts, names or cards; as in the whole API, the Host header must be a name of this machine.
 */
import { Fault } from '../base/fault.ts';
import type { Figure, Health } from './ports/health.ts';
import { problemResponse } from './problems.ts';

/** Returns undefined for paths that it does not serve. */
export type HealthApi = (request: Request) => Response | undefined;

/** `hosts`: the allowed values of the Host header. `headers`: for every answer. */
type HealthContext = { hosts(): readonly string[]; headers: Readonly<Record<string, string>> };

export const healthApi = (health: Health, { hosts, headers }: HealthContext): HealthApi => {
  const routes: Readonly<Record<string, () => Response>> = {
    '/healthz': () => json(200, { status: 'ok' }),
    '/readyz': () => {
      const reason = health.unready();
      const { version } = health;
      const state = reason === undefined ? { status: 'ready' } : { status: 'unready', why: reason };
      return json(reason === undefined ? 200 : 503, { ...state, version, ...health.facts() });
    },
    '/metrics': () =>
      answer(200, prometheus(health.figures()), { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }),
  };
  return (request) => {
    const { pathname } = new URL(request.url);
    const route = Object.hasOwn(routes, pathname) ? routes[pathname] : undefined;
    if (route === undefined) return undefined;
    const response = answerTo(request, route, hosts());
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  };
};

const answerTo = (request: Request, route: () => Response, hosts: readonly string[]): Response => {
  const reason = foreignness(request, hosts);
  if (reason !== undefined) return problemResponse(new Fault('request.foreign', { why: reason }));
  if (request.method === 'HEAD') return withoutBody(route());
  return request.method === 'GET' ? route() : json(405, { why: 'Ask with GET.' }, { allow: 'GET, HEAD' });
};

/** Why a request is refused: an unknown host name, or a request from another page. */
const foreignness = ({ headers }: Request, hosts: readonly string[]): string | undefined => {
  if (!hosts.includes(headers.get('host') ?? '')) return 'the Host header is not a name of this machine';
  const site = headers.get('sec-fetch-site') ?? '';
  return ['cross-site', 'same-site'].includes(site) ? 'it came from another page' : undefined;
};

const answer = (status: number, body: string, headers: Record<string, string>): Response =>
  new Response(body, { status, headers: { 'cache-control': 'no-store', ...headers } });

const json = (status: number, body: object, headers?: Record<string, string>): Response =>
  answer(status, JSON.stringify(body), { 'content-type': 'application/json; charset=utf-8', ...headers });

const withoutBody = ({ status, headers }: Response): Response => new Response(null, { status, headers });

/** The text format of Prometheus. All figures are gauges, because some decrease with a new day or a restart. */
const prometheus = (figures: readonly Figure[]): string =>
  figures
    .flatMap(({ name, help, values }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} gauge`,
      ...values.map(({ labels = {}, value }) => `${name}${labelText(labels)} ${value}`),
    ])
    .map((line) => `${line}\n`)
    .join('');

const labelText = (labels: Readonly<Record<string, string>>): string => {
  const escapeText = (value: string): string => value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n');
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeText(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
};
