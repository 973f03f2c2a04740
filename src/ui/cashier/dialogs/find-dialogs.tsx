/**
 * Ways to find a sale. The list has all of them, newest first, searched by the till and drawn only as far as it is
 * visible.
 */
import { Box, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type FormEvent, useDeferredValue, useEffect, useState } from 'react';
import type { SaleRow } from '../../../api/contract/sales.ts';
import { fill } from '../../../base/placeholders.ts';
import { cardName } from '../../../locales/names.ts';
import { useWords } from '../../locale/use-words.ts';
import { ModeMark } from '../../parts/bars.tsx';
import { LongList } from '../../parts/long-list.tsx';
import { Listed, ProblemNote } from '../../parts/problem.tsx';
import { SaleBadge } from '../../parts/state.tsx';
import { entryMinor } from '../amount.ts';
import css from '../cashier.module.css';
import { useFacts } from '../facts.ts';
import { parseReceiptName } from '../keys.ts';
import { keys, salesPage, useReceiptOfCode } from '../till.ts';
import type { CashierState } from '../use-cashier.ts';

/** The height of a row in one line, and on a phone, where it takes three. */
const ROW_PX = { wide: 52, narrow: 84 };
const NARROW = '(max-width: 46rem)';

export const FindDialog = ({ cashier }: { cashier: CashierState }) => {
  const { t, isoDay } = useWords('cashier');
  const [text, setText] = useState('');
  // The till accepts days in one format; here they are typed as they are displayed.
  const search = useDeferredValue(isoDay(text) ?? text.trim());
  const { isOwnOnly } = useFacts();
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  return (
    <Stack>
      <Group align="flex-end" wrap="nowrap">
        <TextInput
          flex={1}
          label={t.searchLabel}
          size="md"
          data-autofocus
          autoComplete="off"
          maxLength={100}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Box mb="xs">
          <ModeMark />
        </Box>
      </Group>
      <Named cashier={cashier} text={text} isOwnOnly={isOwnOnly} />
      <LongList<SaleRow>
        key={`${search} ${isNarrow}`}
        queryKey={[...keys.sales, 'list', search]}
        read={(ask) => salesPage({ ...ask, search: search || undefined })}
        label={t.findTitle}
        rowHeight={isNarrow ? ROW_PX.narrow : ROW_PX.wide}
        height={isOwnOnly ? 'min(50dvh, 40rem)' : 'min(60dvh, 40rem)'}
        onChoose={({ receipt }) => cashier.setOpen({ is: 'detail', receipt })}
        empty={<Text>{search === '' ? t.noSales : t.nothingFound}</Text>}
      >
        {(row) => <FoundSale row={row} />}
      </LongList>
    </Stack>
  );
};

/**
 * Says why the list is short, and how to open a colleague's sale: with the full receipt number. A code scanned here
 * opens its sale for everybody.
 */
const Named = ({ cashier, text, isOwnOnly }: { cashier: CashierState; text: string; isOwnOnly: boolean }) => {
  const { t } = useWords('cashier');
  const receiptName = parseReceiptName(text);
  const isCode = receiptName !== undefined && 'code' in receiptName;
  if (!isOwnOnly && !isCode) return null;
  return (
    <Group justify="space-between">
      <Text flex={1} miw="14rem">
        {isOwnOnly && t.ownOnly}
      </Text>
      {receiptName !== undefined && (
        <Button size="sm" h={56} variant="default" onClick={() => cashier.setOpen({ is: 'detail', ...receiptName })}>
          {isCode ? t.look : fill(t.openReceipt, receiptName)}
        </Button>
      )}
    </Group>
  );
};

const FoundSale = ({ row }: { row: SaleRow }) => {
  const { t, shared, dateTime, money } = useWords('cashier');
  return (
    <div className={css.found}>
      <bdi dir="ltr">{dateTime(row.at)}</bdi>
      <span>{fill(shared.receiptNumber, { receipt: row.receipt })}</span>
      <span>{t.operations[row.operation]}</span>
      <bdi dir="ltr" className={css.foundCard}>
        {row.last4 && `·${row.last4} ${cardName(row.brand, t.giftTitle)}`}
      </bdi>
      <strong dir="ltr">{money(row.amount)}</strong>
      <SaleBadge sale={row} />
    </div>
  );
};

/** The way to a refund or void: the receipt number, typed or scanned; or a credit for customers without a receipt. */
export const RefundDialog = ({ cashier }: { cashier: CashierState }) => {
  const { t } = useWords('cashier');
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const receipt = parseReceiptName(text);
    if (receipt === undefined) setWrong(true);
    else cashier.setOpen({ is: 'detail', ...receipt });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t.refundLabel}
          data-autofocus
          inputMode="numeric"
          autoComplete="off"
          maxLength={40}
          value={text}
          error={isWrong && t.notReceipt}
          errorProps={{ role: 'alert' }}
          onChange={({ currentTarget }) => {
            setWrong(false);
            setText(currentTarget.value);
          }}
        />
        <Button type="submit" h={72}>
          {t.look}
        </Button>
        <Credit cashier={cashier} />
      </Stack>
    </form>
  );
};

/** Pays the typed amount to a card without an earlier payment. Needs approval if the person may not do it. */
const Credit = ({ cashier }: { cashier: CashierState }) => {
  const { t } = useWords('cashier');
  const { exponent, amountOf, shown } = useFacts();
  const minor = entryMinor(cashier.entry, exponent);
  if (minor === 0n) return <Text c="dimmed">{t.creditHint}</Text>;
  const startCredit = (): void => {
    const counter = cashier.free && { counter: cashier.free.name };
    void cashier.begin(
      { do: 'begin', body: { operation: 'credit', amount: amountOf(minor), ...counter } },
      cashier.take(),
    );
  };
  return (
    <Button size="sm" h={56} variant="default" disabled={cashier.free === undefined} onClick={startCredit}>
      {fill(t.creditTo, { amount: shown(minor) })}
    </Button>
  );
};

/** A scanned code: the sale it means, or whose receipt it is and what to do. */
export const CodeLookup = ({ cashier, code }: { cashier: CashierState; code: string }) => {
  const { shared } = useWords('cashier');
  const { setOpen } = cashier;
  const found = useReceiptOfCode(code);
  const receipt = found.data?.receipt;
  useEffect(() => {
    if (receipt !== undefined) setOpen({ is: 'detail', receipt });
  }, [receipt, setOpen]);
  if (found.error === null) return <Listed query={found}>{() => null}</Listed>;
  return (
    <Stack>
      <ProblemNote error={found.error} />
      <Button size="sm" h={56} variant="default" onClick={() => setOpen(undefined)}>
        {shared.close}
      </Button>
    </Stack>
  );
};
