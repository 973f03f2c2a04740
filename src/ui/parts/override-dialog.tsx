/** The approval dialog: people who may do this, or a typed name if the till shows none, and their PIN. */
import { Alert, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mayDo, type Permission } from '../../api/contract/roles.ts';
import { fill } from '../../base/placeholders.ts';
import { api, got } from '../api.ts';
import { useWords } from '../locale/use-words.ts';
import { namesQuery, useSession } from '../session.ts';
import { Dialog } from './dialog.tsx';
import { DelayNote, People, PinPad, TypedName, useLeaveSignal } from './name-and-pin.tsx';
import type { OverrideRequest } from './override.ts';
import { ProblemNote } from './problem.tsx';

export const OverrideDialog = (request: OverrideRequest) => {
  const { t } = useWords('signIn');
  return (
    <Dialog
      opened
      title={request.isSigned ? t.signedTitle : t.overrideTitle}
      onClose={() => request.answer(undefined)}
      size="lg"
    >
      <OverrideForm key={request.permissions.join()} {...request} />
    </Dialog>
  );
};

/** One PIN gives an approval for each permission; all are sent with one request. */
const approvalsOf = async (
  who: { name: string; pin: string },
  permissions: readonly Permission[],
  signal: AbortSignal,
): Promise<string> => {
  const texts: string[] = [];
  for (const permission of permissions)
    texts.push((await got(api.override.$post({ json: { ...who, permission } }, { init: { signal: signal } }))).word);
  return texts.join(',');
};

const OverrideForm = ({ permissions, isSigned, answer }: OverrideRequest) => {
  const { t } = useWords('signIn');
  const ownName = useSession().data?.signedIn?.name;
  const [chosen, setChosen] = useState(isSigned ? ownName : undefined);
  const leaveSignal = useLeaveSignal();
  const names = useQuery(namesQuery);
  const ask = useMutation({
    mutationFn: (pin: string) => approvalsOf({ name: chosen ?? '', pin }, permissions, leaveSignal()),
    onSuccess: answer,
  });
  const able = names.data?.filter(({ role }) => permissions.every((one) => mayDo(role, one))) ?? [];
  const name = chosen ?? (able.length === 1 ? able[0]?.name : undefined);
  if (name !== chosen) setChosen(name);
  return (
    <Stack>
      <Alert color={isSigned ? 'blue' : 'orange'}>
        {permissions.map((permission) => (
          <PermissionText key={permission} permission={permission} />
        ))}
      </Alert>
      {names.error && <ProblemNote error={names.error} retry={() => void names.refetch()} />}
      {names.data?.length === 0 && chosen === undefined && <TypedName onName={setChosen} />}
      {!isSigned && <People people={able} chosen={chosen} onChoose={setChosen} />}
      <DelayNote busy={ask.isPending} />
      {chosen !== undefined && (
        <PinPad
          key={chosen}
          label={fill(t.pinOf, { name: chosen })}
          action={isSigned ? t.sign : t.allow}
          busy={ask.isPending}
          note={ask.error && <ProblemNote error={ask.error} />}
          onPin={ask.mutate}
        />
      )}
    </Stack>
  );
};

/** What a permission allows, as a line of its own. */
export const PermissionText = ({ permission }: { permission: Permission }) => {
  const { t, language } = useWords('manager');
  const text = t.permissions[permission];
  return <Text>{text.charAt(0).toLocaleUpperCase(language) + text.slice(1)}</Text>;
};
