/** The day at a glance: four figures, takings by hour, brand, terminal and day, and what is still open. */
import { Alert, Button, Stack } from '@mantine/core';
import { Link } from 'wouter';
import type { Today as Day } from '../../../api/contract/books.ts';
import { fill } from '../../../base/placeholders.ts';
import { api, got } from '../../api.ts';
import { IconAlertTriangle, IconArrowBackUp, IconCash, IconCloudOff } from '../../icons/icons.ts';
import { useWords } from '../../locale/use-words.ts';
import { Figures } from '../../parts/figures.tsx';
import { Listed, ProblemNote } from '../../parts/problem.tsx';
import { isNothing } from '../cents.ts';
import { OpenItemLine } from '../open-items/line.tsx';
import { byUrgency } from '../open-items/urgency.ts';
import { Empty, Head, Panel } from '../parts.tsx';
import { KeyQuestions } from '../staff/key-actions.tsx';
import { useRead } from '../use-action.tsx';
import { DayCharts } from './charts.tsx';

export const Today = () => {
  const { t, day } = useWords('manager');
  const today = useRead(['today'], () => got(api.today.$get()));
  return (
    <>
      <Head title={t.sections.today} subtitle={today.data && fill(t.today.businessDay, { day: day(today.data.day) })} />
      <Stack>
        <KeyQuestions />
        {today.data !== undefined && today.error !== null && (
          <Alert color="yellow" icon={<IconAlertTriangle />}>
            {t.today.partial}
          </Alert>
        )}
        <Listed query={today}>
          {(day) => (
            <>
              <DayFigures day={day} />
              {day.sales === 0 ? (
                <Panel>
                  <Empty icon={<IconCash size={48} />}>{t.today.empty}</Empty>
                </Panel>
              ) : null}
              <DayCharts day={day} />
            </>
          )}
        </Listed>
        <OpenPanel />
      </Stack>
    </>
  );
};

const DayFigures = ({ day }: { day: Day }) => {
  const { t, format, money, number } = useWords('manager');
  const { exposure, most } = day.offline;
  const exposureHint =
    most === undefined || isNothing(exposure)
      ? t.today.exposureFree
      : fill(t.today.exposureMost, { most: money(most) });
  return (
    <Figures
      figures={[
        {
          name: t.today.taken,
          value: money(day.taken),
          hint: format(day.begun === undefined ? t.today.takenHint : t.today.takenBegun, {
            count: day.sales,
            begun: day.begun ?? 0,
          }),
          colour: 'green',
          icon: <IconCash size={20} />,
        },
        {
          name: t.today.refunded,
          value: money(day.refunded),
          colour: 'blue',
          icon: <IconArrowBackUp size={20} />,
        },
        {
          name: t.today.exposure,
          value: money(exposure),
          hint: exposureHint,
          colour: isNothing(exposure) ? 'gray' : 'violet',
          icon: <IconCloudOff size={20} />,
        },
        {
          name: t.sections.openItems,
          value: number(day.openItems),
          hint: day.openItems === 0 ? t.today.openNone : t.today.openSome,
          colour: day.openItems === 0 ? 'gray' : 'orange',
          icon: <IconAlertTriangle size={20} />,
        },
      ]}
    />
  );
};

/** Only the most urgent are listed; all of them are in their own section. */
const LISTED_MAX = 5;

const OpenPanel = () => {
  const { t, number } = useWords('manager');
  const items = useRead(['openItems'], () => got(api['open-items'].$get()));
  const hiddenCount = (items.data?.length ?? 0) - LISTED_MAX;
  return (
    <Panel title={t.sections.openItems}>
      {items.data !== undefined && items.error && <ProblemNote error={items.error} />}
      <Listed query={items} isEmpty={(all) => all.length === 0} empty={<Empty>{t.today.nothingOpen}</Empty>}>
        {(all) => (
          <Stack gap={0}>
            {byUrgency(all)
              .slice(0, LISTED_MAX)
              .map((item) => (
                <OpenItemLine key={item.receipt} item={item} />
              ))}
            {hiddenCount > 0 && (
              <Button component={Link} href="/manager/open-items" size="md" variant="light" mt="sm">
                {fill(t.more, { count: number(hiddenCount) })}
              </Button>
            )}
          </Stack>
        )}
      </Listed>
    </Panel>
  );
};
