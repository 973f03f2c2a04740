/** Constructs that are banned here, and what to write instead. */
import {
  complaintAt,
  isBelow,
  memberOf,
  type Node,
  nameOf,
  nodeAt,
  nodesAt,
  nodesOf,
  nodesOfTypes,
  type Rule,
  textOf,
} from './source.ts';
import {
  machineTexts,
  platformChance,
  platformClocks,
  programs,
  readAttributes,
  realWaits,
  resultCodePlaces,
} from './table.ts';

const CLOCK = 'pass a Clock as an argument (src/base/clock.ts)';
const CHANCE = 'pass a Random or Ids as an argument (src/base/ids.ts)';
const SETTING = 'pass it as an argument; src/folder/machine.ts reads it';
const WORDS = 'throw a Fault, or report through a port; only src/cli writes to the terminal';

const members: Readonly<Record<string, string>> = {
  'Date.now': CLOCK,
  'performance.now': CLOCK,
  'AbortSignal.timeout': CLOCK,
  'Math.random': CHANCE,
  'crypto.randomUUID': CHANCE,
  'crypto.getRandomValues': CHANCE,
  'process.env': SETTING,
  'process.argv': SETTING,
  'process.cwd': SETTING,
  'process.exit': WORDS,
  'process.stdin': WORDS,
  'process.stdout': WORDS,
  'process.stderr': WORDS,
};
const calls: Readonly<Record<string, string>> = { setTimeout: CLOCK, setInterval: CLOCK, Date: CLOCK };
const modules: Readonly<Record<string, string>> = { 'node:timers': CLOCK, 'node:timers/promises': CLOCK };
const forTerminals = [
  'process.argv',
  'process.cwd',
  'process.exit',
  'process.stdin',
  'process.stdout',
  'process.stderr',
];

/**
 * Time, random values, settings and output are passed as arguments everywhere except in base and in the code that reads
 * the machine.
 */
export const calledOutside: Rule = (source) => {
  if (
    !isBelow(source.path, ['src', 'drivers', 'electron']) ||
    isBelow(source.path, ['src/base', 'src/folder/machine.ts', ...platformClocks])
  )
    return [];
  const types = ['MemberExpression', 'NewExpression', 'CallExpression', 'ImportDeclaration'];
  return nodesOfTypes(source.tree, ...types).flatMap((node) => {
    const [calledName, instead] = outsideWorld(node) ?? [];
    const isExempt =
      (isBelow(source.path, ['src/cli', 'electron', ...programs]) && forTerminals.includes(calledName ?? '')) ||
      (isBelow(source.path, platformChance) && instead === CHANCE);
    return instead === undefined || isExempt ? [] : [complaintAt(source, node, `${calledName}: ${instead}`)];
  });
};

const outsideWorld = (node: Node): [calledName: string, instead: string | undefined] | undefined => {
  const member = memberOf(node);
  if (member !== undefined) {
    const timer = member in calls && member !== 'Date' ? CLOCK : undefined;
    return [member, member.startsWith('console.') ? WORDS : (members[member] ?? timer)];
  }
  const callee = nameOf(nodeAt(node, 'callee'));
  if (node.type === 'NewExpression' && callee === 'Date' && nodesAt(node, 'arguments').length === 0) {
    return ['new Date()', CLOCK];
  }
  if (node.type === 'CallExpression' && callee !== undefined && Object.hasOwn(calls, callee))
    return [callee, calls[callee]];
  if (node.type !== 'ImportDeclaration') return undefined;
  const from = textOf(nodeAt(node, 'source')) ?? '';
  const chance = nodesAt(node, 'specifiers').some((part) => /^random/.test(nameOf(nodeAt(part, 'imported')) ?? ''));
  return from === 'node:crypto' && chance ? ['random of node:crypto', CHANCE] : [from, modules[from]];
};

const syntax: Readonly<Record<string, string>> = {
  TSAnyKeyword: 'any: use the real type, or unknown',
  TSEnumDeclaration: 'enum: use a union of literals',
  TSNonNullExpression: '!: handle the missing value, or throw a Fault that names it',
  TSModuleDeclaration: 'namespace: use a file',
  TSParameterProperty: 'parameter property: declare the field',
  TSExportAssignment: 'export =: export it by its name',
  TSImportEqualsDeclaration: 'import =: import it from its module',
};

export const constructs: Rule = (source) =>
  nodesOfTypes(source.tree, ...Object.keys(syntax)).map((node) => complaintAt(source, node, syntax[node.type] ?? ''));

// Split in two, so that this file does not break its own rule.
const bannedWords: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(`\\b(${['TO', 'FIX'].map((part, index) => part + ['DO', 'ME'][index]).join('|')})\\b`),
    'do it now, or remove the comment',
  ],
  [new RegExp(`@ts-${'(ignore|expect-error|nocheck)'}`), 'fix the types'],
];

export const comments: Rule = (source) =>
  source.lines.flatMap((line, index) =>
    bannedWords
      .filter(([pattern]) => pattern.test(line))
      .map(([pattern, instead]) => `${source.path}:${index + 1}: ${pattern.exec(line)?.[0]}: ${instead}`),
  );

/** Two letters in a row count as a word. A single unit or symbol is the same in every language. */
const hasWord = (text: unknown): boolean => typeof text === 'string' && /\p{L}{2}/u.test(text);

/** Text on a screen comes from the catalogue in src/locales, in the reader's language. */
export const literalText: Rule = (source) =>
  !source.path.startsWith('src/ui/') || !source.path.endsWith('.tsx')
    ? []
    : nodesOf(source.tree)
        .filter(
          (node) =>
            (node.type === 'JSXText' && hasWord(node['value'])) ||
            (node.type === 'JSXExpressionContainer' && hasWord(nodeAt(node, 'expression')?.['value'])) ||
            (node.type === 'JSXAttribute' &&
              readAttributes.includes(String(nodeAt(node, 'name')?.['name'])) &&
              hasWord(textOf(nodeAt(node, 'value')))),
        )
        .map((node) => complaintAt(source, node, 'text in a component; take it from useWords(…), see src/locales'));

/** A test that never runs, runs alone, or mocks a module proves nothing. */
export const tests: Rule = (source) =>
  nodesOfTypes(source.tree, 'MemberExpression', 'CallExpression').flatMap((node) => {
    const member = memberOf(node);
    // `skipIf` is for what a machine may lack. .ci/run fails if it skipped anything.
    if (/^(test|it|describe|bench)\.(skip|only|todo)\b/.test(member ?? '')) {
      return [complaintAt(source, node, `${member}: run it, or delete it`)];
    }
    const mocked = ['vi.mock', 'vi.doMock'].includes(memberOf(nodeAt(node, 'callee')) ?? '');
    return mocked ? [complaintAt(source, node, 'a mocked module: use the twin of the edge in test/support')] : [];
  });

/** A test that waits for time to pass is slow on every machine and flaky on a busy one. */
export const sleeps: Rule = (source) =>
  !isBelow(source.path, ['test']) || isBelow(source.path, realWaits)
    ? []
    : nodesOfTypes(source.tree, 'ImportDeclaration', 'CallExpression')
        .filter(isSleep)
        .map((node) => complaintAt(source, node, 'a sleep: wait for the event, or advance a virtual clock'));

const isSleep = (node: Node): boolean => {
  if (node.type === 'ImportDeclaration') return textOf(nodeAt(node, 'source')) === 'node:timers/promises';
  if (node.type !== 'CallExpression') return false;
  const callee = nameOf(nodeAt(node, 'callee'));
  return callee === 'setTimeout' || (callee === 'pause' && nameOf(nodesAt(node, 'arguments')[0]) === 'systemClock');
};

/** A table that is written without src/base/csv.ts may contain formulas that a spreadsheet runs. */
export const csvFiles: Rule = (source) => {
  if (!isBelow(source.path, ['src', 'drivers', 'electron', 'build']) || source.path === 'src/base/csv.ts') return [];
  return nodesOfTypes(source.tree, 'CallExpression', 'Literal').flatMap((node) => {
    // A CSV library, doubled quotation marks, and cells joined by hand.
    const isJoined = isJoin(node) && textOf(nodesAt(node, 'arguments')[0]) === ';';
    return isJoined || /^csv-stringify\b|^""$/.test(textOf(node) ?? '')
      ? [complaintAt(source, node, 'a line of CSV: write it with csvLine (src/base/csv.ts)')]
      : [];
  });
};

/**
 * Editors on Windows save a byte order mark, UTF-16 or a code page, so files that a person may have written are read
 * with care.
 */
export const textFiles: Rule = (source) => {
  if (!isBelow(source.path, ['src', 'drivers', 'electron']) || isBelow(source.path, machineTexts)) return [];
  return nodesOfTypes(source.tree, 'CallExpression').flatMap((node) => {
    const callee = nodeAt(node, 'callee');
    const isRead = /^readFile(Sync)?$/.test(nameOf(callee) ?? nameOf(nodeAt(callee, 'property')) ?? '');
    return isRead && nodesAt(node, 'arguments').some((each) => /^utf-?8$/.test(textOf(each) ?? ''))
      ? [complaintAt(source, node, 'a text file read as UTF-8: read it with readTextFile (src/base/files.ts)')]
      : [];
  });
};

/** A newer version may have added a column to the table, so a statement names the columns it fills. */
export const columnsNamed: Rule = (source) => {
  if (!isBelow(source.path, ['src'])) return [];
  return source.lines.flatMap((line, index) =>
    /\binsert (or \w+ )?into \S+ values\b/i.test(line)
      ? [`${source.path}:${index + 1}: a row without column names: insert into t (a, b) values …`]
      : [],
  );
};

const isJoin = (node: Node): boolean =>
  node.type === 'CallExpression' && nameOf(nodeAt(nodeAt(node, 'callee'), 'property')) === 'join';

/** A complete code in a text, and a text or a pattern that is the beginning of one. */
const codeIn = /(?<![\d.])\d{3}\.\d{3}\.\d{3}(?![\d.])|(?<=^|')(\d00|999)\.(\d{3}\.\d{0,3})?(?=[%']|$)/;
const codeInPattern = /(?<!\d)(\d00|999)\\\.|\\d\{3\}\\\.\\d\{3\}/;

/** The meaning of a result code is decided in one table. Other code refers to it by name. */
export const resultCodes: Rule = (source) => {
  if (!isBelow(source.path, ['src', 'drivers', 'electron']) || isBelow(source.path, resultCodePlaces)) return [];
  return nodesOfTypes(source.tree, 'Literal', 'TemplateElement').flatMap((node) => {
    const pattern = (node['regex'] as { pattern?: string } | undefined)?.pattern;
    const cooked = (node['value'] as { cooked?: string } | null | undefined)?.cooked;
    const text = textOf(node) ?? (node.type === 'TemplateElement' ? cooked : undefined);
    const found = pattern === undefined ? codeIn.exec(text ?? '') : codeInPattern.exec(pattern);
    const instead = 'a result code; name it in src/base/result-codes.ts, and use the name';
    return found === null ? [] : [complaintAt(source, node, `${found[0]}: ${instead}`)];
  });
};

/** A plain rename fails on Windows while a virus scanner has the file open. */
export const renames: Rule = (source) => {
  const isExempt = source.path === 'src/base/files.ts';
  if (isExempt || !isBelow(source.path, ['src', 'drivers', 'electron', 'build'])) return [];
  return nodesOfTypes(source.tree, 'ImportSpecifier', 'MemberExpression')
    .filter((node) => (node.type === 'ImportSpecifier' ? /^rename(Sync)?$/ : /^renameSync$/).test(takenName(node)))
    .map((node) => complaintAt(source, node, 'a plain rename: use renameFile or replaceFile (src/base/files.ts)'));
};

const takenName = (node: Node): string =>
  String(nodeAt(node, node.type === 'ImportSpecifier' ? 'imported' : 'property')?.['name']);
