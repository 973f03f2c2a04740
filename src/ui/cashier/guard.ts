/** Nothing takes a press in its first moments: the finger was on its way to what stood there before. */
import { useEffect, useState } from 'react';
import { after } from '../clock.ts';

/** A result, or a button that moves money, takes nothing before it stood so long. */
const GUARD_MS = 700;

const unguardedIds = new Set<string>();

/** Whether what is shown under this id has stood long enough: keys and buttons ask the same. */
export const hasStood = (id: string): boolean => unguardedIds.has(id);

/** The same, of what is shown here under this id, which is its alone. */
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
