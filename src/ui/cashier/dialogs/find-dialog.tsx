/** All sales, newest first: searched and read by the till, drawn as far as they are seen. */
import { Box, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useDeferredValue, useState } from 'react';
import type { SaleRow } from '../../../api/ports/selling.ts';
import { fill } from '../../../words/fill.ts';
import { cardName } from '../../../words/names.ts';
import { LongList } from '../../parts/long-list.tsx';
import { ModeMark } from '../../parts/mode.tsx';
import { SaleBadge } from '../../parts/state.tsx';
import { useWords } from '../../words/words.ts';
import css from '../cashier.module.css';
import { useFacts } from '../facts.ts';
import { receiptIn } from '../scan.ts';
import { keys, salesPage } from '../till.ts';
import type { CashierState } from '../use-desk.ts';

/** Of a row in one line, and on a telephone, where it takes three. */
const ROW_PX = { wide: 52, narrow: 84 };
const NARROW = '(max-width: 46rem)';

export const FindDialog = ({ desk }: { desk: CashierState }) => {
  const { t, isoDay } = useWords('cashier');
  const [text, setText] = useState('');
  // The till knows days by one way of writing them; here they are typed as they are shown.
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
      <Named desk={desk} text={text} isOwnOnly={isOwnOnly} />
      <LongList<SaleRow>
        key={`${search} ${isNarrow}`}
        queryKey={[...keys.sales, 'list', search]}
        read={(ask) => salesPage({ ...ask, ...(search !== '' && { search }) })}
        label={t.findTitle}
        rowHeight={isNarrow ? ROW_PX.narrow : ROW_PX.wide}
        height={isOwnOnly ? 'min(50dvh, 40rem)' : 'min(60dvh, 40rem)'}
        onChoose={({ receipt }) => desk.setOpen({ is: 'detail', receipt })}
        empty={<Text>{search === '' ? t.noSales : t.nothingFound}</Text>}
      >
        {(row) => <FoundSale row={row} />}
      </LongList>
    </Stack>
  );
};

/**
 * Why the list is short, and the way to a colleague's sale: by the whole number of its receipt. A code that was scanned
 * here leads to its sale for everybody.
 */
const Named = ({ desk, text, isOwnOnly }: { desk: CashierState; text: string; isOwnOnly: boolean }) => {
  const { t } = useWords('cashier');
  const named = receiptIn(text);
  const isCode = named !== undefined && 'code' in named;
  if (!isOwnOnly && !isCode) return null;
  return (
    <Group justify="space-between">
      <Text flex={1} miw="14rem">
        {isOwnOnly && t.ownOnly}
      </Text>
      {named !== undefined && (
        <Button h={56} variant="default" onClick={() => desk.setOpen({ is: 'detail', ...named })}>
          {isCode ? t.look : fill(t.openReceipt, named)}
        </Button>
      )}
    </Group>
  );
};

const FoundSale = ({ row }: { row: SaleRow }) => {
  const { t, dateTime, money } = useWords('cashier');
  return (
    <div className={css.found}>
      <bdi dir="ltr">{dateTime(row.at)}</bdi>
      <span>{fill(t.receiptNumber, { receipt: row.receipt })}</span>
      <span>{t.operations[row.operation]}</span>
      <bdi dir="ltr" className={css.foundCard}>
        {row.last4 && `·${row.last4} ${cardName(row.brand, t.giftTitle)}`}
      </bdi>
      <strong dir="ltr">{money(row.amount)}</strong>
      <SaleBadge sale={row} />
    </div>
  );
};
