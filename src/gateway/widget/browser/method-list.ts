/** The list of the ways to pay: one is chosen, and its panel is open. One way alone is no list. */
import { brandLabel } from './brand-labels.ts';
import { freshId, icon, icons, make } from './dom.ts';
import type { Panel, Room, WidgetMethod } from './method.ts';

export type MethodList = {
  root: HTMLElement;
  chosen(): { method: WidgetMethod; panel: Panel };
  /** Puts the cursor on the chosen way. */
  focus(): void;
  /** Forgets what was typed, under every way that was open. */
  empty(): void;
};

/** `changed` hears of the first choice too. */
export const methodList = (
  room: Room,
  methods: readonly [WidgetMethod, ...WidgetMethod[]],
  changed: (chosen: { method: WidgetMethod; panel: Panel }) => void,
): MethodList => {
  const group = freshId();
  const panels = new Map<WidgetMethod, Panel>();
  const rows = methods.map((method) => rowOf(room, method, group));
  let chosen: WidgetMethod = methods[0];
  const panelOf = (method: WidgetMethod): Panel => panels.get(method) ?? opened(method);
  const opened = (method: WidgetMethod): Panel => {
    const panel = method.open();
    panels.set(method, panel);
    rows.find((row) => row.method === method)?.place.append(panel.root);
    return panel;
  };
  const choose = (method: WidgetMethod): void => {
    chosen = method;
    const panel = panelOf(method);
    for (const row of rows) {
      const isChosen = row.method === method;
      row.radio.checked = isChosen;
      row.root.classList.toggle('wpwl-chosen', isChosen);
      row.place.hidden = !isChosen || isEmpty(panel);
    }
    changed({ method, panel });
  };
  for (const { radio, method } of rows) {
    radio.addEventListener('change', () => {
      choose(method);
      room.options.callbacks.onChangeBrand?.(method.brand);
    });
  }
  const alone = methods.length === 1;
  const root = make(
    'fieldset',
    { class: `wpwl-methods${alone ? ' wpwl-alone' : ''}` },
    make('legend', { class: alone ? 'wpwl-unseen' : 'wpwl-legend' }, room.words.paymentMethod),
    ...rows.map((row) => row.root),
  );
  choose(methods[0]);
  return {
    root,
    chosen: () => ({ method: chosen, panel: panelOf(chosen) }),
    focus: () => rows.find(({ method }) => method === chosen)?.radio.focus(),
    empty() {
      for (const panel of panels.values()) panel.empty();
    },
  };
};

/** Nothing to fill in. A card's frame may come into its place a moment later. */
const isEmpty = ({ root }: Panel): boolean => root.childElementCount === 0 && !root.classList.contains('wpwl-secure');

type Row = { root: HTMLElement; method: WidgetMethod; radio: HTMLInputElement; place: HTMLElement };

const rowOf = ({ words }: Room, method: WidgetMethod, group: string): Row => {
  const radio = make('input', { type: 'radio', class: 'wpwl-radio', name: group, value: method.key });
  const badges = make(
    'span',
    { class: 'wpwl-badges' },
    ...method.badges.map((name) => make('span', { class: `wpwl-badge wpwl-badge-${name}` }, brandLabel(name, words))),
  );
  const texts = make(
    'span',
    { class: 'wpwl-texts' },
    make('span', { class: 'wpwl-name' }, method.label),
    method.note === undefined ? undefined : make('span', { class: 'wpwl-note' }, method.note),
  );
  const place = make('div', { class: 'wpwl-panel' });
  const root = make(
    'div',
    { class: `wpwl-method wpwl-method-${method.kind}` },
    make('label', { class: 'wpwl-choice' }, radio, icon(icons[method.icon]), texts, badges),
    place,
  );
  return { root, method, radio, place };
};
