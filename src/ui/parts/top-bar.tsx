/**
 * The bar over every screen: which till, whether it answers, the time, and the person's menu. A screen adds its own
 * content to the middle with `<InTopBar>`.
 */
import { Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { createPortal } from 'react-dom';
import type { ShopFacts } from '../../api/contract/session.ts';
import { IconPlugConnected, IconPlugConnectedX } from '../icons/icons.ts';
import { useWords } from '../locale/use-words.ts';
import { createStore } from '../store.ts';
import { connection } from './connection.tsx';
import { WallClock } from './elapsed.tsx';

const middle = createStore<HTMLElement | null>(null);

/** Shown in the middle of the bar as long as it is mounted. */
export const InTopBar = ({ children }: { children: ReactNode }) => {
  const content = middle.use();
  return content && createPortal(children, content);
};

export const TopBar = ({ shop, menu }: { shop: ShopFacts; menu: ReactNode }) => {
  const [setMiddle] = useState(() => middle.set);
  return (
    <header className="tg-bar">
      <Text fw={600} truncate className="tg-bar-shop">
        <bdi>{shop.name}</bdi> · <bdi>{shop.terminalId}</bdi>
      </Text>
      <div className="tg-bar-middle" ref={setMiddle} />
      <Group className="tg-bar-end" wrap="nowrap">
        <Connected />
        <Text span size="lg" className="tg-bar-clock">
          <WallClock />
        </Text>
        {menu}
      </Group>
    </header>
  );
};

const Connected = () => {
  const { shared } = useWords('signIn');
  const isLost = connection.use() === 'lost';
  const Icon = isLost ? IconPlugConnectedX : IconPlugConnected;
  return <Icon size={22} role="img" aria-label={isLost ? shared.awayTitle : shared.online} data-lost={isLost} />;
};
