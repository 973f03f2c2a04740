/** A wallet's message about a token that it does not accept. */
import { refusalReason } from '../../../src/gateway/wallets/opened-token.ts';

/** The text of the refusal; any other error passes through, and an accepted token is reported as such. */
export const refusalOf = async (work: () => unknown): Promise<string> => {
  try {
    const openedPayment = await work();
    const stale =
      typeof openedPayment === 'object' && openedPayment !== null && 'stale' in openedPayment
        ? openedPayment.stale
        : undefined;
    return stale === undefined ? 'taken' : String(stale);
  } catch (error) {
    const reason = refusalReason(error);
    if (reason === undefined) throw error;
    return reason;
  }
};
