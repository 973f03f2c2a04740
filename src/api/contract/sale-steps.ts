/** The steps of a sale in progress, in more detail than its phases. */
import * as z from 'zod';
import { amount } from './wire.ts';

export const stepName = z
  .enum([
    'presentCard',
    'cardInserted',
    'cardTapped',
    'cardSwiped',
    'reading',
    'useChip',
    'useStripe',
    'enterPin',
    'pinEntered',
    'askingBank',
    'askingBankAgain',
    'goingOffline',
    'cardFinishing',
    'terminalPays',
    'terminalReverses',
    'terminalRefunds',
    'askingTerminal',
    'askingTerminalBefore',
    'earlierSale',
    'removeCard',
    'cardRemoved',
  ])
  .meta({
    id: 'StepName',
    description:
      '`terminalPays`, `terminalReverses`, `terminalRefunds`: a terminal that contacts its bank itself takes the ' +
      'payment, reverses its earlier payment, or refunds the card. `askingTerminalBefore`: it is asked for its last ' +
      'payment before the sale. `earlierSale`: it reported the result of an earlier sale.',
  });
export type StepName = z.infer<typeof stepName>;

export const saleStep = z
  .strictObject({
    step: stepName,
    n: z.number().describe('1 for the first step of the sale.'),
    at: z.number(),
    tries: z.number().optional().describe('For `askingTerminal`: how often it has been asked.'),
    earlier: z
      .strictObject({ receipt: z.number(), amount, says: z.string(), money: z.string() })
      .optional()
      .describe('For `earlierSale`.'),
  })
  .meta({ id: 'SaleStep' });
export type SaleStep = z.infer<typeof saleStep>;
