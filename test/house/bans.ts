/** What is not written here, and what is written instead. */
import {
  complain,
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

const CLOCK = 'take a Clock by argument (src/base/clock.ts)';
const CHANCE = 'take a Random or Ids by argument (src/base/ids.ts)';
const SETTING = 'take it by argument; src/folder/machine.ts reads it';
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

/** Time, chance, settings and the screen come in by argument everywhere but in base and where the machine is read. */
export const calledOutside: Rule = (source) => {
  if (
    !isBelow(source.path, ['src', 'drivers', 'electron']) ||
    isBelow(source.path, ['src/base', 'src/folder/machine.ts', ...platformClocks])
  )
    return [];
  const types = ['MemberExpression', 'NewExpression', 'CallExpression', 'ImportDeclaration'];
  return nodesOfTypes(source.tree, ...types).flatMap((node) => {
    const [what, instead] = outsideWorld(node) ?? [];
    const letOff =
      (isBelow(source.path, ['src/cli', 'electron', ...programs]) && forTerminals.includes(what ?? '')) ||
      (isBelow(source.path, platformChance) && instead === CHANCE);
    return instead === undefined || letOff ? [] : [complain(source, node, `${what}: ${instead}`)];
  });
};

const outsideWorld = (node: Node): [what: string, instead: string | undefined] | undefined => {
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
  TSAnyKeyword: 'any: say what it is, or unknown',
  TSEnumDeclaration: 'enum: a union of literals',
  TSNonNullExpression: '!: handle the missing value, or throw a Fault that names it',
  TSModuleDeclaration: 'namespace: a file is one already',
  TSParameterProperty: 'parameter property: declare the field',
  TSExportAssignment: 'export =: export it by its name',
  TSImportEqualsDeclaration: 'import =: import it from its module',
};

export const constructs: Rule = (source) =>
  nodesOfTypes(source.tree, ...Object.keys(syntax)).map((node) => complain(source, node, syntax[node.type] ?? ''));

// Written in two parts, lest this file complain about itself.
const words: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(`\\b(${['TO', 'FIX'].map((half, at) => half + ['DO', 'ME'][at]).join('|')})\\b`),
    'do it now, or leave it out',
  ],
  [new RegExp(`@ts-${'(ignore|expect-error|nocheck)'}`), 'make the types true'],
];

export const comments: Rule = (source) =>
  source.lines.flatMap((line, index) =>
    words
      .filter(([pattern]) => pattern.test(line))
      .map(([pattern, instead]) => `${source.path}:${index + 1}: ${pattern.exec(line)?.[0]}: ${instead}`),
  );

/** Two letters in a row are a word; a unit or a sign alone is the same in every language. */
const hasWord = (text: unknown): boolean => typeof text === 'string' && /\p{L}{2}/u.test(text);

/** What people read on a screen comes from its words (src/locales), in their language. */
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
        .map((node) => complain(source, node, 'text in a component; take it from useWords(…), see src/locales'));

/** A test that never runs, runs alone, or runs against a pretended module proves nothing. */
export const tests: Rule = (source) =>
  nodesOfTypes(source.tree, 'MemberExpression', 'CallExpression').flatMap((node) => {
    const member = memberOf(node);
    // `skipIf` is for what a machine may lack; .ci/run fails when it skipped anything.
    if (/^(test|it|describe|bench)\.(skip|only|todo)\b/.test(member ?? '')) {
      return [complain(source, node, `${member}: run it, or take it out`)];
    }
    const mocked = ['vi.mock', 'vi.doMock'].includes(memberOf(nodeAt(node, 'callee')) ?? '');
    return mocked ? [complain(source, node, 'a mocked module: use the twin of the edge in test/support')] : [];
  });

/** A test that waits for time to pass is slow on every machine and wrong on a busy one. */
export const sleeps: Rule = (source) =>
  !isBelow(source.path, ['test']) || isBelow(source.path, realWaits)
    ? []
    : nodesOfTypes(source.tree, 'ImportDeclaration', 'CallExpression')
        .filter(isSleep)
        .map((node) => complain(source, node, 'a sleep: wait for what is to happen, or move a virtual clock'));

const isSleep = (node: Node): boolean => {
  if (node.type === 'ImportDeclaration') return textOf(nodeAt(node, 'source')) === 'node:timers/promises';
  if (node.type !== 'CallExpression') return false;
  const callee = nameOf(nodeAt(node, 'callee'));
  return callee === 'setTimeout' || (callee === 'pause' && nameOf(nodesAt(node, 'arguments')[0]) === 'systemClock');
};

/** A table that is written past the guard of src/base/csv.ts may hold what a spreadsheet runs. */
export const csvFiles: Rule = (source) => {
  if (!isBelow(source.path, ['src', 'drivers', 'electron', 'build']) || source.path === 'src/base/csv.ts') return [];
  return nodesOfTypes(source.tree, 'CallExpression', 'Literal').flatMap((node) => {
    // A library for it, quotation marks that are doubled, and cells that are joined by hand.
    const isJoined = isJoin(node) && textOf(nodesAt(node, 'arguments')[0]) === ';';
    return isJoined || /^csv-stringify\b|^""$/.test(textOf(node) ?? '')
      ? [complain(source, node, 'a line of CSV: write it with csvLine (src/base/csv.ts)')]
      : [];
  });
};

/** An editor of Windows saves a mark, UTF-16 or a code page: what a person may have written is read with care. */
export const textFiles: Rule = (source) => {
  if (!isBelow(source.path, ['src', 'drivers', 'electron']) || isBelow(source.path, machineTexts)) return [];
  return nodesOfTypes(source.tree, 'CallExpression').flatMap((node) => {
    const callee = nodeAt(node, 'callee');
    const isRead = /^readFile(Sync)?$/.test(nameOf(callee) ?? nameOf(nodeAt(callee, 'property')) ?? '');
    return isRead && nodesAt(node, 'arguments').some((each) => /^utf-?8$/.test(textOf(each) ?? ''))
      ? [complain(source, node, 'a text file read as UTF-8: read it with readTextFile (src/base/files.ts)')]
      : [];
  });
};

/** A newer version may have given the table a column more: the columns that are meant are named. */
export const columnsNamed: Rule = (source) => {
  if (!isBelow(source.path, ['src'])) return [];
  return source.lines.flatMap((line, index) =>
    /\binsert (or \w+ )?into \S+ values\b/i.test(line)
      ? [`${source.path}:${index + 1}: a row without the names of its columns: insert into t (a, b) values …`]
      : [],
  );
};

const isJoin = (node: Node): boolean =>
  node.type === 'CallExpression' && nameOf(nodeAt(nodeAt(node, 'callee'), 'property')) === 'join';

/** A whole code in a text, and a text or a pattern that is the beginning of one. */
const codeIn = /(?<![\d.])\d{3}\.\d{3}\.\d{3}(?![\d.])|(?<=^|')(\d00|999)\.(\d{3}\.\d{0,3})?(?=[%']|$)/;
const codeInPattern = /(?<!\d)(\d00|999)\\\.|\\d\{3\}\\\.\\d\{3\}/;

/** What a result code means is decided in one table, and asked for by name. */
export const resultCodes: Rule = (source) => {
  if (!isBelow(source.path, ['src', 'drivers', 'electron']) || isBelow(source.path, resultCodePlaces)) return [];
  return nodesOfTypes(source.tree, 'Literal', 'TemplateElement').flatMap((node) => {
    const pattern = (node['regex'] as { pattern?: string } | undefined)?.pattern;
    const cooked = (node['value'] as { cooked?: string } | null | undefined)?.cooked;
    const text = textOf(node) ?? (node.type === 'TemplateElement' ? cooked : undefined);
    const found = pattern === undefined ? codeIn.exec(text ?? '') : codeInPattern.exec(pattern);
    const instead = 'a result code; name it in src/base/result-codes.ts, and ask by its name';
    return found === null ? [] : [complain(source, node, `${found[0]}: ${instead}`)];
  });
};

/** A bare rename fails on Windows as long as a virus scanner has the file open. */
export const renames: Rule = (source) => {
  const letOff = source.path === 'src/base/files.ts';
  if (letOff || !isBelow(source.path, ['src', 'drivers', 'electron', 'build'])) return [];
  return nodesOfTypes(source.tree, 'ImportSpecifier', 'MemberExpression')
    .filter((node) => (node.type === 'ImportSpecifier' ? /^rename(Sync)?$/ : /^renameSync$/).test(takenName(node)))
    .map((node) => complain(source, node, 'a bare rename: take renameFile or replaceFile (src/base/files.ts)'));
};

const takenName = (node: Node): string =>
  String(nodeAt(node, node.type === 'ImportSpecifier' ? 'imported' : 'property')?.['name']);
