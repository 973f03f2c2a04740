/** Large figures side by side: what it is, the figure, and what it means in a few words. */
import { Card, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';

type Figure = { name: string; value: string; hint?: ReactNode; colour?: string; icon?: ReactNode };

export const Figures = ({ figures }: { figures: readonly Figure[] }) => (
  <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} m={0} spacing="sm">
    {figures.map(({ name, value, hint, colour, icon }) => (
      <Card
        key={name}
        withBorder
        padding="sm"
        radius="md"
        style={{ borderInlineStart: `4px solid var(--mantine-color-${colour ?? 'gray'}-5)` }}
      >
        <Text component="dt" c="dimmed" fw={500} className="m-figure-name">
          {icon}
          <span>{name}</span>
        </Text>
        <Text component="dd" m={0} fz={{ base: '1.15rem', md: '1.7rem', xl: '2.1rem' }} fw={700} lh={1.3}>
          <bdi style={{ overflowWrap: 'anywhere' }}>{value}</bdi>
        </Text>
        {hint !== undefined && (
          <Text component="dd" m={0} size="sm" c="dimmed">
            {hint}
          </Text>
        )}
      </Card>
    ))}
  </SimpleGrid>
);
