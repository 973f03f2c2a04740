/** Tells people who may go live, once, that an older till without a recorded mode was judged to be live. */
import { Button, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { LocalizedMessage } from '../../base/localized-message.ts';
import { api, got } from '../api.ts';
import { useMessages, useWords } from '../locale/use-words.ts';
import { Dialog } from './dialog.tsx';
import { ProblemNote } from './problem.tsx';

const fetchFoundLive = async (): Promise<{ found?: LocalizedMessage }> => got(api['going-live'].found.$get());

/** Closed only by its button. If the till cannot record that it was read, it says so and shows it again next time. */
export const FoundLive = () => {
  const { t, shared } = useWords('manager');
  const messages = useMessages();
  const [isRead, setRead] = useState(false);
  const query = useQuery({ queryKey: ['foundLive'], queryFn: fetchFoundLive });
  const read = useMutation({ mutationFn: () => got(api['going-live'].found.$post()), onSuccess: () => setRead(true) });
  const found = query.data?.found;
  if (found === undefined || isRead) return null;
  const words = t.goingLive.found;
  return (
    <Dialog opened firm title={words.title} onClose={() => {}} size="lg">
      <Text fw={600}>{messages.text(found)}</Text>
      <Text>{words.means}</Text>
      <Text>{words.next}</Text>
      {read.error && <ProblemNote error={read.error} />}
      {read.error && (
        <Button variant="default" onClick={() => setRead(true)}>
          {shared.close}
        </Button>
      )}
      <Button size="xl" h={64} data-autofocus loading={read.isPending} onClick={() => read.mutate()}>
        {words.read}
      </Button>
    </Dialog>
  );
};
