/** The charts of the day, each with its rows as text. */
import { SimpleGrid } from '@mantine/core';
import { lazy } from 'react';
import type { Today as Day } from '../../../api/contract/books.ts';
import { bookedBrandName } from '../../../locales/names.ts';
import { useWords } from '../../locale/use-words.ts';
import { Chart, type ChartColumn } from '../../parts/figures.tsx';
import { heightOf, isNothing } from '../cents.ts';

const Hours = lazy(() => import('./drawings.tsx').then(({ Hours: one }) => ({ default: one })));
const HorizontalBars = lazy(() => import('./drawings.tsx').then(({ HorizontalBars: one }) => ({ default: one })));
const Days = lazy(() => import('./drawings.tsx').then(({ Days: one }) => ({ default: one })));

const TALL = 250;
const LOW = 200;

const useDrawing = (day: Day) => {
  const { t, money, number, time, day: dayText } = useWords('manager');
  const { currency } = day.taken;
  return {
    t,
    time,
    number,
    dayText,
    text: (amount: string) => money({ amount, currency }),
    write: (value: number) => number(value),
    words: { asTable: t.asTable, asChart: t.asChart },
    empty: t.today.chartEmpty,
    taken: { name: t.today.taken, isNumber: true } as ChartColumn,
  };
};

export const DayCharts = ({ day }: { day: Day }) => {
  const { t, shared } = useWords('manager');
  const brands = day.byBrand.map((row) => ({ ...row, name: bookedBrandName(row.brand, t) }));
  const terminals = day.byTerminal.map((row) => ({ ...row, name: row.counter }));
  return (
    <>
      <HourChart day={day} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <RankedChart day={day} title={t.today.byBrand} name={t.today.brand} ranked={brands} />
        <RankedChart day={day} title={t.today.byTerminal} name={shared.fields.counter} ranked={terminals} />
      </SimpleGrid>
      <DayChart day={day} />
    </>
  );
};

const isQuiet = ({ taken, lastWeek }: Day['byHour'][number], currency: string): boolean =>
  isNothing({ amount: taken, currency }) && isNothing({ amount: lastWeek, currency });

const HourChart = ({ day }: { day: Day }) => {
  const { t, text, time, write, words, empty } = useDrawing(day);
  const { currency } = day.taken;
  const first = day.byHour.findIndex((hour) => !isQuiet(hour, currency));
  const last = day.byHour.findLastIndex((hour) => !isQuiet(hour, currency));
  const hours = first < 0 ? [] : day.byHour.slice(first, last + 1);
  const name = ({ hour, at }: (typeof hours)[number]): string =>
    at === undefined ? `${String(hour).padStart(2, '0')}:00` : time(at);
  return (
    <Chart
      title={t.today.byHour}
      columns={[
        { name: t.today.hour },
        { name: t.sections.today, isNumber: true },
        { name: t.today.lastWeek, isNumber: true },
      ]}
      rows={hours.map((hour) => [name(hour), text(hour.taken), text(hour.lastWeek)])}
      {...{ switchTexts: words, empty }}
      height={TALL}
    >
      <Hours
        height={TALL}
        write={write}
        names={{ now: t.sections.today, before: t.today.lastWeek }}
        rows={hours.map((hour) => ({ name: name(hour), now: heightOf(hour.taken), before: heightOf(hour.lastWeek) }))}
      />
    </Chart>
  );
};

type RankedRow = { name: string; count: number; taken: string };

/** A bar for each brand or terminal. */
const RankedChart = ({ day, title, name, ranked }: { day: Day; title: string; name: string; ranked: RankedRow[] }) => {
  const { t, text, number, write, words, empty, taken } = useDrawing(day);
  return (
    <Chart
      title={title}
      columns={[{ name }, { name: t.count, isNumber: true }, taken]}
      rows={ranked.map((row) => [row.name, number(row.count), text(row.taken)])}
      {...{ switchTexts: words, empty }}
      height={LOW}
    >
      <HorizontalBars
        height={LOW}
        write={write}
        names={{ now: t.today.taken }}
        rows={ranked.map((row) => ({ name: `${row.name} ${text(row.taken)}`, now: heightOf(row.taken) }))}
      />
    </Chart>
  );
};

/** There is only room for day and month. */
const withoutYear = (day: string): string => day.replace(/[./-]?\d{4}[./-]?/, '');

const DayChart = ({ day }: { day: Day }) => {
  const { t, text, write, words, empty, taken, dayText } = useDrawing(day);
  return (
    <Chart
      title={t.today.byDay}
      columns={[{ name: t.today.day }, taken]}
      rows={day.byDay.map((row) => [dayText(row.day), text(row.taken)])}
      {...{ switchTexts: words, empty }}
      height={LOW}
    >
      <Days
        height={LOW}
        write={write}
        names={{ now: t.today.taken }}
        rows={day.byDay.map((row) => ({ name: withoutYear(dayText(row.day)), now: heightOf(row.taken) }))}
      />
    </Chart>
  );
};
