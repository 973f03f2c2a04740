/** After too many wrong PINs: for how long the name is locked, and who can help. */
import { Alert, Text } from '@mantine/core';
import { fill } from '../../words/fill.ts';
import { Remaining } from '../parts/elapsed.tsx';
import { useWords } from '../words/words.ts';

type Props = { name: string; until: number; onOver: () => void };

export const LockedOut = ({ name, until, onOver }: Props) => {
  const { t } = useWords('signIn');
  return (
    <Alert color="orange" role="alert">
      <Text fw={600}>
        {fill(t.lockedOut, { name })} <Remaining until={until} onOver={onOver} />
      </Text>
      <Text>{fill(t.lockedOutNext, { name })}</Text>
    </Alert>
  );
};
