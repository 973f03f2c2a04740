/** Requests that nobody should send, made from random numbers, so that one seed gives one sequence of them. */
import type { Dice } from '../support/chance/dice.ts';
import { bodyOf, encode, escapeText, groupPan, joined, withSecrets } from './bodies.ts';
import { type Entity, entities, secrets } from './entities.ts';
import { oddPair } from './names.ts';
import { validCharge, validFollowUp } from './valid-requests.ts';
import { badEscape, oddValue } from './values.ts';

export type Malformed = {
  method: string;
  /** Path and query, as sent. */
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Uint8Array;
  /** It requests something of another entity, which must be as unknown as what does not exist. */
  trespass: boolean;
};

/** The ids known so far, for requests that name existing resources. */
export type Known = readonly { id: string; entityId: string }[];

type Draw = { dice: Dice; known: Known };

const FORM = 'application/x-www-form-urlencoded';

/** The next malformed request. */
export const malformed = (draw: Draw): Malformed => {
  const { dice } = draw;
  const entity = dice.one<Entity>(entities);
  if (dice.percent(10)) return requestWithSecrets(draw, entity);
  if (dice.percent(15)) return validRequest(draw, entity);
  const [method, path] = dice.percent(75) ? dice.one(ENDPOINTS) : [dice.one(METHODS), dice.one(PATHS)];
  const body = method === 'GET' || method === 'HEAD' ? new Uint8Array() : bodyOf(dice, entity);
  const query = method === 'POST' && !dice.percent(5) ? '' : queryOf(dice, entity);
  const { path: request, trespass } = pathOf(draw, path, entity);
  const headers = [...headersOf(dice, entity), ...typeOf(dice, method)];
  return { method, target: `${request}${query}`, headers, body, trespass };
};

/** Has a seeded card as its account, and the card's number in a second place: in the form, the key, or the headers. */
const requestWithSecrets = (draw: Draw, entity: Entity): Malformed => {
  const { dice } = draw;
  const headers: [string, string][] = [
    ['authorization', `Bearer ${entity.token}`],
    ['content-type', FORM],
    ['user-agent', `card ${secrets.pan}`],
  ];
  if (dice.percent(30))
    headers.push(['idempotency-key', dice.one([secrets.pan, `k-${groupPan('-')}`, 'secret-key'] as const)]);
  const path = dice.one(['/v1/payments', '/v1/payments', '/v1/registrations', '/v1/payments/{id}'] as const);
  const { path: target, trespass } = pathOf(draw, path, entity);
  return { method: 'POST', target, headers, body: encode(withSecrets(dice, entity)), trespass };
};

/** A valid request, although perhaps at a wrong time: it gives others something to refer to. */
const validRequest = (draw: Draw, entity: Entity): Malformed => {
  const { dice } = draw;
  const isFollowUp = dice.percent(50);
  const pairs = isFollowUp ? validFollowUp(dice, entity) : validCharge(dice, entity);
  const headers: [string, string][] = [
    ['authorization', `Bearer ${entity.token}`],
    ['content-type', FORM],
  ];
  if (dice.percent(20)) headers.push(['idempotency-key', dice.one(KEYS)]);
  const path = isFollowUp ? '/v1/payments/{id}' : dice.one(CHARGES);
  const { path: target, trespass } = pathOf(draw, path, entity);
  return { method: 'POST', target, headers, body: encode(joined(pairs)), trespass };
};

const CHARGES = ['/v1/payments', '/v1/payments', '/v1/payments', '/v1/registrations/{id}/payments'] as const;

const METHODS = ['POST', 'GET', 'DELETE', 'HEAD', 'PUT', 'PATCH', 'OPTIONS', 'PROPFIND', 'get', 'M-SEARCH'] as const;

const ENDPOINTS = [
  ['POST', '/v1/payments'],
  ['POST', '/v1/payments'],
  ['POST', '/v1/payments'],
  ['POST', '/v1/payments/{id}'],
  ['POST', '/v1/payments/{id}'],
  ['GET', '/v1/payments/{id}'],
  ['POST', '/v1/registrations'],
  ['POST', '/v1/registrations/{id}/payments'],
  ['POST', '/v1/registrations/{id}/extendlife'],
  ['GET', '/v1/registrations/{id}'],
  ['DELETE', '/v1/registrations/{id}'],
  ['GET', '/v1/query'],
  ['GET', '/v3/query'],
  ['GET', '/v1/query/{id}'],
  ['GET', '/v3/query/{id}'],
  ['GET', '/v1/simulators/bank/{id}'],
  ['POST', '/v1/simulators/bank/{id}'],
  ['POST', '/v1/checkouts'],
  ['POST', '/v1/checkouts/{id}'],
  ['POST', '/v1/checkouts/{id}/payment'],
  ['POST', '/v1/checkouts/{id}/registration'],
  ['GET', '/v1/checkouts/{id}/payment'],
  ['GET', '/v1/checkouts/{id}/registration'],
  ['GET', '/v1/checkouts/{id}/widget'],
  ['POST', '/scheduling/v1/schedules'],
  ['POST', '/scheduling/v1/schedules/{id}/reschedule'],
  ['POST', '/scheduling/v1/schedules/{id}/deschedule'],
  ['DELETE', '/scheduling/v1/schedules/{id}'],
  ['GET', '/scheduling/v1/schedules/{id}'],
  ['GET', '/reports/v1/reconciliations/aggregations'],
  ['GET', '/reports/v1/reconciliations/aggregations/{id}'],
  ['GET', '/reports/v2/reconciliations/aggregations/{id}'],
  ['POST', '/v1/webhooks'],
  ['GET', '/v1/webhooks'],
  ['POST', '/v1/webhooks/{id}'],
  ['GET', '/v1/webhooks/{id}'],
  ['DELETE', '/v1/webhooks/{id}'],
  ['POST', '/v1/threeDSecure'],
  ['GET', '/v1/threeDSecure/{id}'],
] as const;

const PATHS = [
  '/v1/payments',
  '/v1/payments/',
  '/v1/registrations',
  '/v1/query',
  '/v3/query',
  '/v1/resultcodes',
  '/v1/payments/{id}',
  '/v1/payments/{id}',
  '/v1/registrations/{id}',
  '/v1/registrations/{id}/payments',
  '/v1/registrations/{id}/extendlife',
  '/v1/query/{id}',
  '/v3/query/{id}',
  '/v1/simulators/bank/{id}',
  '/v1/checkouts/{id}/payment',
  '/openapi.json',
  '/docs',
  '/',
  '/v2/payments',
  '/V1/payments',
  '//v1/payments',
  '/v1//payments',
  '/v1/payments/../payments',
  '/v1/payments/%2e%2e/registrations',
  '/v1/payments/%2F%2e%2e%2f',
  '/v1/payments;a=b',
  '/v1/payments/{id}/{id}',
  '/metrics',
  '/healthz',
  '/*',
  '/:id',
  '/v1/payments/:id',
] as const;

const IDS = [
  '',
  '0',
  '-1',
  '__proto__',
  'constructor',
  'toString',
  '%00',
  '%00%00%00%00',
  '%FF%FE',
  '%zz',
  '%E2%80%AE',
  '..%2f..%2fetc%2fpasswd',
  '[object%20Object]',
  "'%20or%201=1--",
  '0'.repeat(32),
  'F'.repeat(32),
  'a'.repeat(5000),
  '%F0%9F%98%80',
  '*',
  ':id',
] as const;

/** A path with ids: usually existing ones, usually of the requesting entity. */
const pathOf = ({ dice, known }: Draw, template: string, entity: Entity): { path: string; trespass: boolean } => {
  let trespass = false;
  const ownPayments = known.filter(({ entityId }) => entityId === entity.entityId);
  const path = template.replaceAll('{id}', () => {
    const [payment, ...otherPayments] = dice.percent(75) ? ownPayments : known;
    if (payment === undefined || dice.percent(25)) return dice.one(IDS);
    const { id, entityId } = dice.one([payment, ...otherPayments]);
    trespass ||= entityId !== entity.entityId;
    return id;
  });
  return { path: dice.percent(2) ? encodeURI(path + oddValue(dice).slice(0, 8000)) : path, trespass };
};

const queryOf = (dice: Dice, entity: Entity): string => {
  if (dice.percent(10)) return `?${badEscape(dice)}`;
  const pairs = [
    ['entityId', entity.entityId],
    ...(dice.percent(50) ? [['merchantTransactionId', dice.percent(50) ? 'fuzz-reference' : oddValue(dice)]] : []),
    ...(dice.percent(40) ? [oddPair(dice)] : []),
  ];
  return `?${pairs.map(([name = '', value = '']) => `${escapeText(name)}=${escapeText(value)}`).join('&')}`.slice(
    0,
    12_000,
  );
};

const headersOf = (dice: Dice, entity: Entity): (readonly [string, string])[] => {
  const headers: (readonly [string, string])[] = [];
  if (dice.percent(92)) headers.push(['authorization', `Bearer ${entity.token}`]);
  else headers.push(['authorization', dice.one(AUTHORIZATIONS)]);
  if (dice.percent(15)) headers.push(['idempotency-key', dice.one(KEYS)]);
  if (dice.percent(10)) headers.push(dice.one<readonly [string, string]>(ODD_HEADERS));
  if (dice.percent(1)) headers.push(['x-long', 'x'.repeat(dice.between(1, 9000))]);
  return headers;
};

const AUTHORIZATIONS = [
  '',
  'Bearer',
  'Bearer  ',
  'bearer x',
  'Basic dXNlcjpwYXNz',
  'Bearer a b',
  'Bearer é',
  'Bearer null',
  `Bearer ${'x'.repeat(6000)}`,
] as const;

const KEYS = [
  '',
  'a b',
  'one-key',
  'other-key',
  'third-key',
  '__proto__',
  '["key"]',
  'k'.repeat(255),
  'k'.repeat(256),
  'é',
] as const;

const ODD_HEADERS = [
  ['content-encoding', 'gzip'],
  ['content-encoding', 'identity'],
  ['x-http-method-override', 'DELETE'],
  ['x-forwarded-host', 'evil.example'],
  ['x-request-id', '<script>'],
  ['x-original-url', '/v1/registrations'],
  ['user-agent', `card ${secrets.pan}`],
  ['cookie', `session=${secrets.pan}`],
  ['authorization', `Bearer ${entities[0].token}`],
  ['accept', 'text/html'],
  ['accept-encoding', 'br;q=1.0, gzip;q=0.8, *;q=0.1'],
  ['range', 'bytes=0-0'],
  ['if-none-match', '*'],
  ['origin', 'https://evil.example'],
  ['sec-fetch-site', 'cross-site'],
  ['forwarded', 'for="[::1]";host=evil'],
] as const;

const TYPES = [
  'application/json',
  'multipart/form-data; boundary=x',
  'text/plain',
  `${FORM}; charset=utf-16`,
  `${FORM}; charset="utf-8`,
  `${FORM}, text/plain`,
  `${FORM};;;`,
  ';',
  'x/'.repeat(400),
] as const;

const typeOf = (dice: Dice, method: string): (readonly [string, string])[] => {
  if (method === 'GET' || dice.percent(3)) return [];
  return [['content-type', dice.percent(93) ? FORM : dice.one(TYPES)]];
};
