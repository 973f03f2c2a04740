/** A try that the till holds for a while, because too many wrong PINs were tried before. */
import { Alert } from '@mantine/core';
import { useEffect, useState } from 'react';
import { after } from '../clock.ts';
import { useWords } from '../words/words.ts';

/** An ordinary try is answered sooner, on a slow machine too. */
const LONG_MS = 4000;

export const HeldTry = ({ busy }: { busy: boolean }) => {
  const { t } = useWords('signIn');
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    return busy ? after(LONG_MS, () => setLong(true)) : undefined;
  }, [busy]);
  return (
    isLong && (
      <Alert color="orange" role="status">
        {t.held}
      </Alert>
    )
  );
};
