/** A person decides how a sale ended: with a reason and what they saw, and nothing else will do. */
import { Alert, Button, Stack, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { OpenItem } from '../../../api/ports/books.ts';
import { fill } from '../../../words/fill.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { useWords } from '../../words/words.ts';
import type { useAct } from './act.ts';

type Props = {
  item: OpenItem;
  action: 'sayCharged' | 'sayNotCharged';
  act: ReturnType<typeof useAct>;
  close(): void;
};

export const SayDialog = ({ item, action, act, close }: Props) => {
  const { t, shared, money } = useWords('manager');
  const [said, setSaid] = useState({ reason: '', evidence: '' });
  const reason = said.reason.trim();
  const evidence = said.evidence.trim();
  const isReady = reason !== '' && evidence !== '';
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isReady && (await act.run(action, { reason, evidence }))) close();
  };
  return (
    <Dialog opened title={fill(t.openItems.sayTitle, { receipt: item.receipt })} onClose={close} size="lg">
      <form onSubmit={(event) => void send(event)}>
        <Stack>
          <Alert color="orange" variant="light" title={fill(t.openItems[action], { amount: money(item.sale.amount) })}>
            {t.openItems.sayWhy}
          </Alert>
          <Textarea
            label={t.openItems.reason}
            value={said.reason}
            onChange={({ currentTarget }) => setSaid({ ...said, reason: currentTarget.value })}
            maxLength={500}
            rows={2}
            required
            data-autofocus
          />
          <Textarea
            label={t.openItems.evidenceSeen}
            description={t.openItems.evidenceHint}
            value={said.evidence}
            onChange={({ currentTarget }) => setSaid({ ...said, evidence: currentTarget.value })}
            maxLength={500}
            rows={3}
            required
          />
          {act.doing.error !== undefined && <ProblemNote error={act.doing.error} />}
          <Button size="lg" variant="default" onClick={close}>
            {shared.cancel}
          </Button>
          <Button size="lg" color="orange" autoContrast type="submit" disabled={!isReady} loading={act.doing.busy}>
            {t.openItems.sayGo}
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
};
