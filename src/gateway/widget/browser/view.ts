/** The widget's elements in the shop's page: messages, the button, and the texts that replace the form. */
import { type Child, icon, icons, make } from './dom.ts';
import { directionOf, tagOf } from './languages.ts';
import type { WidgetContext } from './method.ts';

type Action = { label: string; onPress: () => void; main?: true };

export type View = {
  root: HTMLElement;
  /** Inserts the parts into the form, above the button. */
  fillForm(...parts: readonly Child[]): void;
  button: HTMLButtonElement;
  /** A message above the form, which gets the focus; it stays. */
  showMessage(text: string | undefined): void;
  setBusy(isBusy: boolean): void;
  /** Replaces the form until it is shown again. */
  replaceForm(text: string, actions: readonly Action[], iconName?: keyof typeof icons): void;
  restoreForm(): void;
};

export const view = ({ words, language, options }: Pick<WidgetContext, 'words' | 'language' | 'options'>): View => {
  const message = make('p', { class: 'wpwl-message', role: 'alert', tabindex: -1 });
  message.hidden = true;
  const parts = make('div', { class: 'wpwl-parts' });
  const button = make('button', { type: 'submit', class: 'wpwl-button wpwl-button-pay' }, words.payNow);
  const status = make('p', { class: 'wpwl-status', role: 'status' });
  const secure = make('p', { class: 'wpwl-note wpwl-lock' }, icon(icons.lock), words.secure);
  const form = make('form', { class: 'wpwl-form', novalidate: true }, message, parts, button, status, secure);
  const replacement = make('div', { class: 'wpwl-instead', tabindex: -1 });
  replacement.hidden = true;
  const root = make(
    'div',
    { class: `wpwl-container wpwl-style-${options.style}`, lang: tagOf(language), dir: directionOf(language) },
    form,
    replacement,
  );
  const restoreForm = (): void => {
    replacement.hidden = true;
    form.hidden = false;
  };
  return {
    root,
    fillForm: (...all) => parts.replaceChildren(...all.filter((part) => part !== undefined)),
    button,
    showMessage(text) {
      message.replaceChildren(...(text === undefined ? [] : [icon(icons.alert), make('span', {}, text)]));
      message.hidden = text === undefined;
      if (text !== undefined) message.focus();
    },
    setBusy(isBusy) {
      root.classList.toggle('wpwl-busy', isBusy);
      button.setAttribute('aria-disabled', String(isBusy));
      status.textContent = isBusy ? words.processing : '';
    },
    replaceForm(text, actions, iconName = 'alert') {
      replacement.replaceChildren(
        icon(icons[iconName]),
        make('p', { role: 'status' }, text),
        ...actions.map(({ label, onPress, main }) => {
          const action = make(
            'button',
            { type: 'button', class: `wpwl-button${main ? ' wpwl-button-pay' : ''}` },
            label,
          );
          action.addEventListener('click', onPress);
          return action;
        }),
      );
      replacement.dataset['sign'] = iconName;
      form.hidden = true;
      replacement.hidden = false;
      replacement.focus();
    },
    restoreForm,
  };
};
