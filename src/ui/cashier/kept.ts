/** Sales whose result stays on the screen until somebody puts it away, also over a reload of the page. */
import { useCallback, useEffect, useState } from 'react';
import type { LiveSale } from '../../api/ports/selling.ts';
import { isSeen } from './panels.ts';

const PLACE = 'tillgate.kept';
/** More are not remembered: there are never as many terminals. */
const MOST = 40;

const read = (): string[] => {
  try {
    return JSON.parse(sessionStorage.getItem(PLACE) ?? '[]') as string[];
  } catch {
    return [];
  }
};

/** Every sale that is seen under way is kept; `putAway` lets go of it. */
export const useKept = (live: readonly LiveSale[]) => {
  const [kept, setKept] = useState<readonly string[]>(read);
  const change = useCallback((next: (held: readonly string[]) => readonly string[]) => {
    setKept((held) => {
      const then = next(held).slice(-MOST);
      sessionStorage.setItem(PLACE, JSON.stringify(then));
      return then;
    });
  }, []);
  const keep = useCallback(
    (...ids: string[]) => change((held) => [...held, ...ids.filter((id) => !held.includes(id))]),
    [change],
  );
  useEffect(() => {
    const fresh = live.filter((sale) => isSeen(sale) && !kept.includes(sale.id)).map(({ id }) => id);
    if (fresh.length > 0) keep(...fresh);
  }, [live, kept, keep]);
  const putAway = useCallback((id: string) => change((held) => held.filter((one) => one !== id)), [change]);
  return { kept: new Set(kept), keep, putAway };
};
