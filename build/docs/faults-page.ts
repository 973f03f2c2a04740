/** Makes docs/reference/faults.md: everything that can go wrong, group by group. */
import { type FaultRow, faults, type Remedy } from '../../src/base/faults.ts';
import { code, head, page, plain, table } from './markdown.ts';

const remedies: Readonly<Record<Remedy, string>> = {
  refuse: 'The input was wrong; nothing was done.',
  retry: 'It may be tried again at once.',
  inquire: 'What became of it is asked about before anything else.',
  queue: 'It is kept, and goes on by itself.',
  halt: 'Somebody has to act first.',
};

const intro = `A declined card is no fault but an outcome ([results.md](results.md)). A fault has a code that programs switch on, and three
sentences for people. \`{…}\` is filled with the facts of the case. Over the local API it is the body of a refusal, with
the fields \`code\`, \`says\`, \`money\`, \`next\` and \`remedy\`.`;

export const faultsPage = (): string => {
  const rows = Object.entries<FaultRow>(faults);
  const groups = Map.groupBy(rows, ([name]) => name.split('.')[0] ?? '');
  return page(
    head('Faults', 'src/base/faults.ts', intro),
    table(
      ['remedy', 'means'],
      Object.entries(remedies).map(([name, says]) => [code(name), says]),
    ),
    ...[...groups].map(([group, own]) => {
      const lines = own.map(([name, { says, money, next, remedy }]) => [
        code(name),
        plain(says),
        plain(money),
        plain(next),
        remedy,
      ]);
      return `## ${group}\n\n${table(['code', 'what happened', 'the money', 'what to do', 'remedy'], lines)}`;
    }),
  );
};
