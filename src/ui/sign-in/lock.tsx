/**
 * The lock over the screens: what was typed behind it stays, and nothing reaches it. Keys and focus are held here too,
 * since shortcuts of a screen listen to the whole page.
 */
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';

/** Everything in the page but this is out of reach, until the returned function is called. */
const shut = (over: HTMLElement): (() => void) => {
  const behind = [...document.body.children].filter(
    (child): child is HTMLElement => child instanceof HTMLElement && child !== over && !child.inert,
  );
  const before = document.activeElement;
  for (const child of behind) child.inert = true;
  const holdKey = (event: KeyboardEvent): void => {
    if (event.target instanceof Node && over.contains(event.target)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  const holdFocus = (event: FocusEvent): void => {
    if (event.target instanceof Node && !over.contains(event.target)) over.querySelector('input')?.focus();
  };
  const endHere = (event: Event): void => event.stopPropagation();
  window.addEventListener('keydown', holdKey, { capture: true });
  document.addEventListener('focusin', holdFocus);
  over.addEventListener('keydown', endHere);
  return () => {
    window.removeEventListener('keydown', holdKey, { capture: true });
    document.removeEventListener('focusin', holdFocus);
    over.removeEventListener('keydown', endHere);
    for (const child of behind) child.inert = false;
    if (before instanceof HTMLElement) before.focus();
  };
};

/** Two elements: the inner one is where React listens, the outer one where keys end. */
const makeLayers = () => {
  const over = document.createElement('div');
  const inner = document.createElement('div');
  over.className = 'tg-lock';
  over.append(inner);
  return { over, inner };
};

export const Lock = ({ label, children }: { label: string; children: ReactNode }) => {
  const [{ over, inner }] = useState(makeLayers);
  useLayoutEffect(() => {
    document.body.append(over);
    const open = shut(over);
    return () => {
      over.remove();
      open();
    };
  }, [over]);
  return createPortal(
    <div role="dialog" aria-modal="true" aria-label={label}>
      {children}
    </div>,
    inner,
  );
};
