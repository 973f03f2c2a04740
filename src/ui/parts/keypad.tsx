/** Digits for amounts, as large as their place: pressed by hand they leave the focus where it was. */
import { IconBackspace } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import css from './keypad.module.css';

export type KeypadKey = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '00' | 'back';

type Props = {
  label: string;
  /** What the key that deletes is called. */
  back: string;
  onKey: (key: KeypadKey) => void;
};

const rows: readonly KeypadKey[] = ['7', '8', '9', '4', '5', '6', '1', '2', '3', '00', '0', 'back'];

const keepFocus = (event: MouseEvent): void => event.preventDefault();

export const Keypad = ({ label, back, onKey }: Props) => (
  <fieldset aria-label={label} className={css.pad} dir="ltr">
    {rows.map((name) => (
      <button
        key={name}
        type="button"
        className={css.key}
        aria-label={name === 'back' ? back : undefined}
        onMouseDown={keepFocus}
        onClick={() => onKey(name)}
      >
        {name === 'back' ? <IconBackspace size="1.6em" aria-hidden /> : name}
      </button>
    ))}
  </fieldset>
);
