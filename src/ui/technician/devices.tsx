/** The terminals of this till as cards. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconPlug, IconPlugConnectedX } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Listed } from '../parts/listed.tsx';
import { useWords } from '../words/words.ts';
import { DeviceCard } from './device-card.tsx';
import { Head } from './parts.tsx';
import { useDevices } from './read.ts';

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
  const { t } = useWords('technician');
  return (
    <Alert color="gray" role="note" icon={<IconPlugConnectedX aria-hidden />} title={t.noDevices}>
      <Stack align="flex-start">
        <Text>{t.pairIntro}</Text>
        <Button component={Link} href="/technician/pair" size="lg">
          {t.pairOne}
        </Button>
      </Stack>
    </Alert>
  );
};
