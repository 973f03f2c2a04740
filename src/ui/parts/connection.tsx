/** Whether the till program answers: a banner over every screen while it does not. */
import { Alert, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { after } from '../clock.ts';
import { IconPlugConnectedX } from '../icons/icons.ts';
import { useWords } from '../locale/use-words.ts';
import { createStore } from '../store.ts';

/** Set by the app as the event stream opens and closes. */
export const connection = createStore<'opening' | 'stands' | 'lost'>('opening');

/** A restarted till is back within this time, so no banner is shown. */
const PATIENCE_MS = 1500;

export const ConnectionBanner = () => {
  const isLost = connection.use() === 'lost';
  const [isShown, setShown] = useState(false);
  const { shared } = useWords('signIn');
  useEffect(() => {
    if (isLost) return after(PATIENCE_MS, () => setShown(true));
    setShown(false);
    return undefined;
  }, [isLost]);
  if (!isShown) return null;
  return (
    <Alert color="orange" variant="filled" autoContrast radius={0} icon={<IconPlugConnectedX />} role="alert">
      <Text fw={700}>{shared.awayTitle}</Text>
      <Text size="sm">{shared.awayMoney}</Text>
    </Alert>
  );
};
