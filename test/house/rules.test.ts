/** Each house rule accepts a good sample and rejects a bad one, at the right line. */
import { expect, test } from 'vitest';
import { circles } from './circles.ts';
import { faultsUnused } from './fault-table.ts';
import { typeNamesShared } from './names.ts';
import { roomCircles } from './room-circles.ts';
import { rules } from './rules.ts';
import { type Rule, sourceOf } from './source.ts';
import { outsideMentions } from './tree.ts';
import { folders } from './walls.ts';

type Row = readonly [rule: string, path: string, text: string, complaint: string | undefined];

const lines = (count: number, line = 'x();') => `${line}\n`.repeat(count);
const joinParts = (first: string, second: string) => first + second;

const rows: Row[] = [
  ['imports', 'src/base/a.ts', "import './b.ts';", undefined],
  ['imports', 'src/base/a.ts', "import '../emv/b.ts';", ':1: imports src/emv/b.ts, but src/base may import only'],
  ['imports', 'src/emv/a.ts', "// é\nexport * from '../gateway/b.ts';", ':2: imports src/gateway/b.ts'],
  ['imports', 'src/emv/a.ts', "type B = import('../till/b.ts').B;", 'imports types of src/till/b.ts'],
  ['imports', 'src/emv/a.ts', "await import('../till/b.ts');", 'imports src/till/b.ts'],
  ['imports', 'src/emv/a.ts', 'await import(name);', 'by a literal name'],
  ['imports', 'src/emv/a.ts', "new Worker(new URL('../till/b.ts', import.meta.url));", 'imports src/till/b.ts'],
  ['imports', 'src/till/a.ts', "import type { T } from '../../drivers/terminal.ts';", undefined],
  ['imports', 'src/till/a.ts', "import { type T } from '../../drivers/terminal.ts';", undefined],
  ['imports', 'src/till/a.ts', "import { type T, u } from '../../drivers/terminal.ts';", 'imports drivers/terminal.ts'],
  ['imports', 'src/till/a.ts', "import type { T } from '../../drivers/session.ts';", 'types of drivers/session.ts'],
  ['imports', 'src/till/a.ts', "import './machine/b.ts';\nimport './gateway/b.ts';", undefined],
  ['imports', 'src/till/machine/a.ts', "import type { T } from '../ports.ts';", 'types of src/till/ports.ts'],
  ['imports', 'src/till/gateway/a.ts', "import '../ports.ts';\nimport '../machine/b.ts';", undefined],
  ['imports', 'drivers/mpi/a.ts', "import '../terminal.ts';\nimport '../simulation/b.ts';", undefined],
  ['imports', 'drivers/mpi/a.ts', "import '../zvt/b.ts';", 'imports drivers/zvt/b.ts'],
  ['imports', 'drivers/simulation/a.ts', "import '../mpi/b.ts';", 'imports drivers/mpi/b.ts'],
  ['imports', 'drivers/registry.ts', "import './mpi/driver.ts';", undefined],
  ['imports', 'drivers/registry.ts', "import '../src/till/a.ts';", 'imports src/till/a.ts'],
  ['imports', 'src/app/a.ts', "import '../../test/support/b.ts';", 'imports test/support/b.ts'],
  ['imports', 'src/app/a.ts', "import '../till/b.ts';\nimport '../../drivers/mpi/c.ts';", undefined],
  ['imports', 'src/new/a.ts', "import '../base/b.ts';", 'it is not in test/house/table.ts'],
  ['packages', 'src/journal/a.ts', "import Database from 'better-sqlite3';", undefined],
  ['packages', 'src/queue/a.ts', "import type { Database } from 'better-sqlite3';", undefined],
  ['packages', 'src/queue/a.ts', "import Database from 'better-sqlite3';", 'loads better-sqlite3'],
  ['packages', 'drivers/mpi/a.ts', "await import('@serialport/stream');", 'loads @serialport/stream'],
  ['packages', 'src/app/a.ts', "import { app } from 'electron';", 'only electron/ does'],
  ['packages', 'electron/main.ts', "import { app } from 'electron';", undefined],
  ['ciphers', 'src/gateway/acquirers/simulator/a.ts', "import { aes } from '../../../emv/aes.ts';", undefined],
  ['ciphers', 'src/gateway/vault/a.ts', "import { aes } from '../../emv/aes.ts';", 'uses our own ciphers (aes.ts)'],
  ['ciphers', 'drivers/a.ts', "import { tdesKsnUsesLeft } from '../src/emv/dukpt-tdes.ts';", undefined],
  ['ciphers', 'drivers/a.ts', "import { tdesDecryptData } from '../src/emv/dukpt-tdes.ts';", 'uses our own ciphers'],
  ['fileLength', 'src/a.ts', lines(300), undefined],
  ['fileLength', 'src/a.ts', lines(301), ':301: 301 lines'],
  ['fileLength', 'src/base/faults.ts', lines(900), undefined],
  ['functionLength', 'src/a.ts', `const f = () => {\n${lines(58)}};`, undefined],
  ['functionLength', 'src/a.ts', `\nconst f = () => {\n${lines(59)}};`, ':2: a function of 61 lines'],
  ['functionLength', 'src/a.ts', `class A {\nf() {\n${lines(59)}}\n}`, ':2: a function of 61 lines'],
  [
    'functionLength',
    'src/a.ts',
    `const f = () => ({\n${lines(60, 'clock,')}${lines(20, 'at: line.at,')}});`,
    undefined,
  ],
  ['functionLength', 'src/a.ts', `const f = () => ({\n${lines(59, 'at: now(),')}});`, 'a function of 61 lines'],
  ['functionLength', 'test/a.test.ts', `test('', () => {\n${lines(100)}});`, undefined],
  ['parameters', 'src/a.ts', 'const f = (a, b, c) => a;', undefined],
  ['parameters', 'src/a.ts', 'function f(a, b, c, d) {}', ':1: 4 positional parameters'],
  ['width', 'src/a.ts', `//${'x'.repeat(118)}`, undefined],
  ['width', 'src/a.ts', `x();\n//${'x'.repeat(119)}`, ':2: 121 columns'],
  ['width', 'src/a.ts', `const key = '${'0'.repeat(200)}';`, undefined],
  ['width', 'src/a.ts', `const key = \`${'$'}{a}${'0'.repeat(100)}${'$'}{b}${'0'.repeat(100)}\`;`, undefined],
  ['width', 'src/a.ts', `const key = \`\n${'0'.repeat(200)}\`;`, undefined],
  ['width', 'src/a.ts', `const keys = ['${'0'.repeat(100)}', '${'0'.repeat(100)}'${', x'.repeat(10)}];`, 'columns'],
  ['opening', 'src/a.ts', '/** Keeps the money. */\nx();', undefined],
  ['opening', 'src/a.ts', '#!/usr/bin/env node\n/**\n * Keeps the money.\n */', undefined],
  ['opening', 'test/a.test.ts', 'x();', undefined],
  ['opening', 'src/a.ts', "import './b.ts';\n// Keeps the money.", ':1: open the file with a comment'],
  ['fileName', 'src/pin-block.test.ts', '', undefined],
  ['fileName', 'src/emv/index.ts', '', 'no barrels'],
  ['fileName', 'src/emv/pinBlock.ts', '', 'kebab-case'],
  ['defaultExport', 'vitest.config.ts', 'export default {};', undefined],
  ['defaultExport', 'src/a.ts', '\nexport default {};', ':2: export it by its name'],
  ['defaultExport', 'src/a.ts', 'const a = 1;\nexport { a as default };', ':2: export it by its name'],
  ['calledOutside', 'src/a/b.ts', 'const now = clock.now(); new Date(now); pause(clock, 5);', undefined],
  ['calledOutside', 'src/a/b.ts', '\nDate.now();', ':2: Date.now: pass a Clock'],
  ['calledOutside', 'src/a/b.ts', 'new Date();', 'new Date(): pass a Clock'],
  ['calledOutside', 'src/a/b.ts', 'setTimeout(f, 5);', 'setTimeout: pass a Clock'],
  ['calledOutside', 'src/a/b.ts', 'globalThis.setInterval(f, 5);', 'setInterval: pass a Clock'],
  ['calledOutside', 'src/a/b.ts', "import { setTimeout } from 'node:timers/promises';", 'pass a Clock'],
  ['calledOutside', 'src/a/b.ts', 'fetch(x, { signal: AbortSignal.timeout(5) });', 'pass a Clock'],
  ['calledOutside', 'drivers/b.ts', 'Math.random();', 'Math.random: pass a Random'],
  ['calledOutside', 'drivers/b.ts', "import { randomBytes } from 'node:crypto';", 'pass a Random'],
  ['calledOutside', 'drivers/b.ts', "import { createHash } from 'node:crypto';", undefined],
  ['calledOutside', 'src/a/b.ts', "process['env'].HOME;", 'process.env: pass it as an argument'],
  ['calledOutside', 'src/a/b.ts', "console.log('');", 'console.log: throw a Fault'],
  ['calledOutside', 'src/a/b.ts', "process.stdout.write('');", 'process.stdout: throw a Fault'],
  ['calledOutside', 'src/cli/b.ts', "process.stdout.write(''); process.exit(process.argv.length);", undefined],
  ['calledOutside', 'src/cli/b.ts', 'process.env.HOME;', 'process.env'],
  ['calledOutside', 'src/folder/machine.ts', 'process.env.HOME; Date.now(); setTimeout(f, 5);', undefined],
  ['calledOutside', 'src/ui/clock.ts', 'Date.now(); setTimeout(f, 5);', undefined],
  ['calledOutside', 'src/ui/a.tsx', 'const A = () => <p>{Date.now()}</p>;', 'Date.now: pass a Clock'],
  ['calledOutside', 'src/ui/api.ts', 'crypto.randomUUID();', undefined],
  ['calledOutside', 'src/ui/api.ts', 'Date.now();', 'Date.now: pass a Clock'],
  ['literalText', 'src/ui/a.tsx', 'const A = () => <p title={t.tip} id="tip">{t.tip}: {\'%\'} 12 ×</p>;', undefined],
  ['literalText', 'src/gateway/a.tsx', 'const A = () => <p>Tip</p>;', undefined],
  ['literalText', 'src/ui/a.tsx', 'const A = () => (\n<p>{t.tip} of 12</p>);', ':2: text in a component'],
  ['literalText', 'src/ui/a.tsx', "const A = () => <p>{'Tip'}</p>;", 'text in a component'],
  ['literalText', 'src/ui/a.tsx', 'const A = () => <p aria-label="Tip" />;', 'text in a component'],
  ['resultCodes', 'src/a.ts', 'const a = codes.duplicate; // 800.110.100', undefined],
  ['resultCodes', 'src/a.ts', "listen('192.168.100.200'); const a = '127.0.0.1'; const b = '100.00';", undefined],
  ['resultCodes', 'src/base/code-meanings.ts', "const a = '800.110.100';", undefined],
  ['resultCodes', 'test/a.test.ts', "const a = '800.110.100';", undefined],
  ['resultCodes', 'src/a.ts', "\nconst a = '800.110.100';", ':2: 800.110.100: a result code'],
  ['resultCodes', 'src/a.ts', `const a = \`code = 800.110.100 ${'$'}{b}\`;`, '800.110.100: a result code'],
  ['resultCodes', 'src/a.ts', "code.startsWith('800.110.');", '800.110.: a result code'],
  ['resultCodes', 'src/a.ts', "code.startsWith('800.');", '800.: a result code'],
  ['resultCodes', 'src/gateway/widget/browser/a.ts', 'const a = /^000\\.200/;', 'a result code'],
  ['resultCodes', 'src/a.ts', 'const a = /^\\d{3}\\.\\d{3}\\.\\d{3}$/;', 'a result code'],
  ['resultCodes', 'src/a.ts', "where('payment.result_code', 'like', '000.%');", '000.: a result code'],
  ['resultCodes', 'src/a.ts', `const a = \`substr(code, 1, 4) = '000.' ${'$'}{b}\`;`, '000.: a result code'],
  ['resultCodes', 'src/a.ts', 'const a = /^800\\.900\\./;', 'a result code'],
  ['fieldWords', 'src/a.ts', 'export const standingInstruction = 1;\nfor (const told of a) told();', undefined],
  ['fieldWords', 'test/told.test.ts', 'const told = 1;', undefined],
  ['fieldWords', 'src/a.ts', '\nexport const askedBefore = () => 1;', ':2: askedBefore: “asked” is not a term'],
  ['fieldWords', 'src/a.ts', 'type ToldEnding = 1;', ':1: ToldEnding: “told”'],
  ['fieldWords', 'src/ui/a.tsx', 'export function Shown() {}', '“shown”'],
  ['fieldWords', 'electron/host-errands.ts', 'const a = 1;', 'host-errands: “errands”'],
  ['fieldWords', 'drivers/a.ts', 'const WAY_BACK = 1;', '“way back”'],
  ['renames', 'src/a.ts', "import { renameFile } from './base/replace-file.ts';\nrenameFile(a, b);", undefined],
  ['renames', 'src/base/files.ts', "import { renameSync } from 'node:fs';", undefined],
  ['renames', 'src/a.ts', "import { rmSync, renameSync } from 'node:fs';", ':1: a plain rename'],
  ['renames', 'src/a.ts', "import fs from 'node:fs';\nfs.renameSync(a, b);", ':2: a plain rename'],
  ['renames', 'electron/a.ts', "import { rename as move } from 'node:fs/promises';", ':1: a plain rename'],
  ['csvFiles', 'src/a.ts', "import { parse } from 'csv-parse';\ncells.join(', '); csvLine(cells, form);", undefined],
  ['csvFiles', 'src/base/csv.ts', `text.replaceAll('"', '""');`, undefined],
  ['csvFiles', 'src/a.ts', "x();\nconst { stringify } = await import('csv-stringify/sync');", ':2: a line of CSV'],
  ['csvFiles', 'electron/a.ts', "import { stringify } from 'csv-stringify';", 'write it with csvLine'],
  ['csvFiles', 'src/a.ts', `text.replaceAll('"', '""');`, 'a line of CSV'],
  ['csvFiles', 'src/a.ts', "rows.map(cell).join(';');", 'a line of CSV'],
  ['textFiles', 'src/a.ts', "readFileSync(file); readTextFile(file); readFileSync(file, 'latin1');", undefined],
  ['textFiles', 'src/folder/machine.ts', "readFileSync('/proc/uptime', 'utf8');", undefined],
  ['textFiles', 'src/a.ts', "x();\nconst text = readFileSync(file, 'utf8');", ':2: a text file read as UTF-8'],
  ['textFiles', 'electron/a.ts', "await fs.readFile(file, 'utf-8');", 'readTextFile'],
  ['columnsNamed', 'src/a.ts', "sql.run('INSERT INTO sale (sale, open) VALUES (?, 1)', id);", undefined],
  ['columnsNamed', 'src/a.ts', "\nsql.run('INSERT OR REPLACE INTO sale VALUES (?, 1)', id);", ':2: a row without'],
  [
    'functionLength',
    'src/ui/a.tsx',
    `const A = () => (\n<div>\n${lines(58, '<b />')}</div>);`,
    'a function of 61 lines',
  ],
  ['imports', 'src/ui/a.tsx', "import type { T } from '../api/contract/wire.ts';", undefined],
  [
    'imports',
    'src/ui/a.tsx',
    "import type { T } from '../api/ports/books.ts';",
    'imports types of src/api/ports/books.ts',
  ],
  ['imports', 'src/ui/a.tsx', "import { t } from '../api/app.ts';", 'imports src/api/app.ts'],
  ['constructs', 'src/a.ts', 'const a: unknown = b as string;', undefined],
  ['constructs', 'src/a.ts', '\nconst f = (a: any) => a;', ':2: any'],
  ['constructs', 'src/a.ts', joinParts('const a = b as', ' any;'), 'any: use the real type'],
  ['constructs', 'src/a.ts', 'enum A { B }', 'enum: use a union'],
  ['constructs', 'src/a.ts', 'const a = b!;', '!: handle'],
  ['constructs', 'src/a.ts', 'namespace A { export const b = 1; }', 'namespace'],
  ['constructs', 'src/a.ts', 'class A { constructor(private b: string) {} }', 'parameter property'],
  ['comments', 'src/a.ts', '// nothing left to do', undefined],
  ['comments', 'src/a.ts', `x();\n// ${joinParts('TO', 'DO')}: later`, ':2: '],
  ['comments', 'src/a.ts', `// ${joinParts('FIX', 'ME')}`, 'do it now'],
  ['comments', 'src/a.ts', `// ${joinParts('@ts-', 'ignore')}`, 'fix the types'],
  ['comments', 'src/a.ts', `// ${joinParts('@ts-', 'expect-error')}`, 'fix the types'],
  ['tests', 'test/a.test.ts', "test.each([])('', () => {});", undefined],
  ['tests', 'test/a.test.ts', "test.skip('', () => {});", 'test.skip: run it'],
  ['tests', 'test/a.test.ts', "\ndescribe.only('', () => {});", ':2: describe.only'],
  ['tests', 'test/a.test.ts', "test.skipIf(true)('', () => {});", undefined],
  ['tests', 'test/a.test.ts', "vi.mock('../src/base/clock.ts');", 'a mocked module'],
  ['sleeps', 'test/a.test.ts', 'await pause(clock, 5); await clock.advance(5);', undefined],
  ['sleeps', 'src/a.ts', 'await pause(systemClock, 5);', undefined],
  ['sleeps', 'test/a.test.ts', '\nawait pause(systemClock, 5);', ':2: a sleep'],
  ['sleeps', 'test/a.test.ts', 'await new Promise((resolve) => setTimeout(resolve, 5));', 'a sleep'],
  ['sleeps', 'test/a.test.ts', "import { setTimeout as rest } from 'node:timers/promises';", 'a sleep'],
  ['faultsThrown', 'src/a.ts', "throw new Fault('hex.malformed', { length });", undefined],
  ['faultsThrown', 'src/a.ts', "throw new Fault('hex.malformed', facts);", undefined],
  ['faultsThrown', 'src/a.ts', "\nthrow new Fault('hex.misspelt', { length });", ":2: no row 'hex.misspelt'"],
  [
    'faultsThrown',
    'src/a.ts',
    "throw new Fault(a ? 'hex.malformed' : 'hex.misspelt', facts);",
    "no row 'hex.misspelt'",
  ],
  ['faultsThrown', 'src/a.ts', "throw new Fault('hex.malformed', { size: 1 });", 'needs the facts length'],
  ['faultsThrown', 'src/a.ts', "throw new Fault('terminal.silent');", 'needs the facts command, ms'],
];

test.each(rows)('%s in %s, row %#', (name, path, text, complaint) => {
  const rule = rules[name] as Rule;
  const complaints = rule(sourceOf(path, text));
  if (complaint === undefined) expect(complaints).toEqual([]);
  else expect(complaints).toEqual([expect.stringContaining(complaint)]);
});

test('every rule has a sample that it rejects and one that it accepts', () => {
  const refusedRules = rows.filter(([, , , complaint]) => complaint !== undefined).map(([name]) => name);
  const passedRules = rows.filter(([, , , complaint]) => complaint === undefined).map(([name]) => name);
  expect([...new Set(refusedRules)].sort()).toEqual(Object.keys(rules).sort());
  expect([...new Set(passedRules)].sort()).toEqual(Object.keys(rules).sort());
});

test('rejects folders without a row and names that say nothing', () => {
  expect(
    folders(['src/base/a.ts', 'src/gateway/server/http/a.ts', 'drivers/mpi/a.ts', 'test/x/y/a.ts', '.ci/run']),
  ).toEqual([]);
  expect(folders(['src/new/a.ts', 'drivers/new/a.ts', 'new/a.ts', 'src/gateway/utils/a.ts'])).toEqual([
    expect.stringMatching(/^drivers\/new: give the folder a row/),
    expect.stringMatching(/^new: give the folder a row/),
    expect.stringMatching(/^src\/gateway\/utils: name the folder/),
    expect.stringMatching(/^src\/new: give the folder a row/),
  ]);
});

test('rejects import circles of rooms, types included; files beside the rooms are in none', () => {
  const sources = [
    sourceOf('src/a/a.ts', "import type { B } from '../b/below/b.ts';"),
    sourceOf('src/b/below/b.ts', "import './c.ts';"),
    sourceOf('src/b/below/c.ts', "export const c = () => import('../../c/c.ts');"),
    sourceOf('src/c/c.ts', "export * from '../a/a.ts';\nimport '../d/d.ts';"),
    sourceOf('src/d/d.ts', "import '../main.ts';\nimport 'node:fs';"),
    sourceOf('src/main.ts', "import './d/d.ts';"),
    sourceOf('src/till/machine/a.ts', "import '../till.ts';"),
    sourceOf('src/till/till.ts', "import './machine/a.ts';"),
    sourceOf('test/a/a.ts', "import '../b/b.ts';"),
    sourceOf('test/b/b.ts', "import '../a/a.ts';"),
  ];
  const [first, ...otherCircles] = roomCircles(sources);
  expect(first).toBe(
    'src/a imports itself: src/a/a.ts → src/b/below/b.ts, src/b/below/c.ts → src/c/c.ts, src/c/c.ts → src/a/a.ts',
  );
  expect(otherCircles.map((circle) => circle.split(':')[0])).toEqual(['src/b imports itself', 'src/c imports itself']);
});

test('rejects import circles of files, types and dynamic imports included', () => {
  const sources = [
    sourceOf('src/a.ts', "import type { B } from './b/b.ts';"),
    sourceOf('src/b/b.ts', "export const c = () => import('../c.ts');"),
    sourceOf('src/c.ts', "export * from './a.ts';\nimport './d.ts';"),
    sourceOf('src/d.ts', "import './e.ts';"),
    sourceOf('src/e.ts', "new Worker(new URL('./thread.ts', import.meta.url));"),
    sourceOf('src/thread.ts', "import './e.ts';\nimport 'node:fs';"),
    sourceOf('src/main.ts', "import './a.ts';"),
    sourceOf('test/a.ts', "import '../src/a.ts';\nimport './b.ts';"),
    sourceOf('test/b.ts', "import './a.ts';"),
  ];
  expect(circles(sources)).toEqual(['src/a.ts, src/b/b.ts, src/c.ts: these files import each other in a circle']);
});

test('rejects a type name that two files export', () => {
  const sources = [
    sourceOf('src/a.ts', 'export type Row = 1;'),
    sourceOf('drivers/b.ts', 'export class Row {}'),
    sourceOf('src/c.ts', 'type Row = 1;\nexport const Cell = 1;'),
    sourceOf('electron/d.ts', 'export interface Cell {}'),
    sourceOf('test/e.ts', 'export type Cell = 1;'),
  ];
  expect(typeNamesShared(sources)).toEqual([expect.stringMatching(/^Row: exported by src\/a.ts and drivers\/b.ts/)]);
});

test('rejects a row of the fault table that only the table or a test names', () => {
  const sources = [
    sourceOf('src/a.ts', "throw new Fault('used.once');"),
    sourceOf('src/base/faults.ts', "const faults = { 'used.never': {} };"),
    sourceOf('test/a.test.ts', "throw new Fault('used.never');"),
  ];
  expect(faultsUnused(['used.once', 'used.never'], sources)).toEqual([expect.stringContaining("'used.never'")]);
});

test.each([
  ['taken from EMV Book 2, see README.md and http://example.org/workers/', undefined],
  [joinParts('see /wo', 'rk/main/src'), joinParts(':1: names /wo', 'rk')],
  [joinParts('cd /wo', 'rk'), joinParts(':1: names /wo', 'rk')],
  [joinParts('see sha', 'red/spec'), joinParts(':1: names sha', 'red/')],
  [joinParts('in /tm', 'p/notes.txt'), joinParts(':1: names /tm', 'p/n')],
  [joinParts('as anchors', '.md says'), joinParts(':1: names anchors', '.md')],
])('%s: %s', (text, complaint) => {
  const complaints = outsideMentions('a.ts', text, new Set(['README.md']));
  if (complaint === undefined) expect(complaints).toEqual([]);
  else expect(complaints).toEqual([expect.stringContaining(complaint)]);
});

test.each([
  ['test/vectors/cards.json', 0],
  ['test/vectors/README.md', 1],
  ['test/vectors/more/cards.json', 1],
  ['test/cards.json', 1],
])('%s: only the JSON of vectors may name places (%s complaints)', (path, count) => {
  expect(outsideMentions(path, joinParts('see sha', 'red/spec'), new Set())).toHaveLength(count);
});

test('names a file that is not TypeScript', () => {
  expect(() => sourceOf('src/broken.ts', 'const = ;')).toThrow('src/broken.ts cannot be parsed');
});
