/** What a person does about an open item, and what came of it. */
import { useState } from 'react';
import type { OpenItem } from '../../../api/ports/books.ts';
import { fill } from '../../../words/fill.ts';
import { api, got } from '../../api.ts';
import { useWords } from '../../words/words.ts';
import { type ActionRunner, useAction } from '../use-action.tsx';

/** What is done here: charging again takes the cashier's screen. */
export type OpenItemAction = Exclude<OpenItem['actions'][number], 'chargeAgain'>;
export type Saying = { reason: string; evidence?: string };

/** `told`: what came of the last one. */
export const useAct = (
  receipt: number,
): { runner: ActionRunner; told?: string; run(action: OpenItemAction, said?: Saying): Promise<boolean> } => {
  const { t } = useWords('manager');
  const runner = useAction('openItems', 'today', 'closing');
  const [told, tell] = useState<string>();
  const run = async (action: OpenItemAction, said?: Saying): Promise<boolean> => {
    const answer = await runner.run((headers) =>
      got(
        api['open-items'][':receipt{[0-9]{1,9}}'].$post(
          { param: { receipt: String(receipt) }, json: { action, ...said } },
          { headers },
        ),
      ),
    );
    if (answer === undefined) return false;
    tell(answer.item === undefined ? fill(t.openItems.settled, { receipt }) : t.openItems.asked);
    return true;
  };
  return { runner, run, ...(told !== undefined && { told }) };
};
