/** Closing the day: a checklist that turns green, the close itself, and the resulting Z report. */
import { Alert, Button, Group, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { BatchReport, BatchRow, ClosingState } from '../../../api/contract/books.ts';
import { fill } from '../../../base/placeholders.ts';
import { api, got } from '../../api.ts';
import { IconCircleCheck, IconRefresh } from '../../icons/icons.ts';
import { useWords } from '../../locale/use-words.ts';
import { Listed } from '../../parts/problem.tsx';
import { addressOf, areOfSeveral, CurrencyTables, ofTerminal } from '../batches/batch-facts.tsx';
import { Empty, Head, Panel, Paper } from '../parts.tsx';
import { type ActionRunner, useAction, useRead } from '../use-action.tsx';
import { CheckRow } from './check.tsx';
import { OverrideDialog, SignDialog } from './sign.tsx';

/** `first`: the terminal whose batch is shown first; without it, the one that is closed next. */
export const Closing = ({ first }: { first?: string }) => {
  const { t, shared } = useWords('manager');
  const [terminalId, setTerminalId] = useState(first);
  const state = useRead(['closing', terminalId], () =>
    got(api.closing.$get({ query: terminalId === undefined ? {} : { terminalId } })),
  );
  const [closed, setClosed] = useState<BatchReport>();
  const refresh = (): void => void state.refetch();
  const onNext = (next: BatchRow): void => {
    setTerminalId(next.terminalId);
    setClosed(undefined);
  };
  const others = (state.data?.standing ?? []).filter((one) => one.terminalId !== closed?.terminalId);
  if (closed !== undefined) return <Closed report={closed} others={others} onNext={onNext} />;
  const { batch, standing = [] } = state.data ?? {};
  return (
    <>
      <Head title={t.sections.closing} subtitle={t.closing.intro}>
        {state.data && (
          <Button
            size="md"
            variant="default"
            leftSection={<IconRefresh size={20} />}
            loading={state.isFetching}
            onClick={refresh}
          >
            {t.closing.do.again}
          </Button>
        )}
      </Head>
      {batch !== undefined && areOfSeveral(standing) && (
        <SegmentedControl
          size="md"
          mb="md"
          aria-label={shared.fields.counter}
          value={terminalId ?? batch.terminalId}
          onChange={setTerminalId}
          data={standing.map((row) => ({
            value: row.terminalId,
            label: ofTerminal(fill(t.batches.batch, { batch: row.batch }), row, true),
          }))}
        />
      )}
      {state.data === undefined && !state.error && <Text mb="sm">{t.closing.asking}</Text>}
      <Listed
        query={state}
        isEmpty={({ batch }) => batch === undefined}
        empty={
          <Empty icon={<IconCircleCheck size={56} color="var(--mantine-color-green-6)" />}>{t.closing.nothing}</Empty>
        }
      >
        {(one) => <Gate state={one} isAsking={state.isFetching} refresh={refresh} onDone={setClosed} />}
      </Listed>
    </>
  );
};

type GateProps = { state: ClosingState; isAsking: boolean; refresh(): void; onDone(report: BatchReport): void };

const Gate = ({ state, isAsking, refresh, onDone }: GateProps) => {
  const runner = useAction('batches', 'today', 'openItems');
  const [dialog, open] = useState<'sign' | 'override'>();
  const of = state.batch === undefined ? {} : { terminalId: state.batch.terminalId };
  const red = state.checks.filter(({ ok }) => !ok).length;
  const close = async (override?: string): Promise<void> => {
    const report = await runner.run((headers) =>
      got(api.closing.$post({ query: {}, json: { ...of, override } }, { headers })),
    );
    if (report !== undefined) onDone(report);
    else refresh();
  };
  const dismiss = (): void => {
    // Escape in the PIN dialog keeps the sign dialog open, with the reason why it was not signed.
    if (runner.busy) return;
    runner.clear();
    open(undefined);
  };
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Stack>
        <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
          {state.checks.map((check) => (
            <CheckRow key={check.what} check={check} isAsking={isAsking} refresh={refresh} />
          ))}
        </Stack>
        <GateButtons {...{ state, red, runner, isAsking }} open={open} />
      </Stack>
      <SoFar batch={state.batch} />
      {dialog === 'sign' && <SignDialog state={state} runner={runner} close={dismiss} sign={() => void close()} />}
      {dialog === 'override' && (
        <OverrideDialog state={state} runner={runner} close={dismiss} sign={(reason) => void close(reason)} />
      )}
    </SimpleGrid>
  );
};

type ButtonProps = {
  state: ClosingState;
  red: number;
  runner: ActionRunner;
  isAsking: boolean;
  open(which: 'sign' | 'override'): void;
};

/** The safe button keeps its place; the other one is below it and never in the safe one's place. */
const GateButtons = ({ state, red, runner, isAsking, open }: ButtonProps) => {
  const { t, format } = useWords('manager');
  const text = red === 0 ? t.closing.ready : fill(t.closing.notReady, { count: red, total: state.checks.length });
  const { batch, standing = [] } = state;
  const close = fill(t.closing.close, { batch: batch?.batch ?? '' });
  const closeWords = batch === undefined ? close : ofTerminal(close, batch, areOfSeveral(standing));
  const { inProgress = [] } = state;
  return (
    <Panel>
      <Text fw={600} mb="sm" role="status">
        {text}
      </Text>
      {inProgress.length > 0 && <Text mb="sm">{format(t.closing.inProgress, { count: inProgress.length })}</Text>}
      <Stack gap="sm">
        <Button
          size="xl"
          mih={72}
          className="m-whole"
          color="green.9"
          autoFocus
          disabled={!state.mayClose || isAsking}
          loading={runner.busy}
          onClick={() => open('sign')}
        >
          {closeWords}
        </Button>
        {!state.mayClose && (
          <Button
            size="md"
            variant="default"
            mih={48}
            className="m-whole"
            disabled={isAsking}
            onClick={() => open('override')}
          >
            {t.closing.closeAnyway}
          </Button>
        )}
      </Stack>
    </Panel>
  );
};

const SoFar = ({ batch }: { batch: ClosingState['batch'] }) => {
  const { t } = useWords('manager');
  const number = String(batch?.batch ?? '');
  const terminalId = batch?.terminalId ?? '';
  const report = useRead(['batches', number, terminalId], () =>
    got(api.batches[':batch{[0-9]{1,9}}'].$get({ param: { batch: number }, query: { terminalId } })),
  );
  return (
    <Stack>
      <Title order={2} size="h4">
        {t.closing.soFar}
      </Title>
      <Listed query={report}>{(one) => <CurrencyTables currencies={one.currencies} />}</Listed>
    </Stack>
  );
};

type ClosedProps = { report: BatchReport; others: readonly BatchRow[]; onNext(next: BatchRow): void };

const Closed = ({ report, others, onNext }: ClosedProps) => {
  const { t } = useWords('manager');
  const doneText = fill(t.closing.done, { batch: report.batch });
  const top = useRef<HTMLDivElement>(null);
  // The report replaces a longer list, whose button had the focus.
  useEffect(() => {
    top.current?.closest('main')?.scrollTo({ top: 0 });
    top.current?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
  }, []);
  return (
    <Stack ref={top}>
      <Head title={t.sections.closing} />
      <Alert
        color="green"
        role="status"
        icon={<IconCircleCheck />}
        title={ofTerminal(doneText, report, others.length > 0)}
      >
        <Text>{fill(t.closing.doneZ, { z: report.z ?? '' })}</Text>
        <Text>{t.closing.next}</Text>
      </Alert>
      <Group>
        {others.map((next) => (
          <Button key={next.terminalId} size="md" onClick={() => onNext(next)}>
            {ofTerminal(fill(t.closing.close, { batch: next.batch }), next, true)}
          </Button>
        ))}
        <Button size="md" variant={others.length > 0 ? 'default' : 'filled'} component={Link} href={addressOf(report)}>
          {fill(t.batches.batch, { batch: report.batch })}
        </Button>
        <Button size="md" variant="default" component={Link} href="/manager">
          {t.sections.today}
        </Button>
      </Group>
      {report.paper && <Paper lines={report.paper} label={t.batches.paper} />}
    </Stack>
  );
};
