/**
 * Who is at the till: people as tiles, or a typed name if the till shows none, then the PIN. Also used over a locked
 * screen, with the person who locked it chosen.
 */
import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { fill } from '../../base/placeholders.ts';
import { RequestRefused } from '../api.ts';
import { now } from '../clock.ts';
import { IconLock } from '../icons/icons.ts';
import { useWords } from '../locale/use-words.ts';
import { Remaining } from '../parts/elapsed.tsx';
import { DelayNote, People, PinPad, TypedName, useLeaveSignal } from '../parts/name-and-pin.tsx';
import { Listed, ProblemNote } from '../parts/problem.tsx';
import { namesQuery, useSignIn } from '../session.ts';

/** As printed on the key. */
const BACK = 'Esc';

export const SignIn = ({ locked, heading }: { locked?: string; heading: string }) => {
  const { t } = useWords('signIn');
  const [chosen, setChosen] = useState(locked);
  const [typed, setTyped] = useState<string>();
  const names = useQuery(namesQuery);
  // A single person is chosen already.
  const only = names.data?.length === 1 ? names.data[0]?.name : undefined;
  const name = chosen ?? only;
  const isOthers = locked !== undefined && name !== locked;
  const head = (
    <Stack gap="sm">
      <Group gap="sm" wrap="nowrap">
        {locked !== undefined && <IconLock size={32} />}
        <Title order={1}>{heading}</Title>
      </Group>
      {locked !== undefined && !isOthers && <Text className="tg-wrap">{fill(t.lockedWhy, { name: locked })}</Text>}
    </Stack>
  );
  if (name !== undefined)
    return (
      <Pin
        key={name}
        name={name}
        isTyped={name === typed}
        head={head}
        onBack={only === undefined ? () => setChosen(undefined) : undefined}
      />
    );
  return (
    <div className="tg-sign-in">
      <div data-wide>{head}</div>
      <div data-wide>
        <Listed
          query={names}
          isEmpty={(people) => people.length === 0}
          empty={
            <TypedName
              before={typed}
              onName={(input) => {
                setTyped(input);
                setChosen(input);
              }}
            />
          }
        >
          {(people) => <People people={people} onChoose={setChosen} />}
        </Listed>
      </div>
    </div>
  );
};

type PinProps = { name: string; isTyped: boolean; head: ReactNode; onBack: (() => void) | undefined };

/** Wrong PINs are reported beside the field; after too many, the time until which nobody may try. */
const Pin = ({ name, isTyped, head, onBack }: PinProps) => {
  const { t } = useWords('signIn');
  const signIn = useSignIn();
  const leaveSignal = useLeaveSignal();
  const [until, setUntil] = useState<number>();
  const attempt = useMutation({
    mutationFn: (pin: string) => signIn({ name, pin }, leaveSignal()),
    onError(error) {
      const { code, facts } = error instanceof RequestRefused ? error.problem : { code: undefined, facts: undefined };
      if (code === 'staff.locked') setUntil(now() + Number(facts?.['minutes'] ?? 1) * 60_000);
    },
  });
  const code = attempt.error instanceof RequestRefused ? attempt.error.problem.code : undefined;
  const isWrong = code === 'staff.refused';
  // For a typed name it is not revealed whether it exists.
  const wrong = isTyped ? t.wrongEither : t.wrongPin;
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
        <DelayNote busy={attempt.isPending} />
        {until !== undefined && <LockedOut until={until} onOver={() => setUntil(undefined)} />}
        {attempt.error && !isWrong && code !== 'staff.locked' && <ProblemNote error={attempt.error} />}
        {onBack && (
          <Button size="sm" variant="default" h={56} onClick={onBack} rightSection={<kbd>{BACK}</kbd>}>
            {t.otherPerson}
          </Button>
        )}
      </Stack>
      <PinPad
        label={fill(t.pinOf, { name })}
        action={t.enter}
        busy={attempt.isPending}
        isDisabled={until !== undefined}
        error={isWrong ? wrong : undefined}
        onPin={attempt.mutate}
      />
    </div>
  );
};

type Props = { until: number; onOver: () => void };

/** After too many wrong PINs: how long until the next try, and where the tries of other people do not count. */
const LockedOut = ({ until, onOver }: Props) => {
  const { t } = useWords('signIn');
  return (
    <Alert color="orange" role="alert">
      <Text fw={600}>
        {t.lockedOut} <Remaining until={until} onOver={onOver} />
      </Text>
      <Text>{t.lockedOutNext}</Text>
    </Alert>
  );
};
