/** Generates docs/reference/results.md: how and why sales end at the till, and the gateway's result codes. */
import { type CodeMeaning, describe, meaningOf, resultCodes, statusOf } from '../../src/gateway/spec/results.ts';
import { type ReasonRow, reasons } from '../../src/locales/messages/en/reasons.ts';
import { code, page, pageHead, plainText, table } from './markdown.ts';

const endings = [
  ['approved', 'The money was taken or reserved.', '0'],
  ['declined', 'The card, the issuer, the gateway or a person declined it. Nothing was charged.', '1'],
  ['notSent', 'The sale provably ended before any authorization request. Nothing was charged.', '3'],
  [
    'unknown',
    'The outcome is not known yet. The till keeps asking, and reverses any payment that must not remain.',
    '4',
  ],
] as const;

const meanings: Readonly<Record<CodeMeaning, string>> = {
  approved: 'it is done',
  pending: 'it is in progress: ask again',
  declined: 'it was declined and certainly not carried out',
  refused: 'the request was invalid and was not carried out',
  later: 'it was not processed: send it again',
  unknown: 'it may have been carried out: ask',
};

const intro = `A sale has four outcomes. The exit code is that of the command that made the sale. A partial approval
exits with 6, a rejected command with 2, and a fault ([faults.md](faults.md)) with 5.`;

export const resultsPage = (): string => {
  const reason = Object.entries<ReasonRow>(reasons).map(([name, { says, money, next, again }]) => [
    code(name),
    plainText(says),
    plainText(money),
    plainText(next),
    again ? 'yes' : '',
  ]);
  return page(
    pageHead('Results', 'src/locales/messages/en/reasons.ts and src/gateway/spec/results.ts', intro),
    table(
      ['ending', 'means', 'exit code'],
      endings.map(([ending, says, exit]) => [code(ending), says, exit]),
    ),
    '## Why a sale ended this way',
    'The text that the cashier reads, by the code that programs test (`reason`).',
    table(['reason', 'what happened', 'the money', 'what to do', 'try again'], reason),
    '## Result codes of the gateway',
    'What a code means for the money is decided by the table of prefixes in `src/gateway/spec/results.ts`; a code that is not listed means *unknown*.',
    ...(Object.keys(meanings) as CodeMeaning[]).map(codesOf),
  );
};

const codesOf = (meaning: CodeMeaning): string => {
  const rows = resultCodes
    .filter((each) => meaningOf(each.code) === meaning)
    .map((each) => [code(each.code), `${statusOf(each.code)}`, plainText(describe(each.code))]);
  return `### ${meaning}\n\nMeaning: ${meanings[meaning]}.\n\n${table(['code', 'HTTP', 'words'], rows)}`;
};
