/** A difference: till, gateway and settlement side by side, joined where they match and separated where they do not. */
import { Badge, Box, Button, Group, Paper, Radio, Stack, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DifferenceRow } from '../../../api/contract/reconciliations.ts';
import type { Amount } from '../../../api/contract/wire.ts';
import { fill } from '../../../base/placeholders.ts';
import { textFor } from '../../../locales/names.ts';
import { api, got } from '../../api.ts';
import { IconEqual, IconEqualNot } from '../../icons/icons.ts';
import { useMessages, useWords } from '../../locale/use-words.ts';
import { difference, isNothing } from '../cents.ts';
import { FormDialog } from '../form-dialog.tsx';
import { Money } from '../parts.tsx';
import { useAction } from '../use-action.tsx';

export const JoinedHead = () => {
  const { t } = useWords('manager');
  return (
    <Box className="m-joined" visibleFrom="sm" ta="end" fw={700} px="sm">
      <span>{t.reconcile.till}</span>
      <span />
      <span>{t.reconcile.gateway}</span>
      <span />
      <span>{t.reconcile.settlement}</span>
    </Box>
  );
};

export const DifferenceCard = ({ row, id }: { row: DifferenceRow; id: string }) => {
  const { t, shared, number, dateTime, list } = useWords('manager');
  const [resolving, resolve] = useState(false);
  const { resolution } = row;
  const title =
    row.receipt === undefined ? t.reconcile.noReceipt : fill(shared.receiptNumber, { receipt: row.receipt });
  const lines = fill(t.reconcile.line, { lines: list(row.lines.map(number)) });
  return (
    <Paper withBorder p="sm" component="article" aria-label={title}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Text fw={700}>
            {title}
            {row.lines.length > 0 && (
              <Text span c="dimmed" fw={400}>
                {' · '}
                {lines}
              </Text>
            )}
          </Text>
          <DifferenceAmount row={row} />
        </Group>
        <JoinedAmounts row={row} />
        <Group justify="space-between" align="flex-end" gap="sm">
          <Reasons row={row} />
          <Stack gap={4} align="flex-end">
            {resolution && (
              <Text size="sm">
                {fill(t.reconcile.resolved, {
                  choice: textFor(t.reconcile.choices, resolution.choice) ?? resolution.choice,
                  by: resolution.by ?? t.nobody,
                  when: dateTime(resolution.at),
                })}
              </Text>
            )}
            {resolution?.note && (
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {resolution.note}
              </Text>
            )}
            <Button size="md" variant={resolution ? 'default' : 'filled'} onClick={() => resolve(true)}>
              {resolution ? t.reconcile.change : t.reconcile.resolve}
            </Button>
          </Stack>
        </Group>
      </Stack>
      {resolving && <ResolveDialog row={row} id={id} close={() => resolve(false)} />}
    </Paper>
  );
};

/** The difference in large: the settlement minus the till. */
const DifferenceAmount = ({ row }: { row: DifferenceRow }) => {
  const { t, money } = useWords('manager');
  const delta = difference(row.settled, row.till);
  if (delta === undefined || isNothing(delta)) return null;
  const sign = delta.amount.startsWith('-') ? '' : '+';
  return (
    <Badge size="xl" color="orange" variant="filled" autoContrast tt="none">
      <bdi>{fill(t.reconcile.off, { amount: sign + money(delta) })}</bdi>
    </Badge>
  );
};

const JoinedAmounts = ({ row: { till, gateway, settled, lines } }: { row: DifferenceRow }) => {
  const { t } = useWords('manager');
  const isMissing = lines.length === 0;
  return (
    <div className="m-joined">
      <Cell name={t.reconcile.till} amount={till} against={isMissing ? undefined : settled} />
      <Join left={till} right={gateway} />
      <Cell name={t.reconcile.gateway} amount={gateway} against={till} none={t.reconcile.notAsked} />
      <Join left={gateway} right={settled} />
      <Cell
        name={t.reconcile.settlement}
        amount={isMissing ? undefined : settled}
        against={till}
        none={t.reconcile.missing}
      />
    </div>
  );
};

type CellProps = { name: string; amount?: Amount | undefined; against?: Amount | undefined; none?: string };

const Cell = ({ name, amount, against, none }: CellProps) => (
  <div className="m-cell" data-missing={amount === undefined || undefined}>
    <Text size="xs" c="dimmed" hiddenFrom="sm">
      {name}
    </Text>
    {amount === undefined ? none : <Money amount={amount} against={against} />}
  </div>
);

/** Between two columns: a solid line if they are equal, a broken one with the difference if not. */
const Join = ({ left, right }: { left: Amount | undefined; right: Amount | undefined }) => {
  const { t, money } = useWords('manager');
  const delta = left === undefined || right === undefined ? undefined : difference(right, left);
  const isSame = delta !== undefined && isNothing(delta);
  return (
    <div className="m-join" data-differs={!isSame || undefined}>
      <Badge
        size="lg"
        variant="filled"
        autoContrast
        color={isSame ? 'green' : 'orange'}
        tt="none"
        leftSection={isSame ? <IconEqual size={16} /> : <IconEqualNot size={16} />}
      >
        {isSame
          ? t.reconcile.same
          : delta === undefined
            ? '?'
            : `${delta.amount.startsWith('-') ? '' : '+'}${money(delta)}`}
      </Badge>
    </div>
  );
};

/** The smallest explanation first and large, with other details below. */
const Reasons = ({ row }: { row: DifferenceRow }) => {
  const { money } = useWords('manager');
  const messages = useMessages();
  return (
    <Stack gap={2} style={{ flex: '1 1 20rem', minWidth: 0 }}>
      {row.reasons.map(({ name, says, told, toDo, toldToDo, amount }, i) => (
        <div key={name}>
          <Text fw={i === 0 ? 600 : 400}>
            {messages.text(told, says)}
            {amount !== undefined && row.reasons.length > 1 && <bdi> ({money(amount)})</bdi>}
          </Text>
          {toDo !== undefined && <Text c="dimmed">{messages.text(toldToDo, toDo)}</Text>}
        </div>
      ))}
    </Stack>
  );
};

type Props = { row: DifferenceRow; id: string; close(): void };

/** The choice offered first, which the explanation often determines. */
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

/** The decision about a difference: one of the choices, and a note for later. */
const ResolveDialog = ({ row, id, close }: Props) => {
  const { t, shared } = useWords('manager');
  const messages = useMessages();
  const queries = useQueryClient();
  const runner = useAction('reconciliations');
  const [choice, setChoice] = useState(row.resolution?.choice ?? first[row.reasons[0]?.name ?? ''] ?? 'askAcquirer');
  const [note, setNote] = useState(row.resolution?.note ?? '');
  const send = async (): Promise<void> => {
    const detail = await runner.run((headers) =>
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
    <FormDialog
      title={fill(t.reconcile.dialogTitle, { n: row.n })}
      go={shared.save}
      size="lg"
      isReady
      {...{ runner, send, close }}
    >
      <Text fw={600}>{messages.text(row.reasons[0]?.told, row.reasons[0]?.says)}</Text>
      <Radio.Group label={t.reconcile.choice} value={choice} onChange={setChoice}>
        <Stack gap={0} mt="xs">
          {Object.entries(t.reconcile.choices).map(([value, label], i) => (
            <Radio key={value} value={value} label={label} size="md" py="sm" data-autofocus={i === 0 || undefined} />
          ))}
        </Stack>
      </Radio.Group>
      <Textarea
        label={shared.fields.note}
        description={t.reconcile.noteHint}
        value={note}
        maxLength={500}
        rows={3}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
    </FormDialog>
  );
};
