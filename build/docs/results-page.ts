/** Makes docs/reference/results.md: how sales end at the till and why, and the gateway's result codes. */
import { type CodeMeaning, describe, meaningOf, resultCodes, statusOf } from '../../src/gateway/spec/results.ts';
import { type ReasonRow, reasons } from '../../src/locales/messages/en/reasons.ts';
import { code, head, page, plain, table } from './markdown.ts';

const endings = [
  ['approved', 'The money moved, or is held.', '0'],
  ['declined', 'Somebody who may say no said no. Nothing was charged.', '1'],
  ['notSent', 'It ended before anybody could be asked, which is proved. Nothing was charged.', '3'],
  ['unknown', 'Nobody can say yet. The till goes on asking, and undoes what must not stand.', '4'],
] as const;

const meanings: Readonly<Record<CodeMeaning, string>> = {
  approved: 'it is done',
  pending: 'it is under way: ask again',
  declined: 'it is certainly not done, by somebody’s decision',
  refused: 'the request was wrong and was not carried out',
  later: 'it was not looked at: send it again',
  unknown: 'it may have been done: ask',
};

const intro = `A sale has four endings. The exit code is that of the command that made it; an approval of a part of the amount ends
with 6, a command that was refused with 2, a fault ([faults.md](faults.md)) with 5.`;

export const resultsPage = (): string => {
  const why = Object.entries<ReasonRow>(reasons).map(([name, { says, money, next, again }]) => [
    code(name),
    plain(says),
    plain(money),
    plain(next),
    again ? 'yes' : '',
  ]);
  return page(
    head('Results', 'src/locales/messages/en/reasons.ts and src/gateway/spec/results.ts', intro),
    table(
      ['ending', 'means', 'exit code'],
      endings.map(([ending, says, exit]) => [code(ending), says, exit]),
    ),
    '## Why a sale ended as it did',
    'The words that a cashier reads, under the code that programs switch on (`reason`).',
    table(['reason', 'what happened', 'the money', 'what to do', 'try again'], why),
    '## Result codes of the gateway',
    'What a code means for the money goes by the table of prefixes in `src/gateway/spec/results.ts`; a code that is not listed means *unknown*.',
    ...(Object.keys(meanings) as CodeMeaning[]).map(codesOf),
  );
};

const codesOf = (meaning: CodeMeaning): string => {
  const rows = resultCodes
    .filter((each) => meaningOf(each.code) === meaning)
    .map((each) => [code(each.code), `${statusOf(each.code)}`, plain(describe(each.code))]);
  return `### ${meaning}\n\nIn words: ${meanings[meaning]}.\n\n${table(['code', 'HTTP', 'words'], rows)}`;
};
