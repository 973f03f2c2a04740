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
    const wanted = languageOf(tag);
    if (wanted !== undefined) chooseLanguage(wanted);
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
const shut = (over: HTMLElement): (() => void) => {
  const behind = [...document.body.children].filter(
    (child): child is HTMLElement => child instanceof HTMLElement && child !== over && !child.inert,
  );
  const before = document.activeElement;
  for (const child of behind) child.inert = true;
  const holdKey = (event: KeyboardEvent): void => {
    if (event.target instanceof Node && over.contains(event.target)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  };
  const holdFocus = (event: FocusEvent): void => {
    if (event.target instanceof Node && !over.contains(event.target)) over.querySelector('input')?.focus();
  };
  const endHere = (event: Event): void => event.stopPropagation();
  window.addEventListener('keydown', holdKey, { capture: true });
  document.addEventListener('focusin', holdFocus);
  over.addEventListener('keydown', endHere);
  return () => {
    window.removeEventListener('keydown', holdKey, { capture: true });
    document.removeEventListener('focusin', holdFocus);
    over.removeEventListener('keydown', endHere);
    for (const child of behind) child.inert = false;
    if (before instanceof HTMLElement) before.focus();
  };
};

/** Two elements: React listens on the inner one, and the outer one stops keys. */
const makeLayers = () => {
  const over = document.createElement('div');
  const inner = document.createElement('div');
  over.className = 'tg-lock';
  over.append(inner);
  return { over, inner };
};

export const Lock = ({ label, children }: { label: string; children: ReactNode }) => {
  const [{ over, inner }] = useState(makeLayers);
  useLayoutEffect(() => {
    document.body.append(over);
    const open = shut(over);
    return () => {
      over.remove();
      open();
    };
  }, [over]);
  return createPortal(
    <div role="dialog" aria-modal="true" aria-label={label}>
      {children}
    </div>,
    inner,
  );
};
