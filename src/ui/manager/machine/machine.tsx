/**
 * This machine: where the data folder belongs, which sales only the gateway has, and the manager's decisions on both.
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
      <Head title={t.machine.title} subtitle={t.machine.intro} />
      <Listed query={state}>{(machine) => <MachineFacts machine={machine} />}</Listed>
    </>
  );
};

const MachineFacts = ({ machine }: { machine: MachineState }) => {
  const { t } = useWords('manager');
  const { binding, comparison, plainHttp } = machine;
  const Icon = { here: IconCircleCheck, unbound: IconHelpCircle, elsewhere: IconAlertTriangle }[binding];
  return (
    <Stack gap="md" maw="44rem">
      <Panel title={t.machine.folder}>
        <Fact icon={<Icon size={24} />}>{t.machine.bound[binding]}</Fact>
      </Panel>
      {binding === 'elsewhere' && <MachineQuestion machine={machine} />}
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
  const [takenOver, setTaken] = useState<TakenOver>();
  const compare = () => runner.run((headers) => got(api.machine.compare.$post({}, { headers })));
  const adoptMachine = async (): Promise<void> => {
    const reported = await runner.run((headers) => got(api.machine['take-over'].$post({}, { headers })));
    if (reported !== undefined) setTaken(reported);
  };
  const Icon = { compared: IconCircleCheck, due: IconCloudQuestion, behind: IconAlertTriangle }[comparison.state];
  const texts = t.machine.compared;
  const text =
    comparison.state === 'behind'
      ? fill(texts.behind, { count: number(comparison.sales) })
      : comparison.state === 'due' && comparison.refused !== undefined
        ? fill(texts.refused, { code: comparison.refused })
        : texts[comparison.state];
  return (
    <Panel title={t.machine.gateway}>
      <Stack align="flex-start">
        <Fact icon={<Icon size={24} />}>{text}</Fact>
        {comparison.state === 'behind' && isHere && <Text>{t.machine.takeOver.why}</Text>}
        {comparison.state === 'behind' && isHere && (
          <ConfirmButton texts={t.machine.takeOver} busy={runner.busy} onConfirm={() => void adoptMachine()} />
        )}
        {comparison.state === 'due' && (
          <Button size="md" variant="default" loading={runner.busy} onClick={() => void compare()}>
            {t.machine.ask}
          </Button>
        )}
        {takenOver && (
          <Text role="status">
            {fill(t.machine.takeOver.done, {
              sales: number(takenOver.sales),
              left: number(takenOver.left),
              setAside: number(takenOver.setAside),
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
const MachineQuestion = ({ machine: { terminals } }: { machine: MachineState }) => {
  const { t } = useWords('manager');
  const runner = useAction('machine');
  const [isSaid, setSaid] = useState(false);
  const print: Say = async (work) => {
    const isConfirmed = await runner.run(async (headers) => {
      await work(headers);
      return true;
    });
    if (isConfirmed === true) setSaid(true);
  };
  if (isSaid) return <Panel>{t.machine.opening}</Panel>;
  return (
    <>
      <Panel title={t.machine.moved.title}>
        <Stack align="flex-start">
          <Text>{t.machine.moved.why}</Text>
          <ConfirmButton
            texts={t.machine.moved}
            busy={runner.busy}
            onConfirm={() => void print((headers) => got(api.machine.moved.$post({}, { headers })))}
          />
        </Stack>
      </Panel>
      <Panel title={t.machine.copied.title}>
        <CopyForm terminals={terminals} busy={runner.busy} onResult={print} />
      </Panel>
      {runner.error !== undefined && <ProblemNote error={runner.error} />}
    </>
  );
};

const CopyForm = ({
  terminals,
  busy,
  onResult,
}: Pick<MachineState, 'terminals'> & { busy: boolean; onResult: Say }) => {
  const { t } = useWords('manager');
  const [numbers, setNumbers] = useState<readonly string[]>(terminals.map(() => ''));
  const copy = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const terminalIds = numbers.map((one) => one.trim());
    void onResult((headers) => got(api.machine.copied.$post({ json: { terminalIds } }, { headers })));
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
            onChange={({ currentTarget: { value } }) => setNumbers((previous) => previous.with(i, value))}
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
  const texts = t.machine.plainHttp;
  const runner = useAction('machine');
  const set = (allowed: boolean): void => {
    const json = { address, allowed };
    void runner.run((headers) => got(api.machine['plain-http'].$post({ json }, { headers })));
  };
  const says = {
    none: () => (reach === 'elsewhere' ? texts.elsewhere : texts.none),
    usedBefore: () => texts.usedBefore,
    allowed: (at: number, by?: string) =>
      fill(by === undefined ? texts.allowedByNobody : texts.allowed, { name: by ?? '', at: dateTime(at) }),
  };
  return (
    <Panel title={texts.title}>
      <Stack align="flex-start">
        <Text role="status">
          {permission.state === 'allowed' ? says.allowed(permission.at, permission.by) : says[permission.state]()}
        </Text>
        <Text>{fill(texts.risk, { address })}</Text>
        {reach === 'privateNetwork' && <Text>{texts.better}</Text>}
        {reach === 'privateNetwork' && permission.state !== 'allowed' && (
          <ConfirmButton texts={texts} busy={runner.busy} onConfirm={() => set(true)} />
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
            {texts.end}
          </Button>
        )}
        {runner.error !== undefined && <ProblemNote error={runner.error} />}
      </Stack>
    </Panel>
  );
};

// A button that is enabled only once a person has confirmed something.

type ConfirmProps = { texts: { sure: string; go: string }; busy: boolean; onConfirm(): void };

/** For irreversible or dangerous actions: the person first confirms that they are sure. */
const ConfirmButton = ({ texts, busy, onConfirm }: ConfirmProps) => {
  const [isSure, setSure] = useState(false);
  return (
    <>
      <Checkbox label={texts.sure} checked={isSure} onChange={({ currentTarget }) => setSure(currentTarget.checked)} />
      <Button h="auto" mih={56} className="m-whole" disabled={!isSure} loading={busy} onClick={onConfirm}>
        {texts.go}
      </Button>
    </>
  );
};
