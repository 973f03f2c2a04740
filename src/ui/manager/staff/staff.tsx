/** Who works here: people and their PINs, who may do what, and keys of programs. */
import { Badge, Button, Group, Stack, Table, Text } from '@mantine/core';
import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { useState } from 'react';
import type { PersonRow } from '../../../api/ports/store.ts';
import { fill } from '../../../words/fill.ts';
import { api, got } from '../../api.ts';
import { Listed } from '../../parts/listed.tsx';
import { useWords } from '../../words/words.ts';
import { useRead } from '../doing.tsx';
import { Empty, Head, Panel } from '../parts.tsx';
import { Browsers } from './browsers.tsx';
import { AddDialog, PinDialog } from './dialogs.tsx';
import { PermissionTable } from './permissions.tsx';
import { PosKeys } from './pos-keys.tsx';
import { RemoveDialog } from './remove-dialog.tsx';

type Open = { what: 'add' } | { what: 'pin' | 'remove'; name: string };

export const Staff = () => {
  const { t } = useWords('manager');
  const people = useRead(['staff'], () => got(api.staff.$get()));
  const [open, setOpen] = useState<Open>();
  const [told, tell] = useState('');
  const done = (words?: string): void => {
    setOpen(undefined);
    if (words !== undefined) tell(words);
  };
  return (
    <>
      <Head title={t.sections.staff}>
        <Text role="status">{told}</Text>
        <Button size="md" leftSection={<IconUserPlus size={20} aria-hidden />} onClick={() => setOpen({ what: 'add' })}>
          {t.staff.add}
        </Button>
      </Head>
      <Stack>
        <Panel title={t.staff.people}>
          <Listed
            query={people}
            isEmpty={(rows) => rows.length === 0}
            empty={<Empty icon={<IconUsers size={48} aria-hidden />}>{t.staff.empty}</Empty>}
          >
            {(rows) => <PeopleTable rows={rows} open={setOpen} />}
          </Listed>
        </Panel>
        <PosKeys />
        <Panel title={t.staff.permissions}>
          <PermissionTable />
        </Panel>
        <Browsers />
      </Stack>
      {open?.what === 'add' && <AddDialog done={done} />}
      {open?.what === 'pin' && <PinDialog name={open.name} done={done} />}
      {open?.what === 'remove' && <RemoveDialog name={open.name} done={done} />}
    </>
  );
};

const PeopleTable = ({ rows, open }: { rows: readonly PersonRow[]; open(which: Open): void }) => {
  const { t, number } = useWords('manager');
  return (
    <Table className="m-people" verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t.staff.name}</Table.Th>
          <Table.Th>{t.staff.role}</Table.Th>
          <Table.Th />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ name, role, refusedTries = 0 }) => (
          <Table.Tr key={name}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <Text fw={600} span>
                <bdi>{name}</bdi>
              </Text>
              {refusedTries > 0 && (
                <Badge className="m-whole-badge" color="red" variant="light" ms="sm" autoContrast>
                  {fill(t.staff.refusedTries, { count: number(refusedTries) })}
                </Badge>
              )}
            </Table.Td>
            <Table.Td>{t.staff.roles[role]}</Table.Td>
            <Table.Td>
              <Group gap="xs" justify="flex-end">
                <Button size="md" variant="default" onClick={() => open({ what: 'pin', name })}>
                  {t.staff.changePin}
                </Button>
                <Button size="md" variant="default" onClick={() => open({ what: 'remove', name })}>
                  {t.staff.remove}
                </Button>
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
};
