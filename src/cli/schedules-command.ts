/** `gateway schedules`: which plans there are, when each falls due next, and why one has ended. */
import type { Command } from 'commander';
import { dateTime } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { printable } from '../base/mask.ts';
import { printAmount, printMoney } from '../base/money.ts';
import type { Schedule } from '../gateway/schedules/store/schedules.ts';
import { nearestFlag, nearestText } from './nearest-option.ts';
import { placeOf, wantsJson, withGateway, withPlace } from './opened-gateway.ts';
import { print } from './terms.ts';

const LIMIT_MAX = 10_000;

/** `vaultKey` is the value of TILLGATE_VAULT_KEY, if there is one. */
export const addSchedules = (gateway: Command, vaultKey?: string): void => {
  const schedules = gateway.command('schedules').description('payments that repeat themselves');
  withPlace(schedules.command('list'))
    .description('the newest first; a gateway on SQLite must be stopped')
    .option('--active', 'only those that still run')
    .option('--limit <n>', 'how many are looked at', '100')
    .action((_flags: object, command: Command) =>
      withGateway(placeOf(command, vaultKey), async ({ store }) => {
        const found = await store.schedules.schedules({ limit: limitOf(command) });
        const onlyActive = nearestFlag(command, 'active') === true;
        const wanted = found.filter(({ state }) => !onlyActive || state === 'active');
        if (wantsJson(command)) return print(JSON.stringify(wanted.map(shown), null, 2));
        if (wanted.length === 0) print(onlyActive ? 'No schedule runs.' : 'There is no schedule.');
        for (const each of wanted) print(lines(each));
      }),
    );
};

const limitOf = (command: Command): number => {
  const text = nearestText(command, 'limit') ?? '';
  const limit = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  if (limit <= LIMIT_MAX) return limit;
  throw new Fault('command.malformed', { why: `--limit is 1 to ${LIMIT_MAX}, not "${printable(text, 40)}"` });
};

/** Nothing of the shopper is in it. */
const shown = (schedule: Schedule) => {
  const { id, entityId, rootId, registrationId, paymentType, amount, facts, endsAt } = schedule;
  return {
    id,
    entityId,
    rootId,
    registrationId,
    paymentType,
    amount: printAmount(amount),
    currency: amount.currency,
    state: schedule.state,
    expression: facts.expression,
    timeZone: facts.timeZone,
    ...(schedule.state === 'active' ? { nextRun: timeOf(schedule.nextAt) } : {}),
    ...(endsAt === undefined ? {} : { endDate: timeOf(endsAt) }),
    ...(facts.ended === undefined
      ? {}
      : { ended: { at: timeOf(facts.ended.at), reason: facts.ended.reason, why: facts.ended.why } }),
  };
};

const timeOf = (at: number): string => new Date(at).toISOString();

const lines = (schedule: Schedule): string => {
  const { id, registrationId, amount, facts, endsAt } = schedule;
  const end = endsAt === undefined ? '' : `, at the latest ${dateTime(endsAt)}`;
  const comes =
    schedule.state === 'active'
      ? `next      ${dateTime(schedule.nextAt)} UTC${end}`
      : `ended     ${facts.ended === undefined ? '' : `${dateTime(facts.ended.at)} UTC: ${facts.ended.why}`}`.trimEnd();
  return [
    `${id}  ${schedule.state.toUpperCase()}  ${printMoney(amount)} ${schedule.paymentType}`,
    `  plan      ${printable(`${facts.expression}, ${facts.timeZone}`, 300)}`,
    `  account   registration ${registrationId}`,
    `  ${comes}`,
  ].join('\n');
};
