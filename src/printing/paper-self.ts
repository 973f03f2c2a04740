/** Papers that come by themselves when a sale has ended. */
import type { LiveSale } from '../api/ports/selling.ts';

export type SelfPrinting = {
  wanted(): 'nothing' | 'customer' | 'both';
  print(receipt: number, copy: 'customer' | 'merchant'): Promise<unknown>;
  /** Whether the customer signs the merchant's copy: that one is always printed. */
  signed(receipt: number): boolean;
  /** Hears what kept a paper from being printed. */
  report(error: unknown): void;
};

/** Sales are remembered, so that no event prints one twice. */
const REMEMBERED = 1_000;

/** Gives what is to hear of every ending; it prints the sale's papers, and never throws. */
export const selfPrinting = ({ wanted, print, signed, report }: SelfPrinting): ((sale: LiveSale) => void) => {
  const done = new Set<string>();
  return ({ id, receipt }) => {
    const what = wanted();
    if (what === 'nothing' || done.has(id)) return;
    done.add(id);
    if (done.size > REMEMBERED) done.delete([...done][0] ?? '');
    const papers = async (): Promise<void> => {
      const merchants = what === 'both' || signed(receipt) ? [print(receipt, 'merchant')] : [];
      await Promise.all([...merchants, print(receipt, 'customer')]);
    };
    papers().catch(report);
  };
};
