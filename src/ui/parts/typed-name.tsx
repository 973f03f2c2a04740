/** The name, typed: in a browser that no manager has signed in at, the till shows nobody who works there. */
import { Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useWords } from '../words/words.ts';

/** `before`: what was typed last, to be corrected. */
type Props = { before?: string | undefined; onName: (name: string) => void };

export const TypedName = ({ before = '', onName }: Props) => {
  const { t } = useWords('signIn');
  const [typed, setTyped] = useState(before);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  const name = typed.trim();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name !== '') onName(name);
  };
  return (
    <form onSubmit={submit} autoComplete="off">
      <Stack gap="md" maw={480}>
        <TextInput
          ref={field}
          label={t.typedName}
          description={t.typedWhy}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          maxLength={40}
          autoComplete="off"
          autoCapitalize="words"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="next"
          size="lg"
          dir="auto"
        />
        <Button type="submit" h={64} size="lg" disabled={name === ''}>
          {t.typedNext}
        </Button>
      </Stack>
    </form>
  );
};
