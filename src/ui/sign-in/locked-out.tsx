/** After too many wrong PINs: how long until the next try, and where those of others do not count. */
import { Alert, Text } from '@mantine/core';
import { Remaining } from '../parts/elapsed.tsx';
import { useWords } from '../words/words.ts';

type Props = { until: number; onOver: () => void };

export const LockedOut = ({ until, onOver }: Props) => {
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
