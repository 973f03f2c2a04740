/**
 * The drawings of the day. Only this file imports the chart library, and it is loaded when there is something to draw.
 */
// Nothing else here uses the component that draws a legend's colours.
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

/** The size of an axis, which is drawn in pixels: it grows with the page's font size. */
const toPx = (px: number): number => (px * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)) / 16;

/** Bars for this day over the line of the same day one week before. */
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
    yAxisProps={{ width: toPx(64) }}
    composedChartProps={{ accessibilityLayer: false }}
    series={[
      { name: 'now', label: names['now'] ?? '', color: 'blue.6', type: 'bar' },
      { name: 'before', label: names['before'] ?? '', color: 'gray.6', type: 'line' },
    ]}
  />
);

const oneBar = ({ rows, height, write, names }: Shared) => ({
  withBarValueLabel: false,
  gridAxis: 'x' as const,
  tickLine: 'none' as const,
  h: height,
  data: [...rows] as Record<string, string | number>[],
  dataKey: 'name',
  valueFormatter: write,
  barChartProps: { accessibilityLayer: false },
  series: [{ name: 'now', label: names['now'] ?? '', color: 'blue.6' }],
});

/** One horizontal bar per row, with its name in front. */
export const HorizontalBars = (shared: Shared) => (
  <BarChart
    {...oneBar(shared)}
    orientation="vertical"
    gridAxis="none"
    withXAxis={false}
    maxBarWidth={26}
    yAxisProps={{ width: toPx(200) }}
  />
);

/** The last days, with today highlighted. */
export const Days = (shared: Shared) => (
  <BarChart {...oneBar(shared)} maxBarWidth={36} yAxisProps={{ width: toPx(64) }} />
);
