/** A manager's actions on a program's key: take responsibility for it, or remove it. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { PosKeyRow } from '../../../api/contract/store.ts';
import { fill } from '../../../base/placeholders.ts';
import { api, got } from '../../api.ts';
import { IconKey } from '../../icons/icons.ts';
import { useWords } from '../../locale/use-words.ts';
import { Dialog } from '../../parts/dialog.tsx';
import type { OverrideHeaders } from '../../parts/override.ts';
import { ProblemNote } from '../../parts/problem.tsx';
import { type ActionRunner, useAction, useRead } from '../use-action.tsx';

export const useKeys = (): UseQueryResult<PosKeyRow[]> => useRead(['posKeys'], () => got(api['pos-keys'].$get()));

/** What a manager is asked about a key; undefined if somebody is responsible for it, or the till has no people. */
export const questionOf = ({ state }: PosKeyRow): 'unapproved' | 'approverLeft' | undefined =>
  state === 'approved' ? undefined : state;

export const approveKey = (name: string, headers: OverrideHeaders): Promise<unknown> =>
  got(api['pos-keys'][':name'].approval.$post({ param: { name: encodeURIComponent(name) } }, { headers }));

export const endKey = (name: string, headers: OverrideHeaders): Promise<unknown> =>
  got(api['pos-keys'][':name'].$delete({ param: { name: encodeURIComponent(name) } }, { headers }));

/** The buttons of a key, the safe one first. Removing it needs a confirmation. */
export const KeyActions = ({ row }: { row: PosKeyRow }) => {
  const { t } = useWords('manager');
  const runner = useAction('posKeys', 'audit');
  const [ending, end] = useState(false);
  const question = questionOf(row);
  return (
    <Stack gap="xs" align="flex-end">
      <Group gap="xs" justify="flex-end">
        {question !== undefined && (
          <Button
            size="md"
            loading={runner.busy && !ending}
            onClick={() => void runner.run((headers) => approveKey(row.name, headers))}
          >
            {t.staff.keyGo[question]}
          </Button>
        )}
        <Button size="md" variant="default" onClick={() => end(true)}>
          {t.staff.keyEnd}
        </Button>
      </Group>
      {runner.error !== undefined && !ending && <ProblemNote error={runner.error} />}
      {ending && <EndKey name={row.name} runner={runner} close={() => end(false)} />}
    </Stack>
  );
};

const EndKey = ({ name, runner, close }: { name: string; runner: ActionRunner; close(): void }) => {
  const { t, shared } = useWords('manager');
  const endNow = async (): Promise<void> => {
    const done = await runner.run((headers) => endKey(name, headers).then(() => true));
    if (done) close();
  };
  return (
    <Dialog opened title={fill(t.staff.keyEndTitle, { name })} onClose={close}>
      <Text>{t.staff.keyEndSays}</Text>
      {runner.error !== undefined && <ProblemNote error={runner.error} />}
      <Button variant="default" onClick={close} data-autofocus>
        {shared.cancel}
      </Button>
      <Button loading={runner.busy} onClick={() => void endNow()}>
        {t.staff.keyEnd}
      </Button>
    </Dialog>
  );
};

/** The most keys asked about at once; the list of keys has all of them. */
const LISTED_MAX = 3;

/** Keys that keep selling although no manager is responsible for them: shown until somebody decides. */
export const KeyQuestions = () => {
  const { t, number } = useWords('manager');
  const open = (useKeys().data ?? []).filter((row) => questionOf(row) !== undefined);
  if (open.length === 0) return null;
  return (
    <Alert color="orange" icon={<IconKey />} title={t.staff.keysAsk}>
      <Stack gap="sm">
        {open.slice(0, LISTED_MAX).map((row) => (
          <Group key={row.name} justify="space-between" gap="sm">
            <Text style={{ flex: '1 1 18rem', overflowWrap: 'anywhere' }}>
              <KeyQuestion row={row} />
            </Text>
            <KeyActions row={row} />
          </Group>
        ))}
        {open.length > LISTED_MAX && (
          <Button component={Link} href="/manager/staff" size="md" variant="light">
            {fill(t.more, { count: number(open.length - LISTED_MAX) })}
          </Button>
        )}
      </Stack>
    </Alert>
  );
};

export const KeyQuestion = ({ row }: { row: PosKeyRow }) => {
  const { t } = useWords('manager');
  const question = questionOf(row);
  return question === undefined
    ? null
    : fill(t.staff.keyQuestions[question], { name: row.name, approver: row.approvedBy ?? '' });
};
