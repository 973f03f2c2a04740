/** Uploads a settlement file, and lists the earlier ones. */
import { Alert, Anchor, Badge, Stack, Table } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { ReconciliationRow } from '../../../api/contract/reconciliations.ts';
import { fill } from '../../../base/placeholders.ts';
import { api, got } from '../../api.ts';
import { useWords } from '../../locale/use-words.ts';
import { DropZone } from '../../parts/files.tsx';
import { Listed, ProblemNote } from '../../parts/problem.tsx';
import { sendFile } from '../files.ts';
import { Empty, Head, Panel } from '../parts.tsx';
import { useAction, useRead } from '../use-action.tsx';

export const Reconcile = () => {
  const { t } = useWords('manager');
  const list = useRead(['reconciliations'], () => got(api.reconciliations.$get()));
  return (
    <>
      <Head title={t.sections.reconcile} subtitle={t.reconcile.intro} />
      <Stack>
        <SettlementUpload />
        <Panel title={t.reconcile.earlier}>
          <Listed query={list} isEmpty={(rows) => rows.length === 0} empty={<Empty>{t.reconcile.empty}</Empty>}>
            {(rows) => <ReconciliationTable rows={rows} />}
          </Listed>
        </Panel>
      </Stack>
    </>
  );
};

const SettlementUpload = () => {
  const { t, shared } = useWords('manager');
  const [, navigate] = useLocation();
  const runner = useAction('reconciliations');
  const [upload, setUpload] = useState<{ name: string; share: number }>();
  const [isNone, setNone] = useState(false);
  const uploadFile = async (file: File): Promise<void> => {
    setNone(false);
    setUpload({ name: file.name, share: 0 });
    const detail = await runner.run(() =>
      sendFile(file, { onShare: (share) => setUpload({ name: file.name, share }) }),
    );
    setUpload(undefined);
    if (detail !== undefined) navigate(`/manager/reconcile/${encodeURIComponent(detail.id)}`);
  };
  const text =
    upload === undefined
      ? ''
      : upload.share < 1
        ? fill(t.reconcile.sending, { file: upload.name })
        : t.reconcile.comparing;
  return (
    <>
      <DropZone
        texts={{ drop: t.reconcile.drop, hint: t.reconcile.dropHint, choose: shared.chooseFile }}
        accept=".csv,text/csv"
        progress={upload && { share: upload.share, says: text }}
        onFile={(file) => void uploadFile(file)}
        onNone={() => setNone(true)}
      />
      {isNone && (
        <Alert color="yellow" role="alert">
          {t.reconcile.none}
        </Alert>
      )}
      {runner.error !== undefined && <ProblemNote error={runner.error} />}
    </>
  );
};

const ReconciliationTable = ({ rows }: { rows: readonly ReconciliationRow[] }) => {
  const { t, shared, number, dateTime, day } = useWords('manager');
  return (
    <Table.ScrollContainer minWidth={600} type="native" tabIndex={0} role="group" aria-label={t.reconcile.earlier}>
      <Table verticalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{shared.fields.file}</Table.Th>
            <Table.Th>{t.reconcile.days}</Table.Th>
            <Table.Th>{t.reconcile.readAt}</Table.Th>
            <Table.Th ta="end">{t.reconcile.records}</Table.Th>
            <Table.Th ta="end">{t.reconcile.agreeing}</Table.Th>
            <Table.Th ta="end">{t.reconcile.differences}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id}>
              <Table.Td>
                <Anchor component={Link} href={`/manager/reconcile/${encodeURIComponent(row.id)}`} className="m-target">
                  <bdi>{row.file}</bdi>
                </Anchor>
              </Table.Td>
              <Table.Td>
                <bdi>
                  {day(row.days.first)} – {day(row.days.last)}
                </bdi>
              </Table.Td>
              <Table.Td>{[dateTime(row.at), row.by].filter(Boolean).join(' · ')}</Table.Td>
              <Table.Td ta="end">{number(row.records)}</Table.Td>
              <Table.Td ta="end">{number(row.agreeing)}</Table.Td>
              <Table.Td ta="end">
                <OpenDifferences row={row} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
};

const OpenDifferences = ({ row }: { row: ReconciliationRow }) => {
  const { t, number } = useWords('manager');
  const openCount = row.differences - row.resolved;
  return (
    <Badge variant="light" size="lg" autoContrast color={openCount === 0 ? 'green' : 'orange'}>
      {openCount === 0 ? t.reconcile.allDone : fill(t.reconcile.left, { count: number(openCount) })}
    </Badge>
  );
};
