/** The shell's pages while the till cannot show any, and the actions of their forms. */
import { escapeText } from '../src/base/text.ts';
import type { FolderHolder } from '../src/folder/till-folder.ts';

export type ShellState = {
  /** The answer to a request of the page, if it is the shell's own. */
  page(path: string, posted: URLSearchParams | undefined): Promise<Response | undefined>;
  /** Aborts as soon as the till stops answering. */
  silence(): AbortSignal;
  /** The key store has lost the key: nothing else is shown until the code is entered. */
  locked(): void;
  /** The till is starting, with its progress. */
  indexing(text: string): void;
  listening(): void;
  /** The till does not answer, or answers again. */
  silent(isSilent: boolean): void;
  /** The till was killed, and is not gone. */
  stuck(): void;
  /** The till died, and is restarted; `report` is the file about it, if it could be written. */
  died(report: string | undefined): void;
  /** Another program uses the till's folder. */
  held(by: FolderHolder): void;
  /** The till died too often, and is not restarted automatically. */
  stopped(): void;
};

export type ShellStateParts = {
  /** Whether the code opened the till. */
  recover(code: string): Promise<boolean>;
  startAgain(): void;
  /** Reloads the window: the till's page in it cannot show what a person has to do now. */
  show(): void;
};

type State = 'running' | 'locked' | 'held' | 'stopped' | TillAbsence;

type DisplayedState = { state: State; report: string | undefined; heldBy: FolderHolder; indexing: string | undefined };

/** Asked at each request while it starts, because the till listens a moment before it reports that. */
const ownPage = ({ state, report, heldBy, indexing }: DisplayedState): Response | undefined => {
  if (state === 'running' || (state === 'starting' && indexing === undefined)) return undefined;
  if (state === 'locked') return recoveryPage({ isWrong: false });
  if (state === 'held') return heldPage(heldBy);
  return state === 'stopped' ? stoppedPage(report) : awayPage(state, indexing);
};

export const shellState = ({ recover, startAgain, show }: ShellStateParts): ShellState => {
  const current: DisplayedState = { state: 'starting', report: undefined, heldBy: 'nobody', indexing: undefined };
  let silence = new AbortController();
  const update = (change: Partial<DisplayedState>): void => void Object.assign(current, change);

  const posted = async (path: string, form: URLSearchParams): Promise<Response | undefined> => {
    if (path === '/shell/recovery' && current.state === 'locked') {
      if (!(await recover(form.get('code') ?? ''))) return recoveryPage({ isWrong: true });
      current.state = 'starting';
      return backToTill();
    }
    if (path === '/shell/again' && (current.state === 'stopped' || current.state === 'held')) {
      current.state = 'starting';
      startAgain();
      return backToTill();
    }
    return undefined;
  };

  return {
    silence: () => silence.signal,
    locked: () => update({ state: 'locked' }),
    indexing: (text) => update({ indexing: text }),
    listening: () => update({ state: 'running', indexing: undefined }),
    silent(isSilent) {
      update({ state: isSilent ? 'silent' : 'running' });
      if (!isSilent) return;
      silence.abort();
      silence = new AbortController();
    },
    stuck() {
      update({ state: 'stuck' });
      show();
    },
    died: (report) => update({ state: 'again', report }),
    held(by) {
      update({ state: 'held', heldBy: by });
      show();
    },
    stopped() {
      update({ state: 'stopped' });
      show();
    },
    async page(path, form) {
      const answer = form && (await posted(path, form));
      if (answer !== undefined) return answer;
      if (!path.startsWith('/api/')) return ownPage(current);
      return current.state === 'silent' || current.state === 'stuck' ? awayProblem() : undefined;
    },
  };
};

// The shell's own pages, for when the till cannot show any: no scripts, and at most a form.

/** For the shell's own pages: no scripts at all. */
const SHELL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'";

type PageOptions = { title: string; body: string; head?: string };

const page = ({ title, body, head = '' }: PageOptions): Response =>
  new Response(
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8">${head}<title>${title}</title><style>
body{font:1.25rem/1.5 system-ui;display:grid;place-content:center;min-height:100vh;margin:0;padding:1rem;box-sizing:border-box;color-scheme:light dark}
main{max-width:36rem}
input,button{font:inherit;padding:.75rem 1rem;min-height:3rem;box-sizing:border-box}
input{width:100%;font-family:ui-monospace,monospace;margin:.5rem 0 1rem}
</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`,
    { headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': SHELL_POLICY } },
  );

/** The machine's key store does not open the till's keys. */
const recoveryPage = ({ isWrong }: { isWrong: boolean }): Response =>
  page({
    title: 'Recovery code',
    body: `<p>This machine’s key store has lost the till’s key. Nothing is lost: unsent sales are stored on the disk, encrypted.</p>
<p>Enter the recovery code that was written down when this till was set up: 26 letters and digits.</p>
${isWrong ? '<p role="alert"><strong>That is not this till’s code.</strong> Check it: 0 and O count as the same, and so do 1 and I.</p>' : ''}
<form method="post" action="/shell/recovery"><label>Recovery code<input name="code" autofocus autocomplete="off" spellcheck="false"></label>
<button>Open the till</button></form>`,
  });

/** The till's process ends again and again. */
const stoppedPage = (report: string | undefined): Response =>
  page({
    title: 'The till does not start',
    body: `<p>It was restarted several times, and ended each time. Everything recorded is safe; sales in progress are
brought to their end when it runs again.</p>
<p>Start it again. If that does not help, call support${report === undefined ? '' : `, and give them the file <code>${escapeText(report)}</code>, which contains no card data`}.</p>
<form method="post" action="/shell/again"><button autofocus>Start again</button></form>`,
  });

const holders: Readonly<Record<FolderHolder, string>> = {
  other: `<p>This till runs in another sign-in of this machine, and only one at a time can work on it.</p>
<p>Switch to that sign-in and sell there. Or close Tillgate there, or sign out there, and then try again here.</p>`,
  self: `<p>This till runs outside this window: it was started by <code>npm start</code>, or with the machine.</p>
<p>Sell there: <code>npm run till -- open</code> says where its screens are. Or end it by <code>npm run till -- stop</code>,
and then try again here.</p>`,
  nobody: `<p>Another program works on this till: the till in another sign-in of this machine, or a command.</p>
<p>Sell there, or wait until the command has ended. Or close Tillgate there, and then try again here.</p>`,
};

/** Another program uses the till's folder. */
const heldPage = (by: FolderHolder): Response =>
  page({
    title: 'The till is already running',
    body: `${holders[by]}
<p>Nothing is lost: that till has all its sales, including those that wait to be sent, and it continues.</p>
<form method="post" action="/shell/again"><button autofocus>Try again</button></form>`,
  });

/**
 * Why the till cannot show its own page: it was just started; it ended and is being restarted; it does not answer; or
 * it was killed, and the system cannot end it.
 */
type TillAbsence = 'starting' | 'again' | 'silent' | 'stuck';

const MONEY = 'A sale in progress is completed automatically and is not lost.';
const ONCE =
  'This is done once after an update. If it is interrupted, it continues at the next start, and nothing is lost.';
const absences: Readonly<Record<TillAbsence, string>> = {
  starting: '<p>The till is starting …</p>',
  again: `<p>The till ended and is being restarted …</p><p>${MONEY}</p>`,
  silent: `<p>The till does not answer. If this continues, it is restarted automatically …</p><p>${MONEY}</p>`,
  stuck: `<p>The till hangs and cannot be ended: it waits for a disk or a device that does not answer.</p><p>${MONEY}</p>
<p>Unplug the disk or the device that hangs, or restart this machine. Then the till restarts automatically.</p>`,
};

/** Reloads until the till is there, without a script. */
export const awayPage = (reason: TillAbsence, indexing?: string): Response =>
  page({
    title: 'Tillgate',
    body: `${absences[reason]}${indexing === undefined ? '' : `<p>${escapeText(indexing)}.</p><p>${ONCE}</p>`}`,
    head: '<meta http-equiv="refresh" content="1">',
  });

/** As `awayPage`, for a program: in the API's own format. */
export const awayProblem = (): Response =>
  Response.json(
    {
      problem: {
        code: 'till.away',
        says: 'The till program does not answer',
        money: MONEY,
        next: 'Wait a moment: it continues or restarts automatically.',
        remedy: 'retry',
      },
    },
    { status: 503 },
  );

const backToTill = (): Response => new Response(null, { status: 303, headers: { location: '/' } });
