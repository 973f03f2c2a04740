/** `till queue`: what is still to be sent, why, and what to do; sends it, and proves that both books agree. */
import type { Command } from 'commander';
import type { RunningTill } from '../../app/start-till.ts';
import { dateTime, systemClock } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { printAmount, printMoney } from '../../base/money.ts';
import type { AuditRow } from '../../recovery/audit.ts';
import { type QueueRow, queueRows, queueTotals } from '../../recovery/queue-view.ts';
import { receiptNumber } from '../arguments.ts';
import { FAULT, names, paragraph, print, progressBar, sentence, shortLine, tell } from '../terms.ts';
import { printJson, printLines } from '../till-folder.ts';
import { type CommandTill, count, type TillFlags, withTill, withTillOptions } from '../till-options.ts';

type QueueFlags = TillFlags & { send?: true; force?: string; retryParked?: true; verify?: true };

const examples = `
  npm run till -- queue              what waits, and what to do; exit code 5 when something is for people
  npm run till -- queue --send       sends it now
  npm run till -- queue --verify     and asks the gateway about every sale`;

export const addQueue = (till: Command): void => {
  withTillOptions(
    till.command('queue').description('what waits to be sent or asked, and what is for people: why, and what to do'),
  )
    .addHelpText('after', examples)
    .option('--send', 'try to send all of it now')
    .option('--force <receipt>', 'try to send what waits or is parked of this receipt now')
    .option('--retry-parked', 'give what was parked for a person another turn, when its cause is mended')
    .option('--verify', 'ask the gateway about every sale; exit code 0 only when nothing waits and both agree')
    .action((flags: QueueFlags) => withTill(flags, (running) => run(running, flags)));
};

type Verified = { asked: number; differences: AuditRow[] };

const run = async (running: CommandTill, flags: QueueFlags): Promise<void> => {
  const { outbox } = running;
  if (flags.json !== true) printLines(running, []);
  if (flags.retryParked === true) tell(`${count(outbox.unpark(systemClock.now()), 'message')} taken up again.`);
  if (flags.force !== undefined) await force(running, receiptNumber(flags.force));
  if (flags.send === true) await send(running);
  const verified = flags.verify === true ? await verify(running) : undefined;
  const rows = queueRows({ ...running, sql: running.journal.sql, clock: systemClock });
  if (flags.json === true) printJson(running.shown, json(rows, verified));
  else show(rows, verified);
  const open = rows.filter(({ state }) => state !== 'task');
  const forPeople = rows.some(({ state }) => ['overdue', 'parked', 'person', 'task'].includes(state));
  if (forPeople || (verified !== undefined && (open.length > 0 || verified.differences.length > 0)))
    process.exitCode = FAULT;
};

const send = async ({ forwarder, takenOver, till, outbox }: RunningTill): Promise<void> => {
  for (const sale of await till.settleAtTerminal()) tell(`The terminal says: ${shortLine(sale)}`);
  const bar = progressBar(outbox.howMany(systemClock.now(), 'all'));
  const drained = await forwarder.drain('all', (so) => bar.at(so.done + so.later + so.parked));
  bar.end();
  const { done, later, parked } = drained;
  tell(`${count(done, 'message')} settled, ${later} to be tried again, ${parked} for a person.`);
  if (!takenOver.sales().some(({ waiting }) => waiting)) return;
  const theirs = await takenOver.drain();
  const rest = `${theirs.later} to be tried again, ${theirs.parked} for a person`;
  tell(`Of other tills: ${count(theirs.done, 'message')} settled, ${rest}. See: npm run till -- journal foreign`);
};

/** Throws `till.notFound`, and `queue.nothingWaits` when nothing of it is in the queue. */
const force = async ({ forwarder, till, outbox }: RunningTill, receipt: number): Promise<void> => {
  const { sale } = till.find(receipt).intent;
  outbox.unpark(systemClock.now(), sale);
  if (outbox.hurry(sale) === 0) throw new Fault('queue.nothingWaits', { receipt });
  await forwarder.drain();
  if (!outbox.holds(sale)) return tell(`Receipt ${receipt} is settled.`);
  tell(`Receipt ${receipt} is still not settled.`);
  process.exitCode = FAULT;
};

const verify = async ({ audit, ledger }: RunningTill): Promise<Verified> => {
  const bar = progressBar(ledger.sales(1)[0]?.intent.receipt ?? 0);
  const verified: Verified = { asked: 0, differences: [] };
  for await (const row of audit()) {
    verified.asked += 1;
    if (!row.agrees) verified.differences.push(row);
    bar.at(row.sale.intent.receipt);
  }
  bar.end();
  return verified;
};

const show = (rows: readonly QueueRow[], verified: Verified | undefined): void => {
  if (rows.length === 0) tell('Nothing is waiting: everything has been answered.');
  else for (const line of queueLines(rows, systemClock.now())) print(line);
  if (verified === undefined) return;
  const { asked, differences } = verified;
  for (const row of differences) print(differenceLine(row));
  const open = rows.filter(({ state }) => state !== 'task').length;
  const unasked = differences.filter(({ gateway, heldBy }) => gateway === undefined && heldBy === 'gateway').length;
  const differing = differences.length - unasked;
  if (differing > 0) tell(`${differing} of ${count(asked, 'sale')} differ from the gateway’s books.`);
  if (unasked > 0)
    tell(`About ${unasked} of ${count(asked, 'sale')} the gateway gave no answer: nothing is proved yet.`);
  if (differences.length > 0) return;
  if (open > 0) tell(`What is settled agrees with the gateway’s books; ${count(open, 'message')} not settled yet.`);
  else tell(`All ${count(asked, 'sale')} agree with the gateway’s books, and nothing waits.`);
};

const differenceLine = ({ sale, till, gateway, heldBy, why }: AuditRow): string => {
  const there = gateway === undefined ? (heldBy === 'terminal' ? 'not asked' : 'no answer') : printMoney(gateway);
  const receipt = String(sale.intent.receipt).padStart(6, '0');
  const word = there === 'no answer' ? 'UNPROVED' : 'DIFFERS ';
  return `${word}  ${receipt}  till ${printMoney(till)}  gateway ${there}  ${why}`;
};

const json = (rows: readonly QueueRow[], verified: Verified | undefined) => {
  const listed = rows.map(({ amount, since, nextAt, ...row }) => ({
    ...row,
    amount: printAmount(amount),
    currency: amount.currency,
    since: dateTime(since),
    nextAt: nextAt === undefined ? undefined : dateTime(nextAt),
  }));
  if (verified === undefined) return { queue: listed };
  const differences = verified.differences.map(({ sale, till, gateway, why, evidence }) => ({
    receipt: sale.intent.receipt,
    merchantTransactionId: sale.intent.sale,
    till: printMoney(till),
    gateway: gateway && printMoney(gateway),
    why,
    booked: evidence.map(({ amount, ...one }) => ({ ...one, amount: amount && printAmount(amount) })),
  }));
  return { queue: listed, verified: { asked: verified.asked, differences } };
};

// `till queue` as people read it: a line for each message, and below it why it waits and what to do.

/** At most 78 columns wide but for the words below a line, which are broken at the terminal's edge. */
const queueLines = (rows: readonly QueueRow[], now: number): string[] => {
  const open = rows.filter(({ state }) => state !== 'task');
  const oldest = Math.min(...open.map(({ since }) => since));
  const totals = queueTotals(rows).map(printMoney).join(', ');
  return [
    line(['STATE', 'WHAT', 'RECEIPT', 'OPERATION', 'AMOUNT', 'AGE', 'TRIES', 'NEXT']),
    ...rows.flatMap((row) => rowLines(row, now)),
    ...(open.length > 0
      ? [`${count(open.length, 'message')}, ${totals}; the oldest is ${age(now - oldest)} old.`]
      : []),
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

const rowLines = (row: QueueRow, now: number): string[] => {
  const { state, kind, receipt, operation, amount, since, tries, nextAt, why, toDo } = row;
  const words = [why, toDo === 'Nothing' ? '' : toDo].filter((text) => text !== '').map(sentence);
  return [
    line([
      state,
      kinds[kind] ?? kind,
      String(receipt).padStart(6, '0'),
      names[operation],
      printMoney(amount),
      age(now - since),
      tries === 0 ? '' : String(tries),
      nextAt === undefined ? '' : nextAt <= now ? 'now' : `in ${age(nextAt - now)}`,
    ]),
    ...(words.length === 0 ? [] : paragraph('         ', words.join(' '))),
  ];
};

const widths = [8, 9, 7, 17, 14, 6, 5, 8] as const;
const isNumber = [false, false, true, false, true, true, true, false] as const;

const line = (cells: readonly string[]): string =>
  cells
    .map((cell, at) => (isNumber[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
    .join(' ')
    .trimEnd();

/** 40 s, 12 min, 5 h, 3 d. */
const age = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
};
