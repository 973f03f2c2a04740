/** The page around signing in: which till this is, and its language, for whoever has not signed in yet. */
import { Group, NativeSelect, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ShopFacts } from '../../api/ports/session.ts';
import { languageNames, languageOf } from '../../words/load.ts';
import { ConnectionBanner } from '../parts/connection.tsx';
import { WallClock } from '../parts/elapsed.tsx';
import { ModeBar } from '../parts/mode.tsx';
import { chooseLanguage } from '../words/language.tsx';
import { useWords } from '../words/words.ts';

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
