/** What lies over the cashier's screen, one at a time; loaded once the screen itself stands. */
import type { ReactNode } from 'react';
import { fill } from '../../../words/fill.ts';
import type { Words } from '../../../words/tables.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useWords } from '../../words/words.ts';
import css from '../cashier.module.css';
import type { CashierState, Open } from '../use-desk.ts';
import { SplitDialog, TipDialog } from './amount-dialogs.tsx';
import { GiftDialog, HoldsDialog, LikelyDialog, TerminalDialog } from './begin-dialogs.tsx';
import { ClaimDialog } from './claim-dialog.tsx';
import { DetailDialog } from './detail-dialog.tsx';
import { CodeLookup, FindDialog, RefundDialog } from './find-dialogs.tsx';
import { ReceiptDialog } from './receipt-dialog.tsx';

const titleOf = (t: Words['cashier'], open: Open): string => {
  if (open.is === 'detail') return 'code' in open ? t.receipt : fill(t.detail, { receipt: open.receipt });
  if (open.is === 'receipt') return fill(t.receiptNumber, { receipt: open.receipt ?? 0 });
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

const bodyOf = (desk: CashierState, open: Open): ReactNode => {
  switch (open.is) {
    case 'tip':
      return <TipDialog desk={desk} />;
    case 'split':
      return <SplitDialog desk={desk} />;
    case 'preauth':
      return <HoldsDialog desk={desk} />;
    case 'refund':
      return <RefundDialog desk={desk} />;
    case 'find':
      return <FindDialog desk={desk} />;
    case 'claim':
      return <ClaimDialog />;
    case 'giftCard':
      return <GiftDialog desk={desk} />;
    case 'terminal':
      return <TerminalDialog desk={desk} />;
    case 'receipt':
      return <ReceiptDialog receipt={open.receipt ?? 0} />;
    case 'detail':
      return 'code' in open ? (
        <CodeLookup desk={desk} code={open.code} />
      ) : (
        <DetailDialog desk={desk} receipt={open.receipt} />
      );
    case 'likely':
      return <LikelyDialog desk={desk} problem={open.problem} send={open.send} />;
  }
};

const wide: readonly Open['is'][] = ['find', 'detail', 'receipt', 'claim'];

export const Dialogs = ({ desk }: { desk: CashierState }) => {
  const { t } = useWords('cashier');
  const { open } = desk;
  if (open === undefined) return null;
  return (
    <Dialog
      key={open.is}
      opened
      title={titleOf(t, open)}
      size={wide.includes(open.is) ? 'xl' : 'lg'}
      onClose={() => desk.setOpen(undefined)}
    >
      <div className={css.dialog}>{bodyOf(desk, open)}</div>
    </Dialog>
  );
};
