/** Files to keep or pass on: sales, audit list, batches and reconciliations, for the chosen days. */
import { Alert, Button, Group, NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useContext, useState } from 'react';
import { fill } from '../../../base/placeholders.ts';
import { api, got } from '../../api.ts';
import { now } from '../../clock.ts';
import { ReaderContext, useWords } from '../../locale/use-words.ts';
import { addressOf, areOfSeveral, ofTerminal } from '../batches/batch-facts.tsx';
import { dayOf, endOf, monthOf, startOf } from '../days.ts';
import { Download, Head, Panel } from '../parts.tsx';
import { useRead } from '../use-action.tsx';

type Span = { from: string; to: string };

export const Reports = () => {
  const { t } = useWords('manager');
  const { timeZone } = useContext(ReaderContext);
  const today = dayOf(now(), timeZone);
  const [span, setSpan] = useState<Span>({ from: monthOf(today), to: today });
  const query = queryOf(span, timeZone);
  return (
    <>
      <Head title={t.sections.reports} subtitle={t.reports.intro} />
      <Stack>
        <SpanFields span={span} setSpan={setSpan} today={today} isWrong={query === undefined} />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Report title={t.count} subtitle={t.reports.salesSays}>
            {query && <Download of="sales" as="csv" query={query} />}
          </Report>
          <Report title={t.sections.audit} subtitle={t.reports.auditSays}>
            {query && <Download of="audit" as="csv" query={query} />}
          </Report>
          <BatchReport />
          <ReconciliationReport />
        </SimpleGrid>
      </Stack>
    </>
  );
};

/** The query for the till, ms; empty days set no limit. Undefined when the days are in the wrong order. */
const queryOf = ({ from, to }: Span, timeZone: string): Record<string, number> | undefined => {
  const start = from === '' ? undefined : startOf(from, timeZone);
  const end = to === '' ? undefined : endOf(to, timeZone);
  if (start !== undefined && end !== undefined && start >= end) return undefined;
  // An undefined limit would appear in the address as the word `undefined`.
  return { ...(start !== undefined && { from: start }), ...(end !== undefined && { to: end }) };
};

type FieldsProps = { span: Span; setSpan(span: Span): void; today: string; isWrong: boolean };

const SpanFields = ({ span, setSpan, today, isWrong }: FieldsProps) => {
  const { t } = useWords('manager');
  return (
    <Panel>
      <Group align="flex-end">
        <TextInput
          type="date"
          size="md"
          label={t.reports.from}
          value={span.from}
          max={today}
          onChange={({ currentTarget }) => setSpan({ ...span, from: currentTarget.value })}
        />
        <TextInput
          type="date"
          size="md"
          label={t.reports.to}
          value={span.to}
          max={today}
          onChange={({ currentTarget }) => setSpan({ ...span, to: currentTarget.value })}
        />
        <Button size="md" variant="default" onClick={() => setSpan({ from: today, to: today })}>
          {t.sections.today}
        </Button>
        <Button size="md" variant="default" onClick={() => setSpan({ from: monthOf(today), to: today })}>
          {t.reports.month}
        </Button>
        <Button size="md" variant="default" onClick={() => setSpan({ from: '', to: '' })}>
          {t.reports.all}
        </Button>
      </Group>
      {isWrong && (
        <Alert color="yellow" mt="sm" role="alert">
          {t.reports.wrongWay}
        </Alert>
      )}
    </Panel>
  );
};

const Report = ({ title, subtitle, children }: { title: string; subtitle: string; children: ReactNode }) => (
  <Panel title={title}>
    <Text c="dimmed" mb="sm">
      {subtitle}
    </Text>
    <Group align="flex-end">{children}</Group>
  </Panel>
);

const BatchReport = () => {
  const { t, day } = useWords('manager');
  const batches = useRead(['batches'], () => got(api.batches.$get({ query: {} })));
  const [chosen, setChosen] = useState<string>();
  const rows = (batches.data ?? []).toSorted((left, right) => right.batch - left.batch);
  const row = rows.find((one) => addressOf(one) === chosen) ?? rows[0];
  const isOfSeveral = areOfSeveral(rows);
  return (
    <Report title={t.sections.batches} subtitle={t.reports.batchesSays}>
      {row === undefined && <Text>{t.reports.nothing}</Text>}
      {row !== undefined && (
        <>
          <NativeSelect
            size="md"
            label={t.reports.choose}
            value={addressOf(row)}
            data={rows.map((one) => ({
              value: addressOf(one),
              label: `${ofTerminal(fill(t.batches.batch, { batch: one.batch }), one, isOfSeveral)} · ${day(one.day)}`,
            }))}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          />
          <Download of="batch" as="csv" query={{ batch: row.batch, terminalId: row.terminalId }} />
          <Download of="batch" as="pdf" query={{ batch: row.batch, terminalId: row.terminalId }} />
        </>
      )}
    </Report>
  );
};

const ReconciliationReport = () => {
  const { t } = useWords('manager');
  const files = useRead(['reconciliations'], () => got(api.reconciliations.$get()));
  const [chosen, setChosen] = useState<string>();
  const rows = files.data ?? [];
  const id = chosen ?? rows[0]?.id;
  return (
    <Report title={t.reports.reconciliations} subtitle={t.reports.reconciliationsSays}>
      {id === undefined && <Text>{t.reports.nothing}</Text>}
      {id !== undefined && (
        <>
          <NativeSelect
            size="md"
            label={t.reports.choose}
            value={id}
            data={rows.map((row) => ({ value: row.id, label: row.file }))}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          />
          <Download of="reconciliation" as="csv" query={{ id }} />
          <Download of="reconciliation" as="pdf" query={{ id }} />
        </>
      )}
    </Report>
  );
};
