/** Who is at the till: people as tiles, then the PIN. Also over a locked screen, with the one who locked it chosen. */
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { fill } from '../../words/fill.ts';
import { Refused } from '../api.ts';
import { now } from '../clock.ts';
import { Listed } from '../parts/listed.tsx';
import { People } from '../parts/people.tsx';
import { PinPad } from '../parts/pin-pad.tsx';
import { ProblemNote } from '../parts/problem.tsx';
import { namesQuery, useSignIn } from '../session.ts';
import { useWords } from '../words/words.ts';
import { LockedOut } from './locked-out.tsx';

/** As it stands on the key. */
const BACK = 'Esc';

export const SignIn = ({ locked, heading }: { locked?: string; heading: string }) => {
  const { t } = useWords('signIn');
  const [chosen, setChosen] = useState(locked);
  const names = useQuery(namesQuery);
  // One person alone is chosen already.
  const only = names.data?.length === 1 ? names.data[0]?.name : undefined;
  const name = chosen ?? only;
  const isOthers = locked !== undefined && name !== locked;
  const head = (
    <Stack gap="sm">
      <Group gap="sm" wrap="nowrap">
        {locked !== undefined && <IconLock size={32} aria-hidden />}
        <Title order={1}>{heading}</Title>
      </Group>
      {locked !== undefined && !isOthers && <Text className="tg-wrap">{fill(t.lockedWhy, { name: locked })}</Text>}
    </Stack>
  );
  if (name !== undefined)
    return (
      <Pin key={name} name={name} head={head} onBack={only === undefined ? () => setChosen(undefined) : undefined} />
    );
  return (
    <div className="tg-sign-in">
      <div data-wide>{head}</div>
      <div data-wide>
        <Listed query={names} isEmpty={(people) => people.length === 0}>
          {(people) => <People people={people} onChoose={setChosen} />}
        </Listed>
      </div>
    </div>
  );
};

type PinProps = { name: string; head: ReactNode; onBack: (() => void) | undefined };

/** Wrong PINs are said beside the field; a name that is locked for a while says until when. */
const Pin = ({ name, head, onBack }: PinProps) => {
  const { t } = useWords('signIn');
  const signIn = useSignIn();
  const [until, setUntil] = useState<number>();
  const attempt = useMutation({
    mutationFn: (pin: string) => signIn({ name, pin }),
    onError(error) {
      const { code, facts } = error instanceof Refused ? error.problem : { code: undefined, facts: undefined };
      if (code === 'staff.locked') setUntil(now() + Number(facts?.['minutes'] ?? 1) * 60_000);
    },
  });
  const code = attempt.error instanceof Refused ? attempt.error.problem.code : undefined;
  const isWrong = code === 'staff.refused';
  useEffect(() => {
    const back = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onBack?.();
    };
    document.addEventListener('keydown', back);
    return () => document.removeEventListener('keydown', back);
  }, [onBack]);
  return (
    <div className="tg-sign-in">
      <Stack gap="md" align="flex-start">
        {head}
        {until !== undefined && <LockedOut name={name} until={until} onOver={() => setUntil(undefined)} />}
        {attempt.error && !isWrong && code !== 'staff.locked' && <ProblemNote error={attempt.error} />}
        {onBack && (
          <Button variant="default" h={56} onClick={onBack} rightSection={<kbd>{BACK}</kbd>}>
            {t.otherPerson}
          </Button>
        )}
      </Stack>
      <PinPad
        label={fill(t.pinOf, { name })}
        action={t.enter}
        busy={attempt.isPending}
        shut={until !== undefined}
        error={isWrong ? t.wrongPin : undefined}
        onPin={attempt.mutate}
      />
    </div>
  );
};
