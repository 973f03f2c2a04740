/** The confirmation before a batch is closed: signed as it is, or with named open money and a reason. */
import { Alert, Button, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { ClosingState, ClosingWait } from '../../../api/contract/books.ts';
import { fill } from '../../../base/placeholders.ts';
import { api, got } from '../../api.ts';
import { useWords } from '../../locale/use-words.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ProblemNote } from '../../parts/problem.tsx';
import { useSession } from '../../session.ts';
import { areOfSeveral, ofTerminal, salesOf } from '../batches/batch-facts.tsx';
import { type ActionRunner, useAction, useRead } from '../use-action.tsx';
import { OpenAmounts } from './check.tsx';

type Props = { state: ClosingState; runner: ActionRunner; close(): void };

export const SignDialog = ({ state, runner, close, sign }: Props & { sign(): void }) => {
  const { batch, standing = [] } = state;
  const { t, shared, money, format, number } = useWords('manager');
  const session = useSession();
  const name = session.data?.signedIn?.name;
  const facts = {
    sales: salesOf(batch ?? { sales: 0 }, { t, format, number }),
    net: (batch?.net ?? []).map(money).join(' · '),
    name: name ?? '',
  };
  const text = fill(t.closing.signTitle, { batch: batch?.batch ?? '' });
  const title = batch === undefined ? text : ofTerminal(text, batch, areOfSeveral(standing));
  return (
    <Dialog opened title={title} onClose={close}>
      <Text size="lg">{fill(name === undefined ? t.closing.signSaysNobody : t.closing.signSays, facts)}</Text>
      <Unpaid state={state} />
      {runner.error !== undefined && <ProblemNote error={runner.error} />}
      <WaitsFor isClosing={runner.busy}>
        <Button variant="default" onClick={close}>
          {shared.cancel}
        </Button>
      </WaitsFor>
      <Button size="xl" h={72} color="green.9" data-autofocus loading={runner.busy} onClick={sign}>
        {runner.busy ? t.closing.closing : t.closing.sign}
      </Button>
    </Dialog>
  );
};

/** As much as the Z report has room for. */
const REASON_MOST = 200;
/** Unpaid sales do not block a close, but are signed for. */
const Unpaid = ({ state }: { state: ClosingState }) => {
  const { t } = useWords('manager');
  const unpaid = state.checks.filter(({ what }) => what === 'nothingUnpaid').flatMap(({ open }) => open);
  if (unpaid.length === 0) return null;
  return (
    <Stack gap={4}>
      <Text>{t.closing.unpaidStay}</Text>
      <OpenAmounts open={unpaid} words={({ place }) => `· ${t.closing.places[place]}`} />
    </Stack>
  );
};

const OPEN: readonly string[] = ['nothingUnknown', 'nothingUnsent'];

export const OverrideDialog = ({ state, runner, close, sign }: Props & { sign(reason: string): void }) => {
  const { t, shared, number } = useWords('manager');
  const [reason, setReason] = useState('');
  // Sales that a silent gateway could not confirm have their ending: only money without one is left open.
  const open = state.checks.filter(({ what }) => OPEN.includes(what)).flatMap((check) => check.open);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (reason.trim() !== '') sign(reason.trim());
  };
  return (
    <Dialog opened title={t.closing.overrideTitle} onClose={close} size="lg">
      <form onSubmit={send}>
        <Stack>
          <Alert color="orange" variant="light">
            {t.closing.overrideSays}
          </Alert>
          <OpenAmounts open={open} words={({ place }) => `· ${t.closing.places[place]}`} />
          <Unpaid state={state} />
          <Textarea
            label={t.closing.overrideReason}
            description={t.closing.overrideReasonHint}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            maxLength={REASON_MOST}
            rows={3}
            required
            data-autofocus
          />
          {runner.error !== undefined && <ProblemNote error={runner.error} />}
          <WaitsFor isClosing={runner.busy}>
            <Button variant="default" onClick={close}>
              {shared.cancel}
            </Button>
          </WaitsFor>
          <Button color="orange" autoContrast type="submit" disabled={reason.trim() === ''} loading={runner.busy}>
            {open.length === 0 ? t.closing.sign : fill(t.closing.overrideGo, { count: number(open.length) })}
          </Button>
        </Stack>
      </form>
    </Dialog>
  );
};

// While a batch is closed: the sale in progress that the close waits for, and a way to cancel the wait.

/** `children` is shown while nothing is waited for. */
const WaitsFor = ({ isClosing, children }: { isClosing: boolean; children: ReactNode }) => {
  const { t, money } = useWords('manager');
  // Read once, in case a close is already in progress; afterwards the till reports each change.
  const read = useRead(['closingWait'], async (): Promise<{ waits?: ClosingWait }> => got(api.closing.wait.$get()));
  const runner = useAction();
  const { sales = [], terminalId = '' } = read.data?.waits ?? {};
  if (!isClosing || sales.length === 0) return children;
  const stop = (): void => void runner.run((headers) => got(api.closing.cancel.$post({}, { headers })));
  return (
    <>
      <Alert color="blue" variant="light" role="status">
        {sales.map(({ receipt, amount, counter = terminalId }) => (
          <Text key={receipt}>{fill(t.closing.waitsFor, { receipt, counter, amount: money(amount) })}</Text>
        ))}
      </Alert>
      {runner.error !== undefined && <ProblemNote error={runner.error} />}
      <Button variant="default" loading={runner.busy} onClick={stop}>
        {t.closing.stopWaiting}
      </Button>
    </>
  );
};
