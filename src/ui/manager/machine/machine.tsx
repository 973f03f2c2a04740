/**
 * This machine: where the data folder belongs, what the gateway knows beyond it, and the manager's decisions about
 * both.
 */
import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { GatewayComparison, MachineState, PlainHttp, TakenOver } from '../../../api/contract/machine.ts';
import { fill } from '../../../base/placeholders.ts';
import { api, got } from '../../api.ts';
import { IconAlertTriangle, IconCircleCheck, IconCloudQuestion, IconHelpCircle } from '../../icons/icons.ts';
import { useWords } from '../../locale/use-words.ts';
import type { OverrideHeaders } from '../../parts/override.ts';
import { Listed, ProblemNote } from '../../parts/problem.tsx';
import { Head, Panel } from '../parts.tsx';
import { useAction, useRead } from '../use-action.tsx';

export const Machine = () => {
  const { t } = useWords('manager');
  const state = useRead(['machine'], () => got(api.machine.$get()));
  return (
    <>
      <Head title={t.machine.title} says={t.machine.intro} />
      <Listed query={state}>{(now) => <Found now={now} />}</Listed>
    </>
  );
};

const Found = ({ now }: { now: MachineState }) => {
  const { t } = useWords('manager');
  const { binding, comparison, plainHttp } = now;
  const Icon = { here: IconCircleCheck, unbound: IconHelpCircle, elsewhere: IconAlertTriangle }[binding];
  return (
    <Stack gap="md" maw="44rem">
      <Panel title={t.machine.folder}>
        <Fact icon={<Icon size={24} />}>{t.machine.bound[binding]}</Fact>
      </Panel>
      {binding === 'elsewhere' && <WhatItIs now={now} />}
      {plainHttp && <PlainGateway plain={plainHttp} />}
      {comparison && <Compared comparison={comparison} isHere={binding !== 'elsewhere'} />}
    </Stack>
  );
};

const Fact = ({ icon, children }: { icon: React.ReactNode; children: string }) => (
  <Text component="div" role="status" style={{ display: 'flex', gap: '0.75rem', alignItems: 'flex-start' }}>
    <span style={{ flex: 'none' }}>{icon}</span>
    <span>{children}</span>
  </Text>
);

const Compared = ({ comparison, isHere }: { comparison: GatewayComparison; isHere: boolean }) => {
  const { t, number } = useWords('manager');
  const runner = useAction('machine');
  const [taken, setTaken] = useState<TakenOver>();
  const compare = () => runner.run((headers) => got(api.machine.compare.$post({}, { headers })));
  const takeOver = async (): Promise<void> => {
    const reported = await runner.run((headers) => got(api.machine['take-over'].$post({}, { headers })));
    if (reported !== undefined) setTaken(reported);
  };
  const Icon = { compared: IconCircleCheck, due: IconCloudQuestion, behind: IconAlertTriangle }[comparison.state];
  const words = t.machine.compared;
  const text =
    comparison.state === 'behind'
      ? fill(words.behind, { count: number(comparison.sales) })
      : comparison.state === 'due' && comparison.refused !== undefined
        ? fill(words.refused, { code: comparison.refused })
        : words[comparison.state];
  return (
    <Panel title={t.machine.gateway}>
      <Stack align="flex-start">
        <Fact icon={<Icon size={24} />}>{text}</Fact>
        {comparison.state === 'behind' && isHere && <Text>{t.machine.takeOver.why}</Text>}
        {comparison.state === 'behind' && isHere && (
          <OnceSure words={t.machine.takeOver} busy={runner.busy} act={() => void takeOver()} />
        )}
        {comparison.state === 'due' && (
          <Button size="md" variant="default" loading={runner.busy} onClick={() => void compare()}>
            {t.machine.ask}
          </Button>
        )}
        {taken && (
          <Text role="status">
            {fill(t.machine.takeOver.done, {
              sales: number(taken.sales),
              left: number(taken.left),
              setAside: number(taken.setAside),
            })}
          </Text>
        )}
        {runner.error !== undefined && <ProblemNote error={runner.error} />}
      </Stack>
    </Panel>
  );
};

type Say = (work: (headers: OverrideHeaders) => Promise<unknown>) => Promise<void>;

/** Moved or a copy: the till reopens in both cases, and everybody continues where they were. */
const WhatItIs = ({ now: { terminals } }: { now: MachineState }) => {
  const { t } = useWords('manager');
  const runner = useAction('machine');
  const [isSaid, setSaid] = useState(false);
  const print: Say = async (work) => {
    const done = await runner.run(async (headers) => {
      await work(headers);
      return true;
    });
    if (done === true) setSaid(true);
  };
  if (isSaid) return <Panel>{t.machine.opening}</Panel>;
  return (
    <>
      <Panel title={t.machine.moved.title}>
        <Stack align="flex-start">
          <Text>{t.machine.moved.why}</Text>
          <OnceSure
            words={t.machine.moved}
            busy={runner.busy}
            act={() => void print((headers) => got(api.machine.moved.$post({}, { headers })))}
          />
        </Stack>
      </Panel>
      <Panel title={t.machine.copied.title}>
        <CopyForm terminals={terminals} busy={runner.busy} say={print} />
      </Panel>
      {runner.error !== undefined && <ProblemNote error={runner.error} />}
    </>
  );
};

const CopyForm = ({ terminals, busy, say }: Pick<MachineState, 'terminals'> & { busy: boolean; say: Say }) => {
  const { t } = useWords('manager');
  const [numbers, setNumbers] = useState<readonly string[]>(terminals.map(() => ''));
  const copy = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const terminalIds = numbers.map((one) => one.trim());
    void say((headers) => got(api.machine.copied.$post({ json: { terminalIds } }, { headers })));
  };
  return (
    <form onSubmit={copy} noValidate autoComplete="off">
      <Stack align="flex-start">
        <Text>{t.machine.copied.why}</Text>
        {terminals.map(({ counter, terminalId }, i) => (
          <TextInput
            key={counter}
            label={fill(t.machine.copied.number, { counter, terminalId })}
            value={numbers[i] ?? ''}
            onChange={({ currentTarget: { value } }) => setNumbers((before) => before.with(i, value))}
            inputMode="numeric"
            maxLength={32}
            size="md"
            dir="ltr"
          />
        ))}
        <Button type="submit" h="auto" mih={56} className="m-whole" variant="default" loading={busy}>
          {t.machine.copied.go}
        </Button>
      </Stack>
    </form>
  );
};

/** Payments over plain http: what others on the network can read, and the manager's permission for this address. */
const PlainGateway = ({ plain: { address, reach, permission } }: { plain: PlainHttp }) => {
  const { t, dateTime } = useWords('manager');
  const words = t.machine.plainHttp;
  const runner = useAction('machine');
  const set = (allowed: boolean): void => {
    const json = { address, allowed };
    void runner.run((headers) => got(api.machine['plain-http'].$post({ json }, { headers })));
  };
  const says = {
    none: () => (reach === 'elsewhere' ? words.elsewhere : words.none),
    usedBefore: () => words.usedBefore,
    allowed: (at: number, by?: string) =>
      fill(by === undefined ? words.allowedByNobody : words.allowed, { name: by ?? '', at: dateTime(at) }),
  };
  return (
    <Panel title={words.title}>
      <Stack align="flex-start">
        <Text role="status">
          {permission.state === 'allowed' ? says.allowed(permission.at, permission.by) : says[permission.state]()}
        </Text>
        <Text>{fill(words.risk, { address })}</Text>
        {reach === 'privateNetwork' && <Text>{words.better}</Text>}
        {reach === 'privateNetwork' && permission.state !== 'allowed' && (
          <OnceSure words={words} busy={runner.busy} act={() => set(true)} />
        )}
        {permission.state !== 'none' && (
          <Button
            size="md"
            variant="default"
            h="auto"
            mih={48}
            className="m-whole"
            loading={runner.busy}
            onClick={() => set(false)}
          >
            {words.end}
          </Button>
        )}
        {runner.error !== undefined && <ProblemNote error={runner.error} />}
      </Stack>
    </Panel>
  );
};

// A button that is enabled only once a person has confirmed something.

type ConfirmProps = { words: { sure: string; go: string }; busy: boolean; act(): void };

/** For irreversible or dangerous actions: the person first confirms that they are sure. */
const OnceSure = ({ words, busy, act }: ConfirmProps) => {
  const [isSure, setSure] = useState(false);
  return (
    <>
      <Checkbox label={words.sure} checked={isSure} onChange={({ currentTarget }) => setSure(currentTarget.checked)} />
      <Button h="auto" mih={56} className="m-whole" disabled={!isSure} loading={busy} onClick={act}>
        {words.go}
      </Button>
    </>
  );
};
