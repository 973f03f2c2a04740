/** The terminals of this till as cards. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconPlug, IconPlugConnectedX } from '@tabler/icons-react';
import { Link } from 'wouter';
import { api, got } from '../api.ts';
import { Listed } from '../parts/listed.tsx';
import { ProblemNote } from '../parts/problem.tsx';
import { useWords } from '../words/words.ts';
import { DeviceCard } from './device-card.tsx';
import { useJob } from './job.ts';
import { Head } from './parts.tsx';
import { useDevices, useOffersSimulated } from './read.ts';

export const Devices = () => {
  const { t } = useWords('technician');
  const devices = useDevices();
  return (
    <>
      <Head title={t.sections.devices} intro={t.devicesIntro}>
        <Button component={Link} href="/technician/pair" size="lg" leftSection={<IconPlug aria-hidden />}>
          {t.pairOne}
        </Button>
      </Head>
      <Listed query={devices} isEmpty={(rows) => rows.length === 0} empty={<None />}>
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

const None = () => {
  const { t, shared } = useWords('technician');
  const offers = useOffersSimulated();
  const job = useJob<void>('devices', 'counters');
  const simulate = (): Promise<boolean> =>
    job.run(async (headers) => got(api.devices.simulated.$post({}, { headers }) as never));
  return (
    <Alert color="gray" role="note" icon={<IconPlugConnectedX aria-hidden />} title={t.noDevices}>
      <Stack align="flex-start">
        <Text>{t.pairIntro}</Text>
        <Button component={Link} href="/technician/pair" size="lg">
          {t.pairOne}
        </Button>
        {offers && (
          <>
            <Text>{shared.useSimulatedWhy}</Text>
            {job.error !== undefined && <ProblemNote error={job.error} />}
            <Button size="lg" variant="default" loading={job.busy} onClick={() => void simulate()}>
              {shared.useSimulated}
            </Button>
          </>
        )}
      </Stack>
    </Alert>
  );
};
