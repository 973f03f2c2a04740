/** The page around signing in: which till this is, and a choice of language before signing in. */
import { Group, NativeSelect, Text } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import type { ShopFacts } from '../../api/contract/session.ts';
import { languageNames, languageOf } from '../../locales/load.ts';
import { chooseLanguage } from '../locale/language.tsx';
import { useWords } from '../locale/use-words.ts';
import { ModeBar } from '../parts/bars.tsx';
import { ConnectionBanner } from '../parts/connection.tsx';
import { WallClock } from '../parts/elapsed.tsx';

export const SignInPage = ({ shop, body }: { shop: ShopFacts; body: ReactNode }) => {
  const { shared, language } = useWords('signIn');
  const choose = (tag: string): void => {
    const chosen = languageOf(tag);
    if (chosen !== undefined) chooseLanguage(chosen);
  };
  return (
    <div className="tg-screen">
      <ModeBar plain />
      <ConnectionBanner />
      <header className="tg-bar">
        <Text fw={600} truncate className="tg-bar-shop">
          <bdi>{shop.name}</bdi> · <bdi>{shop.terminalId}</bdi>
        </Text>
        <Group gap="md" wrap="nowrap">
          <Text span size="lg">
            <WallClock />
          </Text>
          <NativeSelect
            aria-label={shared.language}
            size="md"
            value={language}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
            data={languageNames.map(([value, label]) => ({ value, label }))}
          />
        </Group>
      </header>
      <main className="tg-area">{body}</main>
    </div>
  );
};

// The lock over the screens: what was typed behind it stays, and nothing reaches it. Keys and focus are held too,
// because a screen's shortcuts listen on the whole page.

/** Makes everything else in the page unreachable, until the returned function is called. */
const disablePage = (layer: HTMLElement): (() => void) => {
  const pageElements = [...document.body.children].filter(
    (child): child is HTMLElement => child instanceof HTMLElement && child !== layer && !child.inert,
  );
  const focused = document.activeElement;
  for (const child of pageElements) child.inert = true;
  const holdKey = (event: KeyboardEvent): void => {
    if (event.target instanceof Node && layer.contains(event.target)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  const holdFocus = (event: FocusEvent): void => {
    if (event.target instanceof Node && !layer.contains(event.target)) layer.querySelector('input')?.focus();
  };
  const endHere = (event: Event): void => event.stopPropagation();
  window.addEventListener('keydown', holdKey, { capture: true });
  document.addEventListener('focusin', holdFocus);
  layer.addEventListener('keydown', endHere);
  return () => {
    window.removeEventListener('keydown', holdKey, { capture: true });
    document.removeEventListener('focusin', holdFocus);
    layer.removeEventListener('keydown', endHere);
    for (const child of pageElements) child.inert = false;
    if (focused instanceof HTMLElement) focused.focus();
  };
};

/** Two elements: React listens on the inner one, and the outer one stops keys. */
const makeLayers = () => {
  const layer = document.createElement('div');
  const inner = document.createElement('div');
  layer.className = 'tg-lock';
  layer.append(inner);
  return { over: layer, inner };
};

export const Lock = ({ label, children }: { label: string; children: ReactNode }) => {
  const [{ over: layer, inner }] = useState(makeLayers);
  useLayoutEffect(() => {
    document.body.append(layer);
    const open = disablePage(layer);
    return () => {
      layer.remove();
      open();
    };
  }, [layer]);
  return createPortal(
    <div role="dialog" aria-modal="true" aria-label={label}>
      {children}
    </div>,
    inner,
  );
};
