/**
 * "The customer says they were charged": what the customer knows, and what the books say about it, with the evidence.
 */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Claim, ClaimAnswer } from '../../../api/contract/sale-requests.ts';
import type { State } from '../../../api/contract/sales.ts';
import { fill } from '../../../base/placeholders.ts';
import { api, got } from '../../api.ts';
import { useMessages, useWords } from '../../locale/use-words.ts';
import { withOverride } from '../../parts/override.ts';
import { ProblemNote } from '../../parts/problem.tsx';
import { SaleBadge } from '../../parts/state.tsx';
import { readAmount } from '../amount.ts';
import css from '../cashier.module.css';
import { useFacts } from '../facts.ts';

const verdictState: Readonly<Record<ClaimAnswer['verdict'], State>> = {
  chargedOnce: 'approved',
  chargedTwice: 'person',
  notCharged: 'declined',
  unknown: 'unknown',
  notFound: 'idle',
};

export const ClaimDialog = () => {
  const ask = useMutation({
    mutationFn: (json: Claim) => withOverride((headers) => got(api.claims.$post({ json }, { headers }))),
  });
  return (
    <Stack>
      <ClaimForm busy={ask.isPending} onClaim={ask.mutate} />
      {ask.error && <ProblemNote error={ask.error} />}
      {ask.data && <Answer answer={ask.data} />}
    </Stack>
  );
};

type FormProps = { busy: boolean; onClaim: (claim: Claim) => void };

const ClaimForm = ({ busy, onClaim }: FormProps) => {
  const { t, shared } = useWords('cashier');
  const { currency, exponent, amountOf, isOwnOnly } = useFacts();
  const [amount, setAmount] = useState('');
  const [last4, setLast4] = useState('');
  const [wrong, setWrong] = useState<{ amount?: string; last4?: string }>({});
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const read = readAmount(amount, { currency, exponent });
    const refused = 'refused' in read && read.refused !== 'empty' ? read.refused : undefined;
    const isBad4 = last4 !== '' && !/^\d{4}$/.test(last4);
    setWrong({
      amount: refused && fill(t.amountRefused[refused], { currency }),
      last4: isBad4 ? t.last4Wrong : undefined,
    });
    if (refused !== undefined || isBad4) return;
    onClaim({ amount: 'minor' in read ? amountOf(read.minor) : undefined, last4: last4 || undefined });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text>{isOwnOnly ? t.claimOwn : t.claimHelp}</Text>
        <Group grow align="flex-start">
          <TextInput
            label={shared.fields.amount}
            data-autofocus
            inputMode="decimal"
            autoComplete="off"
            maxLength={40}
            value={amount}
            error={wrong.amount}
            errorProps={{ role: 'alert' }}
            onChange={({ currentTarget }) => setAmount(currentTarget.value)}
          />
          <TextInput
            label={t.claimLast4}
            inputMode="numeric"
            autoComplete="off"
            maxLength={4}
            value={last4}
            error={wrong.last4}
            errorProps={{ role: 'alert' }}
            onChange={({ currentTarget }) => setLast4(currentTarget.value)}
          />
        </Group>
        <Button type="submit" h={72} loading={busy}>
          {t.claimLook}
        </Button>
      </Stack>
    </form>
  );
};

const Answer = ({ answer }: { answer: ClaimAnswer }) => {
  const { t, shared, money, dateTime } = useWords('cashier');
  const messages = useMessages();
  return (
    <section className={css.claim} data-state={verdictState[answer.verdict]} role="status">
      <h3>{t.verdicts[answer.verdict]}</h3>
      <p>{messages.text(answer.told, answer.says)}</p>
      {answer.sales.map((sale) => (
        <article key={sale.id}>
          <div className={css.detailHead}>
            <span>{fill(shared.receiptNumber, { receipt: sale.receipt })}</span>
            <strong dir="ltr">{money(sale.amount)}</strong>
            <SaleBadge sale={sale} />
          </div>
          <ol aria-label={t.evidence}>
            {sale.evidence.map(({ at, words, told }) => (
              <li key={`${at} ${words}`}>
                <bdi dir="ltr">{dateTime(at)}</bdi> {messages.text(told, words)}
              </li>
            ))}
          </ol>
          <p>
            <strong>{t.yourNext}:</strong> {messages.text(sale.toldNext, sale.next)}
          </p>
          {sale.person !== '' && (
            <p>
              <strong>{t.theirNext}:</strong> {messages.text(sale.toldPerson, sale.person)}
            </p>
          )}
        </article>
      ))}
    </section>
  );
};
