/** The form for a new printer: name, address, paper, code page, drawer. */
import { Button, Card, Checkbox, Group, NativeSelect, Stack, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { codePages } from '../../base/code-pages.ts';
import { fill } from '../../base/placeholders.ts';
import { api, got } from '../api.ts';
import { useWords } from '../locale/use-words.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { useJob } from './till.ts';

const blank = { name: '', address: '', width: '80', codePage: '', drawer: false };
type Fields = typeof blank;
type Set = (change: Partial<Fields>) => void;

const printerRequestOf = ({ name, address, width, codePage, drawer }: Fields) => ({
  name: name.trim(),
  address: address.trim(),
  width: width === '58' ? (58 as const) : (80 as const),
  drawer,
  codePage: codePage || undefined,
});

export const PrinterForm = () => {
  const { t } = useWords('technician');
  const [fields, setFields] = useState<Fields>(blank);
  const job = useJob<unknown>('printers');
  const set: Set = (change) => setFields((previous) => ({ ...previous, ...change }));
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const json = printerRequestOf(fields);
    if (await job.run((headers) => got(api.printers.$post({ json }, { headers })))) setFields(blank);
  };
  return (
    <Card withBorder component="section" aria-label={t.addPrinter}>
      <form onSubmit={(event) => void send(event)}>
        <Stack>
          <Title order={2} size="h3">
            {t.addPrinter}
          </Title>
          <Place fields={fields} set={set} />
          <Paper fields={fields} set={set} />
          {job.error !== undefined && <ProblemNote error={job.error} />}
          <Button
            type="submit"
            loading={job.busy}
            disabled={fields.name.trim() === '' || fields.address.trim() === ''}
            style={{ alignSelf: 'flex-start' }}
          >
            {t.add}
          </Button>
        </Stack>
      </form>
    </Card>
  );
};

const Place = ({ fields, set }: { fields: Fields; set: Set }) => {
  const { t, shared } = useWords('technician');
  return (
    <Group align="flex-end" gap="sm">
      <TextInput
        label={shared.fields.name}
        value={fields.name}
        maxLength={40}
        autoComplete="off"
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        style={{ flex: '1 1 12rem' }}
      />
      <TextInput
        label={shared.fields.address}
        description={t.printerAddressHint}
        value={fields.address}
        maxLength={200}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        onChange={({ currentTarget }) => set({ address: currentTarget.value })}
        style={{ flex: '3 1 18rem' }}
      />
    </Group>
  );
};

const Paper = ({ fields, set }: { fields: Fields; set: Set }) => {
  const { t } = useWords('technician');
  return (
    <Group align="flex-end" gap="sm">
      <NativeSelect
        label={t.paperWidth}
        value={fields.width}
        data={['80', '58'].map((value) => ({ value, label: fill(t.paperMm, { mm: value }) }))}
        onChange={({ currentTarget }) => set({ width: currentTarget.value })}
      />
      <NativeSelect
        label={t.codePage}
        value={fields.codePage}
        data={[{ value: '', label: t.codePageUsual }, ...codePages.map((value) => ({ value, label: value }))]}
        onChange={({ currentTarget }) => set({ codePage: currentTarget.value })}
        style={{ flex: '1 1 12rem' }}
      />
      <Checkbox
        pb="sm"
        label={t.drawerAttached}
        checked={fields.drawer}
        onChange={({ currentTarget }) => set({ drawer: currentTarget.checked })}
      />
    </Group>
  );
};
