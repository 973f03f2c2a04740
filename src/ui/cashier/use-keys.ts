/** Keys, pastes and scans on the page while nothing covers it. */
import { useEffect, useRef } from 'react';
import type { EntryKey } from './amount.ts';
import { addKey, type Command, type Focus, isOwnKey, isReachedByTab, keyAction, noKeys, scannedCode } from './keys.ts';

type KeyTargets = {
  /** A dialog is open, and its fields receive the keys. */
  covered: boolean;
  command: (command: Command) => void;
  entry: (key: EntryKey) => void;
  scan: (code: string) => void;
};

/** Whether something covers the page: a menu, the lock, a dialog. */
const isCovered = (): boolean => document.querySelector('[aria-modal=true], [role=menu], .tg-lock') !== null;

const focusOf = (target: EventTarget | null, isByTab: boolean): Focus => {
  if (!(target instanceof HTMLElement)) return 'page';
  if (target.closest('input, textarea, select, [contenteditable], [role=listbox]')) return 'field';
  return isByTab && target.closest('button, a') ? 'button' : 'page';
};

export const useKeys = (targets: KeyTargets): void => {
  const latest = useRef(targets);
  latest.current = targets;
  useEffect(() => {
    let keys = noKeys;
    let isByTab = false;
    let isUnder = false;
    /** Runs before any other handler: an Escape that closes a menu must not also reach the page below. */
    const before = (): void => {
      isUnder = latest.current.covered || isCovered();
    };
    const down = (event: KeyboardEvent): void => {
      const { command, entry, scan } = latest.current;
      const focus = focusOf(event.target, isByTab);
      isByTab = !isUnder && isReachedByTab(isByTab, event.key);
      const isTaken = event.defaultPrevented;
      if (isOwnKey(event)) event.preventDefault();
      if (isUnder || isTaken) return;
      // Also while the key is held down: otherwise it would press the button that has the focus.
      if (event.key === 'Enter' && focus === 'page') event.preventDefault();
      const code = event.key === 'Enter' ? scannedCode(keys, event.timeStamp) : undefined;
      keys = focus === 'field' ? noKeys : addKey(keys, event.key, event.timeStamp);
      const action = keyAction(event, focus);
      if (code !== undefined && focus !== 'field') {
        event.preventDefault();
        entry({ key: 'clear' });
        scan(code);
      } else if (action !== undefined) {
        event.preventDefault();
        if ('command' in action) command(action.command);
        else type(action.entry, event.target);
      }
    };
    /** Typing an amount leaves a focused button, so that Enter sells. */
    const type = (key: EntryKey, target: EventTarget | null): void => {
      if (target instanceof HTMLElement && target.closest('button, a')) target.blur();
      latest.current.entry(key);
    };
    const touch = (): void => {
      isByTab = false;
    };
    const paste = (event: ClipboardEvent): void => {
      if (latest.current.covered || isCovered() || focusOf(event.target, false) === 'field') return;
      event.preventDefault();
      latest.current.entry({ key: 'text', text: event.clipboardData?.getData('text/plain') ?? '' });
    };
    addEventListener('keydown', before, { capture: true });
    addEventListener('keydown', down);
    addEventListener('paste', paste);
    addEventListener('pointerdown', touch);
    return () => {
      removeEventListener('keydown', before, { capture: true });
      removeEventListener('keydown', down);
      removeEventListener('paste', paste);
      removeEventListener('pointerdown', touch);
    };
  }, []);
};
