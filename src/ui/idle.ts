/** When a person last used this page by pointer or key: it locks when nobody is there, not when nothing is sent. */
import { now } from './clock.ts';

let touchedAt = now();

/** Tracks pointer and keys from now on, until the returned function is called; also calls `onTouch` for each. */
export const watchTouches = (onTouch: () => void): (() => void) => {
  const touch = (): void => {
    touchedAt = now();
    onTouch();
  };
  const kinds = ['pointerdown', 'keydown', 'wheel'] as const;
  for (const kind of kinds) window.addEventListener(kind, touch, { capture: true, passive: true });
  return () => {
    for (const kind of kinds) window.removeEventListener(kind, touch, { capture: true });
  };
};

/** How long nobody has used the page, ms. */
export const idleMs = (): number => Math.max(0, now() - touchedAt);
