/** One message of a conversation: when and which way, its bytes, and what it means as a tree. */
import { Group, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconUnlink } from '@tabler/icons-react';
import { memo } from 'react';
import type { TraceNode, TraceRow } from '../../api/ports/devices.ts';
import { useWords } from '../words/words.ts';
import { keyed } from './keyed.ts';
import { Hex, Mark } from './parts.tsx';

const icons = { toTerminal: IconArrowUp, fromTerminal: IconArrowDown, lost: IconUnlink } as const;

/** A report is filled up with zeros: the bytes that say something come first. */
const HEX_MOST = 128;

export const Message = memo(({ row, at }: { row: TraceRow; at: string }) => {
  const { t } = useWords('technician');
  const Icon = icons[row.way];
  return (
    <li className="te-message" data-way={row.way}>
      <div>
        <Text fw={700} size="sm">
          <bdi>{at}</bdi> <bdi>{row.counter}</bdi>
        </Text>
        <Group gap={4} wrap="nowrap">
          <Icon size={16} aria-hidden />
          <Text size="xs">{t.ways[row.way]}</Text>
        </Group>
        {row.masked && <Mark colour="yellow">{t.masked}</Mark>}
      </div>
      <Hex hex={row.hex} most={HEX_MOST} />
      <div dir="ltr">
        {row.says.length === 0 && row.way !== 'lost' && <Text c="dimmed">{t.noMeaning}</Text>}
        <ul className="te-tree">
          {row.way === 'lost' && <li>{t.lost}</li>}
          {keyed(row.way === 'lost' ? [] : row.says, ({ text }) => text).map(({ key, value }) => (
            <Node key={key} node={value} />
          ))}
        </ul>
      </div>
    </li>
  );
});

const Node = ({ node: { text, below = [] } }: { node: TraceNode }) => (
  <li>
    {text}
    {below.length > 0 && (
      <ul>
        {keyed(below, (node) => node.text).map(({ key, value }) => (
          <Node key={key} node={value} />
        ))}
      </ul>
    )}
  </li>
);
