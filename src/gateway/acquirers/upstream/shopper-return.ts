/**
 * The shopper's return from the processor. The processor knows the payment by its own id, with which the merchant could
 * query nothing. So it is given an address of this gateway, which redirects the shopper to the merchant's.
 */
import { messagePageOf, redirectToShop } from '../../browser-page.ts';
import type { Authorisation } from '../../payments/acquirer.ts';
import { returnUrlWith } from '../../spec/return-url.ts';
import type { AcquirerMemory } from '../../store/documents.ts';
import { openRecords } from './record.ts';

type Page = { path: string; handle: (request: Request) => Promise<Response> };

const returnPath = (id: string): string => `/v1/processor/return/${id}`;

/** `page` is sent to the processor; from there the shopper goes to `to`. Undefined if nobody is to return. */
export const returnOf = ({ id, parameters }: Authorisation): { page: string; to: string } | undefined => {
  const address = parameters['shopperResultUrl'];
  const base = (parameters['simulator.baseUrl'] ?? '').replace(/\/+$/, '');
  const resourcePath = parameters['simulator.resourcePath'] ?? `/v1/payments/${id}`;
  if (address === undefined || base === '') return undefined;
  // `id` is the resource's: /v1/checkouts/{id}/payment.
  const to = returnUrlWith(address, { id: resourcePath.split('/')[3] ?? id, resourcePath });
  return to === undefined ? undefined : { page: `${base}${returnPath(id)}`, to };
};

export type ReturnPageParts = {
  memory: AcquirerMemory;
  /** Queries the payment: its state is known and written when this resolves. */
  onDecision: (id: string) => Promise<void>;
  report: (error: unknown) => void;
};

/**
 * Redirects the shopper by 303, whatever the processor has put into the address or a form: the result is queried from
 * the processor itself.
 */
export const returnPage = ({ memory, onDecision, report }: ReturnPageParts): Page => ({
  path: returnPath(':id'),
  async handle({ url }) {
    const id = /\/([A-Za-z0-9]{1,64})$/.exec(new URL(url).pathname)?.[1];
    const record = id === undefined ? undefined : await openRecords(memory).read(id);
    const to = record?.kind === 'operation' ? record.returnTo : undefined;
    if (id === undefined || to === undefined) return nothingPendingPage();
    // A processor that does not answer must not keep the shopper here: the shop can query again.
    await onDecision(id).catch(report);
    return redirectToShop(to);
  },
});

const nothingPendingPage = (): Response =>
  messagePageOf('payment')(404, 'No payment waits here', 'The shop can tell you whether you have paid.');
