/** `npm run simulate:dialects`: plays a day by command line at each dialect of each protocol, and prints a table. */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { errorText } from '../../src/base/fault.ts';
import { type CutSums, cutDialects, cutEverywhere, cutSumsOf } from '../support/dialects/cuts.ts';
import {
  allRows,
  cutTableOf,
  jsonOf,
  longWordsOf,
  nameOf,
  type PlayedDay,
  playAll,
  tableOf,
} from '../support/dialects/table.ts';

const help = `npm run simulate:dialects -- [PROTOCOL] [--dialect NAME[,NAME…]] [--jobs N] [--json]

A simulated terminal for each dialect of each protocol, and the real till at it, over TCP: a sale, a second sale, a
void, a refund, a close, each a separate command. Each row is a dialect: what the till reported, and the turnover
of the terminal (for a card reader, of the gateway) beside the till’s.

  PROTOCOL          only this protocol’s
  --dialect NAMES   only these; "strictest" is the one without any
  --cut             instead: a ZVT sale with the line cut at each of its messages; how the sale ended, and whether the
                    terminal's turnover agrees unless the till calls the sale unresolved
  --jobs N          this many days at a time; by default one for each processor, at most 4
  --json            the same for programs

Status: 0 all agree, 1 one does not, 2 the command was refused.`;

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const printError = (text: string): void => void process.stderr.write(`${text}\n`);
const exitWith = (reason: string): never => {
  printError(`${reason}\n\n${help}`);
  process.exit(2);
};

const read = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        dialect: { type: 'string' },
        jobs: { type: 'string', default: String(Math.min(4, availableParallelism())) },
        cut: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    return exitWith(errorText(error));
  }
};

/** Till and terminal are both in this process, and the test itself cuts the line at one message. */
const runCuts = async (): Promise<number> => {
  if (protocol !== undefined && protocol !== 'zvt') exitWith('--cut is for zvt: the others hold no money.');
  const dialects = cutDialects.filter((name) => expected === undefined || expected.includes(name ?? 'strictest'));
  if (dialects.length === 0) exitWith('A locked terminal sells nothing that could be cut.');
  const sums: CutSums[] = [];
  for (const dialect of dialects) sums.push(cutSumsOf(dialect, await cutEverywhere(dialect, { from: 0, every: 1 })));
  const wrong = sums.filter((one) => one.wrong.length > 0);
  if (values.json) print(JSON.stringify(sums, (_, value) => (typeof value === 'bigint' ? `${value}` : value), 2));
  else for (const line of cutTableOf(sums)) print(line);
  return wrong.length === 0 ? 0 : 1;
};

const { values, positionals } = read();
if (values.help) {
  print(help);
  process.exit(0);
}

const [protocol, ...surplus] = positionals;
if (surplus.length > 0) exitWith(`One protocol at a time, not also ${surplus.join(' ')}.`);
const rows = allRows();
const protocols = [...new Set(rows.map((row) => row.protocol))];
if (protocol !== undefined && !protocols.includes(protocol))
  exitWith(`There is no protocol "${protocol}": there are ${protocols.join(', ')}.`);
const ofProtocol = rows.filter((row) => protocol === undefined || row.protocol === protocol);
const expected = values.dialect?.split(',').map((name) => name.trim());
const unknown = expected?.filter((name) => !ofProtocol.some((row) => nameOf(row) === name)) ?? [];
if (unknown.length > 0)
  exitWith(`There is no dialect "${unknown.join(', ')}"${protocol === undefined ? '' : ` of ${protocol}`}.`);
const chosen = ofProtocol.filter((row) => expected === undefined || expected.includes(nameOf(row)));
const jobs = /^[1-9]\d?$/.test(values.jobs)
  ? Number(values.jobs)
  : exitWith(`--jobs takes a whole number, not "${values.jobs}".`);

if (values.cut) process.exit(await runCuts());

let doneCount = 0;
const progress = ({ row }: PlayedDay): void => {
  doneCount += 1;
  if (process.stderr.isTTY)
    process.stderr.write(`\r${doneCount} of ${chosen.length}: ${row.protocol} ${nameOf(row)}\u001b[K`);
};
const played = await playAll(chosen, jobs, progress);
if (process.stderr.isTTY) printError('');
const wrong = played.filter((one) => one.wrong.length > 0);
if (values.json) print(JSON.stringify(played.map(jsonOf), null, 2));
else {
  for (const line of tableOf(played)) print(line);
  print(['', ...played.flatMap(longWordsOf)].join('\n'));
  for (const one of wrong) print(`WRONG: ${one.row.protocol}, ${nameOf(one.row)}:\n  ${one.wrong.join('\n  ')}`);
  const days = played.length === 1 ? '1 day' : `${played.length} days`;
  print(`\n${days}, ${wrong.length === 0 ? 'every cent accounted for' : `${wrong.length} wrong`}.`);
}
process.exitCode = wrong.length === 0 ? 0 : 1;
