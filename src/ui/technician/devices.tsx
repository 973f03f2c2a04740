/** The terminals of this till as cards. */
import { Alert, Button, Card, Checkbox, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { DeviceRow } from '../../api/contract/devices.ts';
import { fill } from '../../base/placeholders.ts';
import { api, got } from '../api.ts';
import {
  IconAlertTriangle,
  IconPlug,
  IconPlugConnectedX,
  IconRefresh,
  IconStethoscope,
  IconTrash,
} from '../icons/icons.ts';
import { modelName, useMessages, useWords } from '../locale/use-words.ts';
import { Listed, ProblemNote } from '../parts/problem.tsx';
import { Keys, LinkPicture, type LinkState, TestHost } from './device-parts.tsx';
import { ConfirmDialog, Facts, Head, Mark } from './parts.tsx';
import { useDevices, useJob, useOffersSimulated } from './till.ts';

export const Devices = () => {
  const { t } = useWords('technician');
  const devices = useDevices();
  return (
    <>
      <Head title={t.sections.devices} intro={t.devicesIntro}>
        <Button component={Link} href="/technician/pair" leftSection={<IconPlug />}>
          {t.pairOne}
        </Button>
      </Head>
      <Listed query={devices} isEmpty={(rows) => rows.length === 0} empty={<NoDevices />}>
        {(rows) => (
          <div className="te-cards">
            {rows.map((row) => (
              <DeviceCard key={`${row.counter} ${row.address}`} device={row} />
            ))}
          </div>
        )}
      </Listed>
    </>
  );
};

const NoDevices = () => {
  const { t, shared } = useWords('technician');
  const offers = useOffersSimulated();
  const job = useJob<unknown>('devices', 'counters');
  const simulate = (): Promise<boolean> =>
    job.run(async (headers) => got(api.devices.simulated.$post({}, { headers })));
  return (
    <Alert color="gray" role="note" icon={<IconPlugConnectedX />} title={t.noDevices}>
      <Stack align="flex-start">
        <Text>{t.pairIntro}</Text>
        <Button component={Link} href="/technician/pair">
          {t.pairOne}
        </Button>
        {offers && (
          <>
            <Text>{shared.useSimulatedWhy}</Text>
            {job.error !== undefined && <ProblemNote error={job.error} />}
            <Button variant="default" loading={job.busy} onClick={() => void simulate()}>
              {shared.useSimulated}
            </Button>
          </>
        )}
      </Stack>
    </Alert>
  );
};

/** One terminal: its link, its identity, its keys and health; it can be asked again, diagnosed, or unpaired. */
export const DeviceCard = ({ device }: { device: DeviceRow }) => {
  const { t, shared } = useWords('technician');
  const messages = useMessages();
  const { counter = '', problems, busy, keys } = device;
  const name = device.simulated ? shared.simulatedTerminal : modelName(device.model ?? device.title, shared);
  const ask = useJob<DeviceRow>('devices');
  // Problems reported by the latest request are shown only here.
  const bad = ask.result?.problems.filter((problem) => !problems.includes(problem)) ?? [];
  const isAway = bad.length > 0 || (problems.length > 0 && keys === undefined);
  const state: LinkState = busy ? 'busy' : isAway ? 'away' : 'ready';
  const colour = { busy: 'blue', away: 'red', ready: 'green' }[state];
  const stateText = { busy: t.busy, away: t.away, ready: t.ready }[state];
  return (
    <Card withBorder component="section" aria-label={`${counter} ${device.title}`}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} size="h3">
            <bdi>{`${counter} · ${name}`}</bdi>
          </Title>
          <Mark colour={colour}>{stateText}</Mark>
        </Group>
        <LinkPicture link={device.link} state={state} message={`${t.links[device.link]}: ${stateText}`} />
        {device.simulated && (
          <Alert color="violet" title={shared.simulated} role="note">
            {t.simulatedWhy}
          </Alert>
        )}
        {busy && <Text c="dimmed">{t.busyWhy}</Text>}
        {device.tampered && <Alert color="red" icon={<IconAlertTriangle />} title={t.tampered} />}
        {bad.map((problem, i) => (
          <Alert key={problem} role="alert" color="red" icon={<IconAlertTriangle />}>
            {messages.text(ask.result?.toldProblems?.[i], problem)}
          </Alert>
        ))}
        {problems.map((problem, i) => (
          <Alert key={problem} role="note" color="yellow" icon={<IconAlertTriangle />}>
            {messages.text(device.toldProblems?.[i], problem)}
          </Alert>
        ))}
        <TestHost device={device} />
        <DeviceFacts device={device} />
        {keys ? <Keys keys={keys} /> : <Text c="dimmed">{t.notAskedYet}</Text>}
        <Actions device={device} ask={ask} />
      </Stack>
    </Card>
  );
};

const DeviceFacts = ({ device }: { device: DeviceRow }) => {
  const { t, shared, dateTime } = useWords('technician');
  const { model, serial, firmware, terminalId, batteryPercent, clockDifferenceMs, lastSeenAt, pairedAt } = device;
  const seconds = clockDifferenceMs === undefined ? undefined : Math.round(Math.abs(clockDifferenceMs) / 1000);
  const clock = (clockDifferenceMs ?? 0) > 0 ? t.clockAhead : t.clockBehind;
  const facts = [
    [t.model, model && `${device.title} · ${modelName(model, shared)}`],
    [t.serial, serial],
    [t.firmware, firmware],
    [t.terminalId, terminalId],
    [shared.fields.address, `${t.links[device.link]} · ${device.address}`],
    [t.battery, batteryPercent === undefined ? undefined : fill(shared.percent, { percent: batteryPercent })],
    [t.lineSteps.clock, seconds === undefined ? undefined : seconds === 0 ? t.clockRight : fill(clock, { seconds })],
    [t.lastSeen, lastSeenAt === undefined ? t.never : dateTime(lastSeenAt)],
    [t.pairedAt, pairedAt && dateTime(Date.parse(`${pairedAt.replace(' ', 'T')}Z`))],
  ] as const;
  return <Facts facts={facts.flatMap(([name, value]) => (value ? [[name, value] as const] : []))} />;
};

type DeviceQuery = ReturnType<typeof useJob<DeviceRow>>;

const Actions = ({
  device: { counter = '', address, busy, simulated },
  ask,
}: {
  device: DeviceRow;
  ask: DeviceQuery;
}) => {
  const { t, shared } = useWords('technician');
  const [forgets, setForgets] = useState(false);
  return (
    <>
      {ask.error !== undefined && <ProblemNote error={ask.error} />}
      <Group gap="sm">
        <Button
          leftSection={<IconRefresh />}
          loading={ask.busy}
          disabled={busy === true}
          onClick={() =>
            void ask.run((headers) => got(api.devices[':counter'].ask.$post({ param: { counter } }, { headers })))
          }
        >
          {t.ask}
        </Button>
        <Button
          variant="default"
          component={Link}
          href={`/technician/loopback?at=${encodeURIComponent(address)}`}
          leftSection={<IconStethoscope />}
        >
          {t.toLoopback}
        </Button>
        {!simulated && (
          <Button
            variant="subtle"
            color="red"
            px="sm"
            style={{ marginInlineStart: 'auto' }}
            leftSection={<IconTrash />}
            onClick={() => setForgets(true)}
          >
            {shared.remove}
          </Button>
        )}
      </Group>
      {forgets && <Forget counter={counter} onClose={() => setForgets(false)} />}
    </>
  );
};

const Forget = ({ counter, onClose }: { counter: string; onClose: () => void }) => {
  const { t } = useWords('technician');
  const [swap, setSwap] = useState(false);
  const job = useJob<unknown>('devices');
  const query = swap ? { swap: 'true' } : {};
  const forget = (): Promise<boolean> =>
    job.run(async (headers) => got(api.devices[':counter'].$delete({ param: { counter }, query }, { headers })));
  return (
    <ConfirmDialog
      {...{ job, onClose }}
      title={fill(t.forgetTitle, { counter })}
      message={t.forgetWhy}
      label={t.forgetDo}
      onConfirm={forget}
    >
      {job.error !== undefined && (
        <Checkbox
          label={t.forgetSwap}
          checked={swap}
          onChange={({ currentTarget }) => setSwap(currentTarget.checked)}
        />
      )}
    </ConfirmDialog>
  );
};
