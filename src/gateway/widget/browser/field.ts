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
  errorOf: (value: string) => string | undefined;
  /** The text to show for the typed one. */
  format?: (value: string, before: string) => string;
  onInput?: (value: string) => void;
  onLeave?: (valid: boolean) => void;
  onEnter?: () => void;
};

export type InputField = {
  root: HTMLElement;
  input: HTMLInputElement;
  value(): string;
  /** Shows the error, if there is one. */
  check(): boolean;
  /** Shows this message until the text changes. */
  showError(error: string | undefined): void;
  setHint(hint: string): void;
  /** Resets the field to its initial state. */
  empty(): void;
};

/** Shows no error before the shopper has left the field for the first time. */
export const field = (options: FieldOptions): InputField => {
  const { errorOf, format, onInput, onLeave, onEnter } = options;
  const { input, hint, words, root } = partsOf(options);
  const showError = (message: string | undefined): void => {
    if (words.textContent === (message ?? '')) return;
    words.textContent = message ?? '';
    root.classList.toggle('wpwl-has-error', message !== undefined);
    if (message === undefined) input.removeAttribute('aria-invalid');
    else input.setAttribute('aria-invalid', 'true');
  };
  let wasLeft = false;
  let before = '';
  const check = (): boolean => {
    wasLeft = true;
    const message = errorOf(input.value);
    showError(message);
    return message === undefined;
  };
  if (options.value !== undefined) {
    input.value = format?.(options.value, '') ?? options.value;
    before = input.value;
  }
  input.addEventListener('input', () => {
    if (format !== undefined) reshape(input, format(input.value, before));
    before = input.value;
    onInput?.(input.value);
    if (wasLeft) check();
    else showError(undefined);
  });
  input.addEventListener('blur', () => {
    // Moving through an empty field with the Tab key is not a mistake yet.
    const valid = input.value === '' && !wasLeft ? false : check();
    onLeave?.(valid);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    onEnter?.();
  });
  const setHint = (text: string): void => {
    hint.textContent = text;
    hint.hidden = text === '';
  };
  const empty = (): void => {
    input.value = '';
    before = '';
    wasLeft = false;
    showError(undefined);
    onInput?.('');
  };
  return { root, input, value: () => input.value.trim(), check, showError, setHint, empty };
};

/** Replaces the text by its formatted form, and keeps the cursor after the same character. */
const reshape = (input: HTMLInputElement, text: string): void => {
  if (text === input.value) return;
  const i = input.selectionStart ?? input.value.length;
  const atEnd = i === input.value.length;
  const characterCount = input.value.slice(0, i).replace(/[\s/]/g, '').length;
  input.value = text;
  if (atEnd) return;
  let position = 0;
  for (let seen = 0; position < text.length && seen < characterCount; position += 1)
    if (!/[\s/]/.test(text[position] ?? '')) seen += 1;
  input.setSelectionRange(position, position);
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
