/** What was decided about a difference: one of the choices, and a note for whoever looks at it later. */
import { Button, Radio, Stack, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { DifferenceRow } from '../../../api/ports/books.ts';
import { fill } from '../../../words/fill.ts';
import { api, got } from '../../api.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { useSaid } from '../../words/said.ts';
import { useWords } from '../../words/words.ts';
import { useDoing } from '../doing.tsx';

type Props = { row: DifferenceRow; id: string; close(): void };

/** The explanation often decides: what is first offered of the choices. */
const first: Readonly<Record<string, string>> = {
  settledTomorrow: 'nextFile',
  refundNotSettled: 'nextFile',
  lateApproval: 'refundCustomer',
  settledThoughReversed: 'refundCustomer',
  fee: 'accept',
  exchanged: 'accept',
  standaloneFee: 'accept',
  refundNetted: 'accept',
  settledTogether: 'accept',
  chargebackReversal: 'accept',
};

export const ResolveDialog = ({ row, id, close }: Props) => {
  const { t, shared } = useWords('manager');
  const said = useSaid();
  const queries = useQueryClient();
  const doing = useDoing('reconciliations');
  const [choice, choose] = useState(row.resolution?.choice ?? first[row.reasons[0]?.name ?? ''] ?? 'askAcquirer');
  const [note, setNote] = useState(row.resolution?.note ?? '');
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const detail = await doing.run((headers) =>
      got(
        api.reconciliations[':id'].differences[':n{[0-9]{1,9}}'].$post(
          { param: { id: encodeURIComponent(id), n: String(row.n) }, json: { choice, note } },
          { headers },
        ),
      ),
    );
    if (detail === undefined) return;
    queries.setQueryData(['manager', 'reconciliation', id], detail);
    close();
  };
  return (
    <Dialog opened title={fill(t.reconcile.dialogTitle, { n: row.n })} onClose={close} size="lg">
      <form onSubmit={(event) => void send(event)}>
        <Stack>
          <Text fw={600}>{said.told(row.reasons[0]?.told, row.reasons[0]?.says)}</Text>
          <Radio.Group label={t.reconcile.choice} value={choice} onChange={choose}>
            <Stack gap={0} mt="xs">
              {Object.entries(t.reconcile.choices).map(([value, label], at) => (
                <Radio
                  key={value}
                  value={value}
                  label={label}
                  size="md"
                  py="sm"
                  {...(at === 0 && { 'data-autofocus': true })}
                />
              ))}
            </Stack>
          </Radio.Group>
          <Textarea
            label={t.reconcile.note}
            description={t.reconcile.noteHint}
            value={note}
            maxLength={500}
            rows={3}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
          {doing.error !== undefined && <ProblemNote error={doing.error} />}
          <Button size="lg" variant="default" onClick={close}>
            {shared.cancel}
          </Button>
          <Button size="lg" type="submit" loading={doing.busy}>
            {shared.save}
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
};
