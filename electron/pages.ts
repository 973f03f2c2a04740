/** The shell's own pages, for when the till cannot show any: no script, a form at most. */
import { escaped } from '../src/base/escaped.ts';
import { SHELL_POLICY } from './scheme.ts';

const page = (title: string, body: string): Response =>
  new Response(
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title><style>
body{font:1.25rem/1.5 system-ui;display:grid;place-content:center;min-height:100vh;margin:0;padding:1rem;box-sizing:border-box;color-scheme:light dark}
main{max-width:36rem}
input,button{font:inherit;padding:.75rem 1rem;min-height:3rem;box-sizing:border-box}
input{width:100%;font-family:ui-monospace,monospace;margin:.5rem 0 1rem}
</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`,
    { headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': SHELL_POLICY } },
  );

/** The key store of the machine does not open the till's keys. */
export const recoveryPage = ({ isWrong }: { isWrong: boolean }): Response =>
  page(
    'Recovery code',
    `<p>This machine’s key store has lost the till’s key. Nothing is lost: sales that wait are sealed on the disk.</p>
<p>Enter the recovery code that was written down when this till was set up: 26 letters and digits.</p>
${isWrong ? '<p role="alert"><strong>That is not this till’s code.</strong> Look for 0 and O, 1 and I: they count as the same.</p>' : ''}
<form method="post" action="/shell/recovery"><label>Recovery code<input name="code" autofocus autocomplete="off" spellcheck="false"></label>
<button>Open the till</button></form>`,
  );

/** The till's process ends again and again. */
export const stoppedPage = (report: string | undefined): Response =>
  page(
    'The till does not start',
    `<p>It was started again several times, and ended each time. What was written down is safe; sales that were under way are
brought to their end when it runs again.</p>
<p>Start it again. If that does not help, call support${report === undefined ? '' : `, and give them the file <code>${escaped(report)}</code>, which holds no card data`}.</p>
<form method="post" action="/shell/again"><button autofocus>Start again</button></form>`,
  );

export const backToTill = (): Response => new Response(null, { status: 303, headers: { location: '/' } });
