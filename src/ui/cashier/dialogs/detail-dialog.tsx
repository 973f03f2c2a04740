/** A sale with all its details, its follow-ups, and what can follow it now. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import type { SaleDetail } from '../../../api/contract/sales.ts';
import { fill } from '../../../base/placeholders.ts';
import { cardName } from '../../../locales/names.ts';
import { RequestRefused } from '../../api.ts';
import { IconLock } from '../../icons/icons.ts';
import { useMessages, useWords } from '../../locale/use-words.ts';
import { ModeMark } from '../../parts/bars.tsx';
import { Listed } from '../../parts/problem.tsx';
import { SaleBadge } from '../../parts/state.tsx';
import css from '../cashier.module.css';
import { PaperButtons } from '../paper.tsx';
import { DeclineDetails } from '../result.tsx';
import { useSale, useSaleAllowed } from '../till.ts';
import { useOtherCards, useUnpaidWords } from '../unpaid.tsx';
import type { CashierState } from '../use-cashier.ts';
import { FollowUps } from './follow-ups.tsx';

export const DetailDialog = ({ cashier, receipt }: { cashier: CashierState; receipt: number }) => {
  const sale = useSale(receipt);
  if (
    sale.data === undefined &&
    sale.error instanceof RequestRefused &&
    sale.error.problem.code === 'session.notAllowed'
  )
    return <OthersHeld receipt={receipt} />;
  return <Listed query={sale}>{(row) => <Detail cashier={cashier} sale={row} />}</Listed>;
};

/** Too many sales of others were opened within an hour: a manager can allow more. */
const OthersHeld = ({ receipt }: { receipt: number }) => {
  const { t } = useWords('cashier');
  const allow = useSaleAllowed(receipt);
  return (
    <Alert color="orange" icon={<IconLock />} title={t.othersHeld} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t.othersHeldNext}</Text>
        <Button size="sm" h={56} onClick={() => void allow()}>
          {t.askManager}
        </Button>
      </Stack>
    </Alert>
  );
};

const Detail = ({ cashier, sale }: { cashier: CashierState; sale: SaleDetail }) => {
  const { t, shared, money } = useWords('cashier');
  const messages = useMessages();
  const unpaidWords = useUnpaidWords();
  const otherCards = useOtherCards();
  const reasonTexts = sale.result && messages.reason(sale.result);
  return (
    <div className={css.detail}>
      <Stack>
        <div className={css.detailHead}>
          <strong dir="ltr">{money(sale.amount)}</strong>
          <SaleBadge sale={sale} />
          <ModeMark />
        </div>
        {reasonTexts && (
          <Text>
            {reasonTexts.says}. {reasonTexts.money} {sale.unpaid === undefined && reasonTexts.next}
          </Text>
        )}
        {sale.unpaid && (
          <Text fw={600} role="status">
            {unpaidWords(sale.unpaid)}
          </Text>
        )}
        {sale.result && otherCards(sale.result).map((text) => <Text key={text}>{text}</Text>)}
        {sale.result && <DeclineDetails result={sale.result} />}
        <Facts sale={sale} />
        <PaperButtons cashier={cashier} sale={sale} />
        {sale.followers.length > 0 && (
          <section aria-label={t.followers}>
            <Text fw={700}>{t.followers}</Text>
            <ul className={css.rows}>
              {sale.followers.map((row) => (
                <li key={row.id}>
                  <button
                    type="button"
                    className={css.row}
                    onClick={() => cashier.setOpen({ is: 'detail', receipt: row.receipt })}
                  >
                    <span>{t.operations[row.operation]}</span>
                    <span>{fill(shared.receiptNumber, { receipt: row.receipt })}</span>
                    <strong dir="ltr">{money(row.amount)}</strong>
                    <SaleBadge sale={row} />
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )}
      </Stack>
      <FollowUps key={sale.id} cashier={cashier} sale={sale} />
    </div>
  );
};

const Facts = ({ sale }: { sale: SaleDetail }) => {
  const { t, shared, dateTime, money } = useWords('cashier');
  const { bill, hold } = sale;
  const chargedAgain =
    sale.chargesAgain === undefined ? undefined : fill(shared.receiptNumber, { receipt: sale.chargesAgain });
  const facts: readonly (readonly [string, string | undefined])[] = [
    [t.facts.time, dateTime(sale.at)],
    [t.facts.operation, t.operations[sale.operation]],
    [t.facts.card, sale.last4 && fill(t.read, { brand: cardName(sale.brand, t.giftTitle), last4: sale.last4 })],
    [t.facts.cashier, sale.cashier],
    [shared.fields.counter, [sale.counter, sale.terminalId].filter(Boolean).join(' · ')],
    [t.facts.authorisation, sale.authorisationCode],
    [t.facts.storedCard, sale.registrationId],
    [t.facts.follows, sale.followsReceipt?.toString()],
    [t.facts.chargesAgain, chargedAgain],
    [
      shared.fields.billTotal,
      bill && fill(t.billFacts, { paid: money(bill.paid), total: money(bill.total), left: money(bill.left) }),
    ],
    [
      t.facts.hold,
      hold &&
        fill(t.holdFacts, { held: money(hold.held), completed: money(hold.completed), until: dateTime(hold.until) }),
    ],
  ];
  return (
    <dl className={css.facts}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
};
