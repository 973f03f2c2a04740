/** The widget's elements in the shop's page: messages, the button, and the texts that replace the form. */
import { type Child, icon, icons, make } from './dom.ts';
import { directionOf, tagOf } from './languages.ts';
import type { Room } from './method.ts';

type Action = { label: string; press: () => void; main?: true };

export type View = {
  root: HTMLElement;
  /** Inserts the parts into the form, above the button. */
  fill(...parts: readonly Child[]): void;
  button: HTMLButtonElement;
  /** A message above the form, which gets the focus; it stays. */
  tell(text: string | undefined): void;
  busy(on: boolean): void;
  /** Replaces the form until it is shown again. */
  instead(text: string, actions: readonly Action[], sign?: keyof typeof icons): void;
  again(): void;
};

export const view = ({ words, language, options }: Pick<Room, 'words' | 'language' | 'options'>): View => {
  const message = make('p', { class: 'wpwl-message', role: 'alert', tabindex: -1 });
  message.hidden = true;
  const parts = make('div', { class: 'wpwl-parts' });
  const button = make('button', { type: 'submit', class: 'wpwl-button wpwl-button-pay' }, words.payNow);
  const status = make('p', { class: 'wpwl-status', role: 'status' });
  const secure = make('p', { class: 'wpwl-note wpwl-lock' }, icon(icons.lock), words.secure);
  const form = make('form', { class: 'wpwl-form', novalidate: true }, message, parts, button, status, secure);
  const other = make('div', { class: 'wpwl-instead', tabindex: -1 });
  other.hidden = true;
  const root = make(
    'div',
    { class: `wpwl-container wpwl-style-${options.style}`, lang: tagOf(language), dir: directionOf(language) },
    form,
    other,
  );
  const again = (): void => {
    other.hidden = true;
    form.hidden = false;
  };
  return {
    root,
    fill: (...all) => parts.replaceChildren(...all.filter((part) => part !== undefined)),
    button,
    tell(text) {
      message.replaceChildren(...(text === undefined ? [] : [icon(icons.alert), make('span', {}, text)]));
      message.hidden = text === undefined;
      if (text !== undefined) message.focus();
    },
    busy(on) {
      root.classList.toggle('wpwl-busy', on);
      button.setAttribute('aria-disabled', String(on));
      status.textContent = on ? words.processing : '';
    },
    instead(text, actions, sign = 'alert') {
      other.replaceChildren(
        icon(icons[sign]),
        make('p', { role: 'status' }, text),
        ...actions.map(({ label, press, main }) => {
          const action = make(
            'button',
            { type: 'button', class: `wpwl-button${main ? ' wpwl-button-pay' : ''}` },
            label,
          );
          action.addEventListener('click', press);
          return action;
        }),
      );
      other.dataset['sign'] = sign;
      form.hidden = true;
      other.hidden = false;
      other.focus();
    },
    again,
  };
};
