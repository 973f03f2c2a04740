/** `till limits`: what the till may sell offline, how much of it is left, and whether a card would be accepted now. */
import type { Command } from 'commander';
import type { LimitRow, LimitsReport } from '../../api/contract/limits.ts';
import { limitNames } from '../../offline/change.ts';
import { type TillApi, unwrap } from '../api-client.ts';
import { optionsOf } from '../arguments.ts';
import { type ApiFlags, withTillApi } from '../front-door.ts';
import { tableRow } from '../terms.ts';
import { count, tillCommand } from '../till-options.ts';

const examples = `
  npm run till -- limits set chip.upTo 50.00
  npm run till -- limits set chip.perCard.count 2
  npm run till -- limits set hours none

The limits; docs/offline.md says what each is for:`;

export const addLimits = (till: Command): void => {
  const says = 'what may be sold while the gateway cannot be reached, and how much of it is left';
  const limits = tillCommand(till, 'limits', says).action(showLimits);
  tillCommand(limits, 'set <key> <value>', 'set one limit, such as chip.upTo 50.00; none removes it')
    .addHelpText('after', () => [examples, ...limitNames().map((name) => `  ${name}`)].join('\n'))
    .action((key: string, value: string, ...[, command]: [unknown, Command]) =>
      changeTo(optionsOf(command), async () => ({ [key]: value })),
    );
  tillCommand(limits, 'off', 'sell nothing while the gateway cannot be reached').action(
    (_: unknown, command: Command) => changeTo(optionsOf(command), allOff),
  );
};

const showLimits = (flags: ApiFlags): Promise<void> =>
  withTillApi(flags, async ({ api, show }) => {
    const report = await unwrap(api.limits.report.$get());
    show({ json: report, lines: [gatewayWords(report.online), ...limitsLines(report)] });
  });

type Report = Omit<LimitsReport, 'online'>;

/** Whether cards would be accepted, how many of the last ones, what would change that, and the table of limits. */
export const limitsLines = (report: Report): string[] => [
  headline(report),
  ...cardsWords(report),
  '',
  ...table(report.rows),
];

const gatewayWords = (online: boolean): string =>
  online ? 'The gateway answers.' : 'The gateway cannot be reached now.';

const headline = ({ ready, why }: Report): string =>
  ready
    ? 'Ready: while the gateway cannot be reached, cards that fit these limits are taken.'
    : `Not ready: while the gateway cannot be reached nothing is taken, because ${why}.`;

const cardsWords = ({ ready, cards }: Report): string[] => {
  if (cards === undefined || cards.seen === 0) return [];
  const { seen, taken, why, cure } = cards;
  return [
    `Of the last ${count(seen, 'card')} read here, ${taken} would be taken.`,
    ...(ready && taken < seen && why ? [`Not the others: ${why.why}.`] : []),
    ...(cure
      ? [
          `One limit would change it: then ${cure.taken} of ${seen} would be taken, at more risk for the store.`,
          `  npm run till -- limits set ${cure.key} ${cure.value}`,
        ]
      : []),
  ];
};

const table = (rows: readonly LimitRow[]): string[] => {
  const cells = rows.map(({ of, limit, most, used = '', left = '' }) => [of, limit, most, used, left]);
  const all = [['', '', 'limit', 'used', 'left'], ...cells];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  return all.map((row) => tableRow(widths)(...row));
};

type Changes = Record<string, string>;

const changeTo = (flags: ApiFlags, changesOf: (api: TillApi) => Promise<Changes>): Promise<void> =>
  withTillApi(flags, async ({ api, show }) => {
    const { written } = await unwrap(api.limits.$put({ json: { changes: await changesOf(api) } }));
    show({
      json: written,
      says: 'The limits are changed, and hold from now on. Show them with: npm run till -- limits',
    });
  });

/** Sets only the amounts to zero: the other limits are kept for the next time they are switched on. */
const allOff = async (api: TillApi): Promise<Changes> => {
  const { settings } = await unwrap(api.limits.$get());
  const on = settings.filter(({ key, value }) => /^(chip|deferred|refunds)\.upTo$/.test(key) && Number(value) !== 0);
  return Object.fromEntries(on.map(({ key }) => [key, '0.00']));
};
