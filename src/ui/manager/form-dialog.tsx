/** A form in a dialog: its fields, the problem of the last try, a button to cancel and one to send it. */
import { Button, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useWords } from '../locale/use-words.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ProblemNote } from '../parts/problem.tsx';
import type { ActionRunner } from './use-action.tsx';

type FormProps = {
  title: string;
  runner: ActionRunner;
  go: string;
  isReady: boolean;
  size?: 'lg';
  /** What is sent is signed and cannot be undone. */
  isFinal?: true;
  send(): Promise<void>;
  close(): void;
  children: ReactNode;
};

export const FormDialog = ({ title, runner, go, isReady, size, isFinal, send, close, children }: FormProps) => {
  const { shared } = useWords('manager');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) void send();
  };
  return (
    <Dialog opened title={title} onClose={close} {...(size && { size })}>
      <form onSubmit={submit} autoComplete="off">
        <Stack>
          {children}
          {runner.error !== undefined && <ProblemNote error={runner.error} />}
          <Button variant="default" onClick={close}>
            {shared.cancel}
          </Button>
          <Button
            type="submit"
            disabled={!isReady}
            loading={runner.busy}
            {...(isFinal && { color: 'orange', autoContrast: true })}
          >
            {go}
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
};
