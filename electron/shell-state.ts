/** What the shell shows while the till cannot: which page, and what its forms do. */
import type { FolderHolder } from '../src/folder/rights/folder-holder.ts';
import { type Absence, awayPage, awayProblem, backToTill, heldPage, recoveryPage, stoppedPage } from './pages.ts';

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
  /** Another program works on its folder. */
  held(by: FolderHolder): void;
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

type State = 'running' | 'locked' | 'held' | 'stopped' | Absence;

type DisplayedState = { state: State; report: string | undefined; heldBy: FolderHolder };

/** While it starts it is asked each time: it listens a moment before it says so. */
const ownPage = ({ state, report, heldBy }: DisplayedState): Response | undefined => {
  if (state === 'running' || state === 'starting') return undefined;
  if (state === 'locked') return recoveryPage({ isWrong: false });
  if (state === 'held') return heldPage(heldBy);
  return state === 'stopped' ? stoppedPage(report) : awayPage(state);
};

export const shellState = ({ recover, startAgain, show }: ShellStateParts): ShellState => {
  const now: DisplayedState = { state: 'starting', report: undefined, heldBy: 'nobody' };
  let silence = new AbortController();

  const posted = async (path: string, form: URLSearchParams): Promise<Response | undefined> => {
    if (path === '/shell/recovery' && now.state === 'locked') {
      if (!(await recover(form.get('code') ?? ''))) return recoveryPage({ isWrong: true });
      now.state = 'starting';
      return backToTill();
    }
    if (path === '/shell/again' && (now.state === 'stopped' || now.state === 'held')) {
      now.state = 'starting';
      startAgain();
      return backToTill();
    }
    return undefined;
  };

  return {
    silence: () => silence.signal,
    locked() {
      now.state = 'locked';
    },
    listening() {
      now.state = 'running';
    },
    silent(isSilent) {
      now.state = isSilent ? 'silent' : 'running';
      if (!isSilent) return;
      silence.abort();
      silence = new AbortController();
    },
    stuck() {
      now.state = 'stuck';
      show();
    },
    died(report) {
      now.state = 'again';
      now.report = report;
    },
    held(by) {
      now.state = 'held';
      now.heldBy = by;
      show();
    },
    stopped() {
      now.state = 'stopped';
      show();
    },
    async page(path, form) {
      const answer = form && (await posted(path, form));
      if (answer !== undefined) return answer;
      if (!path.startsWith('/api/')) return ownPage(now);
      return now.state === 'silent' || now.state === 'stuck' ? awayProblem() : undefined;
    },
  };
};
