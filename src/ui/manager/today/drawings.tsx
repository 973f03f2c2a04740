/** The drawings of the day. This file alone brings the chart library, and is loaded when there is something to draw. */
// The colour beside each name of a legend is a part that nothing else here uses.
import '@mantine/core/styles/ColorSwatch.css';
import '@mantine/charts/styles.css';
import { BarChart, CompositeChart } from '@mantine/charts';

type Row = Readonly<Record<string, string | number>>;
type Shared = {
  rows: readonly Row[];
  height: number;
  write(value: number): string;
  names: Readonly<Record<string, string>>;
};

const plain = { withBarValueLabel: false, gridAxis: 'x', tickLine: 'none' } as const;

/** Of an axis, which is drawn in pixels: it grows with the letters of the page. */
const wide = (px: number): number => (px * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)) / 16;

/** Bars of this day over the line of the same day a week before. */
export const Hours = ({ rows, height, write, names }: Shared) => (
  <CompositeChart
    h={height}
    data={[...rows] as Record<string, string | number>[]}
    dataKey="name"
    tickLine="none"
    gridAxis="x"
    withLegend
    maxBarWidth={44}
    curveType="monotone"
    valueFormatter={write}
    yAxisProps={{ width: wide(64) }}
    composedChartProps={{ accessibilityLayer: false }}
    series={[
      { name: 'now', label: names['now'] ?? '', color: 'blue.6', type: 'bar' },
      { name: 'before', label: names['before'] ?? '', color: 'gray.6', type: 'line' },
    ]}
  />
);

/** One bar a row, drawn sideways, its name before it. */
export const Sideways = ({ rows, height, write, names }: Shared) => (
  <BarChart
    {...plain}
    h={height}
    data={[...rows] as Record<string, string | number>[]}
    dataKey="name"
    orientation="vertical"
    gridAxis="none"
    withXAxis={false}
    maxBarWidth={26}
    yAxisProps={{ width: wide(200) }}
    valueFormatter={write}
    barChartProps={{ accessibilityLayer: false }}
    series={[{ name: 'now', label: names['now'] ?? '', color: 'blue.6' }]}
  />
);

/** The last days, today the strongest. */
export const Days = ({ rows, height, write, names }: Shared) => (
  <BarChart
    {...plain}
    h={height}
    data={[...rows] as Record<string, string | number>[]}
    dataKey="name"
    maxBarWidth={36}
    yAxisProps={{ width: wide(64) }}
    valueFormatter={write}
    barChartProps={{ accessibilityLayer: false }}
    series={[{ name: 'now', label: names['now'] ?? '', color: 'blue.6' }]}
  />
);
