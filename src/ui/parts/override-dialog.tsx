/** The dialog of an override: people who may do this, and their PIN. */
import { Alert, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mayDo } from '../../staff/roles.ts';
import { fill } from '../../words/fill.ts';
import { api, got } from '../api.ts';
import { namesQuery } from '../session.ts';
import { useWords } from '../words/words.ts';
import { Dialog } from './dialog.tsx';
import type { AskedOverride } from './override.ts';
import { People } from './people.tsx';
import { PinPad } from './pin-pad.tsx';
import { ProblemNote } from './problem.tsx';

export const OverrideDialog = (asked: AskedOverride) => {
  const { t } = useWords('signIn');
  return (
    <Dialog opened title={t.overrideTitle} onClose={() => asked.answer(undefined)} size="lg">
      <OverrideForm key={asked.permission} {...asked} />
    </Dialog>
  );
};

const OverrideForm = ({ permission, answer }: AskedOverride) => {
  const { t } = useWords('signIn');
  const [chosen, setChosen] = useState<string>();
  const names = useQuery(namesQuery);
  const ask = useMutation({
    mutationFn: (pin: string) => got(api.override.$post({ json: { name: chosen ?? '', pin, permission } })),
    onSuccess: ({ word }) => answer(word),
  });
  const able = names.data?.filter(({ role }) => mayDo(role, permission)) ?? [];
  const name = chosen ?? (able.length === 1 ? able[0]?.name : undefined);
  if (name !== chosen) setChosen(name);
  return (
    <Stack>
      <Alert color="orange">
        <Text>{t.overrideWhat[permission]}</Text>
      </Alert>
      {names.error && <ProblemNote error={names.error} again={() => void names.refetch()} />}
      <People people={able} chosen={chosen} onChoose={setChosen} />
      {ask.error && <ProblemNote error={ask.error} />}
      {chosen !== undefined && (
        <PinPad
          key={chosen}
          label={fill(t.pinOf, { name: chosen })}
          action={t.allow}
          busy={ask.isPending}
          onPin={ask.mutate}
        />
      )}
    </Stack>
  );
};
