/** After going live the page waits for the live till, and then starts again at its sign-in. */
import { Button, Loader, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { after } from '../clock.ts';
import { useWords } from '../locale/use-words.ts';
import { useAwaitedTill } from '../session.ts';
import { createStore } from '../store.ts';
import { ModeBar } from './bars.tsx';

/** Set once the test till has created the live one, in the window where that was done. */
export const openingLive = createStore(false);

/** A till starts within this time, even on a slow machine. */
const PATIENCE_MS = 30_000;

export const OpeningLive = () => {
  const { t } = useWords('manager');
  const [isLate, setLate] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useAwaitedTill();
  useEffect(() => after(PATIENCE_MS, () => setLate(true)), []);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="tg-screen">
      <ModeBar plain />
      <main className="tg-area tg-opening">
        <Stack align="center" ta="center" maw="32rem" role="status">
          <Loader size="lg" aria-hidden />
          <Title order={1} size="h2" ref={heading} tabIndex={-1}>
            {t.goingLive.opening.title}
          </Title>
          <Text>{isLate ? t.goingLive.opening.late : t.goingLive.opening.text}</Text>
          {isLate && <Button onClick={() => location.replace('/')}>{t.goingLive.opening.look}</Button>}
        </Stack>
      </main>
    </div>
  );
};
