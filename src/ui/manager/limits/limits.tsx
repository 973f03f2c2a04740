/** The limits for selling without the gateway, and how last month's sales would have ended under the changed limits. */
import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { LimitsReplay, LimitsState } from '../../../api/contract/limits.ts';
import { fill } from '../../../base/placeholders.ts';
import { limitName } from '../../../locales/names.ts';
import { api, got } from '../../api.ts';
import { IconCircleCheck, IconCloudOff } from '../../icons/icons.ts';
import { useMessages, useWords } from '../../locale/use-words.ts';
import { Listed, ProblemNote } from '../../parts/problem.tsx';
import { Empty, Head, Panel } from '../parts.tsx';
import { type ActionRunner, useAction, useRead } from '../use-action.tsx';
import { LimitGroup } from './group.tsx';
import { allOff, changesOf } from './scale.ts';

export const Limits = () => {
  const { t } = useWords('manager');
  const limits = useRead(['limits'], () => got(api.limits.$get()));
  return (
    <>
      <Head title={t.sections.limits} subtitle={t.limits.intro} />
      <Listed
        query={limits}
        isEmpty={({ settings }) => settings.length === 0}
        empty={<Empty icon={<IconCloudOff size={48} />}>{t.limits.empty}</Empty>}
      >
        {(state) => <Editor state={state} />}
      </Listed>
    </>
  );
};

const sides = [['chip'], ['deferred', 'together', 'refunds']];

const Editor = ({ state }: { state: LimitsState }) => {
  const { settings } = state;
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const { changes, wrong } = changesOf(settings, typed);
  const type = (key: string, text: string): void => setTyped((previous) => ({ ...previous, [key]: text }));
  return (
    <div className="m-limits">
      <div className="m-limit-sides">
        {sides.map((side) => (
          <Stack key={side.join()}>
            {side.map((group) => (
              <LimitGroup key={group} group={group} settings={settings} typed={typed} type={type} />
            ))}
          </Stack>
        ))}
      </div>
      <Stack className="m-aside">
        <Ready state={state} turn={(key, value) => type(key, value)} isTurned={(key) => typed[key] !== undefined} />
        <Replay changes={changes} />
        <Saving state={state} changes={changes} isWrong={wrong.length > 0} reset={() => setTyped({})} />
      </Stack>
    </div>
  );
};

type ReadyProps = { state: LimitsState; turn(key: string, value: string): void; isTurned(key: string): boolean };

/** Whether a card like those of the last weeks would be accepted; if not, the setting that would change it. */
const Ready = ({ state: { ready, why, cards }, turn, isTurned }: ReadyProps) => {
  const { t, number } = useWords('manager');
  const texts = useMessages();
  const { seen = 0, taken = 0, cure } = cards ?? {};
  return (
    <Alert color={ready ? 'green' : 'violet'} variant="light" icon={ready ? <IconCircleCheck /> : <IconCloudOff />}>
      <Text fw={600}>{ready ? t.limits.ready : t.limits.notReady}</Text>
      {why && <Text className="m-sentence">{texts.text(why)}.</Text>}
      {cards && (
        <Text>
          {seen === 0 ? t.limits.noCards : fill(t.limits.ofCards, { taken: number(taken), seen: number(seen) })}
        </Text>
      )}
      {ready && taken < seen && cards?.why && <Text>{fill(t.limits.othersNot, { why: texts.text(cards.why) })}</Text>}
      {cure && (
        <Stack gap={4} mt="xs" align="flex-start">
          <Text>
            {fill(t.limits.cure, { limit: limitName(cure.key, t), taken: number(cure.taken), seen: number(seen) })}
          </Text>
          <Button
            size="md"
            h="auto"
            mih={48}
            variant="default"
            className="m-whole"
            disabled={isTurned(cure.key)}
            onClick={() => turn(cure.key, cure.value)}
          >
            {t.limits.turnOn}
          </Button>
        </Stack>
      )}
    </Alert>
  );
};

type SavingProps = { state: LimitsState; changes: Record<string, string>; isWrong: boolean; reset(): void };

/** Saves, and keeps the previous values so that one press restores them. */
const useSaving = ({ state, reset }: Pick<SavingProps, 'state' | 'reset'>) => {
  const { t } = useWords('manager');
  const runner = useAction('limits', 'audit');
  const [before, setBefore] = useState<Record<string, string>>();
  const [text, setText] = useState('');
  const put = async (changes: Record<string, string>, message: string): Promise<boolean> => {
    const put = await runner.run((headers) => got(api.limits.$put({ json: { changes } }, { headers })));
    if (put === undefined) return false;
    reset();
    setText(message);
    return true;
  };
  const save = async (changes: Record<string, string>): Promise<void> => {
    const was = Object.fromEntries(
      state.settings.filter(({ key }) => key in changes).map(({ key, value }) => [key, value]),
    );
    if (await put(changes, t.limits.saved)) setBefore(was);
  };
  const undo = async (): Promise<void> => {
    if (before !== undefined && (await put(before, t.limits.undone))) setBefore(undefined);
  };
  return { runner, save, told: text, undo: before && undo };
};

const Saving = ({ state, changes, isWrong, reset }: SavingProps) => {
  const { t, shared, format } = useWords('manager');
  const saving: {
    runner: ActionRunner;
    told: string;
    save(of: Record<string, string>): Promise<void>;
    undo?(): Promise<void>;
  } = useSaving({ state, reset });
  const count = Object.keys(changes).length;
  const switchedOff = allOff(state.settings);
  const { undo, runner } = saving;
  return (
    <Stack gap="sm">
      {runner.error !== undefined && <ProblemNote error={runner.error} />}
      <Text role="status">{count > 0 ? format(t.limits.changed, { count }) : saving.told}</Text>
      <Button disabled={count === 0 || isWrong} loading={runner.busy} onClick={() => void saving.save(changes)}>
        {shared.save}
      </Button>
      <Group grow preventGrowOverflow={false} gap="sm">
        <Button size="md" variant="default" className="m-whole" disabled={count === 0 && !isWrong} onClick={reset}>
          {t.limits.reset}
        </Button>
        <Button
          size="md"
          variant="default"
          className="m-whole"
          disabled={undo === undefined || runner.busy}
          onClick={() => void undo?.()}
        >
          {t.limits.undo}
        </Button>
      </Group>
      <Button
        size="md"
        variant="outline"
        color="violet"
        disabled={Object.keys(switchedOff).length === 0 || runner.busy}
        onClick={() => void saving.save(switchedOff)}
      >
        {t.limits.off}
      </Button>
    </Stack>
  );
};

// How the sales of the last month would have ended under other limits, updated while the sliders move.

/** How long the slider must rest before the till is asked, ms. */
const REST_MS = 250;

const Replay = ({ changes }: { changes: Record<string, string> }) => {
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
        {hasChanges && replay.data && !replay.error && <ReplayResult replay={replay.data} />}
        {hasChanges && !replay.data && !replay.error && <Text c="dimmed">{t.limits.replaying}</Text>}
      </div>
    </Panel>
  );
};

const ReplayResult = ({ replay }: { replay: LimitsReplay }) => {
  const { t, date, money, number } = useWords('manager');
  const messages = useMessages();
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
          {messages.text(one)}
        </Text>
      ))}
    </>
  );
};
