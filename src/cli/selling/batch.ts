/** `till batch`: the business day: its state, X and Z reports, the close, and the comparison of a settlement file. */
import type { Command } from 'commander';
import type { BatchReport } from '../../api/contract/books.ts';
import type { BatchLine } from '../../api/contract/records.ts';
import type { QueueItem } from '../../api/contract/recovery.ts';
import type { HoldRow } from '../../api/contract/sales.ts';
import { dateTime } from '../../base/clock.ts';
import { Fault, isFault } from '../../base/fault.ts';
import { formatEnglish } from '../../base/placeholders.ts';
import { moneyOf } from '../../ledger/wire-money.ts';
import { type TillApi, unwrap } from '../api-client.ts';
import { batchNumber, optionsOf } from '../arguments.ts';
import { type ApiFlags, type CommandSession, signedPerson, withTillApi } from '../front-door.ts';
import { widthOf } from '../store/printers.ts';
import { amountWords, FAULT, paragraph, print, REFUSED, receiptWords, sentence, tell } from '../terms.ts';
import { linesOr, printJson, printLines, tellMode } from '../till-folder.ts';
import { count, tillCommand } from '../till-options.ts';
import { addReconcile } from './reconcile.ts';
import { overRefundedLines } from './resolve.ts';
import { unpaidLines } from './unpaid.ts';

type Batch = NonNullable<BatchReport['record']>;
type PaperFlags = ApiFlags & { width: string };
type CloseFlags = PaperFlags & { override?: true; reason?: string };

const examples = `
  npm run till -- batch              what is in the open batch, and what keeps it from closing
  npm run till -- batch close        closes it, and prints the Z report
  npm run till -- batch close --override --as Anna --reason "the line is down"
  npm run till -- batch reconcile settlement.csv --csv matched.csv`;

export const addBatch = (till: Command): void => {
  const says = 'the business day: its sales, reports, close and settlement';
  const batch = tillCommand(till, 'batch', says).addHelpText('after', examples).action(showState);
  const withPaper = (usage: string, of: string): Command =>
    tillCommand(batch, usage, of).option('--width <mm>', 'paper: 58 or 80 mm', '80');
  withPaper('x', 'an X report: the open batch so far; it stays open').action((_: unknown, command: Command) =>
    x(optionsOf(command)),
  );
  withPaper('close', 'close the batch: settles, compares with the gateway, prints the Z report')
    .option('--override', 'close it although amounts are unknown or unsent; they are named and signed')
    .option('--reason <text>', 'why it is overridden')
    .action((_: unknown, command: Command) => close(optionsOf(command)));
  tillCommand(batch, 'list', 'all batches, oldest first').action((_: unknown, command: Command) =>
    list(optionsOf(command)),
  );
  withPaper('show <number>', 'a batch: its Z report, or its sales so far').action(
    (number: string, _: unknown, command: Command) => showBatch(number, optionsOf(command)),
  );
  addReconcile(batch);
};

/** Commands print reports in English. */
const english = { 'accept-language': 'en' };

const batchPath = ':batch{[0-9]{1,9}}';

const batchOf = (api: TillApi, batch: number | string, query: Record<string, string> = {}): Promise<BatchReport> =>
  unwrap(
    api.batches[batchPath].$get(
      { param: { batch: String(batch) }, query: { ...query, record: 'true' } },
      { headers: english },
    ),
  );

/** The batches that are not closed, oldest first. */
const unclosedBatches = async (api: TillApi): Promise<BatchReport[]> => {
  const rows = (await unwrap(api.batches.$get({ query: {} }))).filter((row) => row.state !== 'closed').reverse();
  return Promise.all(rows.map(({ batch, terminalId }) => batchOf(api, batch, { terminalId })));
};

const recordOf = ({ record }: Pick<BatchReport, 'record'>): Batch => {
  if (record === undefined) throw new Fault('program.failed', { why: 'a batch lacks its record' });
  return record;
};

const reportOf = ({ record, sales, receipts, currencies }: BatchReport) =>
  record?.z?.report ?? { sales, receipts, currencies };

const openIn = ({ lines = [] }: BatchReport) =>
  lines.flatMap(({ sale, receipt, open }) => (open === undefined ? [] : [{ sale, receipt, ...open }]));

const showState = (flags: ApiFlags): Promise<void> =>
  withTillApi(flags, async (till) => {
    const { api, shown } = till;
    const reports = await unclosedBatches(api);
    const { items, overRefunded } = await unwrap(api.queue.$get());
    if (flags.json === true) {
      const off = overRefunded.map(({ amount, ...one }) => ({ ...one, ...moneyOf(amount, amount.currency) }));
      const batches = reports.map((report) => ({
        batch: recordOf(report),
        report: reportOf(report),
        open: openIn(report),
        off: off.length > 0 ? off : undefined,
      }));
      return printJson(shown, { batches });
    }
    if (reports.length === 0) tell('No batch is open. The next sale opens one.');
    printLines(till, []);
    for (const report of reports) {
      print(batchLine(recordOf(report)));
      for (const { currency, net } of report.currencies)
        print(`  ${formatEnglish(ENTRIES, { n: report.sales })}, net ${net} ${currency}`);
      const open = openIn(report);
      if (open.length > 0) print(`  ${count(open.length, 'sale')} not at an end:`);
      for (const line of openLines(open, items)) print(`  ${line}`);
    }
    for (const line of heldLines(await unwrap(api.preauths.$get()))) print(`  ${line}`);
    for (const item of items) for (const line of unpaidLines(item)) print(`  ${line}`);
    for (const line of overRefundedLines(overRefunded)) print(`! ${line}`);
  });

/** How many sales a batch has. */
const ENTRIES = '{n, plural, one {# entry} other {# entries}}';

const x = (flags: PaperFlags): Promise<void> => {
  const paper = paperOf(flags.width);
  return withTillApi(flags, async ({ api, show }) => {
    const report = await unwrap(api['x-reports'].$post({ query: { paper, record: 'true' } }, { headers: english }));
    show({ json: { ...report.x }, plain: report.paper });
  });
};

const close = (flags: CloseFlags): Promise<void> => {
  const paper = paperOf(flags.width);
  const override = flags.override === true ? reasonOf(flags) : undefined;
  return withTillApi(flags, async (till) => {
    const { api, show } = till;
    if (override !== undefined) signedPerson(till);
    const signed = await till.sign(override === undefined ? 'closeBatch' : 'overrideClose');
    const headers = { ...english, ...signed };
    const closing = api.closing.$post({ query: { paper, record: 'true' }, json: { override } }, { headers });
    const report = await unwrap(closing).catch((error: unknown) => {
      if (isFault(error, 'books.openMoney')) return error;
      throw error;
    });
    if (isFault(report)) return refuse(till, Number(report.facts['batch']), flags);
    const z = recordOf(report).z;
    show({ json: { ...z }, plain: report.paper ?? [''] });
    const { differences = [], unknownHere = [] } = z ?? {};
    if (differences.length + unknownHere.length > 0) process.exitCode = FAULT;
    if (differences.length > 0)
      tell(`Till and gateway differ at ${count(differences.length, 'sale')}. See docs/closing.md.`);
    const unknown = count(unknownHere.length, 'payment');
    if (unknownHere.length > 0)
      tell(`The gateway has ${unknown} of this terminal that this till does not know. See docs/closing.md.`);
  });
};

const reasonOf = ({ reason = '' }: CloseFlags): string => {
  if (reason.trim() === '') throw new Fault('books.overrideMalformed', { why: 'no reason is given' });
  return reason.trim();
};

const refuse = async (till: CommandSession, batch: number, flags: CloseFlags): Promise<void> => {
  process.exitCode = REFUSED;
  const reports = await unclosedBatches(till.api);
  const open = reports.filter((report) => report.batch === batch).flatMap(openIn);
  if (flags.json === true) return printJson(till.shown, { closed: false, open });
  const { items } = await unwrap(till.api.queue.$get());
  tellMode(till);
  const unfinished =
    'Not closed: {n, plural, one {# sale of the batch has} other {# sales of the batch have}} not ended.';
  tell(formatEnglish(unfinished, { n: open.length }));
  for (const line of openLines(open, items)) tell(line);
  tell('To close anyway: npm run till -- batch close --override --as NAME --reason TEXT');
};

const list = (flags: ApiFlags): Promise<void> =>
  withTillApi(flags, async (till) => {
    const rows = await unwrap(till.api.batches.$get({ query: { record: 'true' } }));
    const batches = rows.map(recordOf).reverse();
    till.show({ json: { batches }, ...linesOr(batches.map(batchLine), 'No batches yet. The first sale opens one.') });
  });

const showBatch = (text: string, flags: PaperFlags): Promise<void> => {
  const number = batchNumber(text);
  const paper = paperOf(flags.width);
  return withTillApi(flags, async (till) => {
    const report = await batchOf(till.api, number, { paper });
    const batch = recordOf(report);
    const { paper: lines, lines: sales = [] } = report;
    const json = { ...(batch.z ?? { batch, report: reportOf(report) }) };
    if (lines === undefined) till.show({ json, lines: [batchLine(batch), ...sales.map(saleLine)] });
    else till.show({ json, plain: lines });
  });
};

const saleLine = ({ receipt, operation, ending, brand, amount }: BatchLine): string =>
  [`  ${receiptWords(receipt)}`, operation.padEnd(16), amountWords(amount).padStart(14), ending.padEnd(9), brand].join(
    '  ',
  );

const batchLine = ({ batch, state: at, day, terminalId, z }: Batch): string =>
  [
    `batch ${String(batch).padStart(4)}`,
    at.padEnd(7),
    day.date,
    `terminal ${terminalId}`,
    ...(z === undefined
      ? []
      : [`Z ${z.number}`, ...z.report.currencies.map(({ net, currency }) => `${net} ${currency}`)]),
    ...(z?.override === undefined ? [] : [`overridden by ${z.override.by}`]),
  ].join('  ');

/** The open amounts, each with what to do. If the queue knows more about one, its text is used. */
const openLines = (open: ReturnType<typeof openIn>, items: readonly QueueItem[]): string[] =>
  open.flatMap(({ sale, receipt, amount, place, why, next }) => {
    const item = items.find((one) => one.sale === sale && ['overdue', 'parked', 'person'].includes(one.state));
    const isWaiting = place === 'notSent' || item?.state === 'parked';
    const words = item === undefined || item.why === why ? why : isWaiting ? `${why}: ${item.why}` : item.why;
    return [
      `receipt ${receiptWords(receipt)}  ${amount.padStart(14)}  ${place === 'notSent' ? 'NOT SENT' : 'UNKNOWN'}`,
      ...paragraph('    ', `${sentence(words)} ${sentence(item?.toDo ?? next)}`),
    ];
  });

/** Amounts that are held on cards and were not charged. They do not block a close. */
const heldLines = (holds: readonly HoldRow[]): string[] =>
  holds.map(({ receipt, left, until, expired, holdUnknown }) => {
    const day = dateTime(until).slice(0, 10);
    const ends = expired ? `fell away on ${day}` : `falls away by itself on ${day}`;
    const what = `receipt ${receiptWords(receipt)}  ${amountWords(left).padStart(14)}  HELD`;
    return `${what}, ${holdUnknown === true ? 'and a result is missing; it ' : ''}${ends}`;
  });

const paperOf = (width: string): '58' | '80' => `${widthOf(width)}`;
