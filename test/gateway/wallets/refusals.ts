/** What a wallet says of a token that it does not take. */
import { whyRefused } from '../../../src/gateway/wallets/token.ts';

/** The words of the refusal; any other error goes on, and a token that was taken says so. */
export const refusalOf = async (work: () => unknown): Promise<string> => {
  try {
    const opened = await work();
    const stale = typeof opened === 'object' && opened !== null && 'stale' in opened ? opened.stale : undefined;
    return stale === undefined ? 'taken' : String(stale);
  } catch (error) {
    const why = whyRefused(error);
    if (why === undefined) throw error;
    return why;
  }
};
