/** Which key does what on the cashier's screen. The buttons show the same names. */
import { narrow } from './amount.ts';
import type { EntryKey } from './entry.ts';

export type Command =
  | 'sell'
  | 'escape'
  | 'tip'
  | 'split'
  | 'preauth'
  | 'refund'
  | 'find'
  | 'claim'
  | 'giftCard'
  | 'terminal'
  | 'typed'
  | 'print';

export const keyNames: Readonly<Record<Command, string>> = {
  sell: 'Enter',
  escape: 'Esc',
  tip: 'F2',
  split: 'F3',
  preauth: 'F4',
  refund: 'F6',
  find: 'F7',
  claim: 'F8',
  giftCard: 'F9',
  terminal: 'F10',
  typed: 'F12',
  print: 'F1',
};

const commands = new Map(
  Object.entries(keyNames).map(([command, name]) => [name === 'Esc' ? 'Escape' : name, command as Command]),
);

export type Pressed = { key: string; repeat: boolean; ctrlKey: boolean; altKey: boolean; metaKey: boolean };
/**
 * What owns Enter and letters: a field that has the focus, a button that somebody walked to with Tab, else the page. A
 * button that has the focus from a click, or back from a menu or dialog, does not own Enter.
 */
export type Focus = 'field' | 'button' | 'page';

/**
 * Whether the browser may not have it: a key that this screen gives a meaning, also while a dialog lies over it or the
 * key is held down. F3 would open the browser's search, F12 its tools.
 */
export const isOwnKey = ({ key, ctrlKey, altKey, metaKey }: Pressed): boolean =>
  /^F\d/.test(key) && commands.has(key) && !ctrlKey && !altKey && !metaKey;

const modifiers: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock']);

/** Whether the focus stands where Tab took it, after this key. */
export const isWalked = (before: boolean, key: string): boolean => key === 'Tab' || (before && modifiers.has(key));

/** What a key asks for; nothing when it belongs to a field or button, or is held down. */
export const meantBy = (pressed: Pressed, focus: Focus): { command: Command } | { entry: EntryKey } | undefined => {
  const { key, repeat, ctrlKey, altKey, metaKey } = pressed;
  if (ctrlKey || altKey || metaKey) return undefined;
  const command = commands.get(key);
  if (command !== undefined) {
    if (repeat || (command === 'sell' && focus !== 'page')) return undefined;
    return { command };
  }
  if (focus === 'field') return undefined;
  const digit = narrow(key);
  if (/^\d$/.test(digit)) return { entry: { key: 'digit', digit } };
  if (digit === '.' || digit === ',' || key === 'Decimal') return { entry: { key: 'sign' } };
  if (key === 'Backspace') return { entry: { key: 'back' } };
  return key === 'Delete' ? { entry: { key: 'clear' } } : undefined;
};
