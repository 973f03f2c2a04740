/** `till batch`: the business day. Its state, X and Z reports, the close, and the settlement file against the sales. */
import type { Command } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { Fault } from '../../base/fault.ts';
import { printMoney } from '../../base/money.ts';
import { isOff, type OpenMoney } from '../../books/book-types.ts';
import { xLines, zCopyLines, zLines } from '../../books/reports/print.ts';
import { openHolds } from '../../ledger/bills.ts';
import { type QueueRow, queueRows } from '../../recovery/queue-view.ts';
import { type PersonFlags, personIfKnown, personOf, withPerson } from '../person.ts';
import { FAULT, print, REFUSED, tell } from '../terms.ts';
import { printJson, printLines, tellMode } from '../till-folder.ts';
import { type CommandTill, count, type TillFlags, withTill, withTillOptions } from '../till-options.ts';
import { batchLine, findingLines, heldLines, offLines, openLines, refusedLines, summaryLines } from './batch-words.ts';
import { unpaidLines } from './unpaid.ts';

type WidthFlags = TillFlags & { width: string };
type CloseFlags = WidthFlags & PersonFlags & { override?: true; reason?: string };
type ReconcileFlags = TillFlags & { batch?: string; csv?: string };

const examples = `
  npm run till -- batch              what is in the open batch, and what keeps it from closing
  npm run till -- batch close        closes it, and prints the Z report
  npm run till -- batch close --override --as Anna --reason "the line is down"
  npm run till -- batch reconcile settlement.csv --csv matched.csv`;

export const addBatch = (till: Command): void => {
  const batch = withTillOptions(
    till.command('batch').description('the business day: what is in it, its reports, its close, and its settlement'),
  );
  batch.addHelpText('after', examples);
  batch.action((_: unknown, command: Command) => state(flagsOf(command)));
  withPaper(batch.command('x').description('an X report: the open batch so far; it stays open')).action(
    (_: unknown, command: Command) => x(flagsOf(command)),
  );
  withPerson(
    withPaper(
      batch.command('close').description('close the batch: settles, compares with the gateway, prints the Z report'),
    ),
  )
    .option('--override', 'close it though money is unknown or unsent: names each amount, and is signed')
    .option('--reason <text>', 'why it is overridden')
    .action((_: unknown, command: Command) => close(flagsOf(command)));
  withTillOptions(batch.command('list').description('all batches, oldest first')).action(
    (_: unknown, command: Command) => list(flagsOf(command)),
  );
  withPaper(batch.command('show <number>').description('a batch: its Z report, or what is in it so far')).action(
    (number: string, _: unknown, command: Command) => show(number, flagsOf(command)),
  );
  withTillOptions(
    batch.command('reconcile <file>').description('compare a settlement file with the till’s sales and the gateway'),
  )
    .option('--batch <number>', 'only the sales of this batch; without it, those of the days that the file is of')
    .option('--csv <out>', 'write each record again, with its match, into a new file')
    .action((file: string, _: unknown, command: Command) => reconcile(file, flagsOf(command)));
};

const withPaper = (command: Command): Command =>
  withTillOptions(command).option('--width <mm>', 'paper: 58 or 80 mm', '80');

/** Options of `batch` stand before or after the word that follows it: the nearer ones count where both are given. */
const flagsOf = <T extends TillFlags>(command: Command): T => {
  const above = command.parent?.opts() ?? {};
  const given = Object.entries(command.opts()).filter(
    ([name]) => command.getOptionValueSource(name) !== 'default' || above[name] === undefined,
  );
  return { ...above, ...Object.fromEntries(given) } as T;
};

const state = (flags: TillFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const { books } = running;
    const standing = books.batches().filter(({ state: at }) => at !== 'closed');
    const off = books.off();
    const reports = standing.map((batch) => ({
      batch,
      report: books.report(batch),
      open: books.lines(batch).flatMap(openIn),
      off: off.length > 0 ? off : undefined,
    }));
    if (flags.json === true) return printJson(running.shown, { batches: reports });
    if (reports.length === 0) tell('No batch is open. The next sale opens one.');
    printLines(running, []);
    for (const { batch, report, open } of reports) {
      print(batchLine(batch));
      for (const { currency, net } of report.currencies)
        print(`  ${report.sales === 1 ? '1 entry' : `${report.sales} entries`}, net ${net} ${currency}`);
      if (open.length > 0) print(`  ${count(open.length, 'sale')} not at an end:`);
      for (const line of openLines(open, queueOf(running))) print(`  ${line}`);
    }
    const now = systemClock.now();
    for (const line of heldLines(openHolds(running, now), now)) print(`  ${line}`);
    for (const one of running.unpaid.open()) for (const line of unpaidLines(one, queueOf(running))) print(`  ${line}`);
    for (const line of offLines(off)) print(`! ${line}`);
  });

const queueOf = (running: CommandTill): QueueRow[] =>
  queueRows({ ...running, sql: running.journal.sql, clock: systemClock });

type Line = ReturnType<CommandTill['books']['lines']>[number];
const openIn = ({ sale, receipt, open }: Line) => (open === undefined ? [] : [{ sale, receipt, ...open }]);

const x = (flags: WidthFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const { books, config } = running;
    const width = widthOf(flags.width);
    await running.place.compared();
    const report = books.x();
    if (flags.json === true) return printJson(running.shown, { ...report });
    print(xLines(report, config, { width, mode: running.shown }).join('\n'));
  });

const close = (flags: CloseFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const { books, config } = running;
    const width = widthOf(flags.width);
    const override = flags.override === true ? await overrideBy(flags, running) : undefined;
    if (override === undefined) {
      await personIfKnown(flags, running, 'closeBatch');
      const open = await books.open();
      if (open.length > 0) return refuse(running, open, flags);
    }
    const z = await books.close({ override, tell: progress() });
    if (flags.json === true) printJson(running.shown, { ...z });
    else print(zLines(z, config, { width, mode: running.shown }).join('\n'));
    if (z.differences.length > 0) {
      process.exitCode = FAULT;
      tell(`Till and gateway differ at ${count(z.differences.length, 'sale')}. See docs/closing.md.`);
    }
    const unknown = z.unknownHere?.length ?? 0;
    if (unknown > 0) {
      process.exitCode = FAULT;
      tell(
        `The gateway has ${count(unknown, 'payment')} of this terminal that this till has not. See docs/closing.md.`,
      );
    }
  });

const overrideBy = async (flags: CloseFlags, running: CommandTill): Promise<{ by: string; reason: string }> => {
  const { reason = '' } = flags;
  if (reason.trim() === '') throw new Fault('books.overrideMalformed', { why: 'no reason is given' });
  const { name } = await personOf(flags, running, 'overrideClose');
  return { by: name, reason: reason.trim().slice(0, 200) };
};

const refuse = (running: CommandTill, open: readonly OpenMoney[], flags: CloseFlags): void => {
  process.exitCode = REFUSED;
  if (flags.json === true) {
    printJson(running.shown, { closed: false, open });
    return;
  }
  tellMode(running);
  tell(`Not closed: ${count(open.length, 'sale')} of the batch ${open.length === 1 ? 'is' : 'are'} not at an end.`);
  for (const line of openLines(open, queueOf(running))) tell(line);
  tell('To close all the same: npm run till -- batch close --override --as NAME --reason TEXT');
};

/** Shown where a person waits: the gateway is asked about each sale. */
const progress = (): ((done: number, of: number) => void) => {
  if (process.stderr.isTTY !== true) return () => {};
  return (done, of) => {
    if (of < 20) return;
    process.stderr.write(`\rAsking the gateway: ${done} of ${of}${done === of ? '\n' : ''}`);
  };
};

const list = (flags: TillFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const batches = running.books.batches();
    if (flags.json === true) printJson(running.shown, { batches });
    else if (batches.length === 0) tell('No batches yet. The first sale opens one.');
    else printLines(running, batches.map(batchLine));
  });

const show = (text: string, flags: WidthFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const { books, config } = running;
    const batch = books.batch(numberIn(text));
    const width = widthOf(flags.width);
    const so = batch.z ?? { batch, report: books.report(batch) };
    if (flags.json === true) return printJson(running.shown, { ...so });
    if (batch.z === undefined) return printLines(running, [batchLine(batch), ...books.lines(batch).map(saleLine)]);
    print(zCopyLines(batch.z, config, { width, mode: running.shown }).join('\n'));
  });

const saleLine = ({ receipt, operation, ending, brand, currency, asked }: Line): string =>
  [
    `  ${String(receipt).padStart(6, '0')}`,
    operation.padEnd(16),
    printMoney({ minor: asked, currency }).padStart(14),
    ending.padEnd(9),
    brand,
  ].join('  ');

const reconcile = (file: string, flags: ReconcileFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const { books } = running;
    const batch = flags.batch === undefined ? undefined : books.batch(numberIn(flags.batch));
    const result = await books.reconcile({ file, batch, out: flags.csv });
    if (flags.json === true)
      printJson(running.shown, { ...result, more: [...result.more], payout: [...result.payout] });
    else printLines(running, [...summaryLines(result), ...findingLines(result), ...refusedLines(result)]);
    if (result.refusedCount > 0 || result.findings.some(isOff)) process.exitCode = 1;
  });

const numberIn = (text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Fault('command.malformed', { why: `a batch is named by its number, not "${text}"` });
};

const widthOf = (width: string): 32 | 42 => {
  if (width === '58') return 32;
  if (width === '80') return 42;
  throw new Fault('command.malformed', { why: `--width is 58 or 80, not "${width}"` });
};
