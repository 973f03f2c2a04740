/** What is still to be sent, inquired about or dealt with, row by row, for display. Changes nothing. */
import type { QueueItem } from '../api/contract/recovery.ts';
import type { Clock } from '../base/clock.ts';
import type { LocalizedMessage } from '../base/localized-message.ts';
import { add, type Money, money, printMoney } from '../base/money.ts';
import { FROM_NEWER, isOverdue } from '../base/open-messages.ts';
import { codeAtStart, mendMode } from '../base/result-codes.ts';
import type { Sql } from '../journal/sql.ts';
import { HANDED_OVER } from '../ledger/handed-over.ts';
import type { FullLedger } from '../ledger/ledger.ts';
import { noteMessage, otherModeMessages, tellOpen, tellOutcome } from '../locales/messages/en/sales.ts';
import { mayTryAgain, SPENT, schemeOf } from '../offline/card-limits.ts';
import { openLosses } from '../offline/forward-losses.ts';
import type { Unpaid } from '../offline/unpaid.ts';
import { mayCharge, type UnpaidRead, unpaidIn } from '../offline/unpaid-sales.ts';
import { isForOtherMode } from '../queue/manual-operations.ts';
import type { Outbox, WaitingMessage } from '../queue/outbox.ts';
import { type CardTries, classOf } from '../queue/retry-rules.ts';
import { sortingOf } from '../till/gateway/inquiry.ts';
import type { EndedSale, Sale } from '../till/machine/sale.ts';
import { chargedOn } from '../till/payments.ts';
import type { Till } from '../till/till.ts';
import { resolveCommand } from './open-case.ts';

export type QueueRow = {
  readonly state: QueueItem['state'];
  /** reversal, forward, repeat, follow: a message. inquiry: ask a terminal or a person. loss: an unpaid sale. */
  readonly kind: string;
  readonly sale: string;
  readonly receipt: number;
  readonly operation: Sale['intent']['operation'];
  readonly amount: Money;
  /** When the sale was made, ms. */
  readonly since: number;
  readonly tries: number;
  /** The time of the next try, ms. Undefined when nothing is tried automatically. */
  readonly nextAt: number | undefined;
  readonly why: string;
  readonly toDo: string;
  /** For screens: the reason, if it is known, and what to do, unless that is a command. */
  readonly told: { readonly why?: LocalizedMessage | undefined; readonly toDo?: LocalizedMessage };
};

export type QueueParts = {
  readonly till: Till;
  readonly ledger: Pick<FullLedger, 'openQuestions' | 'sale' | 'followersOf'>;
  readonly outbox: Outbox;
  readonly tries: CardTries;
  readonly clock: Clock;
  readonly sql: Sql;
  /** From the till's service or a cache of it. Read from the journal if absent. */
  readonly unpaid?: UnpaidRead;
};

/** Reversals first, then in sending order, and last the rows for people. */
export const queueRows = (parts: QueueParts): QueueRow[] => {
  const { till, ledger, outbox, sql, clock } = parts;
  const { unpaid = unpaidFrom(parts) } = parts;
  const free = new Set(outbox.due(clock.now(), 'all').map(({ id }) => id));
  return [
    ...outbox.waiting().map((message) => messageRow(parts, message, free.has(message.id) ? 'waiting' : 'behind')),
    // A message that belongs to no sale, and is of a kind that only a newer version knows, has no row here.
    ...outbox
      .parked()
      .filter(({ note, sale }) => note !== FROM_NEWER || ledger.sale(sale) !== undefined)
      .map((message) => messageRow(parts, message, 'parked')),
    ...till.openAtTerminal().map((sale) => terminalRow(sale, clock.now())),
    ...contradictedSales(parts).map(contradictedRow),
    ...openLosses(sql).flatMap((id) => taskRow({ ...parts, unpaid }, till.findSale(id))),
  ];
};

/** By currency, for what is still sent or asked; tasks are not included. */
export const queueTotals = (rows: readonly QueueRow[]): Money[] => {
  const totals = new Map<string, Money>();
  for (const { state, amount } of rows) {
    if (state === 'task') continue;
    totals.set(amount.currency, add(totals.get(amount.currency) ?? money(0n, amount.currency), amount));
  }
  return [...totals.values()];
};

const common = ({ intent }: Sale) => ({
  sale: intent.sale,
  receipt: intent.receipt,
  operation: intent.operation,
  amount: intent.amount,
  since: intent.at,
});

const messageRow = (
  { till, clock }: QueueParts,
  message: WaitingMessage,
  state: 'waiting' | 'behind' | 'parked',
): QueueRow => {
  const { kind, attempts, dueAt, putAt, note } = message;
  const sale = till.findSale(message.sale);
  const mend = repairText(note);
  const row = { ...common(sale), state, kind, tries: attempts, why: note, told: { why: noteMessage(note) } };
  if (state === 'parked') {
    if (note === SPENT) return { ...row, nextAt: undefined, ...withToDo(row.told, tellOpen('otherPayment')) };
    if (note === FROM_NEWER) return { ...row, nextAt: undefined, ...withToDo(row.told, tellOpen('startNewer')) };
    if (note === HANDED_OVER) {
      const toDo = 'The other till sends it; to send it from here after all: npm run till -- journal takeback';
      return { ...row, nextAt: undefined, toDo };
    }
    if (isForOtherMode(message)) {
      const send = 'npm run till -- queue --retry-parked --send';
      const toDo = `${mendMode}. Then it is sent after the next approval, or: ${send}`;
      return { ...row, nextAt: undefined, toDo, told: otherModeMessages(note) };
    }
    const retry = `${mend ?? 'Call support with this note'}, then: npm run till -- queue --retry-parked --send`;
    const toDo = `${retry}. If that does not help, look it up at the gateway, then: ${resolveCommand(sale)}`;
    return { ...row, nextAt: undefined, toDo };
  }
  if (state === 'behind') {
    const parent = sale.intent.follows?.receipt;
    const reason = noteMessage(note) ?? tellOpen('afterReceipt', { receipt: printReceipt(parent) });
    return { ...row, nextAt: undefined, why: reason.says, toDo: 'Nothing', told: { why: reason } };
  }
  const isLate = (kind === 'reversal' || kind === 'repeat') && isOverdue(putAt, clock.now());
  if (isLate) return { ...row, state: 'overdue', nextAt: dueAt, toDo: overdueToDo(mend, sale) };
  return { ...row, nextAt: dueAt, toDo: mend ?? 'Nothing' };
};

const overdueToDo = (mend: string | undefined, { intent }: Sale): string =>
  `${mend ?? tellOpen('overdueToDo').says}. To ask now: npm run till -- resolve ${intent.receipt}`;

const withToDo = (reported: QueueRow['told'], toDo: LocalizedMessage): Pick<QueueRow, 'toDo' | 'told'> => ({
  toDo: toDo.says,
  told: { ...reported, toDo },
});

/** The remedy for the gateway's code at the start of the note. */
const repairText = (note: string): string | undefined => {
  const code = codeAtStart(note);
  return code === undefined ? undefined : sortingOf({ code }, true)?.mend;
};

/**
 * A sale that waits for a terminal that authorises by itself, or for a person who looks into the terminal's journal.
 */
const terminalRow = (sale: EndedSale, now: number): QueueRow => {
  const { terminal, reversal, forPerson, why = '' } = sale;
  const row = { ...common(sale), kind: reversal === 'due' ? 'reversal' : 'inquiry', tries: 0, nextAt: undefined };
  if (forPerson === true) {
    const toDo = `Look for it in the terminal’s own journal, then: ${resolveCommand(sale)}`;
    return { ...row, state: 'person', why, toDo, told: why === '' ? {} : { why: tellOpen('terminalCannot', { why }) } };
  }
  const device = terminal?.device ?? tellOpen('itsTerminal');
  const message = why === '' ? tellOpen('withNextSale', { device }) : tellOpen('terminalCannot', { why });
  if (isOverdue(sale.intent.at, now))
    return { ...row, state: 'overdue', why: message.says, toDo: overdueToDo(undefined, sale), told: { why: message } };
  return { ...row, state: 'terminal', why: message.says, toDo: 'Nothing', told: { why: message } };
};

/** Sales where a later answer contradicts a person. Those at a terminal are listed with the terminal's. */
const contradictedSales = ({ ledger }: QueueParts): EndedSale[] =>
  ledger
    .openQuestions()
    .map((id) => ledger.sale(id))
    .filter((sale): sale is EndedSale => sale?.at === 'ended' && sale.differs !== undefined)
    .filter(({ intent }) => intent.by !== 'terminal');

const contradictedRow = (sale: EndedSale): QueueRow => {
  const toDo = `Find out what really happened and correct it, then: ${resolveCommand(sale)}`;
  const reason = tellOpen(sale.ending === 'approved' ? 'saidMade' : 'saidNotMade', { differs: sale.differs ?? '' });
  const row = { ...common(sale), state: 'person', kind: 'inquiry', tries: 0, nextAt: undefined } as const;
  return { ...row, why: reason.says, toDo, told: { why: reason } };
};

const printReceipt = (receipt: number | undefined): string =>
  receipt === undefined ? '?' : String(receipt).padStart(6, '0');

const unpaidFrom = (parts: QueueParts): UnpaidRead => ({
  of: (sale) => unpaidIn(parts, sale),
  mayCharge: (unpaid) => mayCharge(parts, unpaid),
});

type TaskParts = Pick<QueueParts, 'tries' | 'clock'> & { readonly unpaid: UnpaidRead };

/** An unpaid sale with the amount still missing. */
const taskRow = (parts: TaskParts, sale: Sale): QueueRow[] => {
  const unpaid = parts.unpaid.of(sale);
  if (unpaid === undefined) return [];
  const row = { ...common(sale), state: 'task' as const, kind: 'loss', tries: 0, nextAt: undefined };
  const reason = unpaidWhy(unpaid);
  const toDo = unpaid.state === 'charging' ? chargingMessage(unpaid) : unpaidToDo(parts, unpaid);
  return [{ ...row, amount: unpaid.missing, why: reason.says, ...withToDo({ why: reason }, toDo) }];
};

/** Why the money of an unpaid sale did not come. */
export const unpaidWhy = ({ sale }: Unpaid): LocalizedMessage => {
  if (sale.reason === 'cardDataExpired') {
    const days = /^\d+/.exec(sale.why ?? '');
    const deadlineMessage = days === null ? tellOpen('itsTime') : tellOutcome('days', { count: Number(days[0]) });
    return tellOpen('notSentWithin', { within: deadlineMessage });
  }
  if (sale.goodsLeft === true || sale.forwarded === undefined)
    return tellOpen('note', { why: sale.forced?.reason ?? '' });
  const { approved, answer } = sale.forwarded;
  return approved
    ? tellOpen('bankApproved', { amount: printMoney(chargedOn(sale)) })
    : tellOpen('gatewaySaid', { answer: `${answer.code} ${answer.description}` });
};

const chargingMessage = ({ tries }: Unpaid): LocalizedMessage =>
  tellOpen('chargingAgain', { receipt: printReceipt(tries.at(-1)?.intent.receipt) });

const unpaidToDo = (parts: TaskParts, unpaid: Unpaid): LocalizedMessage => {
  const { sale } = unpaid;
  if (sale.forwarded?.approved === true) return tellOpen('restOrLoss');
  return sale.forwarded === undefined ? tellOpen('otherPaymentOrLoss') : declinedMessage(parts, unpaid);
};

/** The card data was destroyed after the answer: only the customer can bring the card again. */
const declinedMessage = (parts: TaskParts, unpaid: Unpaid): LocalizedMessage => {
  const { sale } = unpaid;
  if (parts.unpaid.mayCharge(unpaid).kind === 'never') return tellOpen('neverAgain');
  const kind = classOf(sale.forwarded?.answer ?? {}, schemeOf(sale));
  const may = mayTryAgain(sale, parts);
  const first = tellOpen(kind === 'fixData' ? 'againWithPin' : 'againWithCard');
  if (may === undefined || may.kind === 'over') return first;
  return tellOpen('againUntil', {
    first,
    from: may.kind === 'from' ? tellOpen('againFrom', { from: { at: may.at } }) : '',
    until: { at: may.deadline },
    left: may.kind === 'now' ? tellOpen('againLeft', { count: may.left }) : '',
  });
};
