/**
 * Verifies a journal on its own: node main.ts FILE [--key PUBLIC] [--expect ENTRY:HASH] [--json]. It trusts nothing in
 * the program that wrote the file: it uses only node:crypto, node:fs and the database reader, and implements the rules
 * of chain and seal itself. Exit code 0: everything is as it was written. 5: it is not, or is unreadable. 2: a wrong
 * command.
 */
import { existsSync } from 'node:fs';
import { isKey } from './chain.ts';
import { sentences } from './findings.ts';
import { openSource, type Source } from './sources.ts';
import { check, type Note, type VerifierReport } from './walk.ts';

const DAMAGED = 5;
const REFUSED = 2;

const USAGE = 'node src/journal/verifier/main.ts FILE [--key PUBLIC] [--expect ENTRY:HASH] [--json]';

type Command = { file: string; key: string | undefined; notes: Note[]; json: boolean };

const commandOf = (args: readonly string[]): Command | string => {
  const [keys, otherArgs] = takeFlag(args, '--key');
  const [expectations, remaining] = takeFlag(otherArgs, '--expect');
  const key = keys.at(-1);
  if (keys.length > 0 && !isKey(key ?? ''))
    return '--key takes a public key: 43 characters, as `till journal key` prints it';
  const notes = expectations.flatMap((text) => noteIn(text) ?? []);
  if (notes.length < expectations.length)
    return '--expect takes ENTRY:HASH, or the hash of a Z report: 16 hex digits of it or more';
  const [file, ...more] = remaining.filter((arg) => arg !== '--json');
  if (file === undefined || more.length > 0 || file.startsWith('-')) return `Say which file: ${USAGE}`;
  return existsSync(file) ? { file, key, notes, json: args.includes('--json') } : `There is no file ${file}`;
};

/** The value after each `flag`, and the other arguments. */
const takeFlag = (args: readonly string[], flag: string): [(string | undefined)[], string[]] => {
  const isFlag = (index: number): boolean => args[index] === flag;
  return [
    args.flatMap((_, index) => (isFlag(index) ? [args[index + 1]] : [])),
    args.filter((_, index) => !isFlag(index) && !isFlag(index - 1)),
  ];
};

const noteIn = (text = ''): Note | undefined => {
  const [, entry, hash] = /^(?:(\d{1,15}):)?([0-9a-f]{16,64})$/i.exec(text) ?? [];
  if (hash === undefined) return undefined;
  return { entry: entry === undefined ? undefined : Number(entry), hash: hash.toLowerCase() };
};

/** Shown only on a terminal, and only when it takes longer than two seconds. */
const createProgress = (count: number | undefined): { passed(entry: number): void; done(): void } => {
  const startedNs = process.hrtime.bigint();
  const isSlow = () => process.hrtime.bigint() - startedNs > 2_000_000_000n;
  let isBarShown = false;
  if (!process.stderr.isTTY || count === undefined || count === 0) return { passed: () => {}, done: () => {} };
  return {
    passed(entry) {
      if (entry % 5_000 !== 0 || !isSlow()) return;
      isBarShown = true;
      const part = Math.min(1, entry / count);
      const bar = '#'.repeat(Math.round(part * 30)).padEnd(30, '.');
      process.stderr.write(`\r[${bar}] ${Math.round(part * 100)} %  ${entry} of ${count} entries`);
    },
    done: () => void (isBarShown && process.stderr.write('\r\x1b[K')),
  };
};

const verify = (source: Source, { key, notes }: Pick<Command, 'key' | 'notes'>): VerifierReport => {
  const { passed, done } = createProgress(source.count);
  const report = check(source.rows(), { key, notes, passed });
  const damage = report.damage ?? source.rest(report);
  done();
  return damage === undefined ? report : { ...report, damage };
};

const linesOf = (report: VerifierReport): string[] => {
  const { entries, sales, seals, keys, head, proven, damage } = report;
  if (damage !== undefined) return [...sentences(damage)];
  const [first, ...later] = keys;
  return [
    `${many(entries, 'entry', 'entries')}, all in order: ${salesIn(sales)}, ${many(seals, 'seal', 'seals')}.`,
    first === undefined
      ? 'It has no seal: its chain is intact, but nothing proves who wrote it.'
      : `Sealed by ${first.publicKey}${sealedTo(report)}.`,
    ...later.map(({ publicKey, from }) => `From entry ${from} on sealed by ${publicKey}: ask who changed the key.`),
    ...proven.map((entry) => `Entry ${entry} is as noted, and so is every entry before it.`),
    `It ends with ${entries}:${head}.`,
    ...openEnd(report),
  ];
};

const sealedTo = ({ sealed, unsealed }: VerifierReport): string => {
  if (sealed === undefined) return '';
  const rest = many(unsealed, 'entry after it is', 'entries after it are');
  return ` up to entry ${sealed.entry} of ${sealed.day}${unsealed === 0 ? '' : `; ${rest} chained but not sealed`}`;
};

/** A file does not show by itself that its end was cut off together with every trace of it. */
const openEnd = ({ entries, proven }: VerifierReport): string[] =>
  entries === 0 || proven.length > 0
    ? []
    : ['Entries missing from the end show only by a note that was made elsewhere: --expect ENTRY:HASH.'];

const rules = new Intl.PluralRules('en');
const many = (n: number, one: string, more: string): string => `${n} ${rules.select(n) === 'one' ? one : more}`;

const salesIn = (sales: number): string =>
  sales === 0 ? 'no sales' : `${many(sales, 'sale', 'sales')} with receipts 1 to ${sales}`;

const run = (): number => {
  const command = commandOf(process.argv.slice(2));
  if (typeof command === 'string') {
    process.stderr.write(`${command}.\n`);
    return REFUSED;
  }
  let source: Source | undefined;
  try {
    source = openSource(command.file);
    const report = verify(source, command);
    if (command.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    else for (const line of linesOf(report)) process.stdout.write(`${line}\n`);
    return report.damage === undefined ? 0 : DAMAGED;
  } catch (error) {
    const busy = String((error as { code?: string }).code).startsWith('SQLITE_BUSY');
    const text = error instanceof Error ? error.message : String(error);
    const value = busy ? 'A till works on this file: stop it first, or verify a copy' : `It cannot be read: ${text}`;
    if (command.json) process.stdout.write(`${JSON.stringify({ error: value })}\n`);
    else process.stderr.write(`${value}.\nNothing was changed.\n`);
    return DAMAGED;
  } finally {
    source?.close();
  }
};

process.exitCode = run();
