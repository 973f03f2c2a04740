/** Everything that was done at this till and by whom: a list as long as the journal, read page by page. */
import { Badge, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { AuditEntry } from '../../../api/ports/store.ts';
import { fill } from '../../../words/fill.ts';
import { api, got } from '../../api.ts';
import { Listed } from '../../parts/listed.tsx';
import { PAGE, type PagedColumn, PagedTable } from '../../parts/table-paged.tsx';
import { useSaid } from '../../words/said.ts';
import { useWords } from '../../words/words.ts';
import { useRead } from '../doing.tsx';
import { Download, Empty, Head } from '../parts.tsx';

type Filter = { kind: string; by: string };

const asked = ({ kind, by }: Filter, from: number, most: number) =>
  got(
    api.audit.$get({
      query: { from: String(from), most: String(most), ...(kind !== '' && { kind }), ...(by !== '' && { by }) },
    }),
  );

export const Audit = () => {
  const { t, number } = useWords('manager');
  const [filter, setFilter] = useState<Filter>({ kind: '', by: '' });
  const name = ['audit', filter.kind, filter.by];
  const first = useRead([...name, 0], () => asked(filter, 0, PAGE), true);
  return (
    <>
      <Head title={t.sections.audit} says={t.audit.intro}>
        <Download of="audit" as="csv" />
      </Head>
      <Stack>
        <Group align="flex-end">
          <Filters filter={filter} setFilter={setFilter} />
          <Text role="status" c="dimmed" pb="xs">
            {first.data ? fill(t.audit.total, { count: number(first.data.total) }) : ''}
          </Text>
        </Group>
        <Listed query={first} isEmpty={({ total }) => total === 0} empty={<Empty>{t.audit.empty}</Empty>}>
          {({ total }) => <Rows key={name.join(' ')} name={name} filter={filter} total={total} />}
        </Listed>
      </Stack>
    </>
  );
};

const Filters = ({ filter, setFilter }: { filter: Filter; setFilter(filter: Filter): void }) => {
  const { t } = useWords('manager');
  const people = useRead(['staff'], () => got(api.staff.$get()));
  const all = { value: '', label: t.audit.all };
  const kinds = Object.entries(t.audit.kinds).map(([value, label]) => ({ value, label }));
  return (
    <>
      <NativeSelect
        size="md"
        label={t.audit.who}
        value={filter.by}
        data={[all, ...(people.data ?? []).map(({ name }) => ({ value: name, label: name }))]}
        onChange={({ currentTarget }) => setFilter({ ...filter, by: currentTarget.value })}
      />
      <NativeSelect
        size="md"
        label={t.audit.what}
        value={filter.kind}
        data={[all, ...kinds]}
        onChange={({ currentTarget }) => setFilter({ ...filter, kind: currentTarget.value })}
      />
    </>
  );
};

const Told = ({ text }: { text: string }) => <span title={text}>{text}</span>;

const Rows = ({ name, filter, total }: { name: readonly string[]; filter: Filter; total: number }) => {
  const { t, dateTime } = useWords('manager');
  const said = useSaid();
  const columns: PagedColumn<AuditEntry>[] = [
    { name: t.audit.when, width: '10.5rem', cell: ({ at }) => dateTime(at) },
    { name: t.audit.who, width: '8rem', cell: ({ by }) => <bdi>{by ?? t.nobody}</bdi> },
    {
      name: t.audit.what,
      width: '12rem',
      cell: ({ kind }) => (
        <Badge variant="light" color="gray" tt="none" size="lg" autoContrast maw="100%">
          {t.audit.kinds[kind] ?? kind}
        </Badge>
      ),
    },
    { name: t.audit.words, width: 'auto', cell: ({ words, told }) => <Told text={said.told(told, words)} /> },
  ];
  return (
    <PagedTable
      label={t.audit.rows}
      columns={columns}
      name={['manager', ...name]}
      read={(from, most) => asked(filter, from, most)}
      total={total}
      height="max(20rem, calc(100dvh - 17rem))"
    />
  );
};
