/** Who works here: people and their PINs, permissions, and keys of programs. */
import { Badge, Button, Group, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { BrowserRow } from '../../../api/contract/session.ts';
import type { PersonRow } from '../../../api/contract/store.ts';
import { fill } from '../../../base/placeholders.ts';
import { api, got } from '../../api.ts';
import { IconCheck, IconMinus, IconUserPlus, IconUsers } from '../../icons/icons.ts';
import { useWords } from '../../locale/use-words.ts';
import { Listed, ProblemNote } from '../../parts/problem.tsx';
import { Empty, Head, Panel } from '../parts.tsx';
import { useAction, useRead } from '../use-action.tsx';
import { AddDialog, PinDialog, RemoveDialog } from './dialogs.tsx';
import { PosKeys } from './pos-keys.tsx';

type Open = { what: 'add' } | { what: 'pin' | 'remove'; name: string };

export const Staff = () => {
  const { t, shared } = useWords('manager');
  const people = useRead(['staff'], () => got(api.staff.$get()));
  const [open, setOpen] = useState<Open>();
  const [text, setText] = useState('');
  const onDone = (message?: string): void => {
    setOpen(undefined);
    if (message !== undefined) setText(message);
  };
  return (
    <>
      <Head title={t.sections.staff}>
        <Text role="status">{text}</Text>
        <Button size="md" leftSection={<IconUserPlus size={20} />} onClick={() => setOpen({ what: 'add' })}>
          {t.staff.add}
        </Button>
      </Head>
      <Stack>
        <Panel title={shared.people}>
          <Listed
            query={people}
            isEmpty={(rows) => rows.length === 0}
            empty={<Empty icon={<IconUsers size={48} />}>{t.staff.empty}</Empty>}
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
      {open?.what === 'add' && <AddDialog onDone={onDone} />}
      {open?.what === 'pin' && <PinDialog name={open.name} onDone={onDone} />}
      {open?.what === 'remove' && <RemoveDialog name={open.name} onDone={onDone} />}
    </>
  );
};

const PeopleTable = ({ rows, open }: { rows: readonly PersonRow[]; open(dialog: Open): void }) => {
  const { t, shared, number } = useWords('manager');
  return (
    <Table className="m-people" verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{shared.fields.name}</Table.Th>
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
            <Table.Td>{shared.roles[role]}</Table.Td>
            <Table.Td>
              <Group gap="xs" justify="flex-end">
                <Button size="md" variant="default" onClick={() => open({ what: 'pin', name })}>
                  {t.staff.changePin}
                </Button>
                <Button size="md" variant="default" onClick={() => open({ what: 'remove', name })}>
                  {shared.remove}
                </Button>
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
};

// The permissions of each role, for reading.

const roles: readonly PersonRow['role'][] = ['cashier', 'manager', 'technician'];

const PermissionTable = () => {
  const { t, shared } = useWords('manager');
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
                    {shared.roles[role]}
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
                      <PermissionMark may={row.roles.includes(role)} />
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

const PermissionMark = ({ may }: { may: boolean }) => {
  const { t } = useWords('manager');
  const Icon = may ? IconCheck : IconMinus;
  return (
    <>
      <Icon size={20} color={may ? 'var(--m-green)' : 'var(--mantine-color-dimmed)'} />
      <VisuallyHidden>{may ? t.staff.yes : t.staff.no}</VisuallyHidden>
    </>
  );
};

// Browsers that show the names of the people because a manager signed in there.

const Browsers = () => {
  const { t } = useWords('manager');
  const browsers = useRead(['browsers'], () => got(api.browsers.$get()));
  return (
    <Panel title={t.staff.browsers}>
      <Stack>
        <Text c="dimmed">{t.staff.browsersSays}</Text>
        <Listed query={browsers} isEmpty={(rows) => rows.length === 0} empty={<Empty>{t.staff.browsersEmpty}</Empty>}>
          {(rows) => <BrowserTable rows={rows} />}
        </Listed>
      </Stack>
    </Panel>
  );
};

const BrowserTable = ({ rows }: { rows: readonly BrowserRow[] }) => {
  const { t, dateTime } = useWords('manager');
  const runner = useAction('browsers', 'audit');
  const forget = (id: string): Promise<unknown> =>
    runner.run(async (headers) => {
      await got(api.browsers[':id'].$delete({ param: { id } }, { headers }));
      return true;
    });
  return (
    <>
      {runner.error !== undefined && <ProblemNote error={runner.error} />}
      <Table>
        <Table.Tbody>
          {rows.map(({ id, by, knownAt, usedAt, isThis }) => (
            <Table.Tr key={id}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Text span>{fill(t.staff.browserBy, { name: by, time: dateTime(knownAt) })}</Text>
                {isThis && (
                  <Badge variant="light" ms="sm" autoContrast>
                    {t.staff.browserThis}
                  </Badge>
                )}
                <Text size="sm" c="dimmed">
                  {fill(t.staff.browserUsed, { time: dateTime(usedAt) })}
                </Text>
              </Table.Td>
              <Table.Td ta="end">
                <Button size="md" variant="default" loading={runner.busy} onClick={() => void forget(id)}>
                  {t.staff.browserForget}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
};
