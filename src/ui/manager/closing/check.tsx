/** One row of the closing checklist: green, or what is wrong, its remedy, and a button for it. */
import { Box, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { ClosingCheck } from '../../../api/contract/books.ts';
import { fill } from '../../../base/placeholders.ts';
import { api, got } from '../../api.ts';
import { IconAlertTriangle, IconCircleCheck } from '../../icons/icons.ts';
import { useMessages, useWords } from '../../locale/use-words.ts';
import { ProblemNote } from '../../parts/problem.tsx';
import { amountIn } from '../parts.tsx';
import { useAction } from '../use-action.tsx';

type Props = { check: ClosingCheck; isAsking: boolean; refresh(): void };

export const CheckRow = ({ check, isAsking, refresh }: Props) => {
  const { t, dateTime } = useWords('manager');
  const messages = useMessages();
  const { what, ok, open, why, asOf } = check;
  const Icon = ok ? IconCircleCheck : IconAlertTriangle;
  return (
    <Paper
      component="li"
      withBorder
      p="sm"
      style={{ borderInlineStart: `6px solid var(--mantine-color-${ok ? 'green' : 'red'}-6)` }}
    >
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <Icon size={28} style={{ flex: 'none' }} color={`var(--mantine-color-${ok ? 'green' : 'red'}-6)`} />
        <Box style={{ flex: 1, minWidth: 0 }}>
          <Group justify="space-between" wrap="nowrap">
            <Text fw={700}>{t.closing.what[what]}</Text>
            <Text fw={600} size="sm">
              {ok ? t.closing.green : t.closing.red}
            </Text>
          </Group>
          {asOf !== undefined && <Text c="dimmed">{fill(t.closing.asOf, { at: dateTime(asOf) })}</Text>}
          {!ok && (
            <Stack gap="xs" mt={4}>
              {why && <Text>{messages.text(why)}</Text>}
              <OpenAmounts open={open} words={({ why, told }) => messages.text(told?.why, why)} />
              <Text c="dimmed">{t.closing.cures[what]}</Text>
              <Cure check={check} isAsking={isAsking} refresh={refresh} />
            </Stack>
          )}
        </Box>
      </Group>
    </Paper>
  );
};

const Cure = ({ check: { what, open }, isAsking, refresh }: Props) => {
  const { t } = useWords('manager');
  const runner = useAction('openItems', 'today', 'closing');
  const send = () => runner.run((headers) => got(api['open-items'].send.$post({}, { headers })));
  const askAll = () =>
    runner.run(async (headers) => {
      for (const { receipt } of open)
        await got(
          api['open-items'][':receipt{[0-9]{1,9}}'].$post(
            { param: { receipt: String(receipt) }, json: { action: 'askNow' } },
            { headers },
          ),
        );
      return true;
    });
  const isBusy = runner.busy || isAsking;
  const steps: Partial<Record<ClosingCheck['what'], { word: string; work(): Promise<unknown> }>> = {
    nothingUnknown: { word: t.openItems.actions.askNow, work: askAll },
    nothingUnsent: { word: t.openItems.actions.sendNow, work: send },
  };
  const step = steps[what];
  const needsLook = ['nothingUnknown', 'nothingUnsent', 'nothingUnpaid', 'gatewayAgrees'].includes(what);
  return (
    <>
      <Group gap="sm">
        <Button size="md" loading={isBusy} onClick={() => (step === undefined ? refresh() : void step.work())}>
          {step?.word ?? t.closing.do.again}
        </Button>
        {needsLook && (
          <Button size="md" variant="default" component={Link} href="/manager/open-items">
            {t.sections.openItems}
          </Button>
        )}
      </Group>
      {runner.error !== undefined && <ProblemNote error={runner.error} />}
    </>
  );
};

type Open = ClosingCheck['open'];
type OpenAmountsProps = { open: Open; words(one: Open[number]): string };

/** Sales with open money: receipt, some words about each, and its amount. */
export const OpenAmounts = ({ open, words }: OpenAmountsProps) => {
  const { shared, money } = useWords('manager');
  return (
    <Stack gap={4}>
      {open.map((one) => (
        <Group key={one.sale} justify="space-between" wrap="nowrap" align="baseline">
          <Text style={{ overflowWrap: 'anywhere' }}>
            <b>{fill(shared.receiptNumber, { receipt: one.receipt })}</b> {words(one)}
          </Text>
          <Text fw={700} className="m-number">
            {money(amountIn(one.amount))}
          </Text>
        </Group>
      ))}
    </Stack>
  );
};
