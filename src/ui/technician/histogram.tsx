/** How long a terminal's answers took: a bar for each range of time, and the same as a table. */
import { Text } from '@mantine/core';
import type { DiagnosisAnswer } from '../../api/ports/devices.ts';
import { fill } from '../../words/fill.ts';
import { Chart } from '../parts/chart.tsx';
import { useWords } from '../words/words.ts';

type Loopback = NonNullable<DiagnosisAnswer['loopback']>;

export const Histogram = ({ of: { histogram, lost } }: { of: Loopback }) => {
  const { t, number } = useWords('technician');
  const range = ({ fromMs, toMs }: Loopback['histogram'][number]): string =>
    toMs === undefined
      ? fill(t.rangeOpen, { from: number(fromMs) })
      : fill(t.range, { from: number(fromMs), to: number(toMs) });
  const most = Math.max(1, ...histogram.map(({ count }) => count));
  return (
    <>
      <Chart
        title={t.histogram}
        columns={[{ name: t.answerTime }, { name: t.answers, isNumber: true }]}
        rows={histogram.map((bar) => [range(bar), number(bar.count)])}
        empty={t.histogramEmpty}
        words={{ asTable: t.asTable, asChart: t.asChart }}
        height={220}
      >
        <div className="te-bars">
          {histogram.map((bar) => (
            <div className="te-bar" key={bar.fromMs}>
              <b>{number(bar.count)}</b>
              <i style={{ blockSize: `${(bar.count / most) * 75}%` }} />
              <small>{range(bar)}</small>
            </div>
          ))}
        </div>
      </Chart>
      {lost > 0 && (
        <Text fw={700} c="var(--mantine-color-error)">
          {fill(t.lostAnswers, { count: lost })}
        </Text>
      )}
    </>
  );
};
