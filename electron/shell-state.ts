/** What the shell shows while the till cannot: which page, and what its forms do. */
import { type Absence, awayPage, awayProblem, backToTill, recoveryPage, stoppedPage } from './pages.ts';

export type ShellState = {
  /** The answer to a request of the page, where it is the shell's own. */
  page(path: string, posted: URLSearchParams | undefined): Promise<Response | undefined>;
  /** Aborts as soon as the till stops answering. */
  silence(): AbortSignal;
  /** The key store has lost the key: nothing else is shown until the code was entered. */
  locked(): void;
  /** The till listens. */
  listening(): void;
  /** It does not answer, or answers again. */
  silent(isSilent: boolean): void;
  /** It was ended by force, and is not gone. */
  stuck(): void;
  /** It died, and is started again; `report` is the file about it, where one could be written. */
  died(report: string | undefined): void;
  /** It died too often, and is not started again by itself. */
  stopped(): void;
};

export type ShellStateParts = {
  /** Whether the code opened the till. */
  recover(code: string): Promise<boolean>;
  startAgain(): void;
  /** Loads the window anew: the page in it is the till's, and cannot show what only a person can do now. */
  show(): void;
};

type State = 'running' | 'locked' | 'stopped' | Absence;

export const shellState = ({ recover, startAgain, show }: ShellStateParts): ShellState => {
  let state: State = 'starting';
  let lastReport: string | undefined;
  let silence = new AbortController();

  const posted = async (path: string, form: URLSearchParams): Promise<Response | undefined> => {
    if (path === '/shell/recovery' && state === 'locked') {
      if (!(await recover(form.get('code') ?? ''))) return recoveryPage({ isWrong: true });
      state = 'starting';
      return backToTill();
    }
    if (path === '/shell/again' && state === 'stopped') {
      state = 'starting';
      startAgain();
      return backToTill();
    }
    return undefined;
  };
  /** While it starts it is asked each time: it listens a moment before it says so. */
  const own = (): Response | undefined => {
    if (state === 'running' || state === 'starting') return undefined;
    if (state === 'locked') return recoveryPage({ isWrong: false });
    return state === 'stopped' ? stoppedPage(lastReport) : awayPage(state);
  };

  return {
    silence: () => silence.signal,
    locked() {
      state = 'locked';
    },
    listening() {
      state = 'running';
    },
    silent(isSilent) {
      state = isSilent ? 'silent' : 'running';
      if (!isSilent) return;
      silence.abort();
      silence = new AbortController();
    },
    stuck() {
      state = 'stuck';
      show();
    },
    died(report) {
      state = 'again';
      lastReport = report;
    },
    stopped() {
      state = 'stopped';
      show();
    },
    async page(path, form) {
      const answer = form && (await posted(path, form));
      if (answer !== undefined) return answer;
      if (!path.startsWith('/api/')) return own();
      return state === 'silent' || state === 'stuck' ? awayProblem() : undefined;
    },
  };
};
