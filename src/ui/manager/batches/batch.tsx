/** One batch: its totals, its printed report, and an X report while it is open. */
import { Alert, Badge, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { BatchReport } from '../../../api/contract/books.ts';
import { fill } from '../../../base/placeholders.ts';
import { api, got } from '../../api.ts';
import { useWords } from '../../locale/use-words.ts';
import { ModeMark } from '../../parts/bars.tsx';
import { Listed, ProblemNote } from '../../parts/problem.tsx';
import { Download, Head, Panel, Paper } from '../parts.tsx';
import { type ActionRunner, useAction, useRead } from '../use-action.tsx';
import { attemptsText, CurrencyTables } from './batch-facts.tsx';
import { batchColours } from './batches.tsx';

export const Batch = ({ batch, terminalId }: { batch: string; terminalId?: string }) => {
  const { t, language, day } = useWords('manager');
  const of: { terminalId: string } | Record<never, string> = terminalId === undefined ? {} : { terminalId };
  const report = useRead(['batches', batch, terminalId, language], () =>
    got(api.batches[':batch{[0-9]{1,9}}'].$get({ param: { batch }, query: of })),
  );
  const runner = useAction('batches');
  const [x, setX] = useState<readonly string[]>();
  const makeX = async (): Promise<void> => {
    const record = await runner.run((headers) => got(api['x-reports'].$post({ query: of }, { headers })));
    if (record !== undefined) setX(record.paper);
  };
  const closeAt = terminalId === undefined ? '/manager/close' : `/manager/close/${encodeURIComponent(terminalId)}`;
  const isOpen = report.data !== undefined && report.data.state !== 'closed';
  return (
    <>
      <Head title={fill(t.batches.batch, { batch })} subtitle={report.data && day(report.data.day)}>
        {isOpen && <OpenActions runner={runner} makeX={() => void makeX()} closeAt={closeAt} />}
        <Download of="batch" as="csv" query={{ batch, ...of }} />
        <Download of="batch" as="pdf" query={{ batch, ...of }} />
      </Head>
      {runner.error !== undefined && <ProblemNote error={runner.error} />}
      <Listed query={report}>{(one) => <BatchSides report={one} x={x} />}</Listed>
    </>
  );
};

const OpenActions = ({ runner, makeX, closeAt }: { runner: ActionRunner; makeX(): void; closeAt: string }) => {
  const { t } = useWords('manager');
  return (
    <>
      <Button size="md" variant="default" loading={runner.busy} onClick={makeX}>
        {t.batches.xReport}
      </Button>
      <Button size="md" component={Link} href={closeAt}>
        {t.batches.closeIt}
      </Button>
    </>
  );
};

const BatchSides = ({ report, x }: { report: BatchReport; x?: readonly string[] }) => {
  const { t } = useWords('manager');
  const paper = report.paper ?? x;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Stack>
        <BatchFacts report={report} />
        <CurrencyTables currencies={report.currencies} />
      </Stack>
      <Panel title={x && !report.paper ? t.batches.xReport : t.batches.z} aside={<ModeMark />}>
        {x && !report.paper && <Text mb="sm">{t.batches.xHint}</Text>}
        {paper ? <Paper lines={paper} label={t.batches.paper} /> : <Text c="dimmed">{t.batches.noPaper}</Text>}
      </Panel>
    </SimpleGrid>
  );
};

const BatchFacts = ({ report }: { report: BatchReport }) => {
  const { t, format, number, money, dateTime } = useWords('manager');
  const facts: readonly (readonly [name: string, value: string])[] = [
    [t.batches.net, report.net.map(money).join(' · ') || '–'],
    [t.count, attemptsText(report, { t, format, number })],
    [t.batches.receipts, report.receipts ? `${report.receipts.first} – ${report.receipts.last}` : '–'],
    [t.batches.terminal, [report.counter, report.terminalId].filter(Boolean).join(' · ')],
    [t.batches.opened, dateTime(report.openedAt)],
    [t.batches.closed, report.closedAt === undefined ? '–' : dateTime(report.closedAt)],
    [t.batches.z, report.z === undefined ? '–' : number(report.z)],
  ];
  return (
    <Panel>
      <Group justify="space-between" mb="xs">
        <Badge size="xl" variant="light" autoContrast color={batchColours[report.state]}>
          {t.batches.states[report.state]}
        </Badge>
      </Group>
      {report.override && (
        <Alert color="orange" mb="sm" style={{ overflowWrap: 'anywhere' }}>
          {fill(t.batches.override, report.override)}
        </Alert>
      )}
      <dl className="m-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
};
