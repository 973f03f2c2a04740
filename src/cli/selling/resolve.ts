/**
 * `till resolve`: the sales that have not ended, why, what happens next automatically, and what a person can do. If
 * neither terminal nor gateway knows an ending, a person can decide it.
 */
import type { Command } from 'commander';
import type { OverRefundedSale, UnresolvedSale } from '../../api/contract/recovery.ts';
import { dateTime } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { unwrap } from '../api-client.ts';
import { malformed, receiptNumber } from '../arguments.ts';
import { type ApiFlags, type CommandSession, signedPerson, withTillApi } from '../front-door.ts';
import {
  amountWords,
  exitCodeOf,
  FAULT,
  hostAmount,
  names,
  paragraph,
  receiptWords,
  resultLines,
  tell,
} from '../terms.ts';
import { linesOr, printJson, tellMode } from '../till-folder.ts';
import { tillCommand } from '../till-options.ts';

type ResolveFlags = ApiFlags & { charged?: true; notCharged?: true; reason?: string; evidence?: string; late?: true };

const examples = `
  npm run till -- resolve            all that is open, what needs somebody first
  npm run till -- resolve 7          asks about receipt 7 now, and shows what was asked and answered
  npm run till -- resolve 7 --not-charged --reason "the terminal was exchanged" \\
    --evidence "no line in its journal of 2 May" --as Anna`;

export const addResolve = (till: Command): void => {
  const says = 'unresolved sales, and what to do; with a receipt, ask about it now';
  sayCommand(till, 'resolve [receipt]', says)
    .addHelpText('after', examples)
    .option('--late', 'ask again about sales that ended as not sent')
    .action((receipt: string | undefined, flags: ResolveFlags) => {
      const isSaid = flags.charged === true || flags.notCharged === true;
      if (receipt === undefined) return listAll(flags, isSaid);
      const number = receiptNumber(receipt);
      return isSaid ? force(number, flags) : askNow(number, flags);
    });
};

/** The older name of `resolve RECEIPT --charged`. */
export const addSettle = (till: Command): void => {
  sayCommand(till, 'settle <receipt>', 'the older name of resolve RECEIPT --charged or --not-charged').action(
    (receipt: string, flags: ResolveFlags) => force(receiptNumber(receipt), flags),
  );
};

const sayCommand = (till: Command, usage: string, says: string): Command =>
  tillCommand(till, usage, says)
    .option('--charged', 'say that the payment, or the operation of the receipt, was made')
    .option('--not-charged', 'say that it was not')
    .option('--reason <text>', 'why a person has to decide it')
    .option('--evidence <text>', 'the evidence: a line of the terminal’s journal, the bank’s answer, a statement');

const act = async ({ api }: CommandSession, receipt: number, said: Said): Promise<UnresolvedSale> => {
  const param = { receipt: String(receipt) };
  await unwrap(api['open-items'][':receipt{[0-9]{1,9}}'].$post({ param, json: said }));
  return unwrap(api.unresolved[':receipt'].$get({ param }));
};

type Said = { action: 'askNow' } | { action: 'sayCharged' | 'sayNotCharged'; reason: string; evidence: string };

const force = (receipt: number, flags: ResolveFlags): Promise<void> => {
  if ((flags.charged === true) === (flags.notCharged === true))
    throw malformed('say either --charged or --not-charged');
  const action = flags.charged === true ? 'sayCharged' : 'sayNotCharged';
  const reason = requireText(flags.reason, '--reason');
  const evidence = requireText(flags.evidence, '--evidence');
  return withTillApi(flags, async (till) => {
    const { name, role } = signedPerson(till);
    const now = await act(till, receipt, { action, reason, evidence });
    const { outcome } = now;
    if (outcome === undefined) throw new Fault('program.failed', { why: 'a sale that was forced has an ending' });
    if (flags.json === true) printJson(till.shown, { ...outcome, ...json(now) });
    else {
      tellMode(till);
      for (const line of resultLines(outcome)) tell(line);
      tell(`Forced by ${name} (${role}). It stays marked as forced.`);
      if (outcome.forced?.awaited === true) tell('The till still asks the gateway, and shows a difference here.');
    }
    process.exitCode = exitCodeOf(outcome);
  });
};

const requireText = (text: string | undefined, option: string): string => {
  const words = text?.trim() ?? '';
  if (words.length < 3) throw malformed(`a forced ending needs ${option} with a text`);
  return words;
};

const askNow = (receipt: number, flags: ResolveFlags): Promise<void> =>
  withTillApi(flags, async (till) => {
    const now = await act(till, receipt, { action: 'askNow' });
    till.show({ json: json(now), lines: saleLines(now, 'evidence') });
    if (now.state !== 'closed') process.exitCode = FAULT;
  });

const listAll = (flags: ResolveFlags, isSaid: boolean): Promise<void> => {
  if (isSaid) throw malformed('name the receipt whose ending you decide');
  return withTillApi(flags, async (till) => {
    const { api, show } = till;
    const { receipts } =
      flags.late === true ? await unwrap(api.unresolved['late-approvals'].$post()) : { receipts: [] };
    for (const receipt of receipts) tell(`Receipt ${receipt}: the bank had approved it late. It is being taken back.`);
    const open = await unwrap(api.unresolved.$get());
    const lines = open.length === 0 ? [] : allLines(open);
    show({ json: { open: open.map(json) }, ...linesOr(lines, 'Nothing is open: every sale has ended.') });
    const { overRefunded } = await unwrap(api.queue.$get());
    for (const line of overRefundedLines(overRefunded)) tell(line);
    if (overRefunded.length > 0 || open.some(({ state }) => state !== 'waiting')) process.exitCode = FAULT;
  });
};

/** Sales for which an older version gave back more than they had. They block nothing. */
export const overRefundedLines = (sales: readonly Omit<OverRefundedSale, 'sale'>[]): string[] =>
  sales.flatMap(({ receipt, amount }) => [
    `receipt ${receiptWords(receipt)}  ${amountWords(amount)} more was given back than it had`,
    '                Compare its refunds with the gateway, and claim back what was refunded twice.',
  ]);

const json = (sale: UnresolvedSale) => ({
  receipt: sale.receipt,
  merchantTransactionId: sale.sale,
  operation: sale.operation,
  amount: hostAmount(sale.amount),
  currency: sale.amount.currency,
  at: dateTime(sale.at),
  ending: sale.outcome?.ending ?? 'open',
  reason: sale.outcome?.reason,
  forced: sale.outcome?.forced,
  differs: sale.outcome?.differs,
  state: sale.state,
  known: sale.known,
  evidence: sale.evidence.map(({ told: _, ...line }) => ({ ...line, at: dateTime(line.at) })),
  next: sale.next,
  person: sale.person,
});

// Unresolved sales for people. Those that need somebody come first.

const LEAD = 12;
const labelled = (word: string, text: string): string[] => paragraph(`  ${word.padEnd(LEAD - 2)}`, text);

/** The states, the most urgent first. */
const states: Readonly<Record<UnresolvedSale['state'], string>> = {
  differs: 'CONTRADICTED',
  person: 'FOR A PERSON',
  parked: 'SET ASIDE',
  overdue: 'OVERDUE',
  unfinished: 'UNFINISHED',
  waiting: 'WAITING',
  closed: 'CLOSED',
};
const order = Object.keys(states);

/** All sales in short, and how many need somebody. The evidence is printed only for a single sale. */
const allLines = (open: readonly UnresolvedSale[]): string[] => {
  const sorted = open.toSorted((left, right) => order.indexOf(left.state) - order.indexOf(right.state));
  const forPeople = open.filter(({ state }) => state !== 'waiting' && state !== 'unfinished').length;
  return [
    ...sorted.flatMap((one) => [...saleLines(one, 'short'), '']),
    ...paragraph(
      '',
      `${open.length} open: ${forPeople} for a person, ${open.length - forPeople} that go on by themselves. ` +
        'To ask about a sale now and see all its evidence, name its receipt: ' +
        'npm run till -- resolve RECEIPT',
    ),
  ];
};

const saleLines = (sale: UnresolvedSale, how: 'evidence' | 'short'): string[] => {
  const { receipt, operation, amount, at, state, known, next, person } = sale;
  return [
    `Receipt ${receiptWords(receipt)}  ${names[operation]}  ${amountWords(amount)}  ${dateTime(at)} UTC  ${states[state]}`,
    ...labelled('Known', known),
    ...(how === 'evidence' ? [...forcedLines(sale), ...evidenceLines(sale)] : []),
    ...labelled('Next', next),
    ...labelled('You can', person),
  ];
};

const forcedLines = ({ outcome }: UnresolvedSale): string[] => {
  const { forced } = outcome ?? {};
  if (forced === undefined) return [];
  return labelled('Forced', `by ${forced.who ?? 'a person'}${forced.role ? ` (${forced.role})` : ''}`);
};

/** The evidence. Repeated lines are printed once, with their number. */
const evidenceLines = ({ evidence }: UnresolvedSale): string[] => {
  const heard: { at: number; words: string; times: number }[] = [];
  for (const { at, words } of evidence) {
    const last = heard.at(-1);
    if (last?.words === words) last.times += 1;
    else heard.push({ at, words, times: 1 });
  }
  return heard.flatMap(({ at, words, times }, n) => {
    const lead = `  ${(n === 0 ? 'Evidence' : '').padEnd(LEAD - 2)}${dateTime(at)}  `;
    return paragraph(lead, times === 1 ? words : `${words} (${times} times)`);
  });
};
