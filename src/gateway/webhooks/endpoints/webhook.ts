/** Webhooks over the host API, an extension: register, read, test, rotate, resend, remove. */
import { present } from '../../../base/present.ts';
import { codes } from '../../../base/result-codes.ts';
import { type Call, endOf, endpoint, type Gateway } from '../../payments/endpoint.ts';
import { type Answer, type Body, refusal } from '../../payments/response.ts';
import { needed, type ParsedParameters } from '../../spec/operation.ts';
import { authentication } from '../../spec/parameters/payment.ts';
import { webhook as rows } from '../../spec/parameters/webhook.ts';
import { describe } from '../../spec/results.ts';
import type { Webhook } from '../../store/webhook-store.ts';
import {
  activate,
  attemptBody,
  findDuplicate,
  registerWithin,
  remove,
  resend,
  rotate,
  WEBHOOKS_MOST,
  webhookBody,
} from '../manage.ts';

const DONE = codes.questionAnswered;
const LOG_LISTED_MAX = 50;

const done = (call: Call<unknown>, body: Body): Answer => ({
  status: 200,
  body: { ...body, result: { code: DONE, description: describe(DONE) }, ...endOf(call) },
});

const wrong = (call: Call<unknown>, name: string, message: string): Answer =>
  refusal({ code: codes.parameterInvalid, parameterErrors: [{ name, value: null, message }] }, endOf(call));

const unknown = (call: Call<unknown>): Answer =>
  refusal({ code: codes.entityNotFound, status: 404, why: 'There is no webhook with this id.' }, endOf(call));

/** The webhook in the path, if it belongs to this channel. */
const own = async ({ store }: Gateway, { id, channel }: Call<unknown>): Promise<Webhook | undefined> => {
  const found = id === undefined ? undefined : await store.webhooks.byId(id);
  return found?.entityId === channel.entityId && found.state !== 'removed' ? found : undefined;
};

type Text = Readonly<Record<string, string | undefined>>;

/**
 * The settings that can be changed at any time. A parameter that was not sent leaves its setting, so its key must be
 * absent.
 */
const settingsOf = (request: Text) =>
  present<unknown>({
    name: request['webhook.name'],
    types: request['webhook.types']?.split(','),
    fields: request['webhook.fields'],
    wrapper: request['webhook.wrapper'],
  }) as Partial<Pick<Webhook, 'name' | 'types' | 'fields' | 'wrapper'>>;

const settings = {
  'webhook.name': rows['webhook.name'],
  'webhook.types': rows['webhook.types'],
  'webhook.fields': rows['webhook.fields'],
  'webhook.wrapper': rows['webhook.wrapper'],
  'webhook.secret': rows['webhook.secret'],
};

export const createWebhook = endpoint(
  {
    method: 'POST',
    path: '/v1/webhooks',
    says:
      'Register a URL for notifications (an extension). With a secret of your own it is tested at once; without, the ' +
      'answer contains the secret, once, and the URL is tested by webhook.action=ACTIVATE.',
    accepts: { ...authentication, ...settings, 'webhook.url': rows['webhook.url'] },
    needs: ['entityId', 'webhook.url'],
    rules: [],
  },
  async (gateway, call) => {
    const { channel, request } = call;
    const url = request['webhook.url'];
    const secret = request['webhook.secret'];
    const reason = gateway.outgoing.whyRefused(url);
    if (reason !== undefined) return wrong(call, 'webhook.url', `cannot be called: ${reason}`);
    const wanted = { entityId: channel.entityId, url, ...settingsOf(request), secret };
    const same = await findDuplicate(gateway, wanted);
    if (same !== undefined) return wrong(call, 'webhook.url', `is already registered, as webhook ${same.id}`);
    const most = channel.limits?.webhooks ?? WEBHOOKS_MOST;
    const made = await registerWithin(gateway, wanted, most);
    if (made === undefined)
      return wrong(call, 'webhook.url', `exceeds the limit: this channel has ${most} webhooks; remove one first`);
    if (secret !== undefined) return tested(gateway, call, made.webhook);
    return done(call, { ...(await webhookBody(gateway, made.webhook)), secret: made.secret });
  },
);

export const listWebhooks = endpoint(
  {
    method: 'GET',
    path: '/v1/webhooks',
    says: 'The URLs registered for notifications (an extension).',
    accepts: authentication,
    needs: ['entityId'],
    rules: [],
  },
  async (gateway, call) => {
    const found = await gateway.store.webhooks.list(call.channel.entityId);
    return done(call, { webhooks: await Promise.all(found.map((each) => webhookBody(gateway, each))) });
  },
);

export const readWebhook = endpoint(
  {
    method: 'GET',
    path: '/v1/webhooks/:id',
    says: 'One registered URL, the state of its receiver, and its latest attempts, or those of one event (an extension).',
    accepts: { ...authentication, 'webhook.eventId': rows['webhook.eventId'] },
    needs: ['entityId'],
    rules: [],
  },
  async (gateway, call) => {
    const found = await own(gateway, call);
    if (found === undefined) return unknown(call);
    const eventId = call.request['webhook.eventId'];
    const log = await gateway.store.webhooks.log({ webhookId: found.id, limit: LOG_LISTED_MAX, eventId });
    return done(call, { ...(await webhookBody(gateway, found)), attempts: log.map(attemptBody) });
  },
);

const changes = {
  ...authentication,
  ...settings,
  'webhook.action': rows['webhook.action'],
  'webhook.overlapHours': rows['webhook.overlapHours'],
  'webhook.eventId': rows['webhook.eventId'],
  'webhook.from': rows['webhook.from'],
  'webhook.to': rows['webhook.to'],
};
type Change = Call<ParsedParameters<typeof changes, 'entityId'>>;

const only = (names: readonly (keyof typeof changes & string)[], action: string) =>
  names.map((name) => ({
    name,
    says: `is allowed only with webhook.action=${action}`,
    holds: (sent: Text) => sent[name] === undefined || sent['webhook.action'] === action,
  }));

export const changeWebhook = endpoint(
  {
    method: 'POST',
    path: '/v1/webhooks/:id',
    says: 'Change the settings of a URL, test it, give it a new secret, or send events again (an extension).',
    accepts: changes,
    needs: ['entityId'],
    rules: [
      ...only(['webhook.overlapHours', 'webhook.secret'], 'ROTATE'),
      ...only(['webhook.eventId', 'webhook.from', 'webhook.to'], 'RESEND'),
      ...needed((sent: Text) => sent['webhook.from'] !== undefined, ['webhook.to']),
      ...needed((sent: Text) => sent['webhook.to'] !== undefined, ['webhook.from']),
    ],
  },
  async (gateway, call) => {
    const found = await own(gateway, call);
    if (found === undefined) return unknown(call);
    const set = settingsOf(call.request);
    const after =
      Object.keys(set).length === 0
        ? found
        : await gateway.store.webhooks.change(found.id, (now) => ({ ...now, ...set }));
    if (after === undefined) return unknown(call);
    const action = call.request['webhook.action'];
    return action === undefined ? done(call, await webhookBody(gateway, after)) : actions[action](gateway, call, after);
  },
);

const tested = async (gateway: Gateway, call: Call<unknown>, webhook: Webhook): Promise<Answer> => {
  const { passed, says, webhook: after } = await activate({ ...gateway, channel: call.channel }, webhook);
  if (after === undefined) return unknown(call);
  gateway.signal.wake();
  return done(call, { ...(await webhookBody(gateway, after)), test: { passed, says } });
};

const rotated = async (gateway: Gateway, call: Change, webhook: Webhook): Promise<Answer> => {
  const hours = call.request['webhook.overlapHours'];
  const input = call.request['webhook.secret'];
  const overlapMs = hours === undefined ? undefined : Number(hours) * 3_600_000;
  const made = await rotate(gateway, webhook, { secret: input, overlapMs });
  if (made === undefined) return unknown(call);
  const shown = await webhookBody(gateway, made.webhook);
  return done(call, input === undefined ? { ...shown, secret: made.secret } : shown);
};

const resent = async (gateway: Gateway, call: Change, webhook: Webhook): Promise<Answer> => {
  const { 'webhook.eventId': eventId, 'webhook.from': from, 'webhook.to': to } = call.request;
  const times = from === undefined || to === undefined ? undefined : { from: momentOf(from), to: momentOf(to) + 999 };
  const count = await resend(gateway, webhook.id, eventId === undefined ? (times ?? { dead: true }) : { eventId });
  gateway.signal.wake();
  return done(call, { ...(await webhookBody(gateway, webhook)), resent: count });
};

/** `yyyy-MM-dd HH:mm:ss` of UTC, ms. */
const momentOf = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);

const actions = { ACTIVATE: tested, ROTATE: rotated, RESEND: resent } as const;

export const removeWebhook = endpoint(
  {
    method: 'DELETE',
    path: '/v1/webhooks/:id',
    says: 'Remove a registered URL: no more notifications are sent to it (an extension).',
    accepts: authentication,
    needs: ['entityId'],
    rules: [],
  },
  async (gateway, call) => {
    const found = await own(gateway, call);
    if (found === undefined) return unknown(call);
    await remove(gateway, found.id);
    return done(call, { id: found.id, state: 'removed' });
  },
);
