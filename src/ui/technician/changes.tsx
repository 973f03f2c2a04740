/** What a configuration would change, value by value: now, then, and what of it somebody else has to approve. */
import { Alert, Group, Stack, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ConfigurationChange } from '../../api/ports/devices.ts';
import { useSession } from '../session.ts';
import { useWords } from '../words/words.ts';

type Props = { title: string; changes: readonly ConfigurationChange[]; actions: ReactNode };

export const Changes = ({ title, changes, actions }: Props) => {
  const { t } = useWords('technician');
  const { t: approvals } = useWords('signIn');
  const own = useSession().data?.signedIn?.permissions ?? [];
  const isLacking = ({ needs }: ConfigurationChange): boolean => !own.includes(needs);
  const lacking = changes.filter(isLacking);
  return (
    <Stack>
      <Title order={3} size="h4">
        {title}
      </Title>
      {lacking.length > 0 && (
        <Alert color="orange" title={t.needsApproval}>
          {[...new Set(lacking.map(({ needs }) => needs))].map((needs) => (
            <Text key={needs}>{approvals.overrideWhat[needs]}</Text>
          ))}
        </Alert>
      )}
      <Table aria-label={title} verticalSpacing="xs" layout="fixed" className="te-changes" role="table">
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            <Table.Th role="columnheader">{t.field}</Table.Th>
            <Table.Th role="columnheader">{t.before}</Table.Th>
            <Table.Th role="columnheader">{t.after}</Table.Th>
            {lacking.length > 0 && <Table.Th role="columnheader">{t.approval}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {changes.map((change) => (
            <Table.Tr key={change.field} role="row">
              <Table.Th scope="row" role="rowheader">
                <bdi>{change.field}</bdi>
              </Table.Th>
              <Table.Td role="cell" data-name={t.before}>
                <bdi>{change.before ?? t.leftOut}</bdi>
              </Table.Td>
              <Table.Td role="cell" data-name={t.after} fw={700}>
                <bdi>{change.after ?? t.leftOut}</bdi>
              </Table.Td>
              {lacking.length > 0 && (
                <Table.Td role="cell" data-name={t.approval}>
                  {isLacking(change) ? t.byManager : t.noApproval}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group justify="flex-end">{actions}</Group>
    </Stack>
  );
};
