/** Ends what is asked of the till with the part of the page that asks: nobody is let in who has turned away. */
import { useEffect, useRef } from 'react';

/** Gives the signal for the next request; it is aborted when the part goes, or asks again. */
export const useGone = (): (() => AbortSignal) => {
  const last = useRef<AbortController>(undefined);
  useEffect(() => () => last.current?.abort(), []);
  return () => {
    last.current?.abort();
    last.current = new AbortController();
    return last.current.signal;
  };
};
