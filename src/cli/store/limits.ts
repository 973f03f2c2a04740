/** `till limits`: what may be sold without the gateway, what of it is left, and whether a card would be taken now. */
import type { Command } from 'commander';
import { systemClock } from '../../base/clock.ts';
import type { OfflineConfig } from '../../folder/offline-config.ts';
import { allOff, changeLimits, limitNames, withLimit } from '../../offline/change.ts';
import { judge, recentCards } from '../../offline/recent-cards.ts';
import { type LimitRow, type OfflineReport, offlineReport } from '../../offline/report.ts';
import { permissionToChange } from '../../staff/running.ts';
import { type PersonFlags, personIfKnown, withPerson } from '../person.ts';
import { tell } from '../terms.ts';
import { printJson, printLines } from '../till-folder.ts';
import { count, type TillFlags, withTill, withTillOptions } from '../till-options.ts';

const examples = `
  npm run till -- limits set chip.upTo 50.00
  npm run till -- limits set chip.perCard.count 2
  npm run till -- limits set hours none

The limits; docs/offline.md says what each is for:`;

export const addLimits = (till: Command): void => {
  const limits = withTillOptions(
    till.command('limits').description('what may be sold while the gateway cannot be reached, and what is left of it'),
  ).action(show);
  withPerson(
    withTillOptions(
      limits.command('set <key> <value>').description('set one limit, such as chip.upTo 50.00; none takes it away'),
    ),
  )
    .addHelpText('after', () => [examples, ...limitNames().map((name) => `  ${name}`)].join('\n'))
    .action((key: string, value: string, flags: Flags) =>
      changeTo(merged(limits, flags), (offline) => withLimit(offline, key, value)),
    );
  withPerson(
    withTillOptions(limits.command('off').description('sell nothing while the gateway cannot be reached')),
  ).action((flags: Flags) => changeTo(merged(limits, flags), allOff));
};

type Flags = TillFlags & PersonFlags;

/** Options given before the word `set` or `off` belong to the command above it. */
const merged = (limits: Command, flags: Flags): Flags => {
  const given = (name: string): boolean => limits.getOptionValueSource(name) === 'cli';
  const above = Object.entries(limits.opts()).filter(([name]) => given(name));
  return { ...flags, ...Object.fromEntries(above) };
};

const show = (flags: TillFlags): Promise<void> =>
  withTill(flags, async (running) => {
    const { offline, hearsGateway } = running;
    // Its answer opens the time without it anew.
    const online = await hearsGateway();
    const readiness = offline.readiness();
    const judged = judge(recentCards(running, systemClock.now()), readiness);
    const report = { online, ...offlineReport(readiness, judged) };
    if (flags.json === true) printJson(running.shown, report);
    else printLines(running, [gatewayWords(online), ...limitsLines(report)]);
  });

/** Whether cards would be taken, by which cards, what would change it; then the table. */
export const limitsLines = (report: OfflineReport): string[] => [
  headline(report),
  ...cardsWords(report),
  '',
  ...table(report.rows),
];

const gatewayWords = (online: boolean): string =>
  online ? 'The gateway answers.' : 'The gateway cannot be reached now.';

const headline = ({ ready, why }: OfflineReport): string =>
  ready
    ? 'Ready: while the gateway cannot be reached, cards that fit these limits are taken.'
    : `Not ready: while the gateway cannot be reached nothing is taken, because ${why}.`;

const cardsWords = ({ ready, cards }: OfflineReport): string[] => {
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
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

const changeTo = (flags: Flags, change: (offline: OfflineConfig) => unknown): Promise<void> =>
  withTill(flags, async (running) => {
    const by = await personIfKnown(flags, running, permissionToChange('offline'));
    const { folder, journal } = running;
    const offline = changeLimits({ folder, journal, by: by?.name }, change);
    if (flags.json === true) printJson(running.shown, offline);
    else
      tell(
        'The limits are changed. They hold from the till’s next start on; look at them with: npm run till -- limits',
      );
  });
