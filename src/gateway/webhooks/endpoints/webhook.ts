/** Webhooks over the host API, an extension: register, read, test, rotate, resend, remove. */
import { withoutUndefined } from '../../../base/present.ts';
import { codes } from '../../../base/result-codes.ts';
import { type Call, endOf, endpoint, type Gateway } from '../../payments/endpoint.ts';
import { type Answer, type Body, refuseWith } from '../../payments/response.ts';
import { type ParsedParameters, requireWhen } from '../../spec/operation.ts';
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

const doneAnswer = (call: Call<unknown>, body: Body): Answer => ({
  status: 200,
  body: { ...body, result: { code: DONE, description: describe(DONE) }, ...endOf(call) },
});

const wrongParameterAnswer = (call: Call<unknown>, name: string, message: string): Answer =>
  refuseWith({ code: codes.parameterInvalid, parameterErrors: [{ name, value: null, message }] }, endOf(call));

const unknownWebhookAnswer = (call: Call<unknown>): Answer =>
  refuseWith({ code: codes.entityNotFound, status: 404, why: 'There is no webhook with this id.' }, endOf(call));

/** The webhook in the path, if it belongs to this channel. */
const findOwnWebhook = async ({ store }: Gateway, { id, channel }: Call<unknown>): Promise<Webhook | undefined> => {
  const found = id === undefined ? undefined : await store.webhooks.byId(id);
  return found?.entityId === channel.entityId && found.state !== 'removed' ? found : undefined;
};

type Text = Readonly<Record<string, string | undefined>>;

/**
 * The settings that can be changed at any time. A parameter that was not sent leaves its setting, so its key must be
 * absent.
 */
const settingsOf = (request: Text) =>
  withoutUndefined<unknown>({
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
    summary:
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
    const reason = gateway.outgoing.refusalReason(url);
    if (reason !== undefined) return wrongParameterAnswer(call, 'webhook.url', `cannot be called: ${reason}`);
    const newSettings = { entityId: channel.entityId, url, ...settingsOf(request), secret };
    const duplicate = await findDuplicate(gateway, newSettings);
    if (duplicate !== undefined)
      return wrongParameterAnswer(call, 'webhook.url', `is already registered, as webhook ${duplicate.id}`);
    const maxCount = channel.limits?.webhooks ?? WEBHOOKS_MOST;
    const newWebhook = await registerWithin(gateway, newSettings, maxCount);
    if (newWebhook === undefined)
      return wrongParameterAnswer(
        call,
        'webhook.url',
        `exceeds the limit: this channel has ${maxCount} webhooks; remove one first`,
      );
    if (secret !== undefined) return testWebhook(gateway, call, newWebhook.webhook);
    return doneAnswer(call, { ...(await webhookBody(gateway, newWebhook.webhook)), secret: newWebhook.secret });
  },
);

export const listWebhooks = endpoint(
  {
    method: 'GET',
    path: '/v1/webhooks',
    summary: 'The URLs registered for notifications (an extension).',
    accepts: authentication,
    needs: ['entityId'],
    rules: [],
  },
  async (gateway, call) => {
    const found = await gateway.store.webhooks.list(call.channel.entityId);
    return doneAnswer(call, { webhooks: await Promise.all(found.map((each) => webhookBody(gateway, each))) });
  },
);

export const readWebhook = endpoint(
  {
    method: 'GET',
    path: '/v1/webhooks/:id',
    summary:
      'One registered URL, the state of its receiver, and its latest attempts, or those of one event (an extension).',
    accepts: { ...authentication, 'webhook.eventId': rows['webhook.eventId'] },
    needs: ['entityId'],
    rules: [],
  },
  async (gateway, call) => {
    const found = await findOwnWebhook(gateway, call);
    if (found === undefined) return unknownWebhookAnswer(call);
    const eventId = call.request['webhook.eventId'];
    const log = await gateway.store.webhooks.log({ webhookId: found.id, limit: LOG_LISTED_MAX, eventId });
    return doneAnswer(call, { ...(await webhookBody(gateway, found)), attempts: log.map(attemptBody) });
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

const onlyForAction = (names: readonly (keyof typeof changes & string)[], action: string) =>
  names.map((name) => ({
    name,
    message: `is allowed only with webhook.action=${action}`,
    holds: (sent: Text) => sent[name] === undefined || sent['webhook.action'] === action,
  }));

export const changeWebhook = endpoint(
  {
    method: 'POST',
    path: '/v1/webhooks/:id',
    summary: 'Change the settings of a URL, test it, give it a new secret, or send events again (an extension).',
    accepts: changes,
    needs: ['entityId'],
    rules: [
      ...onlyForAction(['webhook.overlapHours', 'webhook.secret'], 'ROTATE'),
      ...onlyForAction(['webhook.eventId', 'webhook.from', 'webhook.to'], 'RESEND'),
      ...requireWhen((sent: Text) => sent['webhook.from'] !== undefined, ['webhook.to']),
      ...requireWhen((sent: Text) => sent['webhook.to'] !== undefined, ['webhook.from']),
    ],
  },
  async (gateway, call) => {
    const found = await findOwnWebhook(gateway, call);
    if (found === undefined) return unknownWebhookAnswer(call);
    const set = settingsOf(call.request);
    const updated =
      Object.keys(set).length === 0
        ? found
        : await gateway.store.webhooks.change(found.id, (now) => ({ ...now, ...set }));
    if (updated === undefined) return unknownWebhookAnswer(call);
    const action = call.request['webhook.action'];
    return action === undefined
      ? doneAnswer(call, await webhookBody(gateway, updated))
      : actions[action](gateway, call, updated);
  },
);

const testWebhook = async (gateway: Gateway, call: Call<unknown>, webhook: Webhook): Promise<Answer> => {
  const { passed, says, webhook: updated } = await activate({ ...gateway, channel: call.channel }, webhook);
  if (updated === undefined) return unknownWebhookAnswer(call);
  gateway.signal.wake();
  return doneAnswer(call, { ...(await webhookBody(gateway, updated)), test: { passed, says } });
};

const rotateSecret = async (gateway: Gateway, call: Change, webhook: Webhook): Promise<Answer> => {
  const hours = call.request['webhook.overlapHours'];
  const input = call.request['webhook.secret'];
  const overlapMs = hours === undefined ? undefined : Number(hours) * 3_600_000;
  const newWebhook = await rotate(gateway, webhook, { secret: input, overlapMs });
  if (newWebhook === undefined) return unknownWebhookAnswer(call);
  const shownBody = await webhookBody(gateway, newWebhook.webhook);
  return doneAnswer(call, input === undefined ? { ...shownBody, secret: newWebhook.secret } : shownBody);
};

const resendEvents = async (gateway: Gateway, call: Change, webhook: Webhook): Promise<Answer> => {
  const { 'webhook.eventId': eventId, 'webhook.from': from, 'webhook.to': to } = call.request;
  const times = from === undefined || to === undefined ? undefined : { from: momentOf(from), to: momentOf(to) + 999 };
  const count = await resend(gateway, webhook.id, eventId === undefined ? (times ?? { dead: true }) : { eventId });
  gateway.signal.wake();
  return doneAnswer(call, { ...(await webhookBody(gateway, webhook)), resent: count });
};

/** `yyyy-MM-dd HH:mm:ss` of UTC, ms. */
const momentOf = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);

const actions = { ACTIVATE: testWebhook, ROTATE: rotateSecret, RESEND: resendEvents } as const;

export const removeWebhook = endpoint(
  {
    method: 'DELETE',
    path: '/v1/webhooks/:id',
    summary: 'Remove a registered URL: no more notifications are sent to it (an extension).',
    accepts: authentication,
    needs: ['entityId'],
    rules: [],
  },
  async (gateway, call) => {
    const found = await findOwnWebhook(gateway, call);
    if (found === undefined) return unknownWebhookAnswer(call);
    await remove(gateway, found.id);
    return doneAnswer(call, { id: found.id, state: 'removed' });
  },
);
