/** What the shell shows while the till cannot: which page, and what its forms do. */
import { backToTill, recoveryPage, stoppedPage } from './pages.ts';

export type ShellState = {
  /** The answer to a request of the page, where it is the shell's own. */
  page(path: string, posted: URLSearchParams | undefined): Promise<Response | undefined>;
  /** The key store has lost the key: nothing else is shown until the code was entered. */
  locked(): void;
  /** The till died; `report` is the file about it. */
  died(report: string): void;
  /** It died too often, and is not started again by itself. */
  stopped(): void;
};

export type ShellStateParts = {
  /** Whether the code opened the till. */
  recover(code: string): Promise<boolean>;
  startAgain(): void;
};

export const shellState = ({ recover, startAgain }: ShellStateParts): ShellState => {
  let state: 'running' | 'locked' | 'stopped' = 'running';
  let lastReport: string | undefined;
  return {
    locked() {
      state = 'locked';
    },
    died(report) {
      lastReport = report;
    },
    stopped() {
      state = 'stopped';
    },
    async page(path, posted) {
      if (path === '/shell/recovery' && posted !== undefined && state === 'locked') {
        if (!(await recover(posted.get('code') ?? ''))) return recoveryPage({ isWrong: true });
        state = 'running';
        return backToTill();
      }
      if (path === '/shell/again' && posted !== undefined && state === 'stopped') {
        state = 'running';
        startAgain();
        return backToTill();
      }
      if (path.startsWith('/api/') || state === 'running') return undefined;
      return state === 'locked' ? recoveryPage({ isWrong: false }) : stoppedPage(lastReport);
    },
  };
};
