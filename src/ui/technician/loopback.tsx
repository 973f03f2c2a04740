/** The examination of a terminal: its checks as they are made, and a chart of its response times. */
import { Button, Card, Group, NativeSelect, Progress, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useSearch } from 'wouter';
import type { DiagnosisAnswer, DiagnosisNews } from '../../api/contract/diagnosis.ts';
import { fill } from '../../base/placeholders.ts';
import { api } from '../api.ts';
import { IconStethoscope } from '../icons/icons.ts';
import { useMessages, useWords } from '../locale/use-words.ts';
import { Chart } from '../parts/figures.tsx';
import { CheckLine, Head, keyed, ProblemOrQuestion, type Verdict, VerdictNote } from './parts.tsx';
import { useDevices, useJob } from './till.ts';

type Check = DiagnosisAnswer['checks'][number];
type LoopbackRequest = { address: string; echoes: number; probe: boolean };

export const LoopbackPanel = () => {
  const { t } = useWords('technician');
  const texts = useMessages();
  const job = useJob<DiagnosisAnswer, DiagnosisNews>('devices');
  const [request, setAsked] = useState<LoopbackRequest>();
  const ask = (json: LoopbackRequest): void => {
    setAsked(json);
    void job.follow((headers) => api.devices.diagnosis.$post({ json }, { headers }));
  };
  const checks: readonly Check[] =
    job.result?.checks ?? job.steps.flatMap((one) => ('check' in one ? [one.check] : []));
  const echo = job.steps.findLast((one) => 'echo' in one);
  return (
    <>
      <Head title={t.sections.loopback} intro={t.loopbackIntro} />
      <Stack>
        <Ask busy={job.busy} onAsk={(address, echoes) => ask({ address, echoes, probe: false })} />
        {job.error !== undefined && (
          <ProblemOrQuestion
            error={job.error}
            address={request?.address ?? ''}
            onYes={() => request && ask({ ...request, probe: true })}
          />
        )}
        {job.busy && echo && 'echo' in echo && (
          <div>
            <Text>{fill(t.diagnosing, { done: echo.echo, all: echo.of })}</Text>
            <Progress size="xl" value={(echo.echo / echo.of) * 100} aria-label={t.echoes} />
          </div>
        )}
        {job.result && (
          <VerdictNote verdict={job.result.verdict} message={texts.text(job.result.told, job.result.says)} />
        )}
        {job.result?.loopback && <Histogram of={job.result.loopback} />}
        {checks.length > 0 && (
          <Card withBorder py="xs">
            <Stack component="ol" gap={0} p={0} m={0} style={{ listStyle: 'none' }} aria-live="polite">
              {keyed(checks, ({ says }) => says).map(({ key, value }) => (
                <CheckLine
                  key={key}
                  {...value}
                  what={texts.text({ code: `check.what${value.what}`, says: value.what })}
                  verdict={verdictOf(value.verdict)}
                />
              ))}
            </Stack>
          </Card>
        )}
      </Stack>
    </>
  );
};

const verdictOf = (verdict: Check['verdict']): Verdict => (verdict === 'attention' ? 'odd' : verdict);

const OTHER = '';
const ECHOES = ['0', '20', '100', '500', '1000'];

const Ask = ({ busy, onAsk }: { busy: boolean; onAsk: (address: string, echoes: number) => void }) => {
  const { t, shared } = useWords('technician');
  const rows = useDevices().data ?? [];
  const addressInUrl = new URLSearchParams(useSearch()).get('at') ?? undefined;
  const [chosen, setChosen] = useState<string>();
  const [input, setTyped] = useState('');
  const [echoes, setEchoes] = useState('20');
  const known = rows.some(({ address }) => address === addressInUrl) ? addressInUrl : rows[0]?.address;
  const selected = chosen ?? known ?? OTHER;
  const address = selected === OTHER ? input.trim() : selected;
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (address !== '') onAsk(address, Number(echoes));
  };
  return (
    <form onSubmit={send}>
      <Group align="flex-end" gap="sm">
        <NativeSelect
          label={shared.fields.counter}
          value={selected}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          data={[
            ...rows.map(({ counter = '', title, address: value }) => ({ value, label: `${counter} · ${title}` })),
            { value: OTHER, label: t.otherAddress },
          ]}
          style={{ flex: '2 1 14rem' }}
        />
        {selected === OTHER && (
          <TextInput
            label={shared.fields.address}
            value={input}
            maxLength={200}
            dir="ltr"
            spellCheck={false}
            autoComplete="off"
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            style={{ flex: '2 1 14rem' }}
          />
        )}
        <Echoes value={echoes} onChange={setEchoes} />
        <Button type="submit" loading={busy} disabled={address === ''} leftSection={<IconStethoscope />}>
          {t.diagnose}
        </Button>
      </Group>
    </form>
  );
};

const Echoes = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => {
  const { t } = useWords('technician');
  return (
    <NativeSelect
      label={t.echoes}
      value={value}
      data={ECHOES}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
};

type Loopback = NonNullable<DiagnosisAnswer['loopback']>;

/** A terminal's response times: a bar for each range of time, and the same as a table. */
const Histogram = ({ of: { histogram, lost } }: { of: Loopback }) => {
  const { t, format, number } = useWords('technician');
  const range = ({ fromMs, toMs }: Loopback['histogram'][number]): string =>
    toMs === undefined
      ? fill(t.rangeOpen, { from: number(fromMs) })
      : fill(t.range, { from: number(fromMs), to: number(toMs) });
  const maxCount = Math.max(1, ...histogram.map(({ count }) => count));
  return (
    <>
      <Chart
        title={t.histogram}
        columns={[{ name: t.answerTime }, { name: t.answers, isNumber: true }]}
        rows={histogram.map((bar) => [range(bar), number(bar.count)])}
        empty={t.histogramEmpty}
        switchTexts={{ asTable: t.asTable, asChart: t.asChart }}
        height={220}
      >
        <div className="te-bars">
          {histogram.map((bar) => (
            <div className="te-bar" key={bar.fromMs}>
              <b>{number(bar.count)}</b>
              <i style={{ blockSize: `${(bar.count / maxCount) * 75}%` }} />
              <small>{range(bar)}</small>
            </div>
          ))}
        </div>
      </Chart>
      {lost > 0 && (
        <Text fw={700} c="var(--mantine-color-error)">
          {format(t.lostAnswers, { count: lost })}
        </Text>
      )}
    </>
  );
};
