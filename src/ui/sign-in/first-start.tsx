/** A till without people: its first manager is added, or it continues without names. */
import { Button, Code, List, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api, got } from '../api.ts';
import { useWords } from '../locale/use-words.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { useAwaitedTill, useSignIn } from '../session.ts';
import { continueWithoutNames, isAddingFirstManager } from './no-people-yet.ts';

export const FirstStart = () => {
  const { t } = useWords('signIn');
  return (
    <div className="tg-sign-in">
      <Stack gap="md" align="flex-start">
        <Title order={1}>{t.firstTitle}</Title>
        <Text>{t.firstWhy}</Text>
        <Button size="sm" variant="default" h={64} onClick={continueWithoutNames}>
          {t.goOn}
        </Button>
      </Stack>
      <FirstManager />
    </div>
  );
};

const FirstManager = () => {
  const { t, shared } = useWords('signIn');
  const signIn = useSignIn();
  const [person, setPerson] = useState({ name: '', pin: '', again: '' });
  const add = useMutation({
    mutationFn: async ({ name, pin }: { name: string; pin: string }) => {
      isAddingFirstManager.set(true);
      await got(api.staff.$post({ json: { name, pin, role: 'manager' } }));
      await signIn({ name, pin });
    },
    onError: () => isAddingFirstManager.set(false),
  });
  const differ = person.again !== '' && person.again !== person.pin;
  const isWhole = person.name.trim() !== '' && /^\d{4,12}$/.test(person.pin) && person.again === person.pin;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isWhole && !add.isPending) add.mutate({ name: person.name.trim(), pin: person.pin });
  };
  const change = (part: keyof typeof person) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget;
    setPerson((previous) => ({ ...previous, [part]: value }));
  };
  const secret = { inputMode: 'numeric', autoComplete: 'new-password', maxLength: 12 } as const;
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack gap="sm" maw={420}>
        <Title order={2}>{t.addManager}</Title>
        <TextInput label={shared.fields.name} value={person.name} onChange={change('name')} maxLength={40} />
        <PasswordInput label={shared.newPin} value={person.pin} onChange={change('pin')} {...secret} />
        <PasswordInput
          label={t.firstPinAgain}
          value={person.again}
          onChange={change('again')}
          error={differ && shared.pinsDiffer}
          {...secret}
        />
        {add.error && <ProblemNote error={add.error} />}
        <Button type="submit" h={64} loading={add.isPending} disabled={!isWhole}>
          {t.addManager}
        </Button>
      </Stack>
    </form>
  );
};

/** Typed the same in every language. */
const OPEN = 'npm run till -- open';
const STOP = 'npm run till -- stop';
const ADD = 'npm run till -- staff add NAME --role manager';

/** A till without people, in a browser that did not bring the start code: how to get in. */
export const StartCode = () => {
  const { t } = useWords('signIn');
  // Continues when somebody opens it in another window of this browser, or adds a person.
  useAwaitedTill();
  return (
    <div className="tg-sign-in">
      <Stack gap="md" align="flex-start" data-wide>
        <Title order={1}>{t.codeTitle}</Title>
        <Text>{t.codeWhy}</Text>
        <List spacing="md">
          <List.Item>{t.codeAddress}</List.Item>
          <List.Item>
            {t.codeCommand}
            <Command text={OPEN} />
          </List.Item>
          <List.Item>
            {t.codeManager}
            <Command text={STOP} />
            <Command text={ADD} />
          </List.Item>
        </List>
      </Stack>
    </div>
  );
};

/** Focusable, so that a small screen can scroll to it. */
const Command = ({ text }: { text: string }) => (
  <Code block dir="ltr" tabIndex={0}>
    {text}
  </Code>
);
