/** `till queue`: lists what is still to be sent and why, sends it, and compares every sale with the gateway. */
import type { Command } from 'commander';
import type {
  ComparisonStep,
  QueueItem,
  QueueView,
  SaleDifference,
  SalesComparison,
} from '../../api/contract/recovery.ts';
import type { Amount } from '../../api/contract/wire.ts';
import { dateTime, systemClock } from '../../base/clock.ts';
import { type TillApi, unwrap, unwrapLines } from '../api-client.ts';
import { receiptNumber } from '../arguments.ts';
import { type ApiFlags, type CommandSession, withTillApi } from '../front-door.ts';
import {
  amountWords,
  FAULT,
  hostAmount,
  names,
  paragraph,
  print,
  progressBar,
  receiptWords,
  sentence,
  tableRow,
  tell,
} from '../terms.ts';
import { printJson, printLines } from '../till-folder.ts';
import { count, tillCommand } from '../till-options.ts';

type QueueFlags = ApiFlags & { send?: true; force?: string; retryParked?: true; verify?: true };

const examples = `
  npm run till -- queue              what waits, and what to do; exit code 5 when something is for people
  npm run till -- queue --send       sends it now
  npm run till -- queue --verify     and asks the gateway about every sale`;

export const addQueue = (till: Command): void => {
  tillCommand(till, 'queue', 'what waits to be sent or resolved, why, and what to do')
    .addHelpText('after', examples)
    .option('--send', 'try to send everything now')
    .option('--force <receipt>', 'try to send the messages of this receipt now, parked ones too')
    .option('--retry-parked', 'retry parked messages, once their cause is fixed')
    .option('--verify', 'compare every sale with the gateway; exit code 0 only if nothing waits and both agree')
    .action((flags: QueueFlags) => withTillApi(flags, (till) => run(till, flags)));
};

const run = async ({ api, shown }: CommandSession, flags: QueueFlags): Promise<void> => {
  if (flags.json !== true) printLines({ shown }, []);
  if (flags.retryParked === true)
    tell(`${count((await unwrap(api.queue.retry.$post())).takenUp, 'message')} taken up again.`);
  if (flags.force !== undefined) await force(api, receiptNumber(flags.force));
  if (flags.send === true) await send(api);
  const verified = flags.verify === true ? await verify(api) : undefined;
  const queue = await unwrap(api.queue.$get());
  if (flags.json === true) printJson(shown, json(queue.items, verified));
  else show(queue, verified);
  const open = queue.items.filter(({ state }) => state !== 'task');
  const forPeople = queue.items.some(({ state }) => ['overdue', 'parked', 'person', 'task'].includes(state));
  if (forPeople || (verified !== undefined && (open.length > 0 || verified.differences.length > 0)))
    process.exitCode = FAULT;
};

const send = async (api: TillApi): Promise<void> => {
  const sent = await unwrap(api['open-items'].send.$post());
  const { asked = [], ofOtherTills: theirs } = sent;
  for (const { receipt, amount, says, money } of asked)
    tell(`The terminal says: ${receiptWords(receipt)}  ${amountWords(amount)}  ${says}. ${money}`);
  const own = (what: 'done' | 'later' | 'parked'): number => sent[what] - (theirs?.[what] ?? 0);
  tell(`${count(own('done'), 'message')} settled, ${own('later')} to be tried again, ${own('parked')} for a person.`);
  if (theirs === undefined) return;
  const rest = `${theirs.later} to be tried again, ${theirs.parked} for a person`;
  tell(`Of other tills: ${count(theirs.done, 'message')} settled, ${rest}. See: npm run till -- journal foreign`);
};

const sent: readonly QueueItem['state'][] = ['waiting', 'overdue', 'behind', 'parked'];

const force = async (api: TillApi, receipt: number): Promise<void> => {
  const param = { receipt: String(receipt) };
  await unwrap(api['open-items'][':receipt{[0-9]{1,9}}'].$post({ param, json: { action: 'sendNow' } }));
  const { items } = await unwrap(api.queue.$get());
  if (!items.some((item) => item.receipt === receipt && sent.includes(item.state)))
    return tell(`Receipt ${receipt} is settled.`);
  tell(`Receipt ${receipt} is still not settled.`);
  process.exitCode = FAULT;
};

const verify = async (api: TillApi): Promise<SalesComparison> => {
  let bar: ReturnType<typeof progressBar> | undefined;
  const verified = await unwrapLines<ComparisonStep, SalesComparison>(
    api.queue.comparison.$post(),
    ({ receipt, last }) => {
      bar ??= progressBar(last);
      bar.at(receipt);
    },
  );
  bar?.end();
  return verified;
};

const show = ({ items, totals }: Pick<QueueView, 'items' | 'totals'>, verified: SalesComparison | undefined): void => {
  if (items.length === 0) tell('Nothing is waiting: everything has been answered.');
  else for (const line of queueLines(items, totals, systemClock.now())) print(line);
  if (verified === undefined) return;
  const { asked, differences } = verified;
  for (const row of differences) print(differenceLine(row));
  const open = items.filter(({ state }) => state !== 'task').length;
  const unasked = differences.filter(({ gateway, heldBy }) => gateway === undefined && heldBy === 'gateway').length;
  const differing = differences.length - unasked;
  if (differing > 0) tell(`${differing} of ${count(asked, 'sale')} differ from the gateway.`);
  if (unasked > 0)
    tell(`The gateway did not answer about ${unasked} of ${count(asked, 'sale')}: nothing is proved yet.`);
  if (differences.length > 0) return;
  if (open > 0) tell(`The settled sales agree with the gateway; ${count(open, 'message')} not settled yet.`);
  else tell(`All ${count(asked, 'sale')} agree with the gateway, and nothing waits.`);
};

const differenceLine = ({ receipt, till, gateway, heldBy, why }: SaleDifference): string => {
  const there = gateway === undefined ? (heldBy === 'terminal' ? 'not asked' : 'no answer') : amountWords(gateway);
  const word = there === 'no answer' ? 'UNPROVED' : 'DIFFERS ';
  return `${word}  ${receiptWords(receipt)}  till ${amountWords(till)}  gateway ${there}  ${why}`;
};

const json = (items: readonly QueueItem[], verified: SalesComparison | undefined) => {
  const listed = items.map(({ amount, since, nextAt, unpaid: _, ...item }) => ({
    ...item,
    amount: hostAmount(amount),
    currency: amount.currency,
    since: dateTime(since),
    nextAt: nextAt === undefined ? undefined : dateTime(nextAt),
  }));
  if (verified === undefined) return { queue: listed };
  const differences = verified.differences.map(({ receipt, sale, till, gateway, why, booked }) => ({
    receipt,
    merchantTransactionId: sale,
    till: amountWords(till),
    gateway: gateway && amountWords(gateway),
    why,
    booked: booked.map(({ amount, ...one }) => ({ ...one, amount: amount && hostAmount(amount) })),
  }));
  return { queue: listed, verified: { asked: verified.asked, differences } };
};

// The queue for people: a line for each message, and below it why it waits and what to do.

/** Rows are at most 78 columns wide. The text below a row wraps at the terminal's width. */
const queueLines = (items: readonly QueueItem[], totals: readonly Amount[], now: number): string[] => {
  const open = items.filter(({ state }) => state !== 'task');
  const oldest = Math.min(...open.map(({ since }) => since));
  const sums = totals.map(amountWords).join(', ');
  return [
    line('STATE', 'WHAT', 'RECEIPT', 'OPERATION', 'AMOUNT', 'AGE', 'TRIES', 'NEXT'),
    ...items.flatMap((item) => itemLines(item, now)),
    ...(open.length > 0 ? [`${count(open.length, 'message')}, ${sums}; the oldest is ${age(now - oldest)} old.`] : []),
  ];
};

const kinds: Readonly<Record<string, string>> = {
  reversal: 'give back',
  repeat: 'ask again',
  forward: 'send',
  follow: 'send',
  inquiry: 'ask',
  loss: 'loss',
};

const itemLines = (item: QueueItem, now: number): string[] => {
  const { state, kind, receipt, operation, amount, since, tries, nextAt, why, toDo } = item;
  const words = [why, toDo === 'Nothing' ? '' : toDo].filter((text) => text !== '').map(sentence);
  return [
    line(
      state,
      kinds[kind] ?? kind,
      receiptWords(receipt),
      names[operation],
      amountWords(amount),
      age(now - since),
      tries === 0 ? '' : String(tries),
      nextAt === undefined ? '' : nextAt <= now ? 'now' : `in ${age(nextAt - now)}`,
    ),
    ...(words.length === 0 ? [] : paragraph('         ', words.join(' '))),
  ];
};

const line = tableRow([8, 9, -7, 17, -14, -6, -5, 8], ' ');

/** 40 s, 12 min, 5 h, 3 d. */
const age = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
};
