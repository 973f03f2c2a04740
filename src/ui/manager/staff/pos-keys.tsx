/** Keys of programs that sell through this till. A new one is shown only once. */
import { Alert, Badge, Box, Button, Code, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { PosKeyRow } from '../../../api/contract/store.ts';
import { fill } from '../../../base/placeholders.ts';
import { api, got } from '../../api.ts';
import { useWords } from '../../locale/use-words.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Listed, ProblemNote } from '../../parts/problem.tsx';
import { Empty, Panel } from '../parts.tsx';
import { useAction } from '../use-action.tsx';
import { KeyActions, questionOf, useKeys } from './key-actions.tsx';

export const PosKeys = () => {
  const { t } = useWords('manager');
  return (
    <Panel title={t.staff.keys}>
      <Stack>
        <Text c="dimmed">{t.staff.keysSays}</Text>
        <KeyList />
      </Stack>
    </Panel>
  );
};

/** The existing keys, and a form for a new one, which needs an approval by a manager who may approve keys. */
export const KeyList = () => {
  const { t } = useWords('manager');
  const keys = useKeys();
  return (
    <>
      <Listed query={keys} isEmpty={(rows) => rows.length === 0} empty={<Empty>{t.staff.keysEmpty}</Empty>}>
        {(rows) => rows.map((row) => <KeyLine key={row.name} row={row} />)}
      </Listed>
      <MakeKey />
    </>
  );
};

const KeyLine = ({ row }: { row: PosKeyRow }) => {
  const { t, dateTime } = useWords('manager');
  const { name, madeAt, by, approvedBy, lastUsedAt } = row;
  const question = questionOf(row);
  const facts = [
    fill(t.staff.keySince, { time: dateTime(madeAt) }),
    by !== undefined && fill(t.staff.keyMadeBy, { name: by }),
    approvedBy !== undefined && fill(t.staff.keyApprovedBy, { name: approvedBy }),
    lastUsedAt === undefined ? t.staff.keyUnused : fill(t.staff.keyUsed, { time: dateTime(lastUsedAt) }),
  ];
  return (
    <Group justify="space-between" gap="sm" pb="sm">
      <Box style={{ flex: '1 1 16rem', overflowWrap: 'anywhere' }}>
        <Group gap="xs">
          <Text fw={600} span>
            <bdi>{name}</bdi>
          </Text>
          {question !== undefined && (
            <Badge color="orange" variant="light" autoContrast>
              {t.staff.keyStates[question]}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {facts.filter(Boolean).join(' · ')}
        </Text>
      </Box>
      <KeyActions row={row} />
    </Group>
  );
};

const MakeKey = () => {
  const { t } = useWords('manager');
  const runner = useAction('posKeys', 'audit');
  const [name, setName] = useState('');
  const [createdKey, setCreatedKey] = useState<{ name: string; key: string }>();
  const make = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (name.trim() === '') return;
    const json = { name: name.trim() };
    const key = await runner.run((headers) => got(api['pos-keys'].$post({ json }, { headers })));
    if (key === undefined) return;
    setName('');
    setCreatedKey(key);
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
        <Button size="md" type="submit" disabled={name.trim() === ''} loading={runner.busy}>
          {t.staff.keyMake}
        </Button>
      </Group>
      {runner.error !== undefined && <ProblemNote error={runner.error} />}
      {createdKey && <MadeKey createdKey={createdKey} close={() => setCreatedKey(undefined)} />}
    </form>
  );
};

const MadeKey = ({ createdKey, close }: { createdKey: { name: string; key: string }; close(): void }) => {
  const { t, shared } = useWords('manager');
  return (
    <Dialog opened firm title={fill(t.staff.keyMade, { name: createdKey.name })} onClose={close} size="lg">
      <Alert color="orange" variant="light">
        {t.staff.keyOnce}
      </Alert>
      <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} dir="ltr">
        {createdKey.key}
      </Code>
      <CopyButton value={createdKey.key}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy} data-autofocus>
            {copied ? t.staff.keyCopied : t.staff.keyCopy}
          </Button>
        )}
      </CopyButton>
      <Button onClick={close}>{shared.done}</Button>
    </Dialog>
  );
};
