/** A real terminal at a test till: why nothing is sold on it, and a manager's word that it is at a test host. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { DeviceRow } from '../../api/ports/devices.ts';
import { fill } from '../../words/fill.ts';
import { api, got } from '../api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ProblemNote } from '../parts/problem.tsx';
import { useWords } from '../words/words.ts';
import { useJob } from './job.ts';

export const TestHost = ({ device: { counter = '', atTestHost, busy } }: { device: DeviceRow }) => {
  const { t } = useWords('technician');
  const [asks, setAsks] = useState(false);
  const job = useSay(counter);
  if (atTestHost === undefined) return null;
  return (
    <Alert color="yellow" role="note" icon={<IconAlertTriangle aria-hidden />}>
      <Stack align="flex-start">
        <Text>{atTestHost ? t.testHostIs : t.testHostNot}</Text>
        {job.error !== undefined && <ProblemNote error={job.error} />}
        <Button
          size="lg"
          variant="default"
          disabled={busy === true}
          loading={job.busy}
          onClick={() => (atTestHost ? void job.say(false) : setAsks(true))}
        >
          {atTestHost ? t.testHostEnd : t.testHostSay}
        </Button>
      </Stack>
      {asks && <Sure counter={counter} onClose={() => setAsks(false)} />}
    </Alert>
  );
};

/** Whoever is no manager is asked for one's PIN. */
const useSay = (counter: string) => {
  const job = useJob<void>('devices');
  const say = (atTestHost: boolean): Promise<boolean> =>
    job.run(async (headers) =>
      got(
        api.devices[':counter']['test-host'].$post({ param: { counter }, json: { atTestHost } } as never, {
          headers,
        }) as never,
      ),
    );
  return { ...job, say };
};

const Sure = ({ counter, onClose }: { counter: string; onClose: () => void }) => {
  const { t, shared } = useWords('technician');
  const job = useSay(counter);
  const say = async (): Promise<void> => {
    if (await job.say(true)) onClose();
  };
  return (
    <Dialog
      opened
      title={fill(t.testHostTitle, { counter })}
      onClose={onClose}
      actions={
        <>
          <Button size="lg" variant="default" onClick={onClose}>
            {shared.cancel}
          </Button>
          <Button size="lg" color="red" loading={job.busy} onClick={() => void say()}>
            {t.testHostSay}
          </Button>
        </>
      }
    >
      <Text>{t.testHostWarns}</Text>
      {job.error !== undefined && <ProblemNote error={job.error} />}
    </Dialog>
  );
};
