/** The dialogs over the cashier's screen, one at a time; loaded after the screen itself. */
import type { ReactNode } from 'react';
import { fill } from '../../../base/placeholders.ts';
import type { Words } from '../../../locales/screens.ts';
import { useWords } from '../../locale/use-words.ts';
import { Dialog } from '../../parts/dialog.tsx';
import css from '../cashier.module.css';
import type { CashierState, Open } from '../use-cashier.ts';
import { SplitDialog, TipDialog } from './amount-dialogs.tsx';
import { GiftDialog, HoldsDialog, LikelyDialog, TerminalDialog } from './begin-dialogs.tsx';
import { ClaimDialog } from './claim-dialog.tsx';
import { DetailDialog } from './detail-dialog.tsx';
import { CodeLookup, FindDialog, RefundDialog } from './find-dialogs.tsx';
import { ReceiptDialog } from './receipt-dialog.tsx';

const titleOf = ({ cashier: t, shared }: Pick<Words, 'cashier' | 'shared'>, open: Open): string => {
  if (open.is === 'detail') return 'code' in open ? t.receipt : fill(t.detail, { receipt: open.receipt });
  if (open.is === 'receipt') return fill(shared.receiptNumber, { receipt: open.receipt ?? 0 });
  const titles = {
    tip: t.tipTitle,
    split: t.splitTitle,
    preauth: t.holdsTitle,
    refund: t.refundTitle,
    find: t.findTitle,
    claim: t.claimTitle,
    giftCard: t.giftTitle,
    terminal: t.terminalTitle,
    likely: t.likelyTitle,
  };
  return titles[open.is];
};

const bodyOf = (cashier: CashierState, open: Open): ReactNode => {
  switch (open.is) {
    case 'tip':
      return <TipDialog cashier={cashier} />;
    case 'split':
      return <SplitDialog cashier={cashier} />;
    case 'preauth':
      return <HoldsDialog cashier={cashier} />;
    case 'refund':
      return <RefundDialog cashier={cashier} />;
    case 'find':
      return <FindDialog cashier={cashier} />;
    case 'claim':
      return <ClaimDialog />;
    case 'giftCard':
      return <GiftDialog cashier={cashier} />;
    case 'terminal':
      return <TerminalDialog cashier={cashier} />;
    case 'receipt':
      return <ReceiptDialog receipt={open.receipt ?? 0} />;
    case 'detail':
      return 'code' in open ? (
        <CodeLookup cashier={cashier} code={open.code} />
      ) : (
        <DetailDialog cashier={cashier} receipt={open.receipt} />
      );
    case 'likely':
      return <LikelyDialog cashier={cashier} problem={open.problem} send={open.send} />;
  }
};

const wideDialogs: readonly Open['is'][] = ['find', 'detail', 'receipt', 'claim'];

export const Dialogs = ({ cashier }: { cashier: CashierState }) => {
  const { t, shared } = useWords('cashier');
  const { open } = cashier;
  if (open === undefined) return null;
  return (
    <Dialog
      key={open.is}
      opened
      title={titleOf({ cashier: t, shared }, open)}
      size={wideDialogs.includes(open.is) ? 'xl' : 'lg'}
      onClose={() => cashier.setOpen(undefined)}
    >
      <div className={css.dialog}>{bodyOf(cashier, open)}</div>
    </Dialog>
  );
};
