/** Which key does what on the cashier's screen. The buttons show the same names. */
import { type EntryKey, narrow } from './amount.ts';

export const keyNames = {
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
} as const;

export type Command = keyof typeof keyNames;

const commands = new Map(
  Object.entries(keyNames).map(([command, name]) => [name === 'Esc' ? 'Escape' : name, command as Command]),
);

export type Pressed = { key: string; repeat: boolean; ctrlKey: boolean; altKey: boolean; metaKey: boolean };
/**
 * What receives Enter and letters: a focused field, a button reached with Tab, or else the page. A button that is
 * focused by a click, or after a menu or dialog has closed, does not receive Enter.
 */
export type Focus = 'field' | 'button' | 'page';

/**
 * Whether to keep a key from the browser: keys that this screen uses, even under a dialog or while held down. Otherwise
 * F3 would open the browser's search, and F12 its tools.
 */
export const isOwnKey = ({ key, ctrlKey, altKey, metaKey }: Pressed): boolean =>
  /^F\d/.test(key) && commands.has(key) && !ctrlKey && !altKey && !metaKey;

const modifiers: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock']);

/** Whether the focus was reached with Tab, after this key. */
export const isReachedByTab = (wasReachedByTab: boolean, key: string): boolean =>
  key === 'Tab' || (wasReachedByTab && modifiers.has(key));

/** What a key means. Undefined when it belongs to a field or button, or is held down. */
export const keyAction = (pressed: Pressed, focus: Focus): { command: Command } | { entry: EntryKey } | undefined => {
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

// A scanner types a receipt's code like a keyboard, only faster than a hand, and ends with Enter. Such input is a code,
// never an amount.

/** Keys closer together than this come from a machine. */
const HAND_MS = 35;
/** Fewer keys than this could still be a hand. */
const CODE_MIN = 6;

type ScannedKeys = { text: string; at: number };
export const noKeys: ScannedKeys = { text: '', at: Number.NEGATIVE_INFINITY };

/** The characters received without a pause, including this key; `at` is ms on any steady clock. */
export const addKey = (keys: ScannedKeys, key: string, at: number): ScannedKeys => {
  const text = at - keys.at < HAND_MS ? keys.text : '';
  return { text: key.length === 1 ? text + key : text, at };
};

/** The code that Enter completes at this moment. Undefined when a hand typed. */
export const scannedCode = (keys: ScannedKeys, at: number): string | undefined =>
  at - keys.at < HAND_MS && keys.text.length >= CODE_MIN ? keys.text : undefined;

/** A receipt by its number at this till, or by a code that identifies its till. */
export type ReceiptName = { receipt: number } | { code: string };

/**
 * The receipt that was scanned or typed: `417`, `000417` and `Receipt 417` are numbers; `12345678-000417` and a sale's
 * id of 32 hex digits are codes that the till looks up. Undefined for anything else.
 */
export const parseReceiptName = (text: string): ReceiptName | undefined => {
  const input = narrow(text).trim();
  if (/^[0-9a-f]{32}$/i.test(input)) return { code: input.toLowerCase() };
  // A scanner set for an American keyboard types the hyphen as ß on a German one.
  const [, terminalId, code] = /^([0-9A-Za-z]{1,32})[-/ ß](\d{1,9})$/.exec(input) ?? [];
  if (terminalId !== undefined && /\d/.test(terminalId)) return { code: `${terminalId}-${code}` };
  const [, digits] = /^(?:\p{L}{1,16} )?(\d{1,9})$/u.exec(input) ?? [];
  return digits === undefined || Number(digits) === 0 ? undefined : { receipt: Number(digits) };
};
