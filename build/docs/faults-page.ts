/** Generates docs/reference/faults.md: every fault, by group. */
import { type FaultRow, faults, type Remedy } from '../../src/base/faults.ts';
import { code, page, pageHead, plainText, table } from './markdown.ts';

const remedies: Readonly<Record<Remedy, string>> = {
  refuse: 'The input was wrong; nothing was done.',
  retry: 'It can be retried at once.',
  inquire: 'The till first asks what happened to the payment.',
  queue: 'The message is queued and sent automatically later.',
  halt: 'A person has to act first.',
};

const intro = `A declined card is an outcome, not a fault ([results.md](results.md)). A fault has a code for programs
to test, and three sentences for people. \`{…}\` is replaced with the details of the case. In the local API a fault is
the body of an error response, with the fields \`code\`, \`says\`, \`money\`, \`next\` and \`remedy\`.`;

export const faultsPage = (): string => {
  const rows = Object.entries<FaultRow>(faults);
  const groups = Map.groupBy(rows, ([name]) => name.split('.')[0] ?? '');
  return page(
    pageHead('Faults', 'src/base/faults.ts', intro),
    table(
      ['remedy', 'means'],
      Object.entries(remedies).map(([name, text]) => [code(name), text]),
    ),
    ...[...groups].map(([group, groupRows]) => {
      const lines = groupRows.map(([name, { says, money, next, remedy }]) => [
        code(name),
        plainText(says),
        plainText(money),
        plainText(next),
        remedy,
      ]);
      return `## ${group}\n\n${table(['code', 'what happened', 'the money', 'what to do', 'remedy'], lines)}`;
    }),
  );
};
