/** What a configuration would change, value by value: now, and then. */
import { Group, Stack, Table, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ConfigurationChange } from '../../api/ports/devices.ts';
import { useWords } from '../words/words.ts';

type Props = { title: string; changes: readonly ConfigurationChange[]; actions: ReactNode };

export const Changes = ({ title, changes, actions }: Props) => {
  const { t } = useWords('technician');
  return (
    <Stack>
      <Title order={3} size="h4">
        {title}
      </Title>
      <Table.ScrollContainer minWidth={420} scrollAreaProps={{ tabIndex: 0 }}>
        <Table aria-label={title} verticalSpacing="xs" layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.field}</Table.Th>
              <Table.Th>{t.before}</Table.Th>
              <Table.Th>{t.after}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {changes.map(({ field, before, after }) => (
              <Table.Tr key={field} style={{ overflowWrap: 'anywhere' }}>
                <Table.Th scope="row">
                  <bdi>{field}</bdi>
                </Table.Th>
                <Table.Td>
                  <bdi>{before ?? t.leftOut}</bdi>
                </Table.Td>
                <Table.Td fw={700}>
                  <bdi>{after ?? t.leftOut}</bdi>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group justify="flex-end">{actions}</Group>
    </Stack>
  );
};
