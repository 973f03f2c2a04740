/** `till queue`: what is still to be sent, why, and what to do; sends it, and proves that both books agree. */
import type { Command } from 'commander';
import { dateTime, systemClock } from '../base/clock.ts';
import { Fault } from '../base/fault.ts';
import { printAmount, printMoney } from '../base/money.ts';
import type { AuditRow } from '../runtime/audit.ts';
import { type QueueRow, queueRows, queueTotals } from '../runtime/queue-view.ts';
import type { RunningTill } from '../runtime/start-till.ts';
import { receiptNumber } from './arguments.ts';
import { progressBar } from './progress-bar.ts';
import { FAULT, print, shortLine, tell } from './terms.ts';
import { count, type TillFlags, withTill, withTillOptions } from './till-options.ts';

type QueueFlags = TillFlags & { send?: true; force?: string; retryParked?: true; verify?: true };

export const addQueue = (till: Command): void => {
  withTillOptions(
    till
      .command('queue')
      .description('what is still to be sent to the gateway, what a terminal is still to be asked, what is for people'),
  )
    .option('--send', 'try to send all of it now')
    .option('--force <receipt>', 'try to send what waits or is parked of this receipt now')
    .option('--retry-parked', 'give what was parked for a person another turn, when its cause is mended')
    .option('--verify', 'ask the gateway about every sale; exit code 0 only when nothing waits and both agree')
    .action((flags: QueueFlags) => withTill(flags, (running) => run(running, flags)));
};

type Verified = { asked: number; differences: AuditRow[] };

const run = async (running: RunningTill, flags: QueueFlags): Promise<void> => {
  const { outbox } = running;
  if (flags.retryParked === true) tell(`${count(outbox.unpark(systemClock.now()), 'message')} taken up again.`);
  if (flags.force !== undefined) await force(running, receiptNumber(flags.force));
  if (flags.send === true) await send(running);
  const verified = flags.verify === true ? await verify(running) : undefined;
  const rows = queueRows({ ...running, sql: running.journal.sql, clock: systemClock });
  if (flags.json === true) print(JSON.stringify(json(rows, verified), null, 2));
  else show(rows, verified);
  const open = rows.filter(({ state }) => state !== 'task');
  const forPeople = rows.some(({ state }) => state === 'parked' || state === 'person');
  if (forPeople || (verified !== undefined && (open.length > 0 || verified.differences.length > 0)))
    process.exitCode = FAULT;
};

const send = async ({ forwarder, till, outbox }: RunningTill): Promise<void> => {
  for (const sale of await till.settleAtTerminal()) tell(`The terminal says: ${shortLine(sale)}`);
  const bar = progressBar(outbox.howMany(systemClock.now(), 'all'));
  const drained = await forwarder.drain('all', (so) => bar.at(so.done + so.later + so.parked));
  bar.end();
  const { done, later, parked } = drained;
  tell(`${count(done, 'message')} settled, ${later} to be tried again, ${parked} for a person.`);
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
  else for (const line of table(rows)) print(line);
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

const table = (rows: readonly QueueRow[]): string[] => {
  const now = systemClock.now();
  const open = rows.filter(({ state }) => state !== 'task');
  const oldest = Math.min(...open.map(({ since }) => since));
  const totals = queueTotals(rows).map(printMoney).join(', ');
  return [
    `${'STATE'.padEnd(8)} ${'KIND'.padEnd(8)} RECEIPT ${'AMOUNT'.padStart(14)} ${'AGE'.padStart(6)} TRIES NEXT TRY (UTC)       WHY`,
    ...rows.flatMap((row) => rowLines(row, now)),
    ...(open.length > 0
      ? [`${count(open.length, 'message')}, ${totals}; the oldest is ${age(now - oldest)} old.`]
      : []),
  ];
};

const rowLines = (
  { state, kind, receipt, amount, since, tries, nextAt, why, toDo }: QueueRow,
  now: number,
): string[] => {
  const next = nextAt === undefined ? '' : nextAt <= now ? 'now' : dateTime(nextAt);
  const cells = [
    state.padEnd(8),
    kind.padEnd(8),
    ` ${String(receipt).padStart(6, '0')}`,
    printMoney(amount).padStart(14),
    age(now - since).padStart(6),
    String(tries).padStart(5),
    next.padEnd(20),
    why || 'not tried yet',
  ];
  return [cells.join(' '), ...(toDo === 'Nothing' ? [] : [`         ${toDo}.`])];
};

/** 40 s, 12 min, 5 h, 3 d. */
const age = (ms: number): string => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
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
    ...(nextAt !== undefined && { nextAt: dateTime(nextAt) }),
  }));
  if (verified === undefined) return listed;
  const differences = verified.differences.map(({ sale, till, gateway, why, evidence }) => ({
    receipt: sale.intent.receipt,
    merchantTransactionId: sale.intent.sale,
    till: printMoney(till),
    ...(gateway && { gateway: printMoney(gateway) }),
    why,
    booked: evidence.map(({ amount, ...one }) => ({ ...one, ...(amount && { amount: printAmount(amount) }) })),
  }));
  return { queue: listed, verified: { asked: verified.asked, differences } };
};
