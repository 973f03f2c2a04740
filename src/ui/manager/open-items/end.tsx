/** A person answers for an unpaid sale: settled otherwise, or written off; with a reason, and for good. */
import { Alert, Button, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { OpenItem } from '../../../api/ports/books.ts';
import { fill } from '../../../words/fill.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { useWords } from '../../words/words.ts';
import type { useAct } from './act.ts';

type Props = {
  item: OpenItem;
  action: 'settleOtherwise' | 'writeOff';
  act: ReturnType<typeof useAct>;
  close(): void;
};

export const EndDialog = ({ item, action, act, close }: Props) => {
  const { t, shared, money } = useWords('manager');
  const [reason, setReason] = useState('');
  const words = t.openItems.ends[action];
  const isReady = reason.trim().length >= 3;
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isReady && (await act.run(action, { reason: reason.trim() }))) close();
  };
  return (
    <Dialog opened title={fill(words.title, { receipt: item.receipt })} onClose={close} size="lg">
      <form onSubmit={(event) => void send(event)}>
        <Stack>
          <Alert
            color="orange"
            variant="light"
            title={fill(words.says, { amount: money(item.missing ?? item.sale.amount) })}
          >
            {t.openItems.endSigned}
          </Alert>
          <Textarea
            label={words.why}
            description={words.hint}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            maxLength={500}
            rows={3}
            required
            data-autofocus
          />
          {act.doing.error !== undefined && <ProblemNote error={act.doing.error} />}
          <Button size="lg" variant="default" onClick={close}>
            {shared.cancel}
          </Button>
          <Button size="lg" color="orange" autoContrast type="submit" disabled={!isReady} loading={act.doing.busy}>
            {words.go}
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
};

/** What is still missing, and which sales asked for it. */
export const UnpaidFacts = ({ item }: { item: OpenItem }) => {
  const { t, money } = useWords('manager');
  if (item.missing === undefined) return null;
  return (
    <Text fw={600}>
      {t.openItems.missing}: <bdi dir="ltr">{money(item.missing)}</bdi>
      {item.again !== undefined && ` · ${fill(t.openItems.again, { receipts: item.again.join(', ') })}`}
    </Text>
  );
};
