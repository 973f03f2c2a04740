/** Browsers that show the names of the people, because a manager signed in there. */
import { Badge, Button, Stack, Table, Text } from '@mantine/core';
import type { BrowserRow } from '../../../api/ports/session.ts';
import { fill } from '../../../words/fill.ts';
import { api, got } from '../../api.ts';
import { Listed } from '../../parts/listed.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { useWords } from '../../words/words.ts';
import { useDoing, useRead } from '../doing.tsx';
import { Empty, Panel } from '../parts.tsx';

export const Browsers = () => {
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
  const doing = useDoing('browsers', 'audit');
  const forget = (id: string): Promise<unknown> =>
    doing.run(async (headers) => {
      await got(api.browsers[':id'].$delete({ param: { id } }, { headers }));
      return true;
    });
  return (
    <>
      {doing.error !== undefined && <ProblemNote error={doing.error} />}
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
                <Button size="md" variant="default" loading={doing.busy} onClick={() => void forget(id)}>
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
