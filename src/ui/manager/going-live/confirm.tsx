/** The last word before a till goes live: what changes, and what stays. */
import { Button, List, Text } from '@mantine/core';
import { IconCreditCard, IconFolder, IconReceipt, IconUsers } from '@tabler/icons-react';
import { Dialog } from '../../parts/dialog.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { useWords } from '../../words/words.ts';
import type { Doing } from '../doing.tsx';

const changes = [
  ['cards', IconCreditCard],
  ['empty', IconReceipt],
  ['kept', IconFolder],
  ['people', IconUsers],
] as const;

export const ConfirmDialog = ({ doing, close, go }: { doing: Doing; close(): void; go(): void }) => {
  const { t, shared } = useWords('manager');
  const words = t.goingLive.confirm;
  return (
    <Dialog opened title={words.title} onClose={close} size="lg">
      <List spacing="sm" listStyleType="none" styles={{ itemWrapper: { alignItems: 'flex-start' } }}>
        {changes.map(([change, Icon]) => (
          <List.Item key={change} icon={<Icon size={24} aria-hidden />}>
            <Text fw={change === 'cards' ? 700 : 400}>{words[change]}</Text>
          </List.Item>
        ))}
      </List>
      {doing.error !== undefined && <ProblemNote error={doing.error} />}
      <Button size="lg" variant="default" disabled={doing.busy} onClick={close} data-autofocus>
        {shared.cancel}
      </Button>
      <Button size="xl" h={72} color="green.9" loading={doing.busy} onClick={go}>
        {words.go}
      </Button>
    </Dialog>
  );
};
