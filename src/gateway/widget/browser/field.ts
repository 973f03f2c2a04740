/** One labelled input: its hint, its error message, and when that is shown. */
import { freshId, make } from './dom.ts';

export type FieldOptions = {
  /** The end of the class names: `wpwl-control-cardNumber`. */
  name: string;
  label: string;
  hint?: string;
  placeholder?: string;
  autocomplete?: string;
  inputMode?: 'numeric' | 'text' | 'email';
  maxLength?: number;
  type?: 'text' | 'password';
  /** Numbers are read from left to right in every language. */
  ltr?: true;
  required?: boolean;
  value?: string;
  /** The error message for the typed text, or undefined if it is right. */
  error: (value: string) => string | undefined;
  /** The text to show for the typed one. */
  format?: (value: string, before: string) => string;
  typed?: (value: string) => void;
  left?: (valid: boolean) => void;
  entered?: () => void;
};

export type InputField = {
  root: HTMLElement;
  input: HTMLInputElement;
  value(): string;
  /** Shows the error, if there is one. */
  check(): boolean;
  /** Shows this message until the text changes. */
  say(error: string | undefined): void;
  setHint(hint: string): void;
  /** Resets the field to its initial state. */
  empty(): void;
};

/** Shows no error before the shopper has left the field for the first time. */
export const field = (options: FieldOptions): InputField => {
  const { error, format, typed, left, entered } = options;
  const { input, hint, words, root } = partsOf(options);
  const say = (what: string | undefined): void => {
    if (words.textContent === (what ?? '')) return;
    words.textContent = what ?? '';
    root.classList.toggle('wpwl-has-error', what !== undefined);
    if (what === undefined) input.removeAttribute('aria-invalid');
    else input.setAttribute('aria-invalid', 'true');
  };
  let touched = false;
  let before = '';
  const check = (): boolean => {
    touched = true;
    const what = error(input.value);
    say(what);
    return what === undefined;
  };
  if (options.value !== undefined) {
    input.value = format?.(options.value, '') ?? options.value;
    before = input.value;
  }
  input.addEventListener('input', () => {
    if (format !== undefined) reshape(input, format(input.value, before));
    before = input.value;
    typed?.(input.value);
    if (touched) check();
    else say(undefined);
  });
  input.addEventListener('blur', () => {
    // Moving through an empty field with the Tab key is not a mistake yet.
    const valid = input.value === '' && !touched ? false : check();
    left?.(valid);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    entered?.();
  });
  const setHint = (text: string): void => {
    hint.textContent = text;
    hint.hidden = text === '';
  };
  const empty = (): void => {
    input.value = '';
    before = '';
    touched = false;
    say(undefined);
    typed?.('');
  };
  return { root, input, value: () => input.value.trim(), check, say, setHint, empty };
};

/** Replaces the text by its formatted form, and keeps the cursor after the same character. */
const reshape = (input: HTMLInputElement, text: string): void => {
  if (text === input.value) return;
  const i = input.selectionStart ?? input.value.length;
  const atEnd = i === input.value.length;
  const signs = input.value.slice(0, i).replace(/[\s/]/g, '').length;
  input.value = text;
  if (atEnd) return;
  let place = 0;
  for (let seen = 0; place < text.length && seen < signs; place += 1) if (!/[\s/]/.test(text[place] ?? '')) seen += 1;
  input.setSelectionRange(place, place);
};

/** The elements in the document: the label, the input, its hint, its error. */
const partsOf = (options: FieldOptions) => {
  const { name, label } = options;
  const id = freshId();
  const input = make('input', {
    id,
    class: `wpwl-control wpwl-control-${name}`,
    type: options.type ?? 'text',
    inputmode: options.inputMode,
    autocomplete: options.autocomplete ?? 'off',
    placeholder: options.placeholder,
    maxlength: options.maxLength,
    dir: options.ltr ? 'ltr' : undefined,
    'aria-required': options.required === false ? undefined : 'true',
    'aria-describedby': `${id}-hint ${id}-error`,
    spellcheck: 'false',
    autocapitalize: 'off',
  });
  const hint = make('p', { id: `${id}-hint`, class: 'wpwl-hint' }, options.hint);
  hint.hidden = options.hint === undefined;
  const words = make('p', { id: `${id}-error`, class: 'wpwl-error', 'aria-live': 'polite' });
  const root = make(
    'div',
    { class: `wpwl-group wpwl-group-${name}` },
    make('label', { class: 'wpwl-label', for: id }, label),
    make('div', { class: 'wpwl-box' }, input),
    hint,
    words,
  );
  return { input, hint, words, root };
};
