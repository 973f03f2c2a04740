/** Texts that change every second: each is a small component, so that nothing else is redrawn. */
import { useEffect, useState } from 'react';
import { every, now } from '../clock.ts';
import { useWords } from '../locale/use-words.ts';

/** This machine's time, ms since 1970 UTC, updated every `stepMs`. For components that contain nothing else. */
export const useNow = (stepMs = 1000): number => {
  const [at, setAt] = useState(now);
  useEffect(() => every(stepMs, () => setAt(now())), [stepMs]);
  return at;
};

/** `0:06` since a moment, ticking; stops at `until`. */
export const Elapsed = ({ since, until }: { since: number; until?: number | undefined }) => {
  const { duration } = useWords('signIn');
  const at = useNow(250);
  return (
    <span role="timer" dir="ltr">
      {duration(Math.max(0, (until ?? at) - since))}
    </span>
  );
};

/** `4:59` until a moment, ticking; `onOver` is called once when it is reached. */
export const Remaining = ({ until, onOver }: { until: number; onOver?: () => void }) => {
  const { duration } = useWords('signIn');
  const leftMs = Math.max(0, until - useNow(250));
  const isOver = leftMs === 0;
  useEffect(() => {
    if (isOver) onOver?.();
  }, [isOver, onOver]);
  return (
    <span role="timer" dir="ltr">
      {duration(Math.ceil(leftMs / 1000) * 1000)}
    </span>
  );
};

/** Hour and minute in the store's zone. */
export const WallClock = () => {
  const { time } = useWords('signIn');
  return <span dir="ltr">{time(useNow(1000))}</span>;
};
