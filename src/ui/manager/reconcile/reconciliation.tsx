/** A settlement file compared with till and gateway: differences at the top, unreadable lines below. */
import { Alert, Button, SegmentedControl, Stack, Table, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ReconciliationDetail } from '../../../api/contract/reconciliations.ts';
import type { Amount } from '../../../api/contract/wire.ts';
import { fill } from '../../../base/placeholders.ts';
import { textFor } from '../../../locales/names.ts';
import { api, got } from '../../api.ts';
import { IconCircleCheck } from '../../icons/icons.ts';
import { useMessages, useWords } from '../../locale/use-words.ts';
import { Figures } from '../../parts/figures.tsx';
import { Listed } from '../../parts/problem.tsx';
import { ordered } from '../cents.ts';
import { Download, Empty, Head, Panel } from '../parts.tsx';
import { useRead } from '../use-action.tsx';
import { DifferenceCard, JoinedHead } from './difference.tsx';

export const Reconciliation = ({ id }: { id: string }) => {
  const { t, day, format } = useWords('manager');
  const detail = useRead(['reconciliation', id], () =>
    got(api.reconciliations[':id'].$get({ param: { id: encodeURIComponent(id) } })),
  );
  const days = detail.data?.days;
  return (
    <>
      <Head
        title={detail.data?.file ?? t.sections.reconcile}
        subtitle={days && [...new Set([days.first, days.last])].map(day).join(' – ')}
      >
        <Download of="reconciliation" as="csv" query={{ id }} />
        <Download of="reconciliation" as="pdf" query={{ id }} />
      </Head>
      <Listed query={detail}>
        {(one) => (
          <Stack>
            <Sums of={one} />
            {(one.times ?? 1) > 1 && <Text c="dimmed">{format(t.reconcile.times, { count: one.times ?? 1 })}</Text>}
            <Differences of={one} />
            {one.atTerminals !== undefined && <TerminalRows rows={one.atTerminals} />}
            {one.fine !== undefined && one.fine.length > 0 && <HarmlessFindings rows={one.fine} />}
            {one.refusedCount > 0 && <RefusedLines of={one} />}
          </Stack>
        )}
      </Listed>
    </>
  );
};

const Sums = ({ of }: { of: ReconciliationDetail }) => {
  const { t, number, money } = useWords('manager');
  const openCount = of.findings.filter(({ resolution }) => resolution === undefined).length;
  const leftWords = openCount === 0 ? t.reconcile.allDone : fill(t.reconcile.left, { count: number(openCount) });
  return (
    <Figures
      figures={[
        {
          name: t.reconcile.differences,
          value: number(of.findings.length),
          hint: leftWords,
          colour: openCount === 0 ? 'green' : 'orange',
        },
        { name: t.reconcile.agreeing, value: number(of.agreeing), colour: 'green' },
        { name: t.reconcile.records, value: number(of.records), colour: 'gray' },
        { name: t.reconcile.payout, value: of.payout.map(money).join(' · '), colour: 'blue' },
      ]}
    />
  );
};

/** More are drawn on request. */
const AT_ONCE = 40;

const Differences = ({ of }: { of: ReconciliationDetail }) => {
  const { t, format, number } = useWords('manager');
  const [shownKind, setShownKind] = useState('open');
  const [most, setMost] = useState(AT_ONCE);
  const open = of.findings.filter(({ resolution }) => resolution === undefined);
  const shown = ordered(shownKind === 'open' ? open : of.findings);
  if (of.findings.length === 0)
    return (
      <Panel>
        <Empty icon={<IconCircleCheck size={56} color="var(--mantine-color-green-6)" />}>
          {t.reconcile.noDifferences}
        </Empty>
      </Panel>
    );
  return (
    <Panel
      title={t.reconcile.differences}
      aside={
        <SegmentedControl
          size="md"
          value={shownKind}
          onChange={setShownKind}
          data={[
            { value: 'open', label: fill(t.reconcile.filter.open, { count: number(open.length) }) },
            { value: 'all', label: fill(t.reconcile.filter.all, { count: number(of.findings.length) }) },
          ]}
        />
      }
    >
      <Stack>
        {shown.length === 0 && <Empty>{t.reconcile.nothingLeft}</Empty>}
        {shown.length > 0 && <JoinedHead />}
        {shown.slice(0, most).map((row) => (
          <DifferenceCard key={row.n} row={row} id={of.id} />
        ))}
        {shown.length > most && (
          <Button size="md" variant="light" onClick={() => setMost(most + AT_ONCE)}>
            {fill(t.more, { count: number(Math.min(AT_ONCE, shown.length - most)) })}
          </Button>
        )}
        {of.more !== undefined && of.more > 0 && (
          <Alert color="orange">{format(t.reconcile.more, { count: of.more })}</Alert>
        )}
        <Alert color="green" variant="light" icon={<IconCircleCheck />}>
          {fill(t.reconcile.agree, { count: number(of.agreeing) })}
        </Alert>
      </Stack>
    </Panel>
  );
};

/** Sales that the terminals' own acquirers settle: no file of the gateway contains them. */
const TerminalRows = ({ rows }: { rows: NonNullable<ReconciliationDetail['atTerminals']> }) => {
  const { t, shared } = useWords('manager');
  return (
    <Panel title={t.reconcile.atTerminals}>
      <Text c="dimmed">{t.reconcile.atTerminalsWhy}</Text>
      <Counted
        rows={rows.map(({ terminalId, count, amount }) => ({
          key: terminalId,
          count,
          amount,
          name: (
            <>
              {shared.fields.counter} <bdi>{terminalId}</bdi>
            </>
          ),
        }))}
      />
    </Panel>
  );
};

type CountedRow = { key: string; name: ReactNode; count: number; amount: Amount };

/** Counts and sums, one line each. */
const Counted = ({ rows }: { rows: readonly CountedRow[] }) => {
  const { number, money } = useWords('manager');
  return (
    <Table>
      <Table.Tbody>
        {rows.map(({ key, name, count, amount }) => (
          <Table.Tr key={`${key} ${amount.currency}`}>
            <Table.Td>{name}</Table.Td>
            <Table.Td ta="end">{number(count)}</Table.Td>
            <Table.Td ta="end" className="m-number">
              {money(amount)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
};

/** Fees and rates: they only explain why the payout differs. */
const HarmlessFindings = ({ rows }: { rows: NonNullable<ReconciliationDetail['fine']> }) => {
  const { t } = useWords('manager');
  const messages = useMessages();
  return (
    <Panel title={t.reconcile.fine}>
      <Counted
        rows={rows.map(({ name, says, told, count, amount }) => ({
          key: name,
          count,
          amount,
          name: messages.text(told, says),
        }))}
      />
    </Panel>
  );
};

const RefusedLines = ({ of }: { of: ReconciliationDetail }) => {
  const { t, format, number, language } = useWords('manager');
  const hiddenCount = of.refusedCount - of.refused.length;
  return (
    <Panel title={fill(t.reconcile.refused, { count: number(of.refusedCount) })}>
      <Table>
        <Table.Tbody>
          {of.refused.map(({ line, why, says = why }) => (
            <Table.Tr key={line}>
              <Table.Th w={130}>{fill(t.reconcile.refusedLine, { line: number(line) })}</Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                {language === 'en' ? says : (textFor(t.reconcile.refusals, why) ?? says)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {hiddenCount > 0 && <Text c="dimmed">{format(t.reconcile.refusedMore, { count: hiddenCount })}</Text>}
    </Panel>
  );
};
