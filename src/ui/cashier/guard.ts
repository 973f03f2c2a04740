/** New content ignores presses at first: the finger may have been aimed at what was there before. */
import { useEffect, useState } from 'react';
import { after } from '../clock.ts';

/** How long a result, or a button that moves money, must be visible before it accepts a press. */
const GUARD_MS = 700;

const unguardedIds = new Set<string>();

/** Whether the content with this id has been visible long enough; keys and buttons both check it. */
export const isUnguarded = (id: string): boolean => unguardedIds.has(id);

/** The same for content shown here, whose id must be unique. */
export const useGuard = (id: string): boolean => {
  const [open, setOpen] = useState<string>();
  useEffect(() => {
    const stop = after(GUARD_MS, () => {
      unguardedIds.add(id);
      setOpen(id);
    });
    return () => {
      stop();
      unguardedIds.delete(id);
    };
  }, [id]);
  return open === id;
};
