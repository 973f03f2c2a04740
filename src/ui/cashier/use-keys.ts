/** Keys, pastes and scans of the whole page, while nothing lies over it. */
import { useEffect, useRef } from 'react';
import type { EntryKey } from './entry.ts';
import { type Command, type Focus, meantBy } from './keys.ts';
import { hear, scanned, silence } from './scan.ts';

type Hands = {
  /** A dialog is open: its own fields have the keys. */
  covered: boolean;
  command: (command: Command) => void;
  entry: (key: EntryKey) => void;
  scan: (code: string) => void;
};

/** Something of the page's own lies over it: a menu, the lock, a question. */
const isCovered = (): boolean => document.querySelector('[aria-modal=true], [role=menu], .tg-lock') !== null;

const focusOf = (target: EventTarget | null): Focus => {
  if (!(target instanceof HTMLElement)) return 'page';
  if (target.closest('input, textarea, select, [contenteditable], [role=listbox]')) return 'field';
  return target.closest('button, a') ? 'button' : 'page';
};

export const useKeys = (hands: Hands): void => {
  const latest = useRef(hands);
  latest.current = hands;
  useEffect(() => {
    let heard = silence;
    const down = (event: KeyboardEvent): void => {
      const { covered, command, entry, scan } = latest.current;
      if (covered || event.defaultPrevented || isCovered()) return;
      const focus = focusOf(event.target);
      const code = event.key === 'Enter' ? scanned(heard, event.timeStamp) : undefined;
      heard = focus === 'field' ? silence : hear(heard, event.key, event.timeStamp);
      const meant = meantBy(event, focus);
      if (code !== undefined && focus !== 'field') {
        event.preventDefault();
        entry({ key: 'clear' });
        scan(code);
      } else if (meant !== undefined) {
        event.preventDefault();
        if ('command' in meant) command(meant.command);
        else entry(meant.entry);
      }
    };
    const paste = (event: ClipboardEvent): void => {
      if (latest.current.covered || isCovered() || focusOf(event.target) === 'field') return;
      event.preventDefault();
      latest.current.entry({ key: 'text', text: event.clipboardData?.getData('text/plain') ?? '' });
    };
    addEventListener('keydown', down);
    addEventListener('paste', paste);
    return () => {
      removeEventListener('keydown', down);
      removeEventListener('paste', paste);
    };
  }, []);
};
