/** What the sales of the last month would have been under other limits, told while they are moved. */
import { List, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { LimitsReplay } from '../../../api/ports/books.ts';
import { fill } from '../../../words/fill.ts';
import { api, got } from '../../api.ts';
import { ProblemNote } from '../../parts/problem.tsx';
import { useSaid } from '../../words/said.ts';
import { useWords } from '../../words/words.ts';
import { useRead } from '../doing.tsx';
import { Panel } from '../parts.tsx';

/** So long a hand has to rest before the till looks, ms. */
const REST_MS = 250;

export const Replay = ({ changes }: { changes: Record<string, string> }) => {
  const { t } = useWords('manager');
  const [resting] = useDebouncedValue(JSON.stringify(changes), REST_MS);
  const hasChanges = resting !== '{}';
  const replay = useRead(
    ['replay', resting],
    async () =>
      hasChanges ? got(api.limits.replay.$post({ json: { changes: JSON.parse(resting) as typeof changes } })) : null,
    true,
  );
  const isMoving = resting !== JSON.stringify(changes) || replay.isFetching;
  return (
    <Panel title={t.limits.replayTitle}>
      <div aria-live="polite" aria-busy={isMoving} style={{ minHeight: '7.5rem' }}>
        {!hasChanges && <Text c="dimmed">{t.limits.replayNone}</Text>}
        {hasChanges && replay.error && <ProblemNote error={replay.error} />}
        {hasChanges && replay.data && !replay.error && <Told replay={replay.data} />}
        {hasChanges && !replay.data && !replay.error && <Text c="dimmed">{t.limits.replaying}</Text>}
      </div>
    </Panel>
  );
};

const Told = ({ replay }: { replay: LimitsReplay }) => {
  const { t, date, money, number } = useWords('manager');
  const said = useSaid();
  const { moreTaken, fewerTaken, wouldHaveFailed } = replay;
  const rows = [
    { ...moreTaken, words: t.limits.replayMore, colour: 'green' },
    { ...fewerTaken, words: t.limits.replayFewer, colour: 'gray' },
    { ...wouldHaveFailed, words: t.limits.replayFailed, colour: 'red' },
  ].filter(({ count }) => count > 0);
  return (
    <>
      <Text size="sm" c="dimmed">
        {fill(t.limits.replaySpan, { from: date(replay.from), to: date(replay.to) })}
      </Text>
      {rows.length === 0 && <Text fw={600}>{t.limits.replaySame}</Text>}
      <List spacing="xs" mt="xs">
        {rows.map(({ words, count, total, colour }) => (
          <List.Item key={words}>
            <Text fw={600} c={`var(--m-${colour})`}>
              {fill(words, { count: number(count), total: money(total) })}
            </Text>
          </List.Item>
        ))}
      </List>
      {(replay.told ?? []).map((one) => (
        <Text key={one.code} size="sm" c="dimmed">
          {said.told(one)}
        </Text>
      ))}
    </>
  );
};
