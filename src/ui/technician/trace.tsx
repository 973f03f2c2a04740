/** The conversation with the terminals, side by side with its meaning: live, filtered, paused, saved. */
import { Alert, Badge, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { memo, useState } from 'react';
import type { TraceNode, TraceRow } from '../../api/contract/diagnosis.ts';
import { fill } from '../../base/placeholders.ts';
import {
  IconArrowDown,
  IconArrowUp,
  IconDownload,
  IconEraser,
  IconPlayerPause,
  IconPlayerPlay,
  IconUnlink,
} from '../icons/icons.ts';
import { useWords } from '../locale/use-words.ts';
import { saveBlob } from '../parts/files.tsx';
import { ProblemNote } from '../parts/problem.tsx';
import { Head, Hex, keyed, Mark, useExactTime } from './parts.tsx';
import { isMatch, type Live, traceText, useTrace } from './trace-store.ts';

export const Trace = () => {
  const { t, number } = useWords('technician');
  const live = useTrace();
  const [text, setWords] = useState('');
  const [counter, setCounter] = useState('');
  const counters = [...new Set(live.rows.map((row) => row.counter))].sort();
  const shown = live.rows.filter((row) => (counter === '' || row.counter === counter) && isMatch(row, text));
  const time = useExactTime();
  const save = (): void => saveBlob(new Blob([traceText(shown, time)], { type: 'text/plain' }), 'tillgate-trace.txt');
  return (
    <>
      <Head title={t.sections.trace} intro={`${t.traceIntro} ${t.bytesMasked}`}>
        <LiveBadge live={live} />
      </Head>
      <Stack>
        <Group align="flex-end" gap="sm">
          <Filter {...{ words: text, setWords, counter, setCounter, counters }} />
          <Pause live={live} />
          <Button variant="default" leftSection={<IconDownload />} disabled={shown.length === 0} onClick={save}>
            {t.export}
          </Button>
          <Button variant="default" leftSection={<IconEraser />} onClick={live.clear}>
            {t.clear}
          </Button>
        </Group>
        {live.error !== undefined && <ProblemNote error={live.error} />}
        {live.rows.length === 0 && live.error === undefined && (
          <Alert color="gray" role="status">
            {t.traceEmpty}
          </Alert>
        )}
        {live.rows.length > 0 && shown.length === 0 && <Text>{t.traceNone}</Text>}
        {shown.length > 0 && <Text c="dimmed">{fill(t.messages, { count: number(shown.length) })}</Text>}
        <ol style={{ listStyle: 'none', margin: 0, padding: 0 }} aria-label={t.sections.trace}>
          {shown.toReversed().map((row) => (
            <Message key={row.n} row={row} at={time(row.at)} />
          ))}
        </ol>
      </Stack>
    </>
  );
};

const LiveBadge = ({ live: { isLive, paused, waiting } }: { live: Live }) => {
  const { t, format } = useWords('technician');
  const [colour, label] = paused
    ? ['yellow', format(t.paused, { count: waiting })]
    : isLive
      ? ['green', t.live]
      : ['gray', t.notLive];
  return (
    <Badge color={colour} size="xl" variant="light" tt="none" autoContrast role="status">
      {label}
    </Badge>
  );
};

const Pause = ({ live: { paused, pause } }: { live: Live }) => {
  const { t } = useWords('technician');
  const Icon = paused ? IconPlayerPlay : IconPlayerPause;
  return (
    <Button variant={paused ? 'filled' : 'default'} leftSection={<Icon />} aria-pressed={paused} onClick={pause}>
      {paused ? t.goOn : t.pause}
    </Button>
  );
};

type Filtering = {
  words: string;
  setWords: (text: string) => void;
  counter: string;
  setCounter: (counter: string) => void;
  counters: readonly string[];
};

const Filter = ({ words, setWords, counter, setCounter, counters }: Filtering) => {
  const { t, shared } = useWords('technician');
  return (
    <>
      <TextInput
        label={t.filter}
        placeholder={t.filterHint}
        value={words}
        onChange={({ currentTarget }) => setWords(currentTarget.value)}
        style={{ flex: '1 1 10rem' }}
      />
      <NativeSelect
        label={shared.fields.counter}
        value={counter}
        onChange={({ currentTarget }) => setCounter(currentTarget.value)}
        data={[{ value: '', label: t.everyCounter }, ...counters]}
      />
    </>
  );
};

const icons = { toTerminal: IconArrowUp, fromTerminal: IconArrowDown, lost: IconUnlink } as const;

/** Reports are padded with zeros: the bytes with content come first. */
const HEX_MOST = 128;

const Message = memo(({ row, at }: { row: TraceRow; at: string }) => {
  const { t } = useWords('technician');
  const Icon = icons[row.way];
  return (
    <li className="te-message" data-way={row.way}>
      <div>
        <Text fw={700} size="sm">
          <bdi>{at}</bdi> <bdi>{row.counter}</bdi>
        </Text>
        <Group gap={4} wrap="nowrap">
          <Icon size={16} />
          <Text size="xs">{t.ways[row.way]}</Text>
        </Group>
        {row.masked && <Mark colour="yellow">{t.masked}</Mark>}
      </div>
      <Hex hex={row.hex} maxBytes={HEX_MOST} />
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

/** One message of a conversation: time and direction, its bytes, and its meaning as a tree. */
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
