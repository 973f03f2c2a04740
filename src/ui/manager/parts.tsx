/** Small components shared by the manager's sections: headings, cards, numbers, empty states, downloads. */
import { Box, Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Amount } from '../../api/contract/wire.ts';
import { api, got } from '../api.ts';
import { IconDownload, IconPrinter } from '../icons/icons.ts';
import { useWords } from '../locale/use-words.ts';
import { ModeMark } from '../parts/bars.tsx';
import { ProblemNote } from '../parts/problem.tsx';
import { differingPieces } from './cents.ts';
import { fetchFile } from './files.ts';
import { useAction } from './use-action.tsx';

/** The section's heading, with actions for the whole section. */
export const Head = ({ title, subtitle, children }: { title: string; subtitle?: string; children?: ReactNode }) => (
  <Group justify="space-between" align="flex-end" mb="md" gap="sm">
    <Box miw={0}>
      <Group gap="sm" wrap="nowrap">
        <Title order={1} size="h2">
          {title}
        </Title>
        <ModeMark />
      </Group>
      {subtitle !== undefined && <Text c="dimmed">{subtitle}</Text>}
    </Box>
    <Group gap="sm" className="m-no-print">
      {children}
    </Group>
  </Group>
);

export const Panel = ({ title, aside, children }: { title?: string; aside?: ReactNode; children: ReactNode }) => (
  <Card withBorder padding="md" radius="md">
    {title !== undefined && (
      <Group justify="space-between" mb="sm" className="m-panel-head">
        <Title order={2} size="h4">
          {title}
        </Title>
        {aside}
      </Group>
    )}
    {children}
  </Card>
);

export const Loading = () => {
  const { shared } = useWords('manager');
  return (
    <Stack role="status" aria-label={shared.loading}>
      <Skeleton height={36} width="40%" />
      <Skeleton height={110} />
      <Skeleton height={220} />
    </Stack>
  );
};

export const Empty = ({ icon, children }: { icon?: ReactNode; children: ReactNode }) => (
  <Stack align="center" gap="xs" py="xl" ta="center">
    {icon}
    <Text c="dimmed" size="lg" maw="36rem">
      {children}
    </Text>
  </Stack>
);

/** Parses `12.50 EUR`, the till's format for amounts within texts. */
export const amountIn = (text: string): Amount => {
  const [amount = '', currency = ''] = text.split(' ');
  return { amount, currency };
};

/** An amount in the reader's format. Of two that differ, the differing digits are highlighted. */
export const Money = ({ amount, against }: { amount: Amount; against?: Amount | undefined }) => {
  const { money } = useWords('manager');
  const text = money(amount);
  if (against === undefined || against.currency !== amount.currency) return <span className="m-number">{text}</span>;
  let at = 0;
  return (
    <span className="m-number">
      {differingPieces(text, money(against)).map((piece) => {
        at += piece.text.length;
        return piece.differs ? (
          <mark key={at} className="m-cent">
            {piece.text}
          </mark>
        ) : (
          piece.text
        );
      })}
    </span>
  );
};

type DownloadProps = {
  of: string;
  as: 'csv' | 'pdf';
  query?: Readonly<Record<string, string | number>>;
  label?: string;
};

/** Saves a file of the till; shows why if it cannot. */
export const Download = ({ of, as, query = {}, label }: DownloadProps) => {
  const runner = useAction();
  return (
    <>
      <Button
        size="md"
        variant="default"
        leftSection={<IconDownload size={20} />}
        loading={runner.busy}
        onClick={() => void runner.run(() => fetchFile({ of, as, query }))}
      >
        {label ?? as.toUpperCase()}
      </Button>
      {runner.error !== undefined && <ProblemNote error={runner.error} />}
    </>
  );
};

/** A report wider than the screen can be scrolled by the arrow keys. */
const scrolledByKeys = { tabIndex: 0 };

/** A report as on paper, with the ways to print it. */
export const Paper = ({ lines, label }: { lines: readonly string[]; label: string }) => {
  const { t, shared } = useWords('manager');
  const runner = useAction();
  const [isPrinted, setPrinted] = useState(false);
  const print = async (): Promise<void> => {
    setPrinted(false);
    const done = await runner.run((headers) =>
      got(api.reports.print.$post({ json: { lines: [...lines] } }, { headers })),
    );
    setPrinted(done !== undefined);
  };
  return (
    <Stack align="flex-start">
      <Group className="m-no-print">
        <Button
          size="md"
          variant="light"
          leftSection={<IconPrinter size={20} />}
          loading={runner.busy}
          onClick={() => void print()}
        >
          {shared.print}
        </Button>
        <Text role="status">{isPrinted ? t.printed : ''}</Text>
      </Group>
      {runner.error !== undefined && <ProblemNote error={runner.error} />}
      <section className="m-paper" aria-label={label} {...scrolledByKeys}>
        <pre>{lines.join('\n')}</pre>
      </section>
    </Stack>
  );
};
