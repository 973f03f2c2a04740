/** `gateway webhook`: registers receivers of notifications, shows their deliveries and sends again. */
import type { Command } from 'commander';
import { systemClock as clock, dateTime, HOUR_MS } from '../../base/clock.ts';
import { systemIds as ids, systemRandom as random } from '../../base/ids.ts';
import { printable } from '../../base/mask.ts';
import { formatEnglish } from '../../base/placeholders.ts';
import { openOutgoing } from '../../gateway/outgoing/outgoing.ts';
import type { Json } from '../../gateway/spec/json.ts';
import { type Attempt, EVENT_TYPES, type EventType, type Webhook } from '../../gateway/store/webhook-store.ts';
import { SECRET } from '../../gateway/webhooks/encryption.ts';
import {
  activate,
  attemptBody,
  findDuplicate,
  outcomeText,
  register,
  remove,
  resend,
  rotate,
  webhookBody,
} from '../../gateway/webhooks/manage.ts';
import { malformed, optionsOf } from '../arguments.ts';
import { FAULT, print } from '../terms.ts';
import { type GatewayFlags, type OpenedGateway, withGateway, withPlace } from './vault-and-schedules.ts';
import { addVerify } from './webhook-verify.ts';

export const addWebhook = (gateway: Command, vaultKey?: string): void => {
  const webhook = gateway
    .command('webhook')
    .description('receivers of notifications, and their deliveries; a gateway on SQLite must be stopped');
  const acting = (command: Command, work: Acting): Command =>
    withPlace(command).action(async (...of: unknown[]) => {
      const self = of.at(-1) as Command;
      const flags = optionsOf<WebhookFlags>(self);
      await withGateway({ ...flags, vaultKey }, (open) => work({ ...open, clock, ids, random }, self.args, flags));
    });
  for (const add of [addList, addAdd, addActivate, addRotate, addRemove, addLog, addResend]) add(webhook, acting);
  addVerify(webhook);
};

type Parts = OpenedGateway & { clock: typeof clock; ids: typeof ids; random: typeof random };
type WebhookFlags = GatewayFlags &
  Partial<Record<'types' | 'wrapper' | 'name' | 'secret' | 'overlap' | 'event' | 'limit' | 'from' | 'to', string>> & {
    nonCustomerData?: true;
    allowPrivateUrls?: true;
  };
type Acting = (parts: Parts, args: readonly string[], flags: WebhookFlags) => Promise<void>;
type Adding = (webhook: Command, acting: (command: Command, work: Acting) => Command) => void;

const addList: Adding = (webhook, acting) => {
  acting(
    webhook.command('list').description('all webhooks, and the state of their receivers'),
    async (parts, _, { json }) => {
      const shown = await Promise.all((await parts.store.webhooks.list()).map((each) => webhookJson(parts, each)));
      if (json) return say(shown);
      if (shown.length === 0) print('No webhook is registered.');
      for (const each of shown) print(webhookLines(each));
    },
  );
};

const addAdd: Adding = (webhook, acting) => {
  const command = webhook
    .command('add <entityId> <url>')
    .description('register a URL; nothing is sent before its test has passed (webhook activate)')
    .option('--name <name>', 'a name for people')
    .option('--types <list>', 'PAYMENT,REGISTRATION,SCHEDULE,RISK', 'PAYMENT,REGISTRATION')
    .option('--non-customer-data', 'leave out the shopper’s data')
    .option('--wrapper <RAW|JSON>', 'the body: hex digits, or JSON with encryptedBody', 'RAW')
    .option('--secret <hex>', '64 hex digits, which other users can see; default: a new one, which is shown once')
    .option('--allow-private-urls', 'allow a URL in the own network, on any port');
  acting(command, async (parts, args, flags) => {
    const settings = settingsOf(args, flags);
    const why = openOutgoing({ clock, allowPrivate: flags.allowPrivateUrls === true }).refusalReason(settings.url);
    if (why !== undefined) throw malformed(`This URL cannot be called: ${why}`);
    const same = await findDuplicate(parts, settings);
    if (same !== undefined) throw malformed(`This URL is registered already, as webhook ${same.id}`);
    const made = await register(parts, settings);
    const shown = await webhookJson(parts, made.webhook);
    if (flags.json) return say({ ...shown, secret: made.secret });
    print(webhookLines(shown));
    print(`  secret    ${made.secret}   (shown only now)`);
    print(`Once the receiver has it: npm run gateway -- webhook activate ${made.webhook.id}`);
  });
};

const settingsOf = ([entityId = '', url = '']: readonly string[], flags: WebhookFlags) => {
  const { name, secret } = flags;
  const types = (flags.types ?? '').split(',');
  const wrapper = flags.wrapper?.toUpperCase();
  if (!/^[0-9a-f]{32}$/.test(entityId)) throw malformed('An entityId is 32 lower-case hex digits');
  const stranger = types.find((type) => !EVENT_TYPES.some((known) => known === type));
  if (stranger !== undefined) throw malformed(`"${stranger}" is not a type of event: ${EVENT_TYPES.join(', ')}`);
  if (wrapper !== 'RAW' && wrapper !== 'JSON') throw malformed('The wrapper is RAW or JSON');
  if (secret !== undefined && !SECRET.test(secret)) throw malformed('A secret is 64 hex digits');
  return {
    entityId,
    url,
    types: types as EventType[],
    wrapper,
    fields: flags.nonCustomerData === true ? ('NON_CUSTOMER_DATA' as const) : ('ALL' as const),
    name,
    secret,
  } satisfies Parameters<typeof register>[1];
};

const addActivate: Adding = (webhook, acting) => {
  const command = webhook
    .command('activate <id>')
    .description('send the activation test, with the new secret if one is waiting')
    .option('--allow-private-urls', 'allow a URL in the own network, on any port');
  acting(command, async (parts, args, flags) => {
    const outgoing = openOutgoing({ clock, allowPrivate: flags.allowPrivateUrls === true });
    try {
      const { passed, says, webhook: after } = await activate({ ...parts, outgoing }, await foundBy(parts, args));
      if (!passed) process.exitCode = FAULT;
      if (flags.json) return say({ id: args[0] ?? '', passed, says, state: after?.state ?? 'removed' });
      print(says);
      print(passed ? 'The webhook is active.' : `The webhook is ${after?.state ?? 'removed'}, as before.`);
    } finally {
      await outgoing.close();
    }
  });
};

const addRotate: Adding = (webhook, acting) => {
  const command = webhook
    .command('rotate <id>')
    .description('create a new secret: it is used after the overlap, or once its activation test has passed')
    .option('--overlap <hours>', 'how long the old one is still used', '24');
  acting(command, async (parts, args, flags) => {
    const hours = Number(flags.overlap);
    if (!(hours >= 0 && hours <= 720)) throw malformed('The overlap is 0 to 720 hours');
    const made = await rotate(parts, await foundBy(parts, args), { overlapMs: hours * HOUR_MS });
    if (made === undefined) throw malformed('The webhook has been removed meanwhile');
    const shown = await webhookJson(parts, made.webhook);
    if (flags.json) return say({ ...shown, secret: made.secret });
    print(webhookLines(shown));
    print(`  new secret  ${made.secret}   (shown only now)`);
    print(`Once the receiver has both: npm run gateway -- webhook activate ${made.webhook.id}`);
  });
};

const addRemove: Adding = (webhook, acting) => {
  acting(webhook.command('remove <id>').description('send nothing there any more'), async (parts, args, flags) => {
    const { id, url } = await foundBy(parts, args);
    await remove(parts, id);
    if (flags.json) return say({ id, state: 'removed' });
    print(`Nothing is sent to ${url} any more. Its waiting events were deleted.`);
  });
};

const addLog: Adding = (webhook, acting) => {
  const command = webhook
    .command('log <id>')
    .description('the latest attempts, the latest first')
    .option('--event <eventId>', 'only of this event')
    .option('--limit <n>', 'how many', '50');
  acting(command, async (parts, args, flags) => {
    const { id } = await foundBy(parts, args);
    const eventId = flags.event;
    const limit = Math.min(Math.max(1, Math.trunc(Number(flags.limit)) || 50), 1000);
    const log = await parts.store.webhooks.log({ webhookId: id, limit, eventId });
    if (flags.json) return say(log.map(attemptBody));
    if (log.length === 0) print('Nothing has been sent yet.');
    for (const each of log) print(attemptLine(each));
  });
};

const addResend: Adding = (webhook, acting) => {
  const command = webhook
    .command('resend <id>')
    .description('send events again: those that were given up, one event, or all within a time')
    .option('--event <eventId>', 'this event')
    .option('--from <time>', 'first seen at or after this time, such as 2026-11-21T10:00:00Z')
    .option('--to <time>', 'first seen at or before this time');
  acting(command, async (parts, args, flags) => {
    const { id } = await foundBy(parts, args);
    const { event: eventId, from, to } = flags;
    const times = from === undefined && to === undefined ? undefined : { from: momentOf(from), to: momentOf(to) };
    const count = await resend(parts, id, eventId === undefined ? (times ?? { dead: true }) : { eventId });
    if (flags.json) return say({ id, resent: count });
    print(
      formatEnglish(
        '{count, plural, one {# event is} other {# events are}} sent again by the gateway that runs on this database.',
        { count },
      ),
    );
  });
};

const momentOf = (text: string | undefined): number => {
  const at = Date.parse(text ?? '');
  if (Number.isNaN(at)) throw malformed('--from and --to are both needed, as 2026-11-21T10:00:00Z');
  return at;
};

const foundBy = async ({ store }: Parts, [id = '']: readonly string[]): Promise<Webhook> => {
  const found = await store.webhooks.byId(id);
  if (found === undefined || found.state === 'removed') throw malformed(`There is no webhook ${id}: webhook list`);
  return found;
};

const webhookJson = async (parts: Parts, webhook: Webhook) => ({
  entityId: webhook.entityId,
  ...(await webhookBody(parts, webhook)),
});
const say = (json: Json): void => print(JSON.stringify(json, null, 2));

type WebhookJson = Readonly<Record<string, Json>>;

const webhookLines = (shown: WebhookJson): string => {
  const text = (name: string): string => printable(String(shown[name] ?? ''), 1024);
  const { receiver, events, nextKey } = shown as {
    receiver: { says: string; triedAgain?: string };
    events: { waiting: number; delivered: number; givenUp: number };
    nextKey?: { keyId: string; usedFrom: string };
  };
  const again = receiver.triedAgain === undefined ? '' : ` Tried again at ${receiver.triedAgain}.`;
  return [
    `${text('id')}  ${text('state').toUpperCase()}  ${text('name')}`.trimEnd(),
    `  url       ${text('url')}`,
    `  entity    ${text('entityId')}`,
    `  sends     ${text('types').replaceAll(',', ', ')}; ${text('fields')}; wrapper ${text('wrapper')}`,
    `  key       ${text('keyId')}${nextKey === undefined ? '' : `, then ${nextKey.keyId} from ${nextKey.usedFrom}`}`,
    `  events    ${events.waiting} waiting, ${events.delivered} delivered, ${events.givenUp} given up`,
    `  receiver  ${receiver.says}${again}`,
  ].join('\n');
};

const attemptLine = (attempt: Attempt): string =>
  [
    dateTime(attempt.at),
    `#${attempt.number}`.padStart(7),
    attempt.eventId,
    `attempt ${attempt.attempt}`.padEnd(10),
    `${attempt.durationMs} ms`.padStart(9),
    printable(outcomeText(attempt), 200),
  ].join('  ');
