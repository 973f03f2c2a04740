/**
 * `till resolve`: what is not at its end, why, what happens next by itself, and what a person can do; and the person's
 * word, where neither the terminal nor the gateway can tell.
 */
import type { Command } from 'commander';
import { dateTime } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { printMoney } from '../../base/money.ts';
import { outcomeJson } from '../../ledger/outcome.ts';
import { type CaseState, caseJson, type OpenCase } from '../../recovery/open-case.ts';
import { receiptNumber } from '../arguments.ts';
import { type PersonFlags, personOf, withPerson } from '../person.ts';
import { exitCodeOf, FAULT, names, paragraph, resultLines, tell } from '../terms.ts';
import { printJson, printLines, tellMode } from '../till-folder.ts';
import { type CommandTill, type TillFlags, withTill, withTillOptions } from '../till-options.ts';
import { offLines } from './batch-words.ts';

type ResolveFlags = TillFlags &
  PersonFlags & { charged?: true; notCharged?: true; reason?: string; evidence?: string; late?: true };

const examples = `
  npm run till -- resolve            all that is open, what needs somebody first
  npm run till -- resolve 7          asks about receipt 7 now, and shows what was asked and answered
  npm run till -- resolve 7 --not-charged --reason "the terminal was exchanged" \\
    --evidence "no line in its journal of 2 May" --as Anna`;

export const addResolve = (till: Command): void => {
  withWord(
    till
      .command('resolve [receipt]')
      .description('what is unknown or still open, and what to do; with a receipt it is asked about now'),
  )
    .addHelpText('after', examples)
    .option('--late', 'ask once more about sales that ended as never sent')
    .action((receipt: string | undefined, flags: ResolveFlags) =>
      withTill(flags, async (running) => {
        if (receipt === undefined) return listAll(running, flags);
        const number = receiptNumber(receipt);
        return flags.charged === true || flags.notCharged === true
          ? force(running, number, flags)
          : askNow(running, number, flags);
      }),
    );
};

/** The older word for the same, for a sale that its terminal cannot tell of. */
export const addSettle = (till: Command): void => {
  withWord(
    till.command('settle <receipt>').description('the older word for resolve RECEIPT --charged or --not-charged'),
  ).action((receipt: string, flags: ResolveFlags) =>
    withTill(flags, (running) => force(running, receiptNumber(receipt), flags)),
  );
};

const withWord = (command: Command): Command =>
  withPerson(withTillOptions(command))
    .option('--charged', 'say that the payment, or what the receipt is of, was made')
    .option('--not-charged', 'say that it was not')
    .option('--reason <text>', 'why a person has to say it')
    .option('--evidence <text>', 'what shows it: a line of the terminal’s journal, the bank’s word, a statement');

const force = async (running: CommandTill, receipt: number, flags: ResolveFlags): Promise<void> => {
  if ((flags.charged === true) === (flags.notCharged === true))
    throw new Fault('command.malformed', { why: 'say either --charged or --not-charged' });
  const reason = requireText(flags.reason, '--reason');
  const evidence = requireText(flags.evidence, '--evidence');
  // What cannot be forced is said before anybody is asked for a PIN.
  running.till.find(receipt);
  const { name, role } = await personOf(flags, running, 'forceEnding');
  const by = { who: name, role, reason, evidence };
  const sale = running.resolver.force(receipt, { charged: flags.charged === true, by });
  if (flags.json === true)
    printJson(running.shown, { ...outcomeJson(sale, running.shown), ...caseJson(running.resolver.of(sale)) });
  else {
    tellMode(running);
    for (const line of resultLines(sale, running.shown)) tell(line);
    tell(`Forced by ${name} (${role}). It stays marked as that.`);
    if (sale.forced?.awaited === true)
      tell('The gateway is still asked: what it says is compared, and a difference is shown here.');
  }
  process.exitCode = exitCodeOf(sale);
};

const requireText = (text: string | undefined, option: string): string => {
  const words = text?.trim() ?? '';
  if (words.length < 3) throw new Fault('command.malformed', { why: `a forced ending needs ${option}, in words` });
  return words;
};

const askNow = async (running: CommandTill, receipt: number, flags: ResolveFlags): Promise<void> => {
  const sale = running.till.find(receipt);
  await running.resolver.run(sale);
  const now = running.resolver.of(running.till.find(receipt));
  if (flags.json === true) printJson(running.shown, caseJson(now));
  else printLines(running, caseLines(now, 'evidence'));
  if (now.state !== 'closed') process.exitCode = FAULT;
};

const listAll = async (running: CommandTill, flags: ResolveFlags): Promise<void> => {
  if (flags.charged === true || flags.notCharged === true)
    throw new Fault('command.malformed', { why: 'name the receipt whose ending you say' });
  const late = flags.late === true ? await running.resolver.late() : [];
  for (const { intent } of late)
    tell(`Receipt ${intent.receipt}: the bank had approved it late. It is being taken back.`);
  const open = running.resolver.open();
  if (flags.json === true) printJson(running.shown, { open: open.map(caseJson) });
  else if (open.length === 0) tell('Nothing is open: every sale is at its end.');
  else printLines(running, allLines(open));
  const off = running.books.off();
  for (const line of offLines(off)) tell(line);
  if (off.length > 0 || open.some(({ state }) => state !== 'waiting')) process.exitCode = FAULT;
};

// Sales that are not at their end, as people read them: those that need somebody first.

const LEAD = 12;
const led = (word: string, text: string): string[] => paragraph(`  ${word.padEnd(LEAD - 2)}`, text);

/** What is asked of whom, in the order of how much it needs somebody. */
const states: Readonly<Record<CaseState, string>> = {
  differs: 'CONTRADICTED',
  person: 'FOR A PERSON',
  parked: 'SET ASIDE',
  overdue: 'OVERDUE',
  unfinished: 'UNFINISHED',
  waiting: 'WAITING',
  closed: 'CLOSED',
};
const order = Object.keys(states);

/** All of them in short, and how many need somebody. What was asked and answered is told of one alone. */
const allLines = (open: readonly OpenCase[]): string[] => {
  const sorted = open.toSorted((left, right) => order.indexOf(left.state) - order.indexOf(right.state));
  const forPeople = open.filter(({ state }) => state !== 'waiting' && state !== 'unfinished').length;
  return [
    ...sorted.flatMap((one) => [...caseLines(one, 'short'), '']),
    ...paragraph(
      '',
      `${open.length} open: ${forPeople} for a person, ${open.length - forPeople} that go on by themselves. ` +
        'With its receipt a sale is asked about now, and all that was asked and answered is shown: ' +
        'npm run till -- resolve RECEIPT',
    ),
  ];
};

const caseLines = (one: OpenCase, how: 'evidence' | 'short'): string[] => {
  const { sale, state, known, next, person } = one;
  const { receipt, operation, amount, at } = sale.intent;
  return [
    `Receipt ${String(receipt).padStart(6, '0')}  ${names[operation]}  ${printMoney(amount)}  ${dateTime(at)} UTC  ${states[state]}`,
    ...led('Known', known),
    ...(how === 'evidence' ? [...forcedLines(one), ...evidenceLines(one)] : []),
    ...led('Next', next),
    ...led('You can', person),
  ];
};

const forcedLines = ({ sale }: OpenCase): string[] => {
  const forced = sale.at === 'ended' ? sale.forced : undefined;
  if (forced === undefined) return [];
  return led('Forced', `by ${forced.who ?? 'a person'}${forced.role ? ` (${forced.role})` : ''}`);
};

/** What was heard again and again stands once. */
const evidenceLines = ({ evidence }: OpenCase): string[] => {
  const told: { at: number; words: string; times: number }[] = [];
  for (const { at, words } of evidence) {
    const last = told.at(-1);
    if (last?.words === words) last.times += 1;
    else told.push({ at, words, times: 1 });
  }
  return told.flatMap(({ at, words, times }, n) => {
    const lead = `  ${(n === 0 ? 'Evidence' : '').padEnd(LEAD - 2)}${dateTime(at)}  `;
    return paragraph(lead, times === 1 ? words : `${words} (${times} times)`);
  });
};
