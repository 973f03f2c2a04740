/** Who may do what: the till's own table, to be read. */
import { Table, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconMinus } from '@tabler/icons-react';
import type { PersonRow } from '../../../api/ports/store.ts';
import { api, got } from '../../api.ts';
import { Listed } from '../../parts/listed.tsx';
import { useWords } from '../../words/words.ts';
import { useRead } from '../doing.tsx';

const roles: readonly PersonRow['role'][] = ['cashier', 'manager', 'technician'];

export const PermissionTable = () => {
  const { t } = useWords('manager');
  const permissions = useRead(['permissions'], () => got(api.permissions.$get()));
  return (
    <Listed query={permissions}>
      {(rows) => (
        <Table.ScrollContainer minWidth={420} type="native" tabIndex={0} role="group" aria-label={t.staff.permissions}>
          <Table striped>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t.staff.permission}</Table.Th>
                {roles.map((role) => (
                  <Table.Th key={role} ta="center">
                    {t.staff.roles[role]}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={row.permission}>
                  <Table.Td>{t.permissions[row.permission] ?? row.words}</Table.Td>
                  {roles.map((role) => (
                    <Table.Td key={role} ta="center">
                      <May may={row.roles.includes(role)} />
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Listed>
  );
};

const May = ({ may }: { may: boolean }) => {
  const { t } = useWords('manager');
  const Icon = may ? IconCheck : IconMinus;
  return (
    <>
      <Icon size={20} aria-hidden color={may ? 'var(--m-green)' : 'var(--mantine-color-dimmed)'} />
      <VisuallyHidden>{may ? t.staff.yes : t.staff.no}</VisuallyHidden>
    </>
  );
};
