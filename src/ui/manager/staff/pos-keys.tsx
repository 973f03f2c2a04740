/** Keys of programs that sell through this till. A new one is shown once, and never again. */
import { Alert, Button, Code, CopyButton, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { PosKeyRow } from '../../../api/ports/store.ts';
import { fill } from '../../../words/fill.ts';
import { api, got } from '../../api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Listed } from '../../parts/listed.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { useWords } from '../../words/words.ts';
import { useDoing, useRead } from '../doing.tsx';
import { Empty, Panel } from '../parts.tsx';

export const PosKeys = () => {
  const { t } = useWords('manager');
  const keys = useRead(['posKeys'], () => got(api['pos-keys'].$get()));
  return (
    <Panel title={t.staff.keys}>
      <Stack>
        <Text c="dimmed">{t.staff.keysSays}</Text>
        <Listed query={keys} isEmpty={(rows) => rows.length === 0} empty={<Empty>{t.staff.keysEmpty}</Empty>}>
          {(rows) => <KeyTable rows={rows} />}
        </Listed>
        <MakeKey />
      </Stack>
    </Panel>
  );
};

const KeyTable = ({ rows }: { rows: readonly PosKeyRow[] }) => {
  const { t, dateTime } = useWords('manager');
  const [removing, remove] = useState<string>();
  const doing = useDoing('posKeys', 'audit');
  const go = async (): Promise<void> => {
    const name = encodeURIComponent(removing ?? '');
    const done = await doing.run(async (headers) => {
      await got(api['pos-keys'][':name'].$delete({ param: { name } }, { headers }));
      return true;
    });
    if (done) remove(undefined);
  };
  return (
    <>
      <Table>
        <Table.Tbody>
          {rows.map(({ name, madeAt, by, lastUsedAt }) => (
            <Table.Tr key={name}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Text fw={600}>
                  <bdi>{name}</bdi>
                </Text>
                <Text size="sm" c="dimmed">
                  {[
                    fill(t.staff.keySince, { time: dateTime(madeAt) }),
                    by,
                    lastUsedAt === undefined
                      ? t.staff.keyUnused
                      : fill(t.staff.keyUsed, { time: dateTime(lastUsedAt) }),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </Text>
              </Table.Td>
              <Table.Td ta="end">
                <Button size="md" variant="default" onClick={() => remove(name)}>
                  {t.staff.remove}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {removing !== undefined && (
        <RemoveKey name={removing} doing={doing} close={() => remove(undefined)} go={() => void go()} />
      )}
    </>
  );
};

type RemoveProps = { name: string; doing: ReturnType<typeof useDoing>; close(): void; go(): void };

const RemoveKey = ({ name, doing, close, go }: RemoveProps) => {
  const { t, shared } = useWords('manager');
  return (
    <Dialog opened title={fill(t.staff.keyRemove, { name })} onClose={close}>
      <Text>{t.staff.keyRemoveSays}</Text>
      {doing.error !== undefined && <ProblemNote error={doing.error} />}
      <Button size="lg" variant="default" onClick={close} data-autofocus>
        {shared.cancel}
      </Button>
      <Button size="lg" loading={doing.busy} onClick={go}>
        {t.staff.remove}
      </Button>
    </Dialog>
  );
};

const MakeKey = () => {
  const { t } = useWords('manager');
  const doing = useDoing('posKeys', 'audit');
  const [name, setName] = useState('');
  const [made, show] = useState<{ name: string; key: string }>();
  const make = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (name.trim() === '') return;
    const json = { name: name.trim() };
    const key = await doing.run((headers) => got(api['pos-keys'].$post({ json }, { headers })));
    if (key === undefined) return;
    setName('');
    show(key);
  };
  return (
    <form onSubmit={(event) => void make(event)}>
      <Group align="flex-end">
        <TextInput
          size="md"
          label={t.staff.keyName}
          value={name}
          maxLength={40}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Button size="md" type="submit" disabled={name.trim() === ''} loading={doing.busy}>
          {t.staff.keyMake}
        </Button>
      </Group>
      {doing.error !== undefined && <ProblemNote error={doing.error} />}
      {made && <MadeKey made={made} close={() => show(undefined)} />}
    </form>
  );
};

const MadeKey = ({ made, close }: { made: { name: string; key: string }; close(): void }) => {
  const { t, shared } = useWords('manager');
  return (
    <Dialog opened firm title={fill(t.staff.keyMade, { name: made.name })} onClose={close} size="lg">
      <Alert color="orange" variant="light">
        {t.staff.keyOnce}
      </Alert>
      <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} dir="ltr">
        {made.key}
      </Code>
      <CopyButton value={made.key}>
        {({ copied, copy }) => (
          <Button size="lg" variant="default" onClick={copy} data-autofocus>
            {copied ? t.staff.keyCopied : t.staff.keyCopy}
          </Button>
        )}
      </CopyButton>
      <Button size="lg" onClick={close}>
        {shared.done}
      </Button>
    </Dialog>
  );
};
