/**
 * Verifies a journal, by itself: node main.ts FILE [--key PUBLIC] [--json]. It trusts nothing of the program that wrote
 * the file: it sees node:crypto, node:fs and the database reader alone, and has the rules of chain and seal again.
 * Exit code 0: all is as it was written. 5: it is not, or cannot be read. 2: the command is wrong.
 */
import { existsSync } from 'node:fs';
import { isKey } from './chain.ts';
import { sentences } from './findings.ts';
import { openSource, type Source } from './sources.ts';
import { check, type Report } from './walk.ts';

const DAMAGED = 5;
const REFUSED = 2;

const USAGE = 'node src/journal/verifier/main.ts FILE [--key PUBLIC] [--json]';

type Command = { file: string; key: string | undefined; json: boolean };

const commandOf = (words: readonly string[]): Command | string => {
  const at = words.indexOf('--key');
  const key = at < 0 ? undefined : words[at + 1];
  if (at >= 0 && !isKey(key ?? '')) return '--key takes a public key: 43 characters, as `till journal key` prints it';
  const rest = words.filter((word, index) => word !== '--json' && (at < 0 || (index !== at && index !== at + 1)));
  const [file, ...more] = rest;
  if (file === undefined || more.length > 0 || file.startsWith('-')) return `Say which file: ${USAGE}`;
  return existsSync(file) ? { file, key, json: words.includes('--json') } : `There is no file ${file}`;
};

/** Drawn on a terminal only, and only for what takes longer than two seconds. */
const progress = (count: number | undefined): { passed(entry: number): void; done(): void } => {
  const begun = process.hrtime.bigint();
  const isDrawn = () => process.hrtime.bigint() - begun > 2_000_000_000n;
  let drawn = false;
  if (!process.stderr.isTTY || count === undefined || count === 0) return { passed: () => {}, done: () => {} };
  return {
    passed(entry) {
      if (entry % 5_000 !== 0 || !isDrawn()) return;
      drawn = true;
      const part = Math.min(1, entry / count);
      const bar = '#'.repeat(Math.round(part * 30)).padEnd(30, '.');
      process.stderr.write(`\r[${bar}] ${Math.round(part * 100)} %  ${entry} of ${count} entries`);
    },
    done: () => void (drawn && process.stderr.write('\r\x1b[K')),
  };
};

const verify = (source: Source, key: string | undefined): Report => {
  const { passed, done } = progress(source.count);
  const report = check(source.rows(), { key, passed });
  const damage = report.damage ?? source.rest(report);
  done();
  return damage === undefined ? report : { ...report, damage };
};

const linesOf = ({ entries, sales, seals, unsealed, keys, head, damage }: Report): string[] => {
  if (damage !== undefined) return [...sentences(damage)];
  const [first, ...later] = keys;
  return [
    `${many(entries, 'entry', 'entries')}, all in order: ${salesIn(sales)}, ${many(seals, 'seal', 'seals')}.`,
    first === undefined
      ? 'It has no seal: a chain that fits, and nothing that proves who wrote it.'
      : `Sealed by ${first.publicKey}${unsealed === 0 ? '.' : `; ${many(unsealed, 'entry', 'entries')} since the last seal.`}`,
    ...later.map(({ publicKey, from }) => `From entry ${from} on sealed by ${publicKey}: ask who changed the key.`),
    `It ends with ${head}.`,
  ];
};

const many = (n: number, one: string, more: string): string => `${n} ${n === 1 ? one : more}`;

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
    const report = verify(source, command.key);
    if (command.json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
    else for (const line of linesOf(report)) process.stdout.write(`${line}\n`);
    return report.damage === undefined ? 0 : DAMAGED;
  } catch (error) {
    const busy = String((error as { code?: string }).code).startsWith('SQLITE_BUSY');
    const words = error instanceof Error ? error.message : String(error);
    const said = busy ? 'A till works on this file: stop it first, or verify a copy' : `It cannot be read: ${words}`;
    if (command.json) process.stdout.write(`${JSON.stringify({ error: said })}\n`);
    else process.stderr.write(`${said}.\nNothing was changed.\n`);
    return DAMAGED;
  } finally {
    source?.close();
  }
};

process.exitCode = run();
